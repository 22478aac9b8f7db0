// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/point.hpp"

#include <algorithm>
#include <map>
#include <tessera/core/error.hpp>

#include "bound_method.hpp"
#include "read_options.hpp"
#include "run_backend.hpp"
#include "sweep/values.hpp"

namespace tessera::program {
namespace {

/// The rows of options without effect, by the option.
std::map<std::string, std::string> reasons(const Method& method) {
  std::map<std::string, std::string> reasons;
  for (const auto& row : method.without_effect())
    if (row.now && row.typed == WithoutEffect::Typed::refused)
      for (const auto& option : row.options) reasons[option] = row.reason;
  return reasons;
}

bool is_axis(const Grid& grid, const std::string& option) {
  return std::ranges::find(grid.axes, option, &Axis::option) != grid.axes.end();
}

/// A switch takes no value on a command line.
void add_to(std::vector<std::string>& arguments, const Option& option, const std::string& value) {
  const bool is_switch = option.argument.empty();
  if (is_switch && option.text() != "true") return;
  arguments.push_back("--" + option.name);
  if (!is_switch) arguments.push_back(value);
}

Point check_point(const MethodEntry& entry, const Grid& grid, std::size_t number, const RunOptions& given,
                  std::map<std::string, std::string>& idle) {
  Point point;
  point.name = grid.name_of(number);
  point.title = grid.title_of(number);
  auto [method, run, table] = BoundMethod(entry, given);
  const auto words = grid.words_at(number);
  for (const auto& word : words) set_option(table, word);
  try {
    point.backend = backend_for(run, *method);
    method->check(point.backend);
    check(method->schedule(), method->time_goal());
  } catch (const InputError& error) {
    throw InputError(with_place(error.what(), words));
  }
  point.sequential = method->sequential();
  point.memory = method->memory(point.backend);
  for (const auto& option : table.options())
    if (option.role == Role::course && can_vary(option)) point.course += option.name + " = " + option.text() + "\n";
  const auto without_effect = reasons(*method);
  for (const auto& word : words) {
    const auto reason = without_effect.find(word.key);
    if (reason == without_effect.end()) {
      add_to(point.arguments, *table.find(word.key), word.value);
      idle[word.key].clear();
    } else if (is_axis(grid, word.key)) {
      throw InputError(word.where + ": " + reason->second + "; it varies, but not every point has it: " + point.title);
    } else {
      idle.try_emplace(word.key, word.where + ": " + reason->second);
    }
  }
  return point;
}

}  // namespace

std::vector<Point> check_points(const MethodEntry& entry, const Grid& grid, const RunOptions& run) {
  std::vector<Point> points;
  std::map<std::string, std::string> idle;  // what to say of an option that had no effect so far
  for (std::size_t number = 0; number < grid.size(); ++number)
    points.push_back(check_point(entry, grid, number, run, idle));
  for (const auto& word : grid.fixed)
    if (const auto& message = idle[word.key]; word.typed && !message.empty()) throw InputError(message);
  return points;
}

}  // namespace tessera::program
