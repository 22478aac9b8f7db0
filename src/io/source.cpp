// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/source.hpp"

#include <sys/file.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "io/descriptor.hpp"
#include "io/faults.hpp"

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

/// Whether a program has the file open for writing, during which HDF5 locks it.
bool is_locked(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY);
  return file.valid() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

CheckpointReader::Source::Source(const std::filesystem::path& path_) : path(path_) {
  require_hdf5(*this);
  try {
    file = hdf5::open_to_read(path);
  } catch (const Failure& failure) {
    const std::string reason = failure.what();
    if (is_locked(path)) throw error("another program has it open for writing; close it there");
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
    tessera_version = hdf5::read_text_attribute(file.get(), "tessera_version");
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

}  // namespace tessera::io
