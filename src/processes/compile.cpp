// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "options/value_text.hpp"
#include "processes/belongs.hpp"

namespace tessera::processes {
namespace {

constexpr std::int64_t most_states = 127;
constexpr std::int64_t most_neighbourhoods = 30'000'000;

bool has(SpeciesSet set, std::size_t species) { return (set >> species & 1u) != 0; }

/// Whether all conditions of a process can hold if site i can have the species `found[i]`.
bool can_happen(const Process& process, const std::vector<SpeciesSet>& found) {
  return std::ranges::all_of(process.conditions,
                             [&](const Condition& c) { return (found[c.at.site] & c.species) != 0; });
}

/// Species that can occur on each site: the initial ones, and those produced by processes that can occur.
std::vector<SpeciesSet> reachable(const ModelFile& model, const std::vector<Compiled>& processes) {
  std::vector<SpeciesSet> found;
  for (const Site& site : model.sites) found.push_back(SpeciesSet{1} << site.species);
  for (const Initial& initial : model.initial) found[initial.site] |= SpeciesSet{1} << initial.species;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Compiled& one : processes)
      for (const Process& copy : one.copies) {
        if (!can_happen(copy, found)) continue;
        for (const Action& action : copy.actions) {
          grows = grows || !has(found[action.at.site], action.species);
          found[action.at.site] |= SpeciesSet{1} << action.species;
        }
      }
  }
  return found;
}

/// Contributions of the initial species to the states of the cells, site by site.
std::vector<Start> start_of(const ModelFile& model, const Values& values, const std::vector<Digit>& digits) {
  std::vector<Start> start;
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    const auto state = [&](std::size_t species) {
      const auto value = std::ranges::find(digits[site].species, species) - digits[site].species.begin();
      return static_cast<std::int32_t>(value) * digits[site].weight;
    };
    double below = 0;
    for (const Initial& initial : model.initial) {
      if (initial.site != site) continue;
      const std::string what = model.species[initial.species] + "@" + model.sites[site].name;
      const double part = values.of(initial.part, what);
      below += part;
      if (!(part >= 0) || !(below <= 1 + 1e-12))
        model.source.refuse(initial.part.line,
                            what + ": is " + program::write_value(part) +
                                "; the parts of a site must not be negative, and their sum must be at most 1");
      start.push_back({below, static_cast<std::uint32_t>(site), state(initial.species)});
    }
    start.push_back({2, static_cast<std::uint32_t>(site), state(model.sites[site].species)});
  }
  return start;
}

/// The states of a cell in which a site has one of some species.
ObservedCell cell_with(const CompiledModel& compiled, const Condition& condition) {
  ObservedCell one;
  one.cell = static_cast<std::int32_t>(cell_of(condition.at));
  const Digit& digit = compiled.digits[condition.at.site];
  for (int state = 0; state < compiled.tables.states; ++state)
    if (has(condition.species, digit.species[digit.of(state)])) one.allow(state);
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

/// Defines the coverages, and the numbers of the configurations that the file names.
void add_observables(const ModelFile& model, Names& names, CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  const auto begin = [&](const std::string& name, int line) {
    add_name(name, line, model.source, names);
    tables.observables.push_back(name);
    tables.first_observed.push_back(static_cast<std::uint32_t>(tables.observed.size()));
  };
  for (std::size_t site = 0; site < compiled.digits.size(); ++site)
    for (const std::size_t species : compiled.digits[site].species) {
      begin("coverage_" + model.species[species] + (model.sites.size() > 1 ? "_" + model.sites[site].name : ""),
            model.sites[site].line);
      tables.observed.push_back(cell_with(compiled, {{0, 0, site}, SpeciesSet{1} << species}));
      tables.observed.back().ends = 2;
    }
  for (const Process& configuration : model.configurations) {
    begin("configurations_" + configuration.name, configuration.line);
    for (const Process& copy : compiled.configurations.emplace_back(oriented(model, configuration))) {
      const auto moved = from_its_cell(copy, 8);
      if (!moved) refuse_cells(model, copy);
      for (const Condition& condition : moved->conditions) tables.observed.push_back(cell_with(compiled, condition));
      tables.observed.back().ends = 1;
    }
    tables.observed.back().ends = 2;
  }
}

void add_clusters(const ModelFile& model, Names& names, CompiledModel& compiled) {
  for (const Clusters& clusters : model.clusters) {
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

/// Defines the counts of events and of turnovers. Each process has its own group of events; if there are too many,
/// processes with equal contributions to the turnovers share one.
void add_counted(const ModelFile& model, Names& names, CompiledModel& compiled) {
  std::vector<TurnoverCounts> groups;
  const bool each = compiled.processes.size() <= std::size_t{most_groups};
  for (Compiled& one : compiled.processes) {
    const Process& process = model.processes[one.number];
    if (!each && process.tof_count.empty()) continue;
    auto group = each ? groups.end() : std::ranges::find(groups, process.tof_count);
    if (group == groups.end()) group = groups.insert(group, process.tof_count);
    one.group = static_cast<int>(group - groups.begin());
    if (one.group == most_groups)
      model.source.refuse(process.line, "[Process " + process.name + "]: more than " + std::to_string(most_groups) +
                                            " different tof_count; processes with the same one are counted together");
  }
  Tables& tables = compiled.tables;
  tables.groups = static_cast<int>(groups.size());
  const std::vector<double> none(groups.size());
  std::map<std::string, std::vector<double>> turnovers;
  const auto add = [&](const std::string& name, const std::vector<double>& weights, int line) {
    for (const char* ending : {"", "_rate"}) add_name(name + ending, line, model.source, names);
    tables.counted.push_back({name, weights});
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (each) {
      const Process& process = model.processes[compiled.processes[g].number];
      add("events_" + process.name, none, process.line);
      tables.counted.back().weights[g] = 1;
    }
    for (const auto& [name, count] : groups[g]) turnovers.try_emplace(name, none).first->second[g] = count;
  }
  for (const auto& [name, weights] : turnovers) {
    const auto has_it = [&](const Compiled& one) { return model.processes[one.number].tof_count.contains(name); };
    const Compiled& first = *std::ranges::find_if(compiled.processes, has_it);
    add("turnover_" + name, weights, model.processes[first.number].line);
  }
}

/// Assigns the processes to their cells, with as few neighbours as possible. Returns the cells on which rates depend.
CellSet assign_to_cells(const ModelFile& model, CompiledModel& compiled) {
  int& neighbours = compiled.tables.neighbours;
  std::vector<Process*> copies;  // of the processes that can happen
  for (Compiled& one : compiled.processes)
    for (Process& copy : one.copies)
      if (one.possible) copies.push_back(&copy);
  const auto fits = [&](const Process* copy) { return from_its_cell(*copy, neighbours).has_value(); };
  while (neighbours < 12 && !std::ranges::all_of(copies, fits)) neighbours += 4;
  const bool all_fit = std::ranges::all_of(copies, fits);
  for (const Compiled& one : compiled.processes)
    for (const Process& copy : one.copies)
      if (!from_its_cell(copy, 8) && !(all_fit && fits(&copy))) refuse_cells(model, copy);
  // Those that depend on many cells choose first; the others keep to these cells.
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

/// Assigns numbers to the states and to the neighbourhoods of the cells `is_read`.
void number(const ModelFile& model, const CellSet& is_read, CompiledModel& compiled) {
  const auto refuse = [&](const std::string& what) {
    std::string sites;
    for (std::size_t site = 0; site < model.sites.size(); ++site)
      sites += (site == 0 ? "" : ", ") + model.sites[site].name + " holds " +
               std::to_string(compiled.digits[site].species.size()) + " species";
    model.source.refuse(1, what + " (" + sites + "); use fewer sites in a unit cell or fewer species");
  };
  std::int64_t states = 1;
  for (Digit& digit : compiled.digits) {
    digit.weight = static_cast<int>(states);
    states *= static_cast<std::int64_t>(digit.species.size());
    if (states > most_states) refuse("a unit cell has more than " + std::to_string(most_states) + " states");
  }
  Tables& tables = compiled.tables;
  tables.states = static_cast<int>(states);
  std::int64_t neighbourhoods = 1;
  for (std::size_t k = 0; k < most_cells; ++k) {
    tables.strides[k] = is_read[k] ? static_cast<std::int32_t>(neighbourhoods) : 0;
    if (is_read[k]) neighbourhoods *= states;
    if (neighbourhoods > most_neighbourhoods)
      refuse("a cell of " + std::to_string(states) + " states and its neighbours make more than " +
             std::to_string(most_neighbourhoods) + " neighbourhoods");
  }
}

}  // namespace

CompiledModel compile(const ModelFile& model, const Settings& settings) {
  const Values values(model, settings);
  CompiledModel compiled;
  compiled.parameters = values.parameters();
  for (std::size_t i = 0; i < model.processes.size(); ++i) {
    const Process& process = model.processes[i];
    Compiled one;
    one.number = i;
    one.copies = oriented(model, process);
    one.rate = values.of(process.rate_constant, "rate_constant of " + process.name);
    if (!(one.rate >= 0) || !std::isfinite(one.rate))
      model.source.refuse(process.rate_constant.line, "rate_constant of " + process.name + ": is " +
                                                          program::write_value(one.rate) +
                                                          "; it must be finite and not negative");
    if (process.enabled) compiled.processes.push_back(std::move(one));
  }
  const std::vector<SpeciesSet> found = reachable(model, compiled.processes);
  for (const SpeciesSet set : found) {
    Digit& digit = compiled.digits.emplace_back();
    for (std::size_t species = 0; species < model.species.size(); ++species)
      if (has(set, species)) digit.species.push_back(species);
  }
  for (Compiled& one : compiled.processes) one.possible = can_happen(one.copies.front(), found);
  number(model, assign_to_cells(model, compiled), compiled);
  compiled.tables.start = start_of(model, values, compiled.digits);
  Names names;
  add_observables(model, names, compiled);
  add_clusters(model, names, compiled);
  add_counted(model, names, compiled);
  fill(model, values, compiled);
  return compiled;
}

}  // namespace tessera::processes
