// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Rows of a table that grows with the run, for example of its steps: column `names[c]` with unit `units[c]` has the
/// values `columns[c]`, one per row. All columns have the same number of rows.
struct History {
  std::string name;
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;

  bool empty() const { return columns.empty() || columns.front().empty(); }
};

}  // namespace tessera
