// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/threads.hpp"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tessera/core/error.hpp>
#include <thread>

#include "machine/machine.hpp"
#include "machine/stop_signal.hpp"
#include "options/text.hpp"

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace tessera::program {
namespace {

int check_count(const std::string& name, int count) {
  if (count < 1 || count > most_threads)
    throw InputError(name + ": must lie in [1, " + std::to_string(most_threads) + "]");
#if defined(KOKKOS_ENABLE_OPENMP)
  if (count > omp_get_thread_limit())
    throw InputError(name + ": OMP_THREAD_LIMIT allows at most " + std::to_string(omp_get_thread_limit()));
#endif
  return count;
}

/// Number in an environment variable; the first of a list "4,2" as in OpenMP.
std::optional<int> count_in_environment(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  const std::string text = value;
  const std::string name = "environment variable " + std::string(variable) + "=" + quoted_word(text);
  int count = 0;
  with_prefix(name + ": ", [&] { read_value(text.substr(0, text.find(',')), count); });
  return check_count(name, count);
}

/// This number of cores, or fewer if control groups allow fewer.
int within_quota(double cores) {
  return std::max(1, static_cast<int>(std::min(cores, std::ceil(core_quota().value_or(cores)))));
}

constexpr double long_enough = 0.1;  // seconds; the system counts hundredths

double own_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<int> own_cores() {
  std::vector<int> cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

}  // namespace

int available_cores() {
#if defined(KOKKOS_ENABLE_OPENMP)
  return within_quota(omp_get_num_procs());
#else
  return within_quota(std::thread::hardware_concurrency());
#endif
}

int choose_threads(Backend backend, int wanted, int ranks) {
  if (wanted != 0) check_count("--threads " + std::to_string(wanted), wanted);
  if (backend == Backend::serial) return 1;
  if (wanted != 0) return wanted;
  for (const char* variable : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const auto count = count_in_environment(variable)) return *count;
  int most = most_threads;
#if defined(KOKKOS_ENABLE_OPENMP)
  most = std::min(most, omp_get_thread_limit());
#endif
  // All processes of a node may use its cores together.
  const auto of_node = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (ranks > 1) most = std::min(most, std::max(1, within_quota(of_node) / ranks));
  return std::min(most, available_cores());
}

void wait_briefly([[maybe_unused]] const std::vector<std::string>& arguments) {
#if defined(KOKKOS_ENABLE_OPENMP) && defined(__GNUC__) && !defined(__clang__)
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  // If the dynamic loader started the program, the file of this process is the loader.
  if (getauxval(AT_BASE) == 0) return;
  if (setenv("GOMP_SPINCOUNT", "1000", 1) != 0) return;
  std::vector<char*> words;
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ignore_signals_as_at_start();
  execv("/proc/self/exe", words.data());  // on failure, waiting remains expensive
#endif
}

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
