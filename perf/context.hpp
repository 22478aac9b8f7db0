// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "options.hpp"
#include "spaces.hpp"

namespace tessera::perf {

/// What the figures were measured on and with: names and values.
using Context = std::vector<std::pair<std::string, std::string>>;

/// What figures have to be read with: processor, devices, threads, Kokkos, compiler, version of Tessera, settings. No
/// name of the host.
Context describe_run(const Options& options, const std::vector<Space>& spaces);

}  // namespace tessera::perf
