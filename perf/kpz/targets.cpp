// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "targets.hpp"

namespace tessera::perf {
namespace {

constexpr double sequential = 0.08;    ///< attempts/ns on one core
constexpr double openmp_a_core = 0.1;  ///< attempts/ns, L = 2^12, on 16 cores
constexpr int openmp_threads = 16;
constexpr double most_bytes_per_site = 0.2;  ///< on the device
constexpr double steps_per_measurement = 4;  ///< Monte Carlo steps that a measurement takes, at most

}  // namespace

std::vector<Verdict> kpz_verdicts(const std::vector<KpzCase>& cases, const Results& results, const Machine& machine) {
  std::vector<Verdict> verdicts;
  for (const KpzCase& c : cases) {
    const Result* r = results.find(c.name());
    if (!r) continue;
    if (c.scheme.empty() && c.side == 1024)
      verdicts.push_back({c.name() + ", one core", "attempts/ns", sequential, r->rate, false, true});
    if (c.space == "OpenMP" && c.side == 4096)
      verdicts.push_back({c.name() + ", a core of 16 (here " + std::to_string(machine.threads) + ")", "attempts/ns",
                          openmp_a_core, r->rate / machine.threads, false, machine.threads == openmp_threads});
    if (c.space != "Cuda") continue;
    // Beside the surfaces that are kept for waiting times.
    if (!c.measured)
      verdicts.push_back(
          {c.name() + ", memory", "bytes/site", most_bytes_per_site, r->figure("bytes_per_site"), true, true});
    if (c.measured)
      verdicts.push_back({c.name() + ", a measurement", "Monte Carlo steps", steps_per_measurement,
                          r->figure("steps_per_measurement"), true, true});
  }
  return verdicts;
}

}  // namespace tessera::perf
