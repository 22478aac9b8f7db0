// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "options.hpp"
#include "spaces.hpp"

namespace tessera::perf {

/// Context of the measurements: names and values.
using Context = std::vector<std::pair<std::string, std::string>>;

/// Context of this process: processor, devices, threads, Kokkos, compiler, version of Tessera, settings; without the
/// name of the host.
Context describe_run(const Options& options, const std::vector<Space>& spaces);

}  // namespace tessera::perf
