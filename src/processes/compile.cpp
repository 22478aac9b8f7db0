// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <fnmatch.h>

#include <bit>
#include <functional>
#include <span>
#include <tessera/core/error.hpp>
#include <utility>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

constexpr std::int64_t most_states = 127;
constexpr std::int64_t most_neighbourhoods = 30'000'000;
constexpr double most_outcomes = 1e8;  ///< of all neighbourhoods together

/// Whether all conditions of a process can hold if site i can have the species `found[i]`.
bool can_happen(const Process& process, const std::vector<SpeciesSet>& found) {
  return std::ranges::all_of(process.conditions,
                             [&](const Condition& c) { return (found[c.at.site] & c.species) != 0; });
}

/// Species that can occur on each site: the initial ones, and those produced by processes that can occur.
std::vector<SpeciesSet> reachable(const ModelFile& model, const std::vector<Compiled>& processes) {
  std::vector<SpeciesSet> found;
  for (const Site& site : model.sites) found.push_back(SpeciesSet{1} << site.species);
  for (const InitialSection& section : model.initial)
    for (const Initial& initial : section.entries)
      for (const Action& one : initial.species) found[one.at.site] |= SpeciesSet{1} << one.species;
  for (std::vector<SpeciesSet> before; before != found;) {
    before = found;
    for (const Compiled& one : processes)
      for (const Process& copy : one.copies)
        if (can_happen(copy, found))
          for (const Action& action : copy.actions) found[action.at.site] |= SpeciesSet{1} << action.species;
  }
  return found;
}

/// The states of a cell in which a site has one of some species.
ObservedCell cell_with(const CompiledModel& compiled, const Condition& condition) {
  ObservedCell one;
  one.dx = static_cast<std::int8_t>(condition.at.dx);
  one.dy = static_cast<std::int8_t>(condition.at.row());
  const Digit& digit = compiled.digits[condition.at.site];
  const int states = compiled.tables.states;
  if (states == 0) {
    one.shift = static_cast<std::uint8_t>(std::countr_zero(static_cast<std::uint64_t>(digit.weight)));
    one.mask = static_cast<std::uint8_t>(digit.base - 1);
  }
  for (int value = 0; value < (states == 0 ? static_cast<int>(digit.species.size()) : states); ++value)
    if (has(condition.species, digit.species[states == 0 ? static_cast<std::size_t>(value) : digit.of(value)]))
      one.allow(value);
  return one;
}

/// Names of observables and of their rates, with lines that define them.
using Names = std::map<std::string, int>;

/// Throws InputError if there is an observable of this name.
void add_name(const std::string& name, int line, const Source& source, Names& names) {
  const auto [other, is_new] = names.try_emplace(name, line);
  if (!is_new)
    source.refuse(line, name + ": would be the name of two observables, the other one by " +
                            source.place(other->second, line) + "; use other names");
}

/// Defines the coverages, the numbers of the configurations that the file names, and the energy of its clusters.
void add_observables(const ModelFile& model, Names& names, CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  const auto begin = [&](const std::string& name, int line) {
    add_name(name, line, model.source, names);
    tables.observables.push_back(name);
    tables.first_observed.push_back(static_cast<std::uint32_t>(tables.observed.size()));
  };
  // What is counted where these conditions hold.
  const auto count = [&](std::span<const Condition> conditions, std::int64_t weight = 1) {
    for (const Condition& condition : conditions) tables.observed.push_back(cell_with(compiled, condition));
    tables.observed.back().weight = weight;
    tables.observed.back().ends = 1;
  };
  const auto count_one = [&](const Condition& condition) { count({&condition, 1}); };
  for (std::size_t site = 0; site < compiled.digits.size(); ++site)
    for (const std::size_t species : compiled.digits[site].species) {
      begin("coverage_" + model.species[species] + (model.sites.size() > 1 ? "_" + model.sites[site].name : ""),
            model.sites[site].line);
      count_one({{0, 0, site}, SpeciesSet{1} << species});
      tables.observed.back().ends = 2;
    }
  for (const Process& molecules : model.molecules) {
    begin("molecules_" + molecules.name, molecules.line);
    for (const auto& [at, species] : molecules.conditions) count_one({{0, 0, at.site}, species});
    tables.observed.back().ends = 2;
  }
  for (const Process& configuration : model.configurations) {
    begin("configurations_" + configuration.name, configuration.line);
    for (const Process& copy : compiled.configurations.emplace_back(oriented(model, configuration))) {
      const auto moved = model.in_space ? from_a_cell(copy, 1, 1) : from_its_cell(copy, 8);
      if (!moved) refuse_cells(model, copy);
      count(moved->conditions);
    }
    tables.observed.back().ends = 2;
  }
  if (model.energies.empty()) return;
  begin("energy", model.energies.front().line);
  for (const Process& cluster : compiled.energies.clusters)
    count(cluster.conditions, cluster.change.patterns.front().weight);
  tables.observed.back().ends = 2;
  tables.energy_unit = compiled.energies.unit;
}

void add_clusters(const ModelFile& model, Names& names, CompiledModel& compiled) {
  for (const Clusters& clusters : model.clusters) {
    if (model.in_space)
      model.source.refuse(clusters.line, "[Clusters " + clusters.name +
                                             "]: requires a lattice in two dimensions; in three, tessera_io.clusters "
                                             "finds the clusters of a field");
    kmc::ClusterKind& kind = compiled.tables.clusters.emplace_back(
        kmc::ClusterKind{"cluster_density_" + clusters.name, "cluster_sizes_" + clusters.name,
                         static_cast<int>(model.sites.size()), clusters.least});
    add_name(kind.density, clusters.line, model.source, names);
    for (const Process& link : clusters.links)
      for (const Process& copy : oriented(model, link)) {
        const LatticeSite &from = copy.conditions[0].at, &to = copy.conditions[1].at;
        kind.links.push_back(
            {static_cast<int>(from.site), static_cast<int>(to.site), to.dx - from.dx, to.dy - from.dy});
      }
    for (std::size_t site = 0; site < model.sites.size(); ++site) {
      const auto member = std::ranges::find(clusters.members, LatticeSite{0, 0, site}, &Condition::at);
      const SpeciesSet species = member == clusters.members.end() ? 0 : member->species;
      compiled.tables.members.push_back(cell_with(compiled, {{0, 0, site}, species}));
    }
  }
}

/// Defines the counts of events, a group for each process, of steps, and of turnovers.
void add_counted(const Source& source, Names& names, CompiledModel& compiled) {
  std::map<std::string, std::pair<kmc::CountedEvents, int>> sums;  // with lines that define them
  const auto add = [&](const kmc::CountedEvents& one, int line) {
    for (const char* ending : {"", "_rate"}) add_name(one.name + ending, line, source, names);
    compiled.tables.counted.push_back(one);
  };
  for (std::size_t i = 0; i < compiled.processes.size(); ++i) {
    const Process& process = compiled.processes[i];
    const auto group = static_cast<int>(i);
    add({"events_" + process.name, {{group, 1.0}}}, process.line);
    const auto add_to = [&](const std::string& name, double count) {
      sums.try_emplace(name, kmc::CountedEvents{name, {}}, process.line)
          .first->second.first.weights.emplace_back(group, count);
    };
    if (process.step != process.name) add_to("events_" + process.step, 1);
    for (const auto& [name, count] : process.tof_count) add_to("turnover_" + name, count);
  }
  for (const auto& [name, counted] : sums) add(counted.first, counted.second);
}

/// The copies of the processes that can happen.
std::vector<Process*> possible_copies(CompiledModel& compiled) {
  std::vector<Process*> copies;
  for (Compiled& one : compiled.processes)
    for (Process& copy : one.copies)
      if (one.possible) copies.push_back(&copy);
  return copies;
}

/// Assigns processes to cells, with few neighbours. Returns the cells on which rates depend; nothing if too many.
std::optional<CellSet> assign_to_cells(CompiledModel& compiled) {
  int& neighbours = compiled.tables.neighbours;
  std::vector<Process*> copies = possible_copies(compiled);
  const auto fits = [&](const Process* copy) { return from_its_cell(*copy, neighbours).has_value(); };
  while (neighbours < 12 && !std::ranges::all_of(copies, fits)) neighbours += 4;
  if (!std::ranges::all_of(copies, fits)) return std::nullopt;
  // Place the processes with most cells first; the others keep to these cells.
  std::map<const Process*, std::ptrdiff_t> count;
  for (const Process* copy : copies) {
    CellSet cells{};
    add_cells(*from_its_cell(*copy, neighbours), cells);
    count[copy] = std::ranges::count(cells, true);
  }
  if (neighbours > 4)
    std::ranges::stable_sort(copies, std::greater(), [&](const Process* copy) { return count[copy]; });
  CellSet read{true};
  for (Process* copy : copies) {
    *copy = *from_its_cell(*copy, neighbours, neighbours > 4 ? read : CellSet{});
    add_cells(*copy, read);
  }
  return read;
}

/// Assigns numbers to the states of a cell, and to the neighbourhoods. Returns false if a state has too many, or
/// processes too many neighbours, or too many outcomes.
bool number(CompiledModel& compiled) {
  std::int64_t states = 1;
  for (Digit& digit : compiled.digits) {
    digit.weight = states;
    states *= digit.base = static_cast<std::int64_t>(digit.species.size());
    if (states > most_states) return false;
  }
  for (Process& cluster : compiled.energies.clusters) {
    const auto moved = from_its_cell(cluster, 8);
    if (!moved) return false;
    cluster = *moved;
  }
  const auto is_read = assign_to_cells(compiled);
  if (!is_read) return false;
  Tables& tables = compiled.tables;
  tables.states = static_cast<int>(states);
  std::int64_t neighbourhoods = 1;
  for (std::size_t k = 0; k < most_cells; ++k) {
    tables.strides[k] = (*is_read)[k] ? static_cast<std::int32_t>(neighbourhoods) : 0;
    if ((*is_read)[k]) neighbourhoods *= states;
    if (neighbourhoods > most_neighbourhoods) return false;
  }
  double outcomes = 0;
  for (const Process* copy : possible_copies(compiled)) {
    double its = static_cast<double>(neighbourhoods);
    for (const Condition& condition : copy->conditions) {
      const Digit& digit = compiled.digits[condition.at.site];
      its *=
          static_cast<double>(std::ranges::count_if(digit.species, [&](auto i) { return has(condition.species, i); }));
      its /= static_cast<double>(digit.base);
    }
    outcomes += its;
  }
  return outcomes <= most_outcomes;
}

/// The same with bits of its own for each site, and groups of processes.
void number_groups(const ModelFile& model, CompiledModel& compiled) {
  int bits = 0;
  std::map<int, int, std::greater<>> sites_with;  // number of sites by bits
  for (std::size_t i = 0; i < model.sites.size(); ++i) {
    Digit& digit = compiled.digits[i];
    const int its = std::bit_width(digit.species.size() - 1);
    if (its > 6)
      model.source.refuse(model.sites[i].line, "site " + model.sites[i].name + ": " +
                                                   std::to_string(digit.species.size()) +
                                                   " species can occur on it, more than 64");
    digit.base = std::int64_t{1} << its;
    if (bits < 63) digit.weight = std::int64_t{1} << bits;
    bits += its;
    if (its > 0) ++sites_with[its];
  }
  const auto written = [](const auto& one) {
    const int most = 1 << one.first;
    return std::to_string(one.first) + " on each of " + program::counted(one.second, "site") + " with " +
           (most > 2 ? std::to_string(most / 2 + 1) + " to " : "") + std::to_string(most) + " species";
  };
  const int most = model.in_space ? 8 : 63;
  if (bits > most)
    model.source.refuse(model.sites.front().line,
                        "the states of a unit cell need " + std::to_string(bits) + " bits, more than " +
                            std::to_string(most) + (model.in_space ? " in three dimensions: " : ": ") +
                            program::joined(sites_with, " and ", written) +
                            "; use a smaller unit cell, or sites on which fewer species can occur");
  Tables& tables = compiled.tables;
  tables.neighbours = 8;
  tables.states = 0;
  std::vector<Process*> copies = possible_copies(compiled);
  for (Process& cluster : compiled.energies.clusters) copies.push_back(&cluster);
  const auto fits = [&](int reads, int writes) {
    return std::ranges::all_of(copies,
                               [&](const Process* copy) { return from_a_cell(*copy, reads, writes).has_value(); });
  };
  const bool is_near = !model.in_space && bits <= 31 && fits(near_reach.reads, near_reach.writes);
  const auto [reads, writes] = is_near ? near_reach : far_reach;
  tables.reads = reads;
  for (Process* copy : copies) {
    const auto moved = from_a_cell(*copy, reads, writes);
    if (!moved) refuse_cells(model, *copy);
    *copy = *moved;
  }
}

/// Pairs the processes, and multiplies their rates and those of their reverses by `scales`, by name or pattern.
void scale(const Scales& scales, std::vector<Compiled>& processes) {
  std::vector<std::vector<Process>> copies;
  for (const Compiled& one : processes) copies.push_back(one.copies);
  const auto reverse = reverses(copies);
  for (std::size_t i = 0; i < processes.size(); ++i) processes[i].reverse = reverse[i];
  std::vector<const std::string*> by(processes.size());
  for (const auto& [name, factor] : scales) {
    const auto refuse = [&, n = &name, f = factor](const std::string& what) {
      throw InputError("--scale-processes " + *n + "=" + program::write_value(f) + ": " + what);
    };
    if (!(factor > 0)) refuse("the factor of the rates must be larger than 0; 0.1 makes the process ten times slower");
    bool found = false;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (fnmatch(name.c_str(), processes[i].name.c_str(), 0) != 0) continue;
      found = true;
      for (const std::size_t k : {i, reverse[i].value_or(i)}) {
        if (by[k] != nullptr && *by[k] != name)
          refuse("process " + processes[k].name + " is also that of '" + *by[k] +
                 "'; a factor is that of a process and its reverse");
        by[k] = &name;
        processes[k].scale = factor;
      }
    }
    if (!found)
      refuse("the model has no process '" + name + "'; its processes are " +
             program::joined(processes, " and ", &Compiled::name));
  }
}

}  // namespace

CompiledModel compile(const ModelFile& model, const Settings& settings, const Scales& scales, double rate_window,
                      double begin, const Lattice& lattice) {
  Values values(model, settings, begin);
  CompiledModel compiled;
  compiled.begin = begin;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    compiled.parameters.push_back(values.parameter(i));
    compiled.expressions.push_back(values.text(i));
  }
  for (const Process& process : model.processes) {
    Compiled one{process, oriented(model, process),
                 rate_of(values, values.formula(process.rate_constant, "rate_constant of " + process.name))};
    if (process.enabled) compiled.processes.push_back(std::move(one));
  }
  scale(scales, compiled.processes);
  const std::vector<SpeciesSet> found = reachable(model, compiled.processes);
  for (const SpeciesSet set : found) {
    Digit& digit = compiled.digits.emplace_back();
    for (std::size_t species = 0; species < model.species.size(); ++species)
      if (has(set, species)) digit.species.push_back(species);
  }
  compiled.energies = cluster_energies(model, values);
  for (Compiled& one : compiled.processes) {
    one.possible = can_happen(one.copies.front(), found);
    if (!depends_on_change(one)) continue;
    for (Process& copy : one.copies) copy.change = change_of(compiled.energies.clusters, found, copy);
  }
  compiled.tables.in_space = model.in_space;
  if (model.in_space || std::ranges::any_of(compiled.processes, depends_on_change) || !number(compiled))
    number_groups(model, compiled);
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    compiled.tables.start_state += compiled.digits[site].state(model.sites[site].species);
    const Digit& digit = compiled.digits[site];
    compiled.tables.digits.push_back(
        {digit.weight, static_cast<std::int32_t>(digit.base), static_cast<std::int32_t>(digit.species.size())});
  }
  compiled.tables.time_unit = model.time_unit;
  compiled.tables.cell = program::text_of(cell_data(model, compiled), -1);
  add_start(model, values, lattice, compiled);
  Names names;
  add_observables(model, names, compiled);
  add_clusters(model, names, compiled);
  add_counted(model.source, names, compiled);
  fill(model, std::move(values), rate_window, compiled);
  return compiled;
}

}  // namespace tessera::processes
