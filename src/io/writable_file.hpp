// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <memory>

#include "io/descriptor.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera::io::hdf5 {

/// An HDF5 file open for writing, on a disk that may become full.
///
/// If HDF5 cannot flush a file on closing, it leaves the file half closed and crashes at the end of the program. This
/// file driver therefore never reports a failed write to HDF5: it stores the system's first error and discards later
/// writes, so that HDF5 can close the file; require_written() then reports the error. The file is invalid after that.
class WritableFile {
 public:
  WritableFile() = default;

  enum class Opening {
    create,    ///< a new file, or a truncated one
    change,    ///< an existing file
    rehearse,  ///< an existing file, without changing it; elements that were written cannot be read
  };
  /// Throws Failure.
  WritableFile(const std::filesystem::path& path, Opening opening);

  hid_t get() const { return file_.get(); }
  explicit operator bool() const { return static_cast<bool>(file_); }

  /// Throws Failure with the system's reason if a write failed, also one during close().
  void require_written() const;

  /// What the driver knows of its writes, also after close().
  struct Writes {
    int error = 0;              ///< errno of the first one that failed; -1: they are discarded
    bool are_repeated = false;  ///< raw data are written that will be written as a whole before they are read again
    FileBlocks blocks = {};     ///< that were written, but for such data
  };
  Writes& writes() { return *writes_; }

  /// Flushes and closes the file. Throws Failure if a write failed.
  void close();

  /// Closes the file and ignores errors.
  void abandon() noexcept;

 private:
  std::unique_ptr<Writes> writes_;
  Handle file_;
};

}  // namespace tessera::io::hdf5
