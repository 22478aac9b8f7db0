// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "io/descriptor.hpp"

namespace tessera::io {

/// A file as it was found at a path, whatever is put there afterwards. It is kept open, so that it stays and no other
/// file gets its number.
class KnownFile {
 public:
  /// The file at `path`; nothing if there is none.
  static std::shared_ptr<const KnownFile> at(const std::filesystem::path& path);

  /// Whether this very file is at `path`.
  bool is_at(const std::filesystem::path& path) const;

  /// Whether both are one file, of the same size and time of modification when they were found.
  bool same_as(const KnownFile& other) const;

  /// Whether its size and time of modification are those of when it was found.
  bool untouched() const;

  /// Open to read, if it may be read.
  const Descriptor& descriptor() const { return descriptor_; }

 private:
  KnownFile() = default;

  Descriptor descriptor_;
  struct stat status_{};
};

}  // namespace tessera::io
