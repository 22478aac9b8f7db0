// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "tests/io/system_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace tessera::io::testing {

SystemCalls system_calls;

namespace {

bool interrupt() {
  static bool last_was = false;
  last_was = system_calls.interrupts && !last_was;
  if (!last_was) return false;
  ++system_calls.interrupted;
  errno = EINTR;
  return true;
}

void counts_down() {
  if (system_calls.left >= 0 && system_calls.left-- == 0) ::kill(::getpid(), SIGKILL);
}

bool unwritten = false, unnamed = false;  // content, and a name, may not be on the disk yet

/// Before a change of a file: the files that were renamed before must be on the disk under their names. Every fourth
/// call counts.
void changes() {
  static int calls = 0;
  if (++calls % 4 == 0) counts_down();
  if (unnamed) ++system_calls.too_early;
  unwritten = true;
}

/// Before files are renamed: their content must be on the disk.
void renames() {
  counts_down();
  if (unwritten) ++system_calls.too_early;
  unnamed = true;
}

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace tessera::io::testing

// These stand before those of the C library.

extern "C" int fsync(int descriptor) {
  if (tessera::io::testing::interrupt()) return -1;
  tessera::io::testing::counts_down();
  struct stat status {};
  const bool names = ::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  (names ? tessera::io::testing::unnamed : tessera::io::testing::unwritten) = false;
  return tessera::io::testing::original<int(int)>("fsync")(descriptor);
}

extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  tessera::io::testing::changes();
  tessera::io::testing::system_calls.written += size;
  return tessera::io::testing::original<ssize_t(int, const void*, size_t, off_t)>("pwrite")(descriptor, data, size,
                                                                                            offset);
}

extern "C" ssize_t copy_file_range(int from, off64_t* at, int to, off64_t* place, size_t size, unsigned flags) {
  tessera::io::testing::changes();
  using Copy = ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned);
  const ssize_t copied = tessera::io::testing::original<Copy>("copy_file_range")(from, at, to, place, size, flags);
  if (copied > 0) tessera::io::testing::system_calls.written += static_cast<std::uint64_t>(copied);
  return copied;
}

extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  tessera::io::testing::changes();
  return tessera::io::testing::original<int(int, off_t)>("ftruncate")(descriptor, size);
}

extern "C" int unlink(const char* path) noexcept {
  tessera::io::testing::counts_down();
  return tessera::io::testing::original<int(const char*)>("unlink")(path);
}

extern "C" int renameat2(int, const char* from, int, const char* to, unsigned flags) noexcept {
  tessera::io::testing::renames();
  using Exchange = int(int, const char*, int, const char*, unsigned);
  return tessera::io::testing::original<Exchange>("renameat2")(AT_FDCWD, from, AT_FDCWD, to, flags);
}

extern "C" pid_t waitpid(pid_t process, int* status, int options) {
  const pid_t ended = tessera::io::testing::original<pid_t(pid_t, int*, int)>("waitpid")(process, status, options);
  if (const auto action = std::exchange(tessera::io::testing::system_calls.after_child, nullptr)) action();
  return ended;
}

extern "C" int rename(const char* from, const char* to) noexcept {
  tessera::io::testing::renames();
  const int status = tessera::io::testing::original<int(const char*, const char*)>("rename")(from, to);
  return status == 0 && tessera::io::testing::interrupt() ? -1 : status;
}

extern "C" int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);  // whatever it is, it is as wide as a pointer where it is passed on
  va_end(rest);
  bool locks = command == F_SETLK;
#ifdef F_OFD_SETLK
  locks = locks || command == F_OFD_SETLK;
#endif
  if (locks && !tessera::io::testing::system_calls.vanishing.empty()) {
    ::unlink(tessera::io::testing::system_calls.vanishing.c_str());
    tessera::io::testing::system_calls.vanishing.clear();
  }
  if (locks && !tessera::io::testing::system_calls.locks) {
    ++tessera::io::testing::system_calls.refused_locks;
    errno = ENOLCK;
    return -1;
  }
  return tessera::io::testing::original<int(int, int, ...)>("fcntl")(descriptor, command, argument);
}
