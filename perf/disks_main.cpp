// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
// Hard disks on every execution space of the Kokkos at hand: trial moves per second, as in figure 4 of Anderson et al.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "disks_cases.hpp"
#include "disks_system.hpp"
#include "run_cases.hpp"
#include "target_report.hpp"

namespace tessera::perf {
namespace {

constexpr const char* help = R"(tessera_perf_disks [--budget=SECONDS] [--lanes=N] [--cells-per-lane=N] [--repetitions=N]
                   [--check-targets] [google-benchmark's options]

Trial moves per second at packing fraction 0.698, medians over the repetitions, of 100 sweeps after 100 (200 with samples).
  --budget=SECONDS       a case may take a fourth of this, or is left out [120]
  --lanes, --cells-per-lane   shape of the teams on a GPU [default]
  --check-targets        exit status 1 if a target that was stated for this machine is missed
)";

struct Options {
  double budget = 120;
  int lanes = 0, cells_per_lane = 1;
  int repetitions = 11;
  bool check_targets = false;
};

/// Medians by name of the case.
std::map<std::string, double> medians;

double seconds_of(DisksSystem& system, double sweep) {
  const auto begin = std::chrono::steady_clock::now();
  system.run_to(sweep);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::unique_ptr<DisksSystem> make_system(const DisksCase& c, const Options& options) {
  disks::Parameters p;
  p.particles = std::int64_t{c.side} * c.side;
  p.replicas = c.replicas;
  p.sweeps = 1e9;
  p.equilibrate = c.sampled ? 0 : 1e9;
  const disks::TeamShape shape{options.lanes, options.cells_per_lane};
#if defined(KOKKOS_ENABLE_SERIAL)
  if (c.space == Kokkos::Serial::name()) return make_disks_serial(p, {0, 0});
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
  if (c.space == Kokkos::OpenMP::name()) return make_disks_openmp(p, {0, 0});
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  if (c.space == Kokkos::Cuda::name()) return make_disks_cuda(p, shape);
#endif
  static_cast<void>(shape);
  return make_disks_sequential(p);
}

/// One case: warm-up, then repetitions of the same system, as long as its share of the budget lasts.
void measure(benchmark::State& state, const DisksCase& c, const Options& options, double share) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const std::unique_ptr<DisksSystem> system = make_system(c, options);
  const double window = c.sampled ? 200 : 100;
  const double first = seconds_of(*system, 2) / 2;
  if (first * 2 * window > share) {
    state.SkipWithError(("left out: 100 sweeps and 100 to warm up take " + std::to_string(2 * window * first) +
                         " s, the share of a case is " + std::to_string(share) + " s")
                            .c_str());
    return;
  }
  double sweep = window;
  system->run_to(sweep);
  std::vector<double> rates;
  for (auto _ : state) {
    double total = 0;
    do {
      const double before = system->moves();
      sweep += window;
      const double seconds = seconds_of(*system, sweep);
      rates.push_back((system->moves() - before) / seconds);
      total += seconds;
    } while (static_cast<int>(rates.size()) < options.repetitions && spent() + total / double(rates.size()) < share);
    state.SetIterationTime(total);
  }
  std::sort(rates.begin(), rates.end());
  const double median = rates[rates.size() / 2];
  medians[c.name()] = median;
  state.counters["moves_per_second"] = median;
  state.counters["least"] = rates.front();
  state.counters["most"] = rates.back();
  state.counters["repetitions"] = static_cast<double>(rates.size());
  state.counters["bytes_per_disk"] = static_cast<double>(system->bytes()) / c.disks();
}

/// Reports the targets of what was measured, if anything was.
bool check(TargetReport& report, const std::vector<DisksCase>& cases) {
  const auto rate = [&](const DisksCase& c) { return medians.contains(c.name()) ? medians[c.name()] : 0.0; };
  for (const DisksCase& c : cases)
    if (disks_h200_target(c) > 0 && rate(c) > 0)
      report.at_least(c.name() + ", moves/s", disks_h200_target(c), rate(c), is_h200());
  for (const std::string& space : space_names()) {
    const double with = rate({space, 760, 1, true}), without = rate({space, 760});
    if (with > 0 && without > 0)
      report.at_most(space + ": time a sample every 200 sweeps adds", 0.1, without / with - 1, true);
  }
  const double serial = rate({"Serial", 253}), openmp = rate({"OpenMP", 253});
  if (serial > 0) report.at_least("Serial, N:253^2, moves/s on one core", 2.5e7, serial, true);
#if defined(KOKKOS_ENABLE_OPENMP)
  if (serial > 0 && openmp > 0)
    report.at_least("OpenMP over Serial, N:253^2 (16 cores)", 12, openmp / serial,
                    Kokkos::OpenMP().concurrency() == 16);
#endif
  return !medians.empty();
}

bool read_option(const std::string& word, Options& options) {
  if (word == "--check-targets")
    options.check_targets = true;
  else if (const char* text = option_value(word, "--budget"))
    options.budget = std::atof(text);
  else if (const char* lanes = option_value(word, "--lanes"))
    options.lanes = std::atoi(lanes);
  else if (const char* cells = option_value(word, "--cells-per-lane"))
    options.cells_per_lane = std::atoi(cells);
  else if (const char* number = option_value(word, "--repetitions"))
    options.repetitions = std::atoi(number);
  else
    return false;
  return true;
}

int run(int argc, char* argv[]) {
  Options options;
  return run_cases(
      argc, argv, help, options.check_targets, [&](const std::string& word) { return read_option(word, options); },
      [] { return disks_cases(space_names()); },
      // Few cases take long, and a filter leaves fewer.
      [&](benchmark::State& state, const DisksCase& c) { measure(state, c, options, options.budget / 4); }, check);
}

}  // namespace
}  // namespace tessera::perf

int main(int argc, char* argv[]) { return tessera::perf::run(argc, argv); }
