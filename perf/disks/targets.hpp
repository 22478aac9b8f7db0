// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "../targets.hpp"

namespace tessera::perf {

/// The targets of hosts and of sampling for which something was measured.
std::vector<Verdict> disks_verdicts(const std::vector<std::string>& spaces, const Results& results,
                                    const Machine& machine);

}  // namespace tessera::perf
