// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Rows of a table that grows during a run, for example with its steps. Column `names[c]` with unit `units[c]` has the
/// values `columns[c]`, one per row. All columns have the same length.
struct History {
  std::string name;
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;

  bool empty() const { return columns.empty() || columns.front().empty(); }
};

}  // namespace tessera
