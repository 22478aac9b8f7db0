// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "../targets.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// The targets that compare cases, and that for the memory, for which something was measured.
std::vector<Verdict> kmc_verdicts(const std::vector<KmcCase>& cases, const Results& results, const Machine& machine);

}  // namespace tessera::perf
