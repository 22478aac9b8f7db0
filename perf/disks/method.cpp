// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "cases.hpp"
#include "measurement.hpp"
#include "targets.hpp"

namespace tessera::perf {

Method disks_method(const Options& options, const std::vector<Space>& spaces) {
  const auto names = names_of(spaces);
  Method method{"disks", {}, [names](const Results& results, const Machine& machine) {
                  return disks_verdicts(names, results, machine);
                }};
  for (const DisksCase& c : options.preset_h200 ? h200_disks_cases(names) : all_disks_cases(names))
    method.cases.push_back({c.name(),
                            {"moves/s", "moves_per_second", 1},
                            c.space == "Cuda" ? 11 : 5,
                            c.on("Serial").name(),
                            c.on("sequential").name(),
                            h200_target(c),
                            [=](TimeBudget& budget, int repetitions) -> std::unique_ptr<Measurement> {
                              return std::make_unique<DisksMeasurement>(c, repetitions, budget);
                            }});
  return method;
}

}  // namespace tessera::perf
