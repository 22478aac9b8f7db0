// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/core_load.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

#include "options/number_text.hpp"

namespace tessera::program {
namespace {

constexpr double long_enough = 0.1;  // seconds; the system counts hundredths

double own_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<int> own_cores() {
  std::vector<int> cores;
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set)) cores.push_back(core);
#endif
  return cores;
}

}  // namespace

std::optional<CoreTime> core_time(const std::vector<int>& cores, const std::filesystem::path& root) {
  static const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream file(root / "proc/stat");
  CoreTime time;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (!name.starts_with("cpu") || name.size() == 3) continue;
    const int core = std::atoi(name.c_str() + 3);
    if (!cores.empty() && std::find(cores.begin(), cores.end(), core) == cores.end()) continue;
    // user nice system idle iowait irq softirq steal; the time of guests is in that of users.
    constexpr int idle = 3, iowait = 4, fields = 8;
    double value = 0;
    for (int field = 0; field < fields && words >> value; ++field) {
      time.all += value / ticks;
      if (field != idle && field != iowait) time.busy += value / ticks;
    }
    ++time.cores;
  }
  return time.cores > 0 ? std::optional(time) : std::nullopt;
}

std::optional<double> busy_cores(const CoreTime& before, const CoreTime& after, double own) {
  const double seconds = after.cores > 0 ? (after.all - before.all) / after.cores : 0;
  if (!(seconds > 0)) return std::nullopt;
  return std::clamp((after.busy - before.busy - own) / seconds, 0.0, static_cast<double>(after.cores));
}

CoreLoad::CoreLoad() : cores_(own_cores()), before_(core_time(cores_)), own_before_(own_time()) {}

std::optional<double> CoreLoad::others() const {
  if (!before_) return std::nullopt;
  auto after = core_time(cores_);
  if (after && (after->all - before_->all) / after->cores < long_enough) {
    std::this_thread::sleep_for(std::chrono::duration<double>(long_enough));
    after = core_time(cores_);
  }
  if (!after) return std::nullopt;
  return busy_cores(*before_, *after, own_time() - own_before_);
}

std::string crowded(int threads, int cores, double others) {
  constexpr double noise = 0.5;
  const double room = cores - others;
  if (threads < 2 || others < noise || threads < room + noise) return "";
  const int fitting = std::max(1, static_cast<int>(std::lround(room)));
  return "other programs use " + short_number(std::round(10 * others) / 10) + " of the " + counted(cores, "core") +
         ", which slows down threads that wait for each other; --threads " + std::to_string(fitting) +
         " may be faster than " + std::to_string(threads);
}

}  // namespace tessera::program
