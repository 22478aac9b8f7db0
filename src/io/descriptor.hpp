// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::io {

/// Repeats a system call for as long as signals interrupt it.
template <class Call>
auto uninterrupted(Call&& call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// Writes all bytes; false after an error, which is in `errno`.
inline bool write_fully(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = uninterrupted([&] { return ::write(descriptor, data, size); });
    if (written < 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

/// Which blocks of a file have been written.
using FileBlocks = std::vector<bool>;
inline constexpr std::ptrdiff_t file_block_bytes = 512;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  /// Opens a file; if that fails, valid() is false and `errno` is set.
  Descriptor(const std::filesystem::path& path, int flags, mode_t mode = 0666)
      : number_(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); })) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

inline bool one_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether this open file is at `path`.
inline bool is_at(const Descriptor& file, const std::filesystem::path& path) {
  struct stat open {
  }, present{};
  return ::fstat(file.get(), &open) == 0 && ::stat(path.c_str(), &present) == 0 && one_file(open, present);
}

/// A file that was found at a path, even if another file replaces it there: an open file keeps its inode number.
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
  bool is_at(const std::filesystem::path& path) const {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && one_file(status, status_);
  }

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
