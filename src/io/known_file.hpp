// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "io/descriptor.hpp"

namespace tessera::io {

/// A file that was found at a path, even if another file replaces it there. It is kept open so that its inode number is
/// not reused.
class KnownFile {
 public:
  /// Returns the file at `path`, or null if there is none.
  static std::shared_ptr<const KnownFile> at(const std::filesystem::path& path);

  /// Whether this file is still at `path`.
  bool is_at(const std::filesystem::path& path) const;

  /// Whether both are the same file, with equal sizes and modification times when they were found.
  bool same_as(const KnownFile& other) const;

  /// Whether its size and modification time are unchanged since it was found.
  bool untouched() const;

  /// Descriptor for reading; invalid if the file is not readable.
  const Descriptor& descriptor() const { return descriptor_; }

 private:
  KnownFile() = default;

  Descriptor descriptor_;
  struct stat status_ {};
};

}  // namespace tessera::io
