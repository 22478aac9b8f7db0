// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "cases.hpp"
#include "measurement.hpp"
#include "targets.hpp"

namespace tessera::perf {

Method kpz_method(const Options& options, const std::vector<Space>& spaces) {
  const auto names = names_of(spaces);
  const auto cases = options.preset_h200 ? h200_kpz_cases(names) : all_kpz_cases(names);
  Method method{"kpz", {}, [cases](const Results& results, const Machine& machine) {
                  return kpz_verdicts(cases, results, machine);
                }};
  for (const KpzCase& c : cases)
    method.cases.push_back({c.name(),
                            {"attempts/ns", "attempts_per_ns", 1e-9},
                            7,
                            c.on("Serial").name(),
                            c.sequential().name(),
                            h200_target(c),
                            [=](TimeBudget& budget, int repetitions) -> std::unique_ptr<Measurement> {
                              return std::make_unique<KpzMeasurement>(c, options, repetitions, budget);
                            }});
  return method;
}

}  // namespace tessera::perf
