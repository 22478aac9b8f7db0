// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "cases.hpp"
#include "measurement.hpp"

namespace tessera::perf {

std::vector<Case> kmc_method(const Options& options, const std::vector<Space>& spaces) {
  const auto names = names_of(spaces);
  const auto surfaces = std::make_shared<RelaxedSurfaces>(options.kmc, spaces);
  std::vector<Case> cases;
  for (const KmcCase& c : options.preset_h200 ? h200_kmc_cases(names) : all_kmc_cases(names))
    cases.push_back({c.name(), "events_per_second", 1, 5, [=](const TimeLimit& limit, int repetitions) {
                       return std::make_unique<KmcMeasurement>(c, options, repetitions, *surfaces, limit);
                     }});
  return cases;
}

}  // namespace tessera::perf
