// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "cases.hpp"
#include "measurement.hpp"

namespace tessera::perf {

std::vector<Case> kpz_method(const Options& options, const std::vector<Space>& spaces) {
  const auto names = names_of(spaces);
  std::vector<Case> cases;
  for (const KpzCase& c : options.preset_h200 ? h200_kpz_cases(names) : all_kpz_cases(names))
    cases.push_back({c.name(), "attempts_per_ns", 1e-9, 7, [=](const TimeLimit& limit, int repetitions) {
                       return std::make_unique<KpzMeasurement>(c, options, repetitions, limit);
                     }});
  return cases;
}

}  // namespace tessera::perf
