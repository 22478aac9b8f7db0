// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/input_file.hpp"

#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

#include "io/descriptor.hpp"
#include "io/failure.hpp"
#include "io/source.hpp"

namespace tessera::io {
namespace {

/// Throws InputError unless `path` is a readable regular file with the signature of HDF5.
void require_hdf5(const CheckpointReader::Source& source) {
  std::error_code error;
  const auto status = std::filesystem::status(source.path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw source.error("no such file; use the output file of an earlier run");
  if (!std::filesystem::exists(status)) throw source.error(system_reason(error.value()));
  if (!std::filesystem::is_regular_file(status))
    throw source.error("it is not a regular file; use the output file of an earlier run");
  errno = 0;
  std::ifstream stream(source.path, std::ios::binary);
  if (!stream) throw source.error(system_reason(errno));
  if (first_bytes(stream) != hdf5_signature)
    throw source.error("it is not an HDF5 file; use the output file of an earlier run");
}

/// of(dataset) for the dataset of this name.
template <class Of>
decltype(auto) of_dataset(const CheckpointReader::Source& source, const std::string& name, Of&& of) {
  return source.reading(name, [&] { return of(hdf5::open_unknown_dataset(source.file.get(), name).get()); });
}

/// The same for a group or dataset.
template <class Of>
decltype(auto) of_object(const CheckpointReader::Source& source, const std::string& name, Of&& of) {
  return source.reading(name, [&] { return of(hdf5::open_object(source.file.get(), name).get()); });
}

}  // namespace

CheckpointReader::Source::Source(const std::filesystem::path& path_) : path(path_) {
  require_hdf5(*this);
  try {
    file = hdf5::open_to_read(path);
  } catch (const Failure& failure) {
    const std::string reason = failure.what();
    const Descriptor opened(path, O_RDONLY);  // HDF5 locks files that it writes
    if (opened.valid() && ::flock(opened.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw error("another program has it open for writing; close it there");
    if (reason.find("h5clear") != std::string::npos)
      throw error(
          "it is marked as open for writing: a program that wrote to it was killed, or has it open on another machine; "
          "once no program has it open, remove the mark with h5clear -s");
    if (reason.find("truncated") != std::string::npos || reason.find("end of file") != std::string::npos ||
        reason.find("eof") != std::string::npos)
      throw error("the file is truncated: it was cut short at " + std::to_string(std::filesystem::file_size(path)) +
                  " bytes; use an undamaged copy");
    throw error("the file is damaged (" + reason + "); use an undamaged copy");
  }
  reading("the root attributes", [&] {
    for (const char* name : {"format_version", "tessera_version", "method"})
      if (!hdf5::has_attribute(file.get(), name))
        throw error(std::string("it is an HDF5 file, but Tessera did not write it: it has no root attribute '") + name +
                    "'; use the output file of an earlier run");
    const std::string tessera_version = hdf5::read_text_attribute(file.get(), "tessera_version");
    const std::uint64_t format = hdf5::read_unsigned_attribute(file.get(), "format_version");
    if (format != current_format)
      throw error("its format is " + std::to_string(format) + ", and this version of Tessera reads format " +
                  std::to_string(current_format) + " alone; use the version that wrote it, " + tessera_version);
    method = hdf5::read_text_attribute(file.get(), "method");
  });
}

void CheckpointReader::Source::require_method(const std::string& wanted) const {
  if (method != wanted)
    throw error("it was written by the method '" + method + "', not '" + wanted + "'; use an output file of '" +
                wanted + "'");
}

InputFile::InputFile(const std::filesystem::path& path) : source_(std::make_shared<CheckpointReader::Source>(path)) {}

const std::filesystem::path& InputFile::path() const { return source_->path; }
std::string InputFile::method() const { return source_->method; }
void InputFile::require_method(const std::string& method) const { source_->require_method(method); }
FileCheckpoint InputFile::checkpoint() const { return FileCheckpoint(source_); }

bool InputFile::has(const std::string& object) const {
  return source_->reading(object, [&] { return hdf5::missing_part(source_->file.get(), object).empty(); });
}

std::vector<std::string> InputFile::names(const std::string& group) const {
  return source_->reading(group, [&] { return hdf5::names_in(hdf5::open_group(source_->file.get(), group).get()); });
}

std::vector<std::size_t> InputFile::shape(const std::string& dataset) const {
  return of_dataset(*source_, dataset, hdf5::shape_of);
}

ElementType InputFile::type(const std::string& dataset) const {
  const auto type = of_dataset(*source_, dataset, hdf5::element_type);
  if (!type) throw source_->error(dataset + " does not hold numbers");
  return *type;
}

void InputFile::require(const std::string& dataset, ElementType type, const std::vector<std::size_t>& wanted) const {
  of_dataset(*source_, dataset, [&](hid_t open) {
    source_->require_type(dataset, open, type);
    if (hdf5::shape_of(open) != wanted) throw Failure("its shape does not fit the rest of the file");
  });
}

void InputFile::require_moments(const std::string& group, std::size_t rows, std::size_t replicas) const {
  require(group + "/step", ElementType::int64, {rows});
  const bool apart = replicas > 1 && shape(group + "/time").size() == 2;
  require(group + "/time", ElementType::float64, apart ? hdf5::Shape{rows, replicas} : hdf5::Shape{rows});
}

std::string InputFile::text(const std::string& dataset) const { return of_dataset(*source_, dataset, hdf5::read_text); }

std::string InputFile::text_attribute(const std::string& object, const std::string& name) const {
  return of_object(*source_, object, [&](hid_t open) { return hdf5::read_text_attribute(open, name); });
}

std::uint64_t InputFile::unsigned_attribute(const std::string& object, const std::string& name) const {
  return of_object(*source_, object, [&](hid_t open) { return hdf5::read_unsigned_attribute(open, name); });
}

bool InputFile::has_attribute(const std::string& object, const std::string& name) const {
  return of_object(*source_, object, [&](hid_t open) { return hdf5::has_attribute(open, name); });
}

std::string InputFile::unit(const std::string& dataset) const {
  return has_attribute(dataset, "unit") ? text_attribute(dataset, "unit") : "";
}

void InputFile::read(const std::string& dataset, ElementType type, const Rows* rows,
                     const std::function<void*(std::size_t)>& room) const {
  constexpr std::string_view group = "/checkpoint/";
  const bool is_entry = rows == nullptr && dataset.starts_with(group);
  of_dataset(*source_, dataset, [&](hid_t open) {
    source_->require_type(dataset, open, type);
    hdf5::Shape shape = hdf5::shape_of(open), corner(shape.size(), 0);
    if (rows != nullptr) {
      if (shape.empty() || rows->first >= shape[0] || rows->count > shape[0] - rows->first)
        throw source_->error(dataset + " has no row " + std::to_string(rows->first + rows->count - 1));
      corner[0] = rows->first;
      shape[0] = rows->count;
    }
    const std::size_t count = hdf5::count_of(shape);
    void* const data = room(count);
    if (is_entry) return checkpoint().read(dataset.substr(group.size()), type, data, count, shape);
    if (count > 0) hdf5::read_block(open, type, corner, shape, data);
  });
}

namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;
constexpr std::size_t deepest = 8;

/// Identity of an object in its file.
std::string number_of(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info{};
  hdf5::checked(H5Oget_info3(object, &info, H5O_INFO_BASIC));
  return {reinterpret_cast<const char*>(&info.token), sizeof info.token};
#else
  H5O_info_t info{};
  hdf5::checked(H5Oget_info(object, &info));
  return std::to_string(info.addr);
#endif
}

/// Bytes that are read at a time: at least a chunk, which HDF5 reads as a whole.
std::size_t bytes_at_once(hid_t dataset, const hdf5::Shape& shape, std::size_t element_bytes) {
  const hdf5::Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return piece_bytes;
  std::vector<hsize_t> chunk(shape.size());
  hdf5::checked(H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()));
  const std::size_t count = hdf5::count_of({chunk.begin(), chunk.end()});
  if (count > std::max(piece_bytes / element_bytes, hdf5::count_of(shape))) throw Failure("its chunks are too large");
  return std::max(piece_bytes, count * element_bytes);
}

/// Reads all elements of a dataset, block by block.
void read_pieces(hid_t dataset, ElementType type) {
  const hdf5::Shape shape = hdf5::shape_of(dataset);
  if (hdf5::count_of(shape) == 0) return;
  const std::size_t size = element_size(type);
  const hdf5::Blocks blocks(shape, size, bytes_at_once(dataset, shape, size));
  std::vector<char> buffer(blocks.elements() * size);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const hdf5::Block block = blocks[i];
    hdf5::read_block(dataset, type, block.corner, block.extents, buffer.data());
  }
}

bool is_text(const hdf5::Handle& type) {
  return H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
}

void read_attribute(hid_t object, const std::string& name) {
  const hdf5::Attribute attribute(object, name);
  const H5T_class_t kind = H5Tget_class(attribute.type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && !is_text(attribute.type)) return;
  const std::size_t size = std::max<std::size_t>(1, H5Tget_size(attribute.type.get()));
  if (attribute.count() > longest_text / size) throw Failure("its attribute '" + name + "' is too long");
  std::vector<char> buffer(attribute.count() * size);
  if (!buffer.empty()) attribute.read(attribute.type.get(), buffer.data());
}

void read_dataset(hid_t file, const std::string& path) {
  if (hdf5::shows_others(hdf5::open_dataset(file, path).get())) return;
  const auto dataset = hdf5::open_unknown_dataset(file, path);
  if (const auto type = hdf5::element_type(dataset.get()))
    read_pieces(dataset.get(), *type);
  else if (is_text(hdf5::Handle(H5Dget_type(dataset.get()), H5Tclose)))
    hdf5::read_text(dataset.get());
}

/// Reads an object and what is in it, except those that were `seen` under another name.
void visit(const CheckpointReader::Source& source, const std::string& path, std::size_t depth,
           std::set<std::string>& seen) {
  source.reading(path, [&] {
    const auto object = hdf5::open_object(source.file.get(), path);
    if (!seen.insert(number_of(object.get())).second) return;
    if (depth > deepest) throw Failure("its groups are nested too deeply");
    for (const auto& name : hdf5::attribute_names(object.get())) read_attribute(object.get(), name);
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_DATASET) read_dataset(source.file.get(), path);
    if (kind != H5I_GROUP) return;
    for (const auto& name : hdf5::names_in(object.get()))
      visit(source, (depth == 0 ? "" : path) + "/" + name, depth + 1, seen);
  });
}

}  // namespace

void InputFile::read_through() const {
  std::set<std::string> seen;
  visit(*source_, "/", 0, seen);
}

}  // namespace tessera::io
