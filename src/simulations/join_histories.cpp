// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/simulation/simulation_interface.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tessera {
namespace {

/// A row of a history: its turn among the rows of its replica, the replica, its table and its number there.
struct Row {
  std::size_t turn;
  double replica;
  const History* table;
  std::size_t number;
};

History join(const std::vector<std::pair<const History*, int>>& tables) {
  std::vector<Row> rows;
  for (const auto& [table, first] : tables) {
    std::map<double, std::size_t> turns;
    for (std::size_t row = 0; row < table->columns.front().size(); ++row) {
      const double replica = table->columns.front()[row];
      rows.push_back({turns[replica]++, replica + first, table, row});
    }
  }
  std::ranges::stable_sort(
      rows, [](const Row& a, const Row& b) { return std::tie(a.turn, a.replica) < std::tie(b.turn, b.replica); });
  History joined = *tables.front().first;
  for (auto& column : joined.columns) column.clear();
  for (const Row& row : rows) {
    joined.columns[0].push_back(row.replica);
    for (std::size_t c = 1; c < joined.columns.size(); ++c)
      joined.columns[c].push_back(row.table->columns[c][row.number]);
  }
  return joined;
}

}  // namespace

std::vector<History> SimulationInterface::join_histories(const std::vector<std::vector<History>>& histories,
                                                         const std::vector<int>& first) const {
  if (histories.size() == 1) return histories.front();
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::pair<const History*, int>>> tables;
  for (std::size_t i = 0; i < histories.size(); ++i)
    for (const History& table : histories[i]) {
      if (!tables.contains(table.name)) names.push_back(table.name);
      tables[table.name].emplace_back(&table, first[i]);
    }
  std::vector<History> joined;
  for (const auto& name : names) joined.push_back(join(tables[name]));
  return joined;
}

}  // namespace tessera
