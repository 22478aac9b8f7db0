// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::io {

/// Rows of a history, for example of the time step: `columns[c]` with unit `units[c]` has the values `data[c]`, one per
/// row. All columns have the same number of rows.
struct HistoryTable {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::string> units;
  std::vector<std::vector<double>> data;
};

}  // namespace tessera::io
