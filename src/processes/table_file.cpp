// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/table_file.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <tessera/core/error.hpp>
#include <vector>

#include "options/read_options.hpp"
#include "options/text.hpp"
#include "processes/sections.hpp"

namespace tessera::processes {
namespace {

/// A number in a unit is factor * number + shift for the model.
struct Unit {
  double factor = 1, shift = 0;
};

/// Of the column for times, or for values. Nothing if it is not known.
std::optional<Unit> unit_of(const std::string& name, bool is_time) {
  if (is_time && name == "ms") return Unit{1e-3};
  if (is_time && name == "min") return Unit{60};
  if (is_time && name == "h") return Unit{3600};
  if (is_time && name != "s") return std::nullopt;
  return Unit{1, name == "C" || name == "degC" || name == "\u00b0C" ? 273.15 : 0};
}

std::string points_in(const std::filesystem::path& file) {
  constexpr std::size_t largest = std::size_t{1} << 26;
  const std::string name = "table(" + file.string() + ")";
  std::istringstream content(program::start_of_file(file, largest, name + ": "));
  std::string list;
  Unit units[2];
  double before = -HUGE_VAL;
  int number = 0;
  const auto refuse = [&](const std::string& what) {
    throw InputError(name + " line " + std::to_string(number) + ": " + what);
  };
  for (std::string line; std::getline(content, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    std::istringstream titles(line);
    std::ranges::replace_if(
        line, [](char c) { return c == ',' || c == ';'; }, ' ');
    std::istringstream words(line);
    const std::vector<std::string> columns{std::istream_iterator<std::string>(words), {}};
    if (columns.empty()) continue;
    if (list.empty() && std::ranges::count(line, '(') == 2) {
      std::string unit;
      for (const bool is_time : {true, false}) {
        std::getline(titles, unit, '(');
        std::getline(titles, unit, ')');
        const auto its = unit_of(unit, is_time);
        if (!its) refuse("the unit of the times is (" + unit + "); must be s, ms, min or h");
        units[is_time ? 0 : 1] = *its;
      }
      continue;
    }
    double values[2];
    if (columns.size() != 2) refuse("must have two columns, time and value");
    for (std::size_t i = 0; i < 2; ++i) {
      with_prefix(name + " line " + std::to_string(number) + ": '" + program::shown(columns[i], 40) + "': ",
                  [&] { program::read_value(columns[i], values[i]); });
      values[i] = values[i] * units[i].factor + units[i].shift;
      if (!std::isfinite(values[i])) refuse("must be finite");
    }
    if (values[0] < before) refuse("the times must not decrease");
    before = values[0];
    list += (list.empty() ? "" : ", ") + program::write_value(values[0]) + ": " + program::write_value(values[1]);
  }
  if (list.empty()) throw InputError(name + ": has no rows with time and value");
  return list;
}

}  // namespace

std::string with_tables(std::string line, const std::filesystem::path& folder) {
  constexpr std::string_view begin = "table(";
  for (auto at = line.find(begin); at != std::string::npos; at = line.find(begin, at)) {
    at += begin.size();
    const auto end = line.find_first_of(":()", at);
    const std::string name = end == std::string::npos ? "" : std::string(trimmed(line.substr(at, end - at)));
    if (!name.empty() && line[end] == ')' && line.find('#') > at) line.replace(at, end - at, points_in(folder / name));
  }
  return line;
}

}  // namespace tessera::processes
