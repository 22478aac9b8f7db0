// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "targets.hpp"

#include "cases.hpp"

namespace tessera::perf {
namespace {

constexpr double time_of_samples = 0.05;   ///< that a sample every 200 sweeps adds, at most; N = 760^2
constexpr double serial_moves = 2.5e7;     ///< moves/s on one core, N = 253^2
constexpr double openmp_over_serial = 12;  ///< on 16 cores, N = 253^2
constexpr int openmp_threads = 16;

}  // namespace

std::vector<Verdict> disks_verdicts(const std::vector<std::string>& spaces, const Results& results,
                                    const Machine& machine) {
  std::vector<Verdict> verdicts;
  for (const std::string& space : spaces) {
    const Result* with = results.find(DisksCase{space, 760, 1, true}.name());
    const Result* without = results.find(DisksCase{space, 760}.name());
    if (with && without)
      verdicts.push_back({"disks/" + space + "/N:760^2, time that a sample every 200 sweeps adds", "of the time",
                          time_of_samples, without->rate / with->rate - 1, true, true});
  }
  const Result* serial = results.find(DisksCase{"Serial", 253}.name());
  if (!serial) return verdicts;
  verdicts.push_back({serial->what.name + ", one core", "moves/s", serial_moves, serial->rate, false, true});
  if (const Result* openmp = results.find(DisksCase{"OpenMP", 253}.name()))
    verdicts.push_back({"disks/N:253^2, OpenMP on 16 cores (here " + std::to_string(machine.threads) + ") over Serial",
                        "times", openmp_over_serial, openmp->rate / serial->rate, false,
                        machine.threads == openmp_threads});
  return verdicts;
}

}  // namespace tessera::perf
