// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/known_file.hpp"

#include <sys/stat.h>

namespace tessera::io {

std::shared_ptr<const KnownFile> KnownFile::at(const std::filesystem::path& path) {
  std::shared_ptr<KnownFile> file(new KnownFile);
  file->descriptor_ = Descriptor(path, O_RDONLY | O_NONBLOCK);
  struct stat status{};
  // A file that is to be overwritten need not be readable.
  const bool found =
      file->descriptor_.valid() ? ::fstat(file->descriptor_.get(), &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (!found) return nullptr;
  file->device_ = status.st_dev;
  file->number_ = status.st_ino;
  return file;
}

bool KnownFile::is_at(const std::filesystem::path& path) const {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == number_;
}

}  // namespace tessera::io
