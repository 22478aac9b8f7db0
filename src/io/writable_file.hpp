// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <filesystem>
#include <memory>

#include "io/hdf5_handle.hpp"

namespace tessera::io::hdf5 {

/// An HDF5 file that is open to be written, on a disk that may fill up.
///
/// An HDF5 library that cannot flush on closing leaves the file half closed, and crashes when the program ends. The
/// file driver here therefore never tells HDF5 that a write failed: it keeps the system's first error, drops what comes
/// after, and lets HDF5 close in peace; require_written() then reports the error. The file is worth nothing from there
/// on.
class WritableFile {
 public:
  WritableFile() = default;

  /// Creates a file, or truncates an existing one. Throws Failure.
  static WritableFile create(const std::filesystem::path& path);
  /// Opens a file to be changed. Throws Failure.
  static WritableFile open(const std::filesystem::path& path);
  /// Opens a file to see whether it could be changed: all changes stay in memory and are forgotten. Throws Failure.
  static WritableFile rehearse(const std::filesystem::path& path);

  hid_t get() const { return file_.get(); }
  explicit operator bool() const { return static_cast<bool>(file_); }

  /// Throws Failure with the system's reason if it refused a write, also one during close().
  void require_written() const;

  /// Writes everything that HDF5 still holds, closes, and throws Failure if anything was refused.
  void close();

  /// Closes whatever happened, and forgets about errors.
  void abandon() noexcept;

 private:
  static WritableFile open(const std::filesystem::path& path, bool rehearsal);

  std::unique_ptr<int> error_;  // errno of the first refusal; the driver writes to it as long as the file is open
  Handle file_;
};

}  // namespace tessera::io::hdf5
