// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "../targets.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// The targets of hosts, memory and measurements for which something was measured.
std::vector<Verdict> kpz_verdicts(const std::vector<KpzCase>& cases, const Results& results, const Machine& machine);

}  // namespace tessera::perf
