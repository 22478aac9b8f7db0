// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <filesystem>

#include "io/descriptor.hpp"

namespace tessera::io {

/// The claim of a run on the name of its output: as long as it lasts, nobody else gets one.
///
/// It is a lock of the system on the file `.<name>.lock` beside the output, and ends with the process however that
/// ends, on every node that the file system tells of locks. The file itself means nothing: one that a killed run left
/// is taken over, and removed at the end. Where the file system has no locks there is no claim, and exclusive() says
/// so.
class NameClaim {
 public:
  /// Claims the name of a file that is to be written. Throws InputError if another run has it, telling which, or if no
  /// lock file can be made.
  explicit NameClaim(const std::filesystem::path& path);
  NameClaim(const NameClaim&) = delete;
  NameClaim& operator=(const NameClaim&) = delete;
  ~NameClaim();

  bool exclusive() const { return file_.valid(); }

  /// The open lock file, if there is a claim.
  const Descriptor& lock() const { return file_; }

 private:
  std::filesystem::path lock_;
  Descriptor file_;
};

}  // namespace tessera::io
