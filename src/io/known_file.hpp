// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "io/descriptor.hpp"

namespace tessera::io {

inline bool one_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether this file is at `path`.
inline bool is_at(const struct stat& file, const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && one_file(status, file);
}

/// A file that was found at a path, even if another file replaces it there. It is kept open so that its inode number is
/// not reused.
class KnownFile {
 public:
  /// Returns the file at `path`, or null if there is none.
  static std::shared_ptr<const KnownFile> at(const std::filesystem::path& path) {
    std::shared_ptr<KnownFile> file(new KnownFile);
    file->descriptor_ = Descriptor(path, O_RDONLY | O_NONBLOCK);
    // A file that will be overwritten need not be readable.
    const bool found = file->descriptor_.valid() ? ::fstat(file->descriptor_.get(), &file->status_) == 0
                                                 : ::stat(path.c_str(), &file->status_) == 0;
    return found ? file : nullptr;
  }

  /// Whether this file is still at `path`.
  bool is_at(const std::filesystem::path& path) const { return io::is_at(status_, path); }

  /// Whether both are the same file, with equal sizes and modification times when they were found.
  bool same_as(const KnownFile& other) const {
    return one_file(status_, other.status_) && equally_written(status_, other.status_);
  }

  /// Whether its size and modification time are unchanged since it was found.
  bool untouched() const {
    struct stat status {};
    return ::fstat(descriptor_.get(), &status) == 0 && equally_written(status, status_);
  }

  /// Descriptor for reading; invalid if the file is not readable.
  const Descriptor& descriptor() const { return descriptor_; }

 private:
  KnownFile() = default;
  static bool equally_written(const struct stat& a, const struct stat& b) {
    return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
  }

  Descriptor descriptor_;
  struct stat status_ {};
};

}  // namespace tessera::io
