// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>

#include "io/descriptor.hpp"

/// Files that are complete or absent: written under a temporary name in the same directory, then renamed.
namespace tessera::io {

/// Name of this host in letters, digits, dots and dashes, shortened for file names.
std::string host_name();

/// `.<name>.tmp-<process id>-<host>` beside `path`.
std::filesystem::path temporary_path(const std::filesystem::path& path);

/// Removes temporary files of `path` of dead processes. Files of processes on other hosts are removed only if this run
/// has `claimed` the name of `path`, as no other process can be writing them then.
void remove_stale_temporaries(const std::filesystem::path& path, bool claimed) noexcept;

/// The start of a message: "cannot write '<path>': ".
std::string cannot_write(const std::filesystem::path& path);

/// The target of symbolic links, which need not exist. Throws InputError if the links form a cycle.
std::filesystem::path without_links(const std::filesystem::path& path);

/// Throws InputError if there is a file at `path`.
void require_free(const std::filesystem::path& path);

/// Throws InputError unless a file can be written at `path`: its directory exists and is writable, and `path` is free,
/// or a regular file if `may_exist`. Leaves no file behind.
void require_writable(const std::filesystem::path& path, bool may_exist);

/// Copies the permissions and these blocks of a file, all if there are none; shares them if the file system can. Throws
/// Failure.
void copy_contents(const KnownFile& from, const std::filesystem::path& to, FileBlocks blocks = {});

/// Whether a file has no other name, and is certainly not open elsewhere, which only local file systems know.
bool is_unused(const std::filesystem::path& path);

/// Waits until the content of a file (or the names in a directory) is on the disk. Throws Failure.
void sync(const std::filesystem::path& path);

/// Renames `temporary` to `path`, and returns the new file at `path`. An existing file gets the name of the temporary
/// one if the system can exchange names. Throws Failure.
std::shared_ptr<const KnownFile> replace(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// Removes a file if it exists.
void discard(const std::filesystem::path& path) noexcept;

/// The directory that holds `path`, "." if the path has none.
std::filesystem::path directory_of(const std::filesystem::path& path);

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
