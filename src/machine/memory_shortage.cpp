// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/memory_shortage.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace tessera::program {
namespace {

std::size_t of_run = 0;

constexpr double gibibyte = 1 << 30;

/// Address space of this process in bytes; 0 if not available. Allocates nothing.
double address_space() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
  if (file >= 0) close(file);
  return bytes <= 0 ? 0 : std::strtod(text.data(), nullptr) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Exception with the text of memory_shortage(), constructed without an allocation.
class Shortage : public std::bad_alloc {
 public:
  Shortage() noexcept {
    add("out of memory: the process has %.3g GiB", address_space() / gibibyte);
    if (of_run > 0) add(", the run needs about %.3g GiB", static_cast<double>(of_run) / gibibyte);
    rlimit limit{};
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (limited) add(", and ulimit -v allows %.3g GiB", static_cast<double>(limit.rlim_cur) / gibibyte);
    add("; %suse a smaller system, fewer replicas or fewer threads", limited ? "raise that limit, or " : "");
  }

  const char* what() const noexcept override { return text_.data(); }

 private:
  template <class... Values>
  void add(const char* format, Values... values) noexcept {
    const int more = std::snprintf(text_.data() + length_, text_.size() - length_, format, values...);
    if (more > 0) length_ = std::min(text_.size() - 1, length_ + static_cast<std::size_t>(more));
  }

  std::array<char, 400> text_{};
  std::size_t length_ = 0;
};

}  // namespace

void explain_bad_alloc() {
  std::set_new_handler([] { throw Shortage(); });
}

void set_memory_of_run(std::size_t bytes) { of_run = bytes; }

std::string memory_shortage() { return Shortage().what(); }

}  // namespace tessera::program
