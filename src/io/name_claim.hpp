// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>

#include "io/descriptor.hpp"

namespace tessera::io {

/// Exclusive claim of a run on the name of its output.
///
/// The claim is a system lock on the file `.<name>.lock` beside the output. It ends with the process and is valid on
/// all nodes among which the file system shares locks. The existence of the file has no meaning: the file of a killed
/// run is taken over, and removed at the end. Without support for locks there is no claim, and exclusive() is false.
class NameClaim {
 public:
  /// Claims the name of an output file. Throws InputError if another run has claimed it, or if the lock file cannot be
  /// created.
  explicit NameClaim(const std::filesystem::path& path);
  NameClaim(const NameClaim&) = delete;
  NameClaim& operator=(const NameClaim&) = delete;
  ~NameClaim();

  bool exclusive() const { return file_.valid(); }

  /// The open lock file; empty without a claim.
  const Descriptor& lock() const { return file_; }

 private:
  std::filesystem::path lock_;
  Descriptor file_;
};

}  // namespace tessera::io
