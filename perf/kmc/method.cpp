// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "cases.hpp"
#include "measurement.hpp"
#include "targets.hpp"

namespace tessera::perf {

Method kmc_method(const Options& options, const std::vector<Space>& spaces) {
  const auto names = names_of(spaces);
  const auto cases = options.preset_h200 ? h200_kmc_cases(names) : all_kmc_cases(names);
  const auto surfaces = std::make_shared<RelaxedSurfaces>(options.kmc, spaces);
  Method method{"kmc", {}, [cases](const Results& results, const Machine& machine) {
                  return kmc_verdicts(cases, results, machine);
                }};
  for (const KmcCase& c : cases)
    method.cases.push_back({c.name(),
                            {"events/s", "events_per_second", 1},
                            5,
                            c.on("Serial").name(),
                            c.with(kmc::Method::bkl).name(),
                            h200_target(c),
                            [=](TimeBudget& budget, int repetitions) -> std::unique_ptr<Measurement> {
                              return std::make_unique<KmcMeasurement>(c, options, repetitions, *surfaces, budget);
                            }});
  return method;
}

}  // namespace tessera::perf
