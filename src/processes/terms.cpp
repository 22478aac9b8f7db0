// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/model_file.hpp"

#include <algorithm>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cmath>
#include <optional>

namespace tessera::processes {

using program::joined;
using program::quoted_word;

namespace {

/// Value of a text; nullopt if it is not a finite number.
std::optional<double> read_number(const std::string& text) {
  double number = 0;
  const bool is_one = boost::conversion::try_lexical_convert(text, number) && std::isfinite(number);
  return is_one ? std::optional(number) : std::nullopt;
}

std::string without_quotes(const std::string& text) {
  const bool is_quoted =
      text.size() > 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

/// Appends a term, which must be the first one of its site.
template <class T>
void add(const T& one, std::vector<T>& all, const Source& source, const Text& in, const std::string& text) {
  if (std::ranges::find(all, one.at, &T::at) != all.end())
    source.refuse(in.line, "'" + quoted_word(text) + "': this site is already given");
  all.push_back(one);
}

}  // namespace

std::vector<double> read_tuple(const std::string& text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return {};
  std::vector<double> numbers;
  for (std::string part : parts_of(text.substr(1, text.size() - 2), ',')) {
    if (const auto open = part.find('('); part.starts_with("np.") && open != std::string::npos && part.ends_with(')'))
      part = part.substr(open + 1, part.size() - open - 2);  // np.float64(0.5) of kmcos
    const std::optional<double> number = read_number(part);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::size_t TermReader::species(const std::string& name, int line) const {
  for (std::size_t i = 0; i < model_.species.size(); ++i)
    if (model_.species[i] == name) return i;
  if (name.starts_with('$') || name.starts_with('^'))
    model_.source.refuse(line,
                         "'" + quoted_word(name) + "': only `actions` of a process create (^) or remove ($) sites");
  model_.source.refuse(line, "species '" + quoted_word(name) + "' is not defined; valid species are " +
                                 joined(model_.species, " and ") +
                                 (name.find(' ') == std::string::npos ? "" : "; a comment needs a line of its own"));
}

std::size_t TermReader::site(const std::string& name, int line) const {
  for (std::size_t i = 0; i < model_.sites.size(); ++i)
    if (model_.sites[i].name == name) return i;
  model_.source.refuse(line, "site '" + quoted_word(name) + "' is not defined; valid sites are " +
                                 joined(model_.sites, " and ", &Site::name));
}

LatticeSite TermReader::lattice_site(const std::string& text, int line) const {
  // Dots inside parentheses are not separators.
  const std::vector<std::string> parts = parts_of(text, '.');
  if (parts.size() > 3 || (parts.size() == 3 && std::ranges::find(layers_, parts[2]) == layers_.end()))
    model_.source.refuse(line, "'" + quoted_word(text) + "': must be site.(dx, dy, 0)." + joined(layers_, " or "));
  LatticeSite lattice_site;
  lattice_site.site =
      site(layers_.size() < 2 ? parts[0] : parts[0] + "_" + (parts.size() < 3 ? layers_[0] : parts[2]), line);
  if (parts.size() > 1) {
    const std::vector<double> offset = read_tuple(parts[1]);
    const auto is_step = [](double step) { return step == std::floor(step) && std::abs(step) <= 1000; };
    if (offset.empty() || offset.size() > 3 || !std::ranges::all_of(offset, is_step))
      model_.source.refuse(
          line, "'" + quoted_word(text) + "': must have an offset (dx, dy, 0) in whole numbers of unit cells");
    lattice_site.dz = offset.size() == 3 ? static_cast<int>(offset[2]) : 0;
    if (lattice_site.dz != 0 && !model_.in_space)
      model_.source.refuse(line, "'" + quoted_word(text) +
                                     "': dz must be 0, because the lattice has two dimensions; define sites above or "
                                     "below as sites of the unit cell, or of another layer, or model_dimension = 3");
    lattice_site.dx = static_cast<int>(offset[0]);
    lattice_site.dy = offset.size() > 1 ? static_cast<int>(offset[1]) : 0;
  }
  return lattice_site;
}

std::vector<std::pair<std::string, std::string>> TermReader::terms(const Text& text) const {
  std::vector<std::pair<std::string, std::string>> terms;
  for (const std::string& part : parts_of(text.text, '+')) {
    const auto sign = part.find('@');
    if (sign == std::string::npos || part.find('@', sign + 1) != std::string::npos)
      model_.source.refuse(text.line, "'" + quoted_word(part) + "': must be Species@site or Species@site.(dx, dy, 0)");
    terms.emplace_back(trimmed(part.substr(0, sign)), trimmed(part.substr(sign + 1)));
  }
  return terms;
}

std::vector<Condition> TermReader::conditions(const Text& text) const {
  std::vector<Condition> conditions;
  for (const auto& [left, right] : terms(text)) {
    Condition condition{lattice_site(right, text.line), 0};
    for (std::size_t begin = 0; begin <= left.size();) {
      const std::size_t end = std::min(left.find(" or ", begin), left.size());
      condition.species |= SpeciesSet{1} << species(trimmed(left.substr(begin, end - begin)), text.line);
      begin = end + 4;
    }
    add(condition, conditions, model_.source, text, left + "@" + right);
  }
  return conditions;
}

std::vector<Action> TermReader::actions(const Text& text, std::vector<Condition>* conditions) const {
  std::vector<Action> actions;
  for (const auto& [left, right] : terms(text)) {
    const LatticeSite at = lattice_site(right, text.line);
    const bool creates = conditions != nullptr && left.starts_with('^'),
               removes = conditions != nullptr && left.starts_with('$');
    const std::size_t its = species(left.substr(creates || removes ? 1 : 0), text.line);
    const std::size_t before = creates ? species(no_site, text.line) : its;
    if ((creates || removes) && std::ranges::find(*conditions, at, &Condition::at) == conditions->end())
      conditions->push_back({at, SpeciesSet{1} << before});
    add(Action{at, removes ? species(no_site, text.line) : its}, actions, model_.source, text, left + "@" + right);
  }
  return actions;
}

std::vector<Bystander> TermReader::bystanders(const Text& text) const {
  std::vector<Bystander> bystanders;
  for (const auto& [left, right] : terms(text)) {
    const auto bar = right.find('|');
    if (bar == std::string::npos)
      model_.source.refuse(text.line,
                           "'" + quoted_word(left + "@" + right) + "': must be ['Species', ...]@site.(dx, dy, 0)|flag");
    Bystander bystander{lattice_site(trimmed(right.substr(0, bar)), text.line), 0, trimmed(right.substr(bar + 1))};
    const bool is_list = left.starts_with('[') && left.ends_with(']');
    for (const std::string& name : parts_of(is_list ? left.substr(1, left.size() - 2) : left, ','))
      bystander.species |= SpeciesSet{1} << species(without_quotes(name), text.line);
    add(bystander, bystanders, model_.source, text, right);
  }
  return bystanders;
}

TurnoverCounts TermReader::turnover_counts(const Text& text) const {
  TurnoverCounts counts;
  const bool is_list = text.text.starts_with('{') && text.text.ends_with('}');
  for (const std::string& part : parts_of(is_list ? text.text.substr(1, text.text.size() - 2) : text.text, ',')) {
    if (is_list && part.empty()) continue;  // {}, or a trailing comma
    const std::vector<std::string> words = parts_of(part, ':');
    const std::string name = without_quotes(words[0]);
    const std::optional<double> count = words.size() == 2 ? read_number(words[1]) : std::nullopt;
    if (!is_list || !count || !counts.emplace(name, *count).second)
      model_.source.refuse(text.line, "tof_count = " + quoted_word(text.text) +
                                          ": must be {'NAME': 1, ...}, with what an event adds to each turnover");
    model_.source.check_name(text.line, name);
  }
  return counts;
}

}  // namespace tessera::processes
