// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/memory_check.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <tessera/core/error.hpp>

#include "machine/machine.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

std::size_t of_run = 0;  ///< host memory of the run

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

void compare(std::size_t needed, const std::optional<std::size_t>& available, const std::string& where,
             bool limited = false) {
  if (!available || needed <= *available) return;
  throw InputError("the run needs " + gibibytes(needed) + " GiB of " + where + " memory, but " +
                   (limited ? "ulimit leaves " + gibibytes(*available) + " GiB; raise that limit, or"
                            : gibibytes(*available) + " GiB are available;") +
                   " use a smaller system or fewer replicas");
}

}  // namespace

AvailableMemory available_for(const Execution& execution) {
  AvailableMemory available;
  available.host = available_memory();
  if (const auto left = left_by_limits(); left && (!available.host || *left < *available.host)) {
    available.host = left;
    available.host_limited = true;
  }
  if (execution.backend == Backend::cuda) available.device = free_device_memory(execution.device);
  return available;
}

void check_memory(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available) {
  const bool apart = backend == Backend::cuda;
  const std::size_t of_host = apart ? needed.host : needed.host + needed.device;
  set_memory_of_run(of_host);
  compare(of_host, available.host, "host", available.host_limited);
  if (apart) compare(needed.device, available.device, "device");
}

std::string taken_by_others(std::size_t total, std::size_t free) {
  constexpr std::size_t own = std::size_t{3} << 29;  // a process takes about 0.5 GiB for itself
  if (free >= total || total - free < own) return "";
  return "other programs use " + gibibytes(total - free) + " of the " + gibibytes(total) +
         " GiB of the device's memory; if they compute there, too, both runs are slower";
}

void explain_bad_alloc() {
  std::set_new_handler([] { throw Shortage(); });
}

void set_memory_of_run(std::size_t bytes) { of_run = bytes; }

std::string memory_shortage() { return Shortage().what(); }

}  // namespace tessera::program
