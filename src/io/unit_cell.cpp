// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/unit_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <sstream>
#include <tessera/core/error.hpp>

namespace tessera::io {
namespace {

using Json = nlohmann::json;

/// The text of files before the JSON: lines `site NAME: SPECIES, ...`, `base N` and `cell` with nine numbers.
Json read_lines(const std::string& description) {
  Json data = Json::object();
  std::istringstream lines(description);
  for (std::string line, word; std::getline(lines, line);) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line);
    words >> word;
    if (word == "site" && words >> word) {
      Json& site = data["sites"].emplace_back() = {{"name", word.substr(0, word.find(':'))}};
      for (site["species"] = Json::array(); words >> word;) site["species"].push_back(word);
    } else if (std::int64_t base = 1; word == "base" && data.contains("sites") && words >> base) {
      data["sites"].back()["base"] = base;
    } else if (word == "cell") {
      double sides[3][3];
      for (auto& side : sides)
        for (double& one : side) words >> one;
      if (words) data["cell"] = sides;
    }
  }
  return data;
}

}  // namespace

UnitCell::UnitCell(const std::string& description) {
  Json data = Json::parse(description, nullptr, false);
  if (!data.is_object()) data = read_lines(description);
  try {
    for (const Json& one : data.value("sites", Json::array())) {
      Site& site = sites_.emplace_back(
          Site{one.at("name").get<std::string>(), one.at("species").get<std::vector<std::string>>()});
      site.base = one.value("base", std::ssize(site.species));
    }
    for (std::size_t i = 0; i < 9 && data.contains("cell"); ++i)
      sides_[i / 3][i % 3] = data["cell"].at(i / 3).at(i % 3);
  } catch (const Json::exception&) {  // of a damaged file
    sites_.clear();
    sides_ = unit_sides;
  }
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t weight = 1; Site & site : sites_) {
    site.base = std::clamp<std::int64_t>(site.base, 1, 127);  // there are up to 64 species
    site.weight = weight;
    weight = weight > most / site.base ? most : weight * site.base;
  }
}

std::int64_t UnitCell::term(const std::string& name) const {
  const auto at = name.find('@');
  const auto site = std::ranges::find(sites_, name.substr(at + 1), &Site::name);
  if (site == sites_.end()) throw InputError("this model has no site " + name.substr(at + 1));
  const auto species = std::ranges::find(site->species, name.substr(0, at));
  if (species == site->species.end()) {
    std::string valid;
    for (const std::string& one : site->species) valid += (valid.empty() ? "" : ", ") + one;
    throw InputError("must be a species for site " + site->name + " of each cell; valid are " + valid);
  }
  return (species - site->species.begin()) * site->weight;
}

std::int64_t UnitCell::state(const std::string& name) const {
  std::int64_t state = 0;
  std::set<std::string> given;
  std::istringstream words(name);
  for (std::string word; std::getline(words, word, '/');) {
    if (given.size() == sites_.size()) throw InputError("has more species than a unit cell has sites");
    if (word.find('@') == std::string::npos) word += "@" + sites_[given.size()].name;
    state += term(word);
    if (!given.insert(word.substr(word.find('@'))).second) throw InputError("has a site twice");
  }
  for (const Site& site : sites_)
    if (!given.contains("@" + site.name)) state += term("@" + site.name);
  return state;
}

std::map<std::string, std::size_t> UnitCell::held(const std::vector<std::int64_t>& states) const {
  std::map<std::string, std::size_t> cells;
  for (const Site& site : sites_) {
    std::vector<std::size_t> counts(site.species.size());
    for (const std::int64_t state : states) {
      if (state < 0 || site.of(state) >= counts.size())
        throw InputError("has " + std::to_string(state) + ", which is not a state of its model");
      ++counts[site.of(state)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) cells[site.species[i] + "@" + site.name] = counts[i];
  }
  return cells;
}

void UnitCell::take_states(const UnitCell& from, std::int64_t others, std::vector<std::int64_t>& states) const {
  std::map<std::string, std::int64_t> terms;
  for (const auto& [name, cells] : from.held(states))
    with_prefix(std::to_string(cells) + " of " + std::to_string(states.size()) + " cells hold " + name + ": ",
                [&] { terms[name] = term(name); });
  for (const Site& site : sites_)
    if (std::ranges::find(from.sites_, site.name, &Site::name) != from.sites_.end())
      others -= static_cast<std::int64_t>(site.of(others)) * site.weight;
  std::vector<std::int64_t> to(states.size(), others);
  for (const Site& site : from.sites_) {
    std::vector<std::int64_t> of_species;
    for (const std::string& species : site.species) of_species.push_back(terms[species + "@" + site.name]);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += of_species[site.of(states[i])];
  }
  states = std::move(to);
}

std::array<double, 2> UnitCell::shape() const {
  const auto& [a, b, c] = sides_;
  return {std::hypot(b[0], b[1]) / std::hypot(a[0], a[1]),
          std::abs(std::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])) * 180 / std::numbers::pi};
}

void UnitCell::require_shape_of(const UnitCell& from) const {
  const auto text = [](const std::array<double, 2>& shape) {
    std::ostringstream words;
    words.precision(3);
    words << shape[0] << " at " << shape[1] << " degrees";
    return words.str();
  };
  const auto ours = shape(), its = from.shape();
  if (std::abs(ours[0] / its[0] - 1) > 0.05 || std::abs(ours[1] - its[1]) > 2)
    throw InputError("its unit cell has sides of ratio " + text(its) + ", that of this model " + text(ours));
}

}  // namespace tessera::io
