// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <string_view>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

using program::quoted_word;
using program::write_value;

/// The cells for which comparisons such as "x < 10 and 5 <= y < nx" hold.
StartRegion region_of(const ModelFile& model, Values& values, const Text& where) {
  static const std::regex signs("<=?|>=?|==");
  StartRegion region;
  const auto refuse = [&](const std::string& part) {
    model.source.refuse(where.line, "where: '" + quoted_word(part) +
                                        "': must be comparisons of x or y with numbers, such as `x < 10 and y >= 20`");
  };
  for (std::size_t begin = 0; begin < where.text.size();) {
    const std::size_t end = std::min(where.text.find(" and ", begin), where.text.size());
    const std::string part = trimmed(where.text.substr(begin, end - begin));
    begin = end + 5;
    const std::vector<std::string> words(std::sregex_token_iterator(part.begin(), part.end(), signs, {-1, 0}), {});
    if (words.size() < 3 || words.size() % 2 == 0 || part.find(" or ") != std::string::npos) refuse(part);
    for (std::size_t i = 2; i < words.size(); i += 2) {
      std::string left = trimmed(words[i - 2]), sign = words[i - 1], right = trimmed(words[i]);
      if (right == "x" || right == "y") {
        std::swap(left, right);
        if (sign[0] != '=') sign[0] = sign[0] == '<' ? '>' : '<';
      }
      if ((left != "x" && left != "y") || right.empty()) refuse(part);
      const double value = std::clamp(values.of({right, where.line}, "where"), -2e9, 2e9);
      auto& [from, to] = left == "x" ? region.x : region.y;
      if (sign[0] != '<')
        from = std::max(from, static_cast<std::int32_t>(sign == ">" ? std::floor(value) + 1 : std::ceil(value)));
      if (sign[0] != '>')
        to = std::min(to, static_cast<std::int32_t>(sign == "<" ? std::ceil(value) : std::floor(value) + 1));
    }
  }
  return region;
}

/// Site with the smallest index among those that entries of a section give together with this one, for each site.
std::vector<std::size_t> groups_of(const ModelFile& model, const InitialSection& section) {
  std::vector<std::size_t> group(model.sites.size());
  for (std::size_t site = 0; site < group.size(); ++site) group[site] = site;
  for (const Initial& one : section.entries)
    for (const Action& action : one.species) {
      const std::size_t a = group[action.at.site], b = group[one.species[0].at.site];
      for (std::size_t& its : group) its = its == std::max(a, b) ? std::min(a, b) : its;
    }
  return group;
}

/// Adds the part of the cells that an entry concerns.
void add_part(const ModelFile& model, const Initial& entry, Values& values, Start& start) {
  const std::string what = program::joined(entry.species, " + ", [&](const Action& action) {
    return model.species[action.species] + "@" + model.sites[action.at.site].name;
  });
  const double part = values.of(entry.part, what);
  const auto require = [&](bool holds, const char* rule) {
    if (!holds) model.source.refuse(entry.part.line, what + ": is " + write_value(part) + "; " + rule);
  };
  const bool is_number = entry.kind == Initial::number, by_chance = entry.kind == Initial::probability;
  (is_number ? start.number : start.below) += part;
  require(!is_number || (part >= 0 && part <= 1e15 && part == std::floor(part)),
          "a number of cells must be whole and not negative");
  require(part >= 0 && start.below <= 1 + 1e-12,
          "the parts of a site must not be negative, and their sum must be at most 1");
  require(start.choice == 0 || start.by_chance == (by_chance ? 1 : 0),
          "a probability cannot stand beside parts or numbers of the same sites");
  start.by_chance = by_chance ? 1 : 0;
}

}  // namespace

void read_initial(const Section& section, const TermReader& terms, ModelFile& model) {
  InitialSection& its = model.initial.emplace_back();
  its.line = section.line;
  for (const auto& [key, value] : section.entries) {
    if (key == "where") {
      its.where = value;
      continue;
    }
    if (key.find('@') == std::string::npos)
      model.source.refuse(value.line, "'" + quoted_word(key) + "': must be `Species@site = part of the sites`");
    Initial one{terms.actions({key, value.line}), value};
    for (const Action& action : one.species)
      if (action.at.dx != 0 || action.at.dy != 0)
        model.source.refuse(value.line, "'" + quoted_word(key) + "': must be sites of one unit cell, without offset");
    for (const auto& [word, kind] : {std::pair("number ", Initial::number), {"probability ", Initial::probability}})
      if (value.text.starts_with(word)) {
        one.part.text = trimmed(value.text.substr(std::string_view(word).size()));
        one.kind = kind;
      }
    its.entries.push_back(std::move(one));
  }
}

std::vector<Start> start_of(const ModelFile& model, Values& values, const std::vector<Digit>& digits) {
  std::vector<Start> start;
  const auto put = [&](Start one, std::size_t site, std::size_t species) {
    const Digit& digit = digits[site];
    one.weight = digit.weight;
    one.digits = static_cast<std::int32_t>(digit.base);
    one.digit = static_cast<std::int32_t>(std::ranges::find(digit.species, species) - digit.species.begin());
    start.push_back(one);
  };
  for (std::size_t i = 0; i < model.initial.size(); ++i) {
    const InitialSection& section = model.initial[i];
    const std::vector<std::size_t> groups = groups_of(model, section);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      Start one;
      one.region = region_of(model, values, section.where);
      one.order = static_cast<std::uint32_t>(i * most_sites + group);
      for (const Initial& entry : section.entries) {
        if (groups[entry.species[0].at.site] != group) continue;
        add_part(model, entry, values, one);
        for (std::size_t site = 0; site < groups.size(); ++site) {
          if (groups[site] != group) continue;
          const auto its = std::ranges::find(entry.species, LatticeSite{0, 0, site}, &Action::at);
          put(one, site, its == entry.species.end() ? model.sites[site].species : its->species);
        }
        ++one.choice;
      }
      const bool has_entries = one.choice > 0;
      one.below = 2;
      for (std::size_t site = 0; site < groups.size(); ++site)
        if (groups[site] == group && has_entries) put(one, site, model.sites[site].species);
    }
  }
  return start;
}

void check_start(const ModelFile& model, const Tables& tables, int nx, int ny) {
  for (const Start& one : tables.start) {
    const InitialSection& section = model.initial[one.order / most_sites];
    const auto cells = static_cast<double>(one.region.within(nx, ny).cells());
    const std::string lattice = " of the lattice of " + std::to_string(nx) + " x " + std::to_string(ny);
    if (cells == 0) model.source.refuse(section.where.line, "where: holds for no cell" + lattice);
    if (one.number > cells)
      model.source.refuse(section.line, "[Initial]: " + write_value(one.number) + " cells are to hold species, of " +
                                            write_value(cells) + " cells" + lattice);
  }
}

}  // namespace tessera::processes
