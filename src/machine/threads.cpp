// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/threads.hpp"

#include <unistd.h>

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <tessera/core/error.hpp>
#include <thread>

#include "machine/machine.hpp"
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

}  // namespace tessera::program
