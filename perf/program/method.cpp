// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "../methods.hpp"
#include "../targets.hpp"
#include "cases.hpp"
#include "measurement.hpp"

namespace tessera::perf {

Method program_method(const Options& options, const std::vector<Space>& spaces) {
  constexpr int cores = 16;
  const auto cases = program_cases(spaces.back().name, options.preset_h200);
  const auto verdicts = [cases](const Results& results, const Machine& machine) {
    std::vector<Verdict> all;
    for (const ProgramCase& c : cases)
      if (const Result* r = results.find(c.name()); r && h200_seconds(c) > 0)
        all.push_back({c.name(), "s", h200_seconds(c), r->figure("seconds"), true,
                       machine.is_h200() && machine.threads >= cores});
    return all;
  };
  Method method{"program", {}, verdicts};
  for (const ProgramCase& c : cases)
    method.cases.push_back(
        {c.name(),
         {"sites/s", "sites_per_second", 1},
         3,
         "",
         "",
         0,
         [=, program = options.program](TimeBudget& budget, int repetitions) -> std::unique_ptr<Measurement> {
           return std::make_unique<ProgramMeasurement>(c, program, repetitions, budget);
         }});
  return method;
}

}  // namespace tessera::perf
