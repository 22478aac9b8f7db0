// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "cases.hpp"
#include "measurement.hpp"

namespace tessera::perf {

std::vector<Case> program_method(const Options& options, const std::vector<Space>& spaces) {
  std::vector<Case> cases;
  for (const ProgramCase& c : program_cases(spaces.back().name, options.preset_h200))
    cases.push_back({c.name(), "sites_per_second", 1, 3, [=](const TimeLimit& limit, int repetitions) {
                       return std::make_unique<ProgramMeasurement>(c, options.program, repetitions, limit);
                     }});
  return cases;
}

}  // namespace tessera::perf
