// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/standard_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace tessera::program {
namespace {

int descriptor = STDOUT_FILENO;

}  // namespace

void reserve_standard_output() {
  if (descriptor != STDOUT_FILENO) return;
  const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;  // output of libraries is not separated then
  descriptor = own;
}

void release_standard_output() {
  if (descriptor != STDOUT_FILENO) dup2(descriptor, STDOUT_FILENO);
}

bool print(const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t bytes = write(descriptor, text.data() + written, text.size() - written);
    if (bytes < 0 && errno == EPIPE) return true;
    if (bytes < 0 && errno != EINTR) {
      std::cerr << "tessera: standard output is incomplete: " << std::strerror(errno) << std::endl;
      return false;
    }
    if (bytes > 0) written += static_cast<std::size_t>(bytes);
  }
  return true;
}

bool output_is_with_errors() {
  struct stat out {
  }, errors{};
  return fstat(descriptor, &out) == 0 && fstat(STDERR_FILENO, &errors) == 0 && out.st_dev == errors.st_dev &&
         out.st_ino == errors.st_ino;
}

}  // namespace tessera::program
