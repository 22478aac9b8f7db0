// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/unit_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <sstream>
#include <tessera/core/error.hpp>

namespace tessera::io {

UnitCell::UnitCell(const std::string& description) {
  std::istringstream lines(description);
  for (std::string line, word; std::getline(lines, line);) {
    std::istringstream words(line);
    words >> word;
    if (line.starts_with("site ")) {
      const auto colon = line.find(':');
      Site& site = sites_.emplace_back(Site{line.substr(5, colon - 5), {}});
      std::ranges::replace(line, ',', ' ');
      std::istringstream species(line.substr(std::min(colon + 1, line.size())));
      while (species >> word) site.species.push_back(word);
      site.base = std::max<std::int64_t>(1, std::ssize(site.species));
    } else if (word == "base" && has_sites()) {
      words >> sites_.back().base;
    } else if (word == "cell") {
      double a[3] = {1, 0, 0}, b[3] = {0, 1, 0};
      words >> a[0] >> a[1] >> a[2] >> b[0] >> b[1];
      ratio_ = std::hypot(b[0], b[1]) / std::hypot(a[0], a[1]);
      angle_ = std::abs(std::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])) * 180 / std::numbers::pi;
    }
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

void UnitCell::require_shape_of(const UnitCell& from) const {
  const auto shape = [](const UnitCell& one) {
    std::ostringstream text;
    text.precision(3);
    text << one.ratio_ << " at " << one.angle_ << " degrees";
    return text.str();
  };
  if (std::abs(ratio_ / from.ratio_ - 1) > 0.05 || std::abs(angle_ - from.angle_) > 2)
    throw InputError("its unit cell has sides of ratio " + shape(from) + ", that of this model " + shape(*this));
}

}  // namespace tessera::io
