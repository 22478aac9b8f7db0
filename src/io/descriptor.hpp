// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "tessera/core/system_reason.hpp"

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

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  /// Opens a file; valid() tells whether that succeeded, and `errno` why not.
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

}  // namespace tessera::io
