// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/core/history.hpp>
#include <vector>

namespace tessera::program {

/// The histories of several simulations as one simulation of all their replicas has them, if its rows come by turns:
/// the first one of each replica, the second one of each, and so on. Column 0 is the number of the replica in its
/// simulation; `first[i]` is added to it for simulation i.
/// Of a single simulation what it has drained, as it is.
std::vector<History> join_by_turns(const std::vector<std::vector<History>>& histories, const std::vector<int>& first);

/// The one table of a simulation, if it has one.
inline std::vector<History> tables_of(const History& table) {
  return table.columns.empty() ? std::vector<History>() : std::vector<History>{table};
}

}  // namespace tessera::program
