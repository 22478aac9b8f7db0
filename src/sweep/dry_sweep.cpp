// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/dry_sweep.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "bound_method.hpp"
#include "cost_estimate.hpp"
#include "progress.hpp"
#include "start_report.hpp"

namespace tessera::program {
namespace {

constexpr std::size_t most_trials = 8;
constexpr double patience = 20;  // seconds for a start

CostEstimate cost_of(const MethodEntry& entry, const std::vector<GivenWord>& words, const RunOptions& given,
                     Backend backend) {
  auto [method, run, table] = BoundMethod(entry, given);
  for (const auto& word : words) set_option(table, word);
  const auto simulation = method->make_simulation(backend);
  const auto start = std::chrono::steady_clock::now();
  const auto in_time = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < patience;
  };
  if (!simulation->start(in_time)) return {std::numeric_limits<double>::infinity()};
  return estimate_cost(*simulation, method->schedule(), in_time);
}

}  // namespace

std::string dry_sweep(const MethodEntry& entry, const Grid& grid, const std::vector<Point>& points,
                      const RunOptions& run, const MachineShare& share) {
  const KokkosScope kokkos(
      {points.front().backend, std::max(1, share.threads), share.devices.empty() ? 0 : share.devices.front()});
  const std::size_t trials = std::min(most_trials, points.size());
  CostEstimate sum;
  double memory = 0;
  for (const auto& point : points)
    memory = std::max(memory, static_cast<double>(point.memory.host + point.memory.device));
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const std::size_t number = trials == 1 ? 0 : trial * (points.size() - 1) / (trials - 1);
    const auto cost = cost_of(entry, grid.words_at(number), run, points[number].backend);
    sum.seconds += cost.seconds;
    sum.file_bytes += cost.file_bytes;
  }
  const double all = static_cast<double>(points.size()) / static_cast<double>(trials);
  return "# memory: at most " + short_bytes(memory) + " a run, " + std::to_string(share.jobs) + " at a time\n" +
         "# files: at most " + short_bytes(all * sum.file_bytes) + "\n" + "# cost: about " +
         short_duration(all * sum.seconds / share.jobs) + " here, from short runs of " +
         counted(static_cast<long long>(trials), "point") + "\n# nothing was written\n";
}

}  // namespace tessera::program
