// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/known_file.hpp"

namespace tessera::io {
namespace {

bool one_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

bool equally_written(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

std::shared_ptr<const KnownFile> KnownFile::at(const std::filesystem::path& path) {
  std::shared_ptr<KnownFile> file(new KnownFile);
  file->descriptor_ = Descriptor(path, O_RDONLY | O_NONBLOCK);
  // A file that will be overwritten need not be readable.
  const bool found = file->descriptor_.valid() ? ::fstat(file->descriptor_.get(), &file->status_) == 0
                                               : ::stat(path.c_str(), &file->status_) == 0;
  return found ? file : nullptr;
}

bool KnownFile::is_at(const std::filesystem::path& path) const {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && one_file(status, status_);
}

bool KnownFile::same_as(const KnownFile& other) const {
  return one_file(status_, other.status_) && equally_written(status_, other.status_);
}

bool KnownFile::untouched() const {
  struct stat status {};
  return ::fstat(descriptor_.get(), &status) == 0 && equally_written(status, status_);
}

}  // namespace tessera::io
