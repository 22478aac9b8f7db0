// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <memory>

#include "../methods.hpp"
#include "../spaces.hpp"
#include "cases.hpp"
#include "measurement.hpp"

namespace tessera::perf {

std::vector<Case> disks_method(const Options& options, const std::vector<Space>& spaces) {
  const auto names = names_of(spaces);
  std::vector<Case> cases;
  for (const DisksCase& c : options.preset_h200 ? h200_disks_cases(names) : all_disks_cases(names))
    cases.push_back(
        {c.name(), "moves_per_second", 1, is_of_gpu(c.space) ? 11 : 5, [=](const TimeLimit& limit, int repetitions) {
           return std::make_unique<DisksMeasurement>(c, repetitions, limit);
         }});
  return cases;
}

}  // namespace tessera::perf
