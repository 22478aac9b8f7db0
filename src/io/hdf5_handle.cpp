// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/hdf5_handle.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <system_error>

namespace tessera::io::hdf5 {
namespace {

/// Path of an object from the root of the file.
std::string path_within(hid_t parent, const std::string& path) {
  if (path.starts_with('/')) return path;
  std::array<char, 256> name{};
  H5Iget_name(parent, name.data(), name.size());
  const std::string group = name.data();
  return (group == "/" ? "" : group) + "/" + path;
}

/// Throws Failure if a link on this path is missing or does not lead to an object in this file.
void require_no_detour(hid_t parent, const std::string& path) {
  if (const std::string part = missing_part(parent, path); !part.empty())
    throw Failure("it has no '" + path_within(parent, part) + "'");
}

Handle opened(hid_t parent, const std::string& path, hid_t (*open)(hid_t, const char*, hid_t), Handle::Closer closer) {
  require_no_detour(parent, path);
  return {open(parent, path.c_str(), H5P_DEFAULT), closer};
}

/// Throws Failure if a dataset claims more elements than its file can contain: memory is allocated for them.
void require_content(hid_t dataset) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  const bool chunked = layout == H5D_CHUNKED;
  if ((!chunked && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) || H5Pget_external_count(properties.get()) != 0)
    throw Failure("its elements are outside the file");
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const auto elements = static_cast<hsize_t>(checked(H5Sget_simple_extent_npoints(space.get())));
  const Handle file(H5Iget_file_id(dataset), H5Fclose);
  hsize_t file_bytes = 0;
  checked(H5Fget_filesize(file.get(), &file_bytes));
  const hsize_t stored = H5Dget_storage_size(dataset);
  // Largest compression ratio of deflate.
  constexpr hsize_t densest = 1032;
  const bool packed = chunked && H5Pget_nfilters(properties.get()) > 0;
  const hsize_t room = packed ? stored * densest : stored;
  if (stored > file_bytes || elements > room / std::max<hsize_t>(1, H5Tget_size(type.get())))
    throw Failure("it has more elements than the file can hold");
}

}  // namespace

Handle::Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {
  if (id < 0) throw Failure(last_reason());
}

void Handle::close() {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  if (id >= 0) checked(closer_(id));
}

void Handle::reset() noexcept {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  if (id >= 0) closer_(id);
}

std::string last_reason() {
  std::string reason = "unknown reason";
  const auto keep_innermost = [](unsigned depth, const H5E_error2_t* error, void* kept) -> herr_t {
    if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(kept) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  // HDF5 wraps a system error in addresses and buffer pointers; only the system's message is useful.
  std::smatch part;
  if (std::regex_search(reason, part, std::regex("error message = '([^']*)"))) reason = part[1].str();
  std::ranges::replace(reason, '\n', ' ');
  return reason;
}

Handle access_properties() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110));
  checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  checked(H5Pset_file_locking(access.get(), false, true));
#endif
  return access;
}

std::filesystem::path reachable(const std::filesystem::path& path) {
  constexpr std::size_t room = 1024;  // leak in HDF5: the name of the working directory
  std::error_code error;
  const auto directory = std::filesystem::current_path(error);
  return error || directory.native().size() < room ? path : directory / path;
}

Handle open_to_read(const std::filesystem::path& path) {
  const Handle access = access_properties();
  return Handle(H5Fopen(reachable(path).c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
}

Handle creation_properties(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  checked(H5Pset_obj_track_times(properties.get(), false));
  return properties;
}

Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const Handle& space,
                      const Handle& properties) {
  return Handle(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                H5Dclose);
}

bool has_link(hid_t parent, const std::string& name) {
  if (const auto last = name.rfind('/'); last != std::string::npos) require_no_detour(parent, name.substr(0, last));
  return checked(static_cast<int>(H5Lexists(parent, name.c_str(), H5P_DEFAULT))) > 0;
}

std::string missing_part(hid_t parent, const std::string& path) {
  // H5Lexists() checks the last link of a path only, and requires all links before it.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (!part.empty() && part != "/") {
      if (checked(static_cast<int>(H5Lexists(parent, part.c_str(), H5P_DEFAULT))) == 0) return part;
      H5L_info_t link{};
      checked(H5Lget_info(parent, part.c_str(), &link, H5P_DEFAULT));
      if (link.type != H5L_TYPE_HARD) throw Failure("'" + part + "' is a link to another place");
    }
    if (end == std::string::npos) return "";
  }
}

Handle open_group(hid_t parent, const std::string& name) { return opened(parent, name, H5Gopen2, H5Gclose); }
Handle open_dataset(hid_t parent, const std::string& name) { return opened(parent, name, H5Dopen2, H5Dclose); }
Handle open_object(hid_t parent, const std::string& name) { return opened(parent, name, H5Oopen, H5Oclose); }

Handle require_group(hid_t parent, const std::string& name) {
  if (has_link(parent, name)) return open_group(parent, name);
  const Handle properties = creation_properties(H5P_GROUP_CREATE);
  return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Gclose);
}

bool shows_others(hid_t dataset) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout == H5D_CHUNKED) {
    H5D_space_status_t status{};  // H5Dget_storage_size() also returns 0 for damaged indices
    checked(H5Dget_space_status(dataset, &status));
    return status == H5D_SPACE_STATUS_NOT_ALLOCATED;
  }
  if (layout != H5D_VIRTUAL) return false;
  std::size_t sources = 0;
  checked(H5Pget_virtual_count(properties.get(), &sources));
  for (std::size_t i = 0; i < sources; ++i) {
    std::array<char, 3> name{};
    if (checked(H5Pget_virtual_filename(properties.get(), i, name.data(), name.size())) != 1 || name[0] != '.')
      throw Failure("its elements are outside the file");
  }
  return true;
}

Handle open_unknown_dataset(hid_t parent, const std::string& name) {
  Handle dataset = open_dataset(parent, name);
  require_content(dataset.get());
  return dataset;
}

void unlink(hid_t parent, const std::string& name) { checked(H5Ldelete(parent, name.c_str(), H5P_DEFAULT)); }

void unlink_any(hid_t parent, const std::string& name) {
  if (has_link(parent, name)) unlink(parent, name);
}

}  // namespace tessera::io::hdf5
