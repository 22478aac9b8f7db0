// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <cmath>
#include <iterator>
#include <limits>
#include <regex>
#include <string_view>
#include <tessera/core/error.hpp>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

using program::quoted_word;
using program::write_value;

/// Adds the cells of a lattice for which an expression with x, y and z holds.
void add_region(const ModelFile& model, Values& values, const Text& where, const Lattice& lattice, Tables& tables,
                Start& start) {
  static const std::regex words(" (and|or|if|else) "), assignment("(^|[^<>=!])=([^=]|$)");
  const auto uses = [](const std::string& text, const std::string& name) {
    return std::ranges::count(Expression(text).names(), name) > 0;
  };
  const std::vector<std::string> axes = model.axes();
  const Formula holds = values.formula(where, "where", axes);
  if (std::ranges::none_of(axes, [&](const auto& axis) { return uses(where.text, axis); }) ||
      std::regex_search(where.text, assignment))
    model.source.refuse(where.line, "where: '" + program::shown(where.text, 200) + "': must compare " +
                                        program::joined(axes, " or ") +
                                        ", such as `x < 10 and y >= 20` or `x % 2 == 0 or y > 3`");
  const std::int64_t cells = std::int64_t{lattice.nx} * lattice.rows();
  if (std::min(lattice.nx, lattice.ny) < 1) model.source.refuse(where.line, "where: requires a lattice with cells");
  if (cells > std::numeric_limits<std::int32_t>::max()) return;  // more than a lattice may have
  // Rows are alike if the parts without x have the same values, and the others the same y and z.
  std::vector<Formula> of_rows;
  for (std::sregex_token_iterator part(where.text.begin(), where.text.end(), words, -1), end; part != end; ++part) {
    std::vector<std::string> differ;
    try {
      std::ranges::copy_if(axes, std::back_inserter(differ), [&](const auto& axis) { return uses(*part, axis); });
    } catch (const InputError&) {  // a part of what parentheses enclose
      differ = axes;
    }
    if (std::erase(differ, "x") == 0 && !differ.empty()) differ = {part->str()};
    for (const std::string& one : differ) of_rows.push_back(values.formula({one, where.line}, "where", axes));
  }
  start.rows = static_cast<std::int32_t>(tables.start_rows.size());
  start.inside = 0;
  std::map<std::vector<double>, std::uint64_t> known;
  for (int row = 0; row < lattice.rows(); ++row) {
    const auto value = [&](const Formula& one, int x) {
      std::vector<Value> at{{double(x)}, {double(row % lattice.ny)}, {double(row / lattice.ny)}};
      at.resize(axes.size());
      return values.fixed(one, at);
    };
    std::vector<double> its;
    for (const Formula& one : of_rows) its.push_back(value(one, 0));
    const auto [like, is_new] = known.try_emplace(its, tables.start_columns.size());
    if (is_new) tables.start_columns.push_back(0);
    for (int x = 0; is_new && x < lattice.nx; ++x)
      tables.start_columns.push_back(tables.start_columns.back() + (std::abs(value(holds, x)) > 0 ? 1 : 0));
    tables.start_rows.push_back({start.inside, like->second});
    start.inside += tables.start_columns[like->second + static_cast<std::size_t>(lattice.nx)];
  }
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
  const double part = values.fixed(values.formula(entry.part, what));
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
      if (!action.at.is_in_cell())
        model.source.refuse(value.line, "'" + quoted_word(key) + "': must be sites of one unit cell, without offset");
    for (const auto& [word, kind] : {std::pair("number ", Initial::number), {"probability ", Initial::probability}})
      if (value.text.starts_with(word)) {
        one.part.text = trimmed(value.text.substr(std::string_view(word).size()));
        one.kind = kind;
      }
    its.entries.push_back(std::move(one));
  }
}

void add_start(const ModelFile& model, Values& values, const Lattice& lattice, CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  const auto put = [&](Start one, std::size_t site, std::size_t species) {
    const Digit& digit = compiled.digits[site];
    one.weight = digit.weight;
    one.digits = static_cast<std::int32_t>(digit.base);
    one.digit = static_cast<std::int32_t>(std::ranges::find(digit.species, species) - digit.species.begin());
    tables.start.push_back(one);
  };
  for (std::size_t i = 0; i < model.initial.size(); ++i) {
    const InitialSection& section = model.initial[i];
    const std::vector<std::size_t> groups = groups_of(model, section);
    Start region;
    if (!section.where.text.empty()) add_region(model, values, section.where, lattice, tables, region);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      Start one = region;
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
}

void check_start(const ModelFile& model, const Tables& tables, const Lattice& lattice) {
  for (const Start& one : tables.start) {
    const InitialSection& section = model.initial[one.order / most_sites];
    const auto cells = static_cast<double>(one.cells_of(lattice.nx, lattice.rows()));
    const std::string size = " of the lattice of " + std::to_string(lattice.nx) + " x " + std::to_string(lattice.ny) +
                             (model.in_space ? " x " + std::to_string(lattice.nz) : "");
    if (cells == 0) model.source.refuse(section.where.line, "where: holds for no cell" + size);
    if (one.number > cells)
      model.source.refuse(section.line, "[Initial]: " + write_value(one.number) + " cells are to hold species, of " +
                                            write_value(cells) + " cells" + size);
  }
}

}  // namespace tessera::processes
