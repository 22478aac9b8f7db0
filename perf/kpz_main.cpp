// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
// The octahedron model on every execution space of the Kokkos at hand: attempts per nanosecond, as in figure 7 of
// Kelling, Odor and Gemming.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kpz_cases.hpp"
#include "kpz_system.hpp"
#include "run_cases.hpp"
#include "target_report.hpp"

namespace tessera::perf {
namespace {

constexpr const char* help = R"(tessera_perf_kpz [--budget=SECONDS] [--window=SECONDS] [--repetitions=N] [--domain=N]
                 [--thread-cell=LX,LY] [--check-targets] [google-benchmark's options]

Update attempts per nanosecond of the decomposition schemes and of sequential dynamics: medians over the repetitions.
  --budget=SECONDS       a case may take an eighth of this, or is left out [120]
  --window=SECONDS       length of a repetition; a Monte Carlo step at least [0.2]
  --repetitions=N        [7]
  --domain, --thread-cell     as of tessera kpz
  --check-targets        exit status 1 if a target that was stated for this machine is missed
)";

struct Options {
  double budget = 120, window = 0.2;
  int repetitions = 7;
  int domain = 0, thread_cell_x = 1, thread_cell_y = 1;
  bool check_targets = false;
};

struct Result {
  double attempts_per_ns, bytes_per_site, steps_per_measurement;
};

/// By name of the case.
std::map<std::string, Result> results;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double seconds_to(KpzSystem& system, double time) {
  const auto begin = Clock::now();
  system.run_to(time);
  return seconds_since(begin);
}

std::unique_ptr<KpzSystem> make_system(const KpzCase& c, const Options& options) {
  kpz::Parameters p = c.parameters();
  p.domain = options.domain;
  p.thread_cell_x = options.thread_cell_x;
  p.thread_cell_y = options.thread_cell_y;
#if defined(KOKKOS_ENABLE_SERIAL)
  if (c.space == Kokkos::Serial::name()) return make_kpz_serial(p);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
  if (c.space == Kokkos::OpenMP::name()) return make_kpz_openmp(p);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  if (c.space == Kokkos::Cuda::name()) return make_kpz_cuda(p);
#endif
  return make_kpz_sequential(p);
}

/// One case: two steps that show how long one takes, then repetitions of the same system, as long as its share of the
/// budget lasts.
void measure(benchmark::State& state, const KpzCase& c, const Options& options, double share) {
  const auto begin = Clock::now();
  // Few can do 1e9 attempts/s on a host: what cannot be afforded is not even allocated.
  if (c.space != "Cuda" && 3 * c.sites() * 1e-9 > share) {
    state.SkipWithError("left out: three Monte Carlo steps would take longer than the share of a case");
    return;
  }
  const std::unique_ptr<KpzSystem> system = make_system(c, options);
  system->run_to(1);
  const double a_step = seconds_to(*system, 2);
  if (4 * a_step > share) {
    state.SkipWithError(("left out: a Monte Carlo step takes " + std::to_string(a_step) +
                         " s, the share of a case is " + std::to_string(share) + " s")
                            .c_str());
    return;
  }
  const double steps = std::max(1.0, std::min(options.window, share / 4) / a_step);
  system->run_to(system->time() + steps);
  std::vector<double> rates;
  double measuring = 0, running = 0, done = 0;
  for (auto _ : state) {
    double total = 0;
    do {
      const double before = system->attempts(), time = system->time();
      const double seconds = seconds_to(*system, time + steps);
      rates.push_back((system->attempts() - before) / seconds * 1e-9);
      running += seconds;
      done += system->time() - time;
      total += seconds;
      if (c.measured) {
        const auto start = Clock::now();
        system->measure();
        measuring += seconds_since(start);
      }
    } while (static_cast<int>(rates.size()) < options.repetitions &&
             seconds_since(begin) + total / double(rates.size()) < share);
    state.SetIterationTime(total);
  }
  std::sort(rates.begin(), rates.end());
  const Result result{rates[rates.size() / 2], static_cast<double>(system->bytes()) / c.sites(),
                      measuring / static_cast<double>(rates.size()) / (running / done)};
  results[c.name()] = result;
  state.counters["attempts_per_ns"] = result.attempts_per_ns;
  state.counters["least"] = rates.front();
  state.counters["most"] = rates.back();
  state.counters["repetitions"] = static_cast<double>(rates.size());
  state.counters["bytes_per_site"] = result.bytes_per_site;
  if (c.measured) state.counters["steps_per_measurement"] = result.steps_per_measurement;
}

/// Reports the targets of what was measured, if anything was.
bool check(TargetReport& report, const std::vector<KpzCase>& cases) {
  for (const KpzCase& c : cases) {
    const auto found = results.find(c.name());
    if (found == results.end()) continue;
    const Result& r = found->second;
    if (kpz_h200_target(c) > 0)
      report.at_least(c.name() + ", attempts/ns", kpz_h200_target(c), r.attempts_per_ns, is_h200());
    if (c.space == "sequential") report.at_least(c.name() + ", attempts/ns on one core", 0.08, r.attempts_per_ns, true);
#if defined(KOKKOS_ENABLE_OPENMP)
    if (c.space == "OpenMP" && c.side == 4096)
      report.at_least(c.name() + ", attempts/ns a core (16 cores)", 0.1,
                      r.attempts_per_ns / Kokkos::OpenMP().concurrency(), Kokkos::OpenMP().concurrency() == 16);
#endif
    if (c.space == "Cuda") report.at_most(c.name() + ", bytes a site", 0.4, r.bytes_per_site, true);
    if (c.measured && c.space == "Cuda")
      report.at_most(c.name() + ", Monte Carlo steps a measurement takes", 5, r.steps_per_measurement, true);
  }
  return !results.empty();
}

bool read_option(const std::string& word, Options& options) {
  if (word == "--check-targets") {
    options.check_targets = true;
  } else if (const char* budget = option_value(word, "--budget")) {
    options.budget = std::atof(budget);
  } else if (const char* window = option_value(word, "--window")) {
    options.window = std::atof(window);
  } else if (const char* number = option_value(word, "--repetitions")) {
    options.repetitions = std::atoi(number);
  } else if (const char* domain = option_value(word, "--domain")) {
    options.domain = std::atoi(domain);
  } else if (const char* cell = option_value(word, "--thread-cell")) {
    if (std::sscanf(cell, "%d,%d", &options.thread_cell_x, &options.thread_cell_y) != 2) return false;
  } else {
    return false;
  }
  return true;
}

int run(int argc, char* argv[]) {
  Options options;
  return run_cases(
      argc, argv, help, options.check_targets, [&](const std::string& word) { return read_option(word, options); },
      [] { return kpz_cases(space_names()); },
      // Few cases take long, and a filter leaves fewer.
      [&](benchmark::State& state, const KpzCase& c) { measure(state, c, options, options.budget / 8); }, check);
}

}  // namespace
}  // namespace tessera::perf

int main(int argc, char* argv[]) { return tessera::perf::run(argc, argv); }
