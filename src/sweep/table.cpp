// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "value_text.hpp"

namespace tessera::program {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// One column for each quantity that any row has, in the order of the first row that has them.
std::vector<Table::Column> columns(const std::vector<Table::Row>& rows,
                                   std::vector<Record::Quantity> Record::* quantities) {
  std::vector<Table::Column> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].record) continue;
    for (const auto& quantity : (*rows[i].record).*quantities) {
      auto column = std::ranges::find(all, quantity.name, &Table::Column::name);
      if (column == all.end()) {
        all.push_back({quantity.name, quantity.unit, std::vector<double>(rows.size(), none), {}});
        column = std::prev(all.end());
        column->errors = column->values;
      }
      column->values[i] = quantity.value;
      column->errors[i] = quantity.error;
    }
  }
  return all;
}

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string cell(double value) { return std::isnan(value) ? "" : write_value(value); }

void add_line(std::string& text, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? "," : "") + cells[i];
  text += '\n';
}

template <class Action>
void for_each_column(const Table& table, const Action& action) {
  for (const auto& column : table.observables) action(column, column.name);
  for (const auto& column : table.averages) action(column, "average_" + column.name);
}

}  // namespace

std::size_t Table::finished() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, [](const Row& row) { return row.finished; }));
}

Table make_table(const SweepFolder& folder, const Grid& grid) {
  Table table;
  table.method = grid.method;
  for (const auto& axis : grid.axes) table.inputs.push_back(axis.option);
  for (std::size_t point = 0; point < grid.size(); ++point) {
    auto record = read_record(folder.record(grid.name_of(point)));
    const bool finished = record && record->finished;
    table.rows.push_back({grid.name_of(point), grid.values_at(point), std::move(record), finished});
  }
  table.observables = columns(table.rows, &Record::observables);
  table.averages = columns(table.rows, &Record::averages);
  return table;
}

std::string csv_of(const Table& table) {
  std::string text;
  std::vector<std::string> cells = table.inputs;
  for (const char* name : {"point", "finished", "time"}) cells.emplace_back(name);
  for_each_column(table, [&](const Table::Column&, const std::string& name) {
    for (const char* suffix : {"", "_error", "_unit"}) cells.push_back(name + suffix);
  });
  add_line(text, cells);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    cells.clear();
    for (const auto& input : row.inputs) cells.push_back(cell(input));
    cells.push_back(cell(row.point));
    cells.emplace_back(row.finished ? "1" : "0");
    cells.push_back(cell(row.record ? row.record->time : none));
    for_each_column(table, [&](const Table::Column& column, const std::string&) {
      cells.push_back(cell(column.values[i]));
      cells.push_back(cell(column.errors[i]));
      cells.push_back(cell(column.unit));
    });
    add_line(text, cells);
  }
  return text;
}

std::string with_error(double value, double error) {
  if (std::isnan(value)) return "-";
  std::array<char, 64> text{};
  const int decades = error > 0 && std::isfinite(error) ? static_cast<int>(std::floor(std::log10(error))) : 0;
  const bool fixed = error > 0 && std::isfinite(error) && decades < 1 && decades > -12 && std::abs(value) < 1e9;
  if (!fixed) {
    std::snprintf(text.data(), text.size(), "%.6g", value);
    std::string plain = text.data();
    if (!(error > 0)) return plain;
    std::snprintf(text.data(), text.size(), " +- %.2g", error);
    return plain + text.data();
  }
  int digits = -decades;
  if (error / std::pow(10.0, decades) < 2.95) ++digits;
  const auto last = static_cast<long>(std::lround(error * std::pow(10.0, digits)));
  std::snprintf(text.data(), text.size(), "%.*f(%ld)", digits, value, last);
  return text.data();
}

std::string text_of(const Table& table, std::size_t columns) {
  std::vector<std::vector<std::string>> shown;  // [column][line]
  for (std::size_t input = 0; input < table.inputs.size(); ++input) {
    shown.push_back({table.inputs[input], ""});
    for (const auto& row : table.rows) shown.back().push_back(row.inputs[input]);
  }
  const std::size_t inputs = shown.size();
  // Means over time are what a run that has them was made for.
  const auto& quantities = table.averages.empty() ? table.observables : table.averages;
  for (const auto& column : quantities) {
    shown.push_back({column.name, column.unit});
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      shown.back().push_back(with_error(column.values[i], column.errors[i]) +
                             (table.rows[i].record && !table.rows[i].finished ? "*" : ""));
  }
  std::vector<std::string> lines(table.rows.size() + 2);
  std::size_t fitting = 0;
  for (const auto& column : shown) {
    std::size_t width = 0;
    for (const auto& text : column) width = std::max(width, text.size());
    if (fitting > inputs && lines.front().size() + width + 2 > columns) break;
    for (std::size_t i = 0; i < lines.size(); ++i)
      lines[i] += "  " + column[i] + std::string(width - column[i].size(), ' ');
    ++fitting;
  }
  std::string text;
  for (auto& line : lines) text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  if (fitting < shown.size()) text += "  and " + std::to_string(shown.size() - fitting) + " more in the files\n";
  if (std::ranges::any_of(table.rows, [](const auto& row) { return row.record && !row.finished; }))
    text += "  * unfinished\n";
  return text;
}

}  // namespace tessera::program
