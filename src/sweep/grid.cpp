// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/grid.hpp"

#include <algorithm>
#include <cctype>
#include <tessera/core/error.hpp>

#include "shown_text.hpp"
#include "sweep/values.hpp"

namespace tessera::program {
namespace {

constexpr double most_points = 1e5;

/// The values of a word, each of them read once.
std::vector<std::string> read_values(const GivenWord& word, const OptionTable& table) {
  const Option& option = *table.find(word.key);
  std::vector<std::string> values;
  std::string now;
  try {
    values = values_of(option, word.value);
    for (auto& value : values) {
      now = values.size() > 1 ? "'" + quoted_word(value) + "': " : "";
      value = canonical(option, value);
    }
  } catch (const InputError& error) {
    throw InputError(word.where + ": " + now + error.what());
  }
  auto sorted = values;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw InputError(word.where + ": the value " + quoted_word(*twice) + " stands twice");
  return values;
}

/// What a file's name may hold without quoting it in a shell.
std::string in_file_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string("+-.,=_").find(c) == std::string::npos) c = '-';
  return text;
}

}  // namespace

std::size_t Grid::size() const {
  std::size_t size = 1;
  for (const auto& axis : axes) size *= axis.values.size();
  return size;
}

std::vector<std::string> Grid::values_at(std::size_t point) const {
  std::vector<std::string> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto& all = axes[i].values;
    values[i] = all[point % all.size()];
    point /= all.size();
  }
  return values;
}

std::vector<GivenWord> Grid::words_at(std::size_t point) const {
  auto words = fixed;
  const auto values = values_at(point);
  for (std::size_t i = 0; i < axes.size(); ++i)
    words.push_back({axes[i].option, values[i], "--" + axes[i].option + " " + quoted_word(values[i]), true});
  return words;
}

std::string Grid::name_of(std::size_t point) const {
  std::string name;
  const auto values = values_at(point);
  for (std::size_t i = 0; i < axes.size(); ++i)
    name += (name.empty() ? "" : "_") + axes[i].option + "=" + in_file_name(values[i]);
  return name;
}

std::string Grid::title_of(std::size_t point) const {
  std::string title;
  const auto values = values_at(point);
  for (std::size_t i = 0; i < axes.size(); ++i)
    title += (title.empty() ? "" : ", ") + axes[i].option + " = " + quoted_word(values[i]);
  return title;
}

Grid read_grid(const std::string& method, const std::vector<GivenWord>& given, const OptionTable& table) {
  Grid grid;
  grid.method = method;
  double points = 1;
  for (const auto& option : table.options()) {
    const auto word = std::ranges::find(given, option.name, &GivenWord::key);
    if (word == given.end() || !can_vary(option)) continue;
    const auto values = read_values(*word, table);
    points *= static_cast<double>(values.size());
    if (points > most_points) throw InputError(word->where + ": the sweep has more than 100000 points");
    if (values.size() == 1) {
      grid.fixed.push_back(*word);
      grid.fixed.back().value = values.front();
    } else {
      grid.axes.push_back({option.name, values, word->where});
    }
  }
  if (grid.axes.empty())
    throw InputError(
        "no option has several values: give a list as in --seed 1,2,3 or a range as in --seed 1:3:3, of values with "
        "commas such as sizes a list as in --size '64;128'");
  for (const auto& axis : grid.axes) {
    std::vector<std::string> names;
    for (const auto& value : axis.values) names.push_back(in_file_name(value));
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
      throw InputError(axis.where + ": two values have the same name for a file, " + *twice);
  }
  return grid;
}

}  // namespace tessera::program
