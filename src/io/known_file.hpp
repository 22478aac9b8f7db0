// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>

#include "io/descriptor.hpp"

namespace tessera::io {

/// A file as it was found at a path, whatever is put there afterwards. It is kept open, so that its content stays and
/// no other file gets its number.
class KnownFile {
 public:
  /// The file at `path`; nothing if there is none.
  static std::shared_ptr<const KnownFile> at(const std::filesystem::path& path);

  /// Whether this very file is at `path`.
  bool is_at(const std::filesystem::path& path) const;

  /// Open to read, if it may be read.
  const Descriptor& descriptor() const { return descriptor_; }

 private:
  KnownFile() = default;

  Descriptor descriptor_;
  dev_t device_ = 0;
  ino_t number_ = 0;
};

}  // namespace tessera::io
