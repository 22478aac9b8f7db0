// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "targets.hpp"

namespace tessera::perf {

std::vector<Verdict> check_targets(const std::vector<Method>& methods, const Results& results, const Machine& machine) {
  std::vector<Verdict> verdicts;
  for (const Result& r : results.all())
    if (r.what.target > 0 && r.measured())
      verdicts.push_back({r.what.name, r.what.unit.text, r.what.target, r.rate, false, machine.is_h200()});
  for (const Method& method : methods) {
    const std::vector<Verdict> own = method.verdicts(results, machine);
    verdicts.insert(verdicts.end(), own.begin(), own.end());
  }
  return verdicts;
}

}  // namespace tessera::perf
