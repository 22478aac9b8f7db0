// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Rows of a table that grows during a run, for example with its steps. Column `names[c]` with unit `units[c]` has the
/// values `columns[c]`, one per row. All columns have the same length. A column `replica` is the first one.
struct History {
  std::string name;
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;
  bool in_turns = false;  ///< the first row of each replica, the second row of each, ...; else replica by replica

  bool empty() const { return columns.empty() || columns.front().empty(); }
};

}  // namespace tessera
