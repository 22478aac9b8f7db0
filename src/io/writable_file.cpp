// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/writable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <system_error>

#include "io/descriptor.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace tessera::io::hdf5 {
namespace {

/// An open file of the driver. HDF5 accesses its base only.
struct DriverFile : H5FD_t {
  WritableFile::Writes* writes;  // the information of the driver in the access properties
  int descriptor;
  haddr_t allocated;
  haddr_t size;
};

DriverFile& own(H5FD_t* file) { return *static_cast<DriverFile*>(file); }
const DriverFile& own(const H5FD_t* file) { return *static_cast<const DriverFile*>(file); }

H5FD_t* driver_open(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* writes = static_cast<WritableFile::Writes* const*>(H5Pget_driver_info(access));
  if (writes == nullptr) return nullptr;
  int mode = (flags & H5F_ACC_RDWR) != 0 && (*writes)->error == 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  const int descriptor = uninterrupted([&] { return ::open(name, mode | O_CLOEXEC, 0666); });
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return nullptr;
  return new (std::nothrow) DriverFile{{}, *writes, descriptor, 0, static_cast<haddr_t>(status.st_size)};
}

herr_t driver_close(H5FD_t* file) {
  if (int& error = own(file).writes->error; ::close(own(file).descriptor) != 0 && errno != EINTR && error == 0)
    error = errno;
  delete &own(file);
  return 0;
}

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) { return own(file).allocated; }
haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) { return own(file).size; }

herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file).allocated = address;
  return 0;
}

/// Reads from the disk; space that is allocated but not written yet reads as zeros.
herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  std::memset(buffer, 0, size);
  for (auto* target = static_cast<char*>(buffer); size > 0;) {
    const auto read = [&] { return ::pread(own(file).descriptor, target, size, static_cast<off_t>(address)); };
    const ssize_t bytes = uninterrupted(read);
    if (bytes <= 0) return bytes < 0 ? -1 : 0;
    target += bytes;
    address += static_cast<haddr_t>(bytes);
    size -= static_cast<size_t>(bytes);
  }
  return 0;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, const void* buffer) {
  DriverFile& target = own(file);
  const auto* source = static_cast<const char*>(buffer);
  target.size = std::max(target.size, address + size);
  auto& [error, are_repeated, blocks] = *target.writes;
  if (error == 0 && (!are_repeated || type != H5FD_MEM_DRAW)) {
    const auto begin = static_cast<std::ptrdiff_t>(address) / file_block_bytes;
    const auto end = static_cast<std::ptrdiff_t>(address + size - 1) / file_block_bytes + 1;
    blocks.resize(std::max(blocks.size(), static_cast<std::size_t>(end)));
    std::fill(blocks.begin() + begin, blocks.begin() + end, true);
  }
  while (size > 0 && error == 0) {
    const auto write = [&] { return ::pwrite(target.descriptor, source, size, static_cast<off_t>(address)); };
    const ssize_t bytes = uninterrupted(write);
    if (bytes < 0) {
      error = errno;
      return 0;
    }
    source += bytes;
    address += static_cast<haddr_t>(bytes);
    size -= static_cast<size_t>(bytes);
  }
  return 0;
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& target = own(file);
  if (target.size == target.allocated) return 0;
  const auto truncate = [&] { return ::ftruncate(target.descriptor, static_cast<off_t>(target.allocated)); };
  if (int& error = target.writes->error; error == 0 && uninterrupted(truncate) != 0) error = errno;
  target.size = target.allocated;
  return 0;
}

Handle register_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 117);
#endif
  driver.name = "tessera";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(WritableFile::Writes*);
  driver.open = driver_open;
  driver.close = driver_close;
  driver.query = driver_query;
  driver.get_eoa = driver_get_eoa;
  driver.set_eoa = driver_set_eoa;
  driver.get_eof = driver_get_eof;
  driver.read = driver_read;
  driver.write = driver_write;
  driver.truncate = driver_truncate;
  const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return Handle(H5FDregister(&driver), H5FDunregister);
}

/// Keeps all metadata in memory until the file is closed, as a rehearsal cannot read again what it has written.
void keep_metadata(hid_t access) {
  H5AC_cache_config_t settings{};
  settings.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checked(H5Pget_mdc_config(access, &settings));
  settings.evictions_enabled = false;
  settings.incr_mode = H5C_incr__off;
  settings.flash_incr_mode = H5C_flash_incr__off;
  settings.decr_mode = H5C_decr__off;
  checked(H5Pset_mdc_config(access, &settings));
}

}  // namespace

WritableFile::WritableFile(const std::filesystem::path& path, Opening opening) : writes_(std::make_unique<Writes>()) {
  const bool rehearsal = opening == Opening::rehearse;
  if (rehearsal) writes_->error = -1;
  const Handle access = access_properties(), driver = register_driver();
  const Writes* writes = writes_.get();
  checked(H5Pset_driver(access.get(), driver.get(), &writes));
  if (rehearsal) keep_metadata(access.get());
  const Handle creation = creation_properties(H5P_FILE_CREATE);
  const std::string name = reachable(path);
  file_ = Handle(opening == Opening::create ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.get(), access.get())
                                            : H5Fopen(name.c_str(), H5F_ACC_RDWR, access.get()),
                 H5Fclose);
}

void WritableFile::require_written() const {
  if (writes_ && writes_->error > 0) throw Failure(std::generic_category().message(writes_->error));
}

void WritableFile::close() {
  file_.close();
  require_written();
}

void WritableFile::abandon() noexcept {
  if (file_) writes_->error = -1;
  file_.reset();
}

}  // namespace tessera::io::hdf5
