// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/core/history.hpp>
#include <vector>

namespace tessera::program {

/// Joins the histories of several simulations to that of one simulation of all their replicas, with rows in turns: the
/// first row of each replica, the second row of each, and so on. Column 0 is the number of the replica in its
/// simulation, to which `first[i]` is added for simulation i. The history of a single simulation is returned unchanged.
std::vector<History> join_by_turns(const std::vector<std::vector<History>>& histories, const std::vector<int>& first);

/// The table of a simulation as a list, empty if the table is.
inline std::vector<History> tables_of(const History& table) {
  return table.columns.empty() ? std::vector<History>() : std::vector<History>{table};
}

}  // namespace tessera::program
