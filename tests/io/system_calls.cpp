// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "tests/io/system_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
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

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace tessera::io::testing

// These stand before those of the C library.

extern "C" int fsync(int descriptor) {
  if (tessera::io::testing::interrupt()) return -1;
  return tessera::io::testing::original<int(int)>("fsync")(descriptor);
}

extern "C" pid_t waitpid(pid_t process, int* status, int options) {
  const pid_t ended = tessera::io::testing::original<pid_t(pid_t, int*, int)>("waitpid")(process, status, options);
  if (const auto action = std::exchange(tessera::io::testing::system_calls.after_child, nullptr)) action();
  return ended;
}

extern "C" int rename(const char* from, const char* to) noexcept {
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
