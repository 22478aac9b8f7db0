// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/groups.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "options/text.hpp"
#include "processes/belongs.hpp"

namespace tessera::processes {
namespace {

/// Groups are merged while their table has fewer entries than this, which caches hold, or than both together.
constexpr double small_table = 2e3;
constexpr double most_entries = 1e8;  ///< of all tables

SpeciesSet all_of(const Digit& digit) {
  SpeciesSet all = 0;
  for (const std::size_t species : digit.species) all |= SpeciesSet{1} << species;
  return all;
}

/// Divides values so that each lies inside or outside a set.
void divide(std::vector<SpeciesSet>& values, SpeciesSet set) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((values[i] & set) != 0 && (values[i] & ~set) != 0) {
      values.push_back(values[i] & ~set);
      values[i] &= set;
    }
}

void add(const Coordinate& one, std::vector<Coordinate>& to) {
  const auto same = std::ranges::find_if(to, [&](const Coordinate& other) {
    return other.sites == one.sites && other.is_count() == one.is_count() && other.counted == one.counted;
  });
  if (same == to.end())
    to.push_back(one);
  else
    for (const SpeciesSet set : one.values) divide(same->values, set);
}

/// The coordinates on which a copy of a process depends. Of sites that change the species are known.
std::vector<Coordinate> coordinates_of(const CompiledModel& compiled, const Group::Member& member, const Rate& rate) {
  std::vector<Coordinate> all;
  for (const Condition& condition : member.copy->conditions) {
    Coordinate one{{condition.at}, {all_of(compiled.digits[condition.at.site])}};
    divide(one.values, condition.species);
    add(one, all);
  }
  for (const Action& action : member.copy->actions)
    if (changes(*member.copy, action)) {
      Coordinate one{{action.at}, {all_of(compiled.digits[action.at.site])}};
      for (const std::size_t species : compiled.digits[action.at.site].species)
        divide(one.values, SpeciesSet{1} << species);
      const auto condition = std::ranges::find(member.copy->conditions, action.at, &Condition::at);
      // Those that the condition excludes need not be told apart.
      for (std::size_t i = 1; i < one.values.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (((one.values[i] | one.values[j]) & condition->species) == 0) {
            one.values[j] |= one.values[i];
            one.values.erase(one.values.begin() + static_cast<std::ptrdiff_t>(i--));
            break;
          }
      add(one, all);
    }
  for (const auto& [number, counted] : counted_sites(compiled, *member.copy, rate))
    add({counted.sites, {}, SpeciesSet{1} << counted.species}, all);
  return all;
}

/// All sites of the cells that rates depend on, each with all of its species, in one table.
Group whole_neighbourhoods(const CompiledModel& compiled) {
  Group group;
  for (std::size_t k = 0; k < most_cells; ++k)
    for (std::size_t site = compiled.digits.size(); site-- > 0;) {
      const Digit& digit = compiled.digits[site];
      if (compiled.tables.strides[k] == 0) continue;
      const auto [dx, dy] = offset_of(k);
      Coordinate& one = group.coordinates.emplace_back(Coordinate{{{dx, dy, site}}, {}});
      for (const std::size_t species : digit.species) one.values.push_back(SpeciesSet{1} << species);
      one.stride = static_cast<std::size_t>(compiled.tables.strides[k] * digit.weight);
    }
  return group;
}

}  // namespace

std::size_t Coordinate::of(std::size_t species) const {
  if (is_count()) return counted >> species & 1u;
  const auto has = [&](SpeciesSet set) { return (set >> species & 1u) != 0; };
  return static_cast<std::size_t>(std::ranges::find_if(values, has) - values.begin());
}

double Group::size() const {
  double size = 1;
  for (const Coordinate& one : coordinates) size *= static_cast<double>(one.size());
  return size;
}

std::map<std::size_t, CountedSites> counted_sites(const CompiledModel& compiled, const Process& copy,
                                                  const Rate& rate) {
  std::map<std::size_t, CountedSites> all;
  for (const Bystander& one : copy.bystanders)
    for (const std::size_t species : compiled.digits[one.at.site].species)
      if (const auto number = rate.count_of(one, species))
        all.try_emplace(*number, CountedSites{species, {}}).first->second.sites.push_back(one.at);
  for (auto& [number, its] : all) std::ranges::sort(its.sites);
  return all;
}

std::vector<Group> groups_of(const ModelFile& model, const CompiledModel& compiled, Rates& rates) {
  std::vector<Group> groups;
  if (compiled.tables.reads == 0) groups.push_back(whole_neighbourhoods(compiled));
  double entries = 0;
  for (std::size_t i = 0; i < compiled.processes.size(); ++i)
    for (const Process& copy : compiled.processes[i].copies) {
      if (!compiled.processes[i].possible) continue;
      const Group::Member member{i, &copy};
      if (compiled.tables.reads == 0) {
        groups[0].members.push_back(member);
        continue;
      }
      const Group alone{{member}, coordinates_of(compiled, member, rates.of(i))};
      Group* best = nullptr;
      std::vector<Coordinate> of_best = alone.coordinates;
      double least = alone.size();
      for (Group& group : groups) {
        Group both{{}, group.coordinates};
        for (const Coordinate& one : alone.coordinates) add(one, both.coordinates);
        const double size = both.size(), more = size - group.size();
        if (size >= small_table && more > alone.size()) continue;
        if (best != nullptr && more >= least) continue;
        best = &group;
        of_best = both.coordinates;
        least = more;
      }
      entries += least;
      if (entries > most_entries)
        model.source.refuse(copy.line, "[Process " + copy.name + "]: the tables would have " +
                                           program::short_number(entries) + " entries, more than " +
                                           program::short_number(most_entries) +
                                           "; use fewer conditions, or fewer flags of bystanders");
      if (best == nullptr) best = &groups.emplace_back();
      best->members.push_back(member);
      best->coordinates = of_best;
    }
  if (groups.empty()) groups.emplace_back();
  for (Group& group : groups) {
    if (compiled.tables.reads == 0) break;
    // Conditions come first where neighbourhoods are numbered one after the other.
    std::ranges::stable_sort(group.coordinates, {}, &Coordinate::is_count);
    std::size_t stride = 1;
    for (Coordinate& one : group.coordinates) {
      one.stride = stride;
      stride *= one.size();
    }
  }
  return groups;
}

void add_entries(const std::vector<Group>& groups, CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  // Sites that follow each other in a state are a part of it, of at most 8 bits.
  struct Part {
    int shift, bits;
    std::size_t first, end;  // sites
  };
  std::vector<Part> parts;
  for (std::size_t site = 0; site < compiled.digits.size(); ++site) {
    const int its = std::countr_zero(static_cast<std::uint64_t>(compiled.digits[site].base));
    if (parts.empty() || parts.back().bits + its > 8)
      parts.push_back({std::countr_zero(static_cast<std::uint64_t>(compiled.digits[site].weight)), 0, site, site});
    parts.back().bits += its;
    parts.back().end = site + 1;
  }
  constexpr int bits_of_sum = 64;
  for (std::size_t g = 0; g < groups.size();) {
    TableSum sum{static_cast<std::uint32_t>(tables.entries.size()), 0, static_cast<std::uint32_t>(g)};
    std::map<std::tuple<int, int, std::size_t>, std::vector<std::uint64_t>> weights;  // by dy, dx and part
    for (int used = 0; g < groups.size(); ++g) {
      TableGroup& group = tables.groups[g];
      const int bits = std::bit_width(group.end - group.begin - 1);
      if (used + bits > bits_of_sum) break;
      group.shift = static_cast<std::uint32_t>(used);
      group.mask = (std::uint32_t{1} << bits) - 1;
      used += bits;
      for (const Coordinate& one : groups[g].coordinates)
        for (const LatticeSite& at : one.sites) {
          const auto part = static_cast<std::size_t>(
              std::ranges::find_if(parts, [&](const Part& its) { return at.site < its.end; }) - parts.begin());
          auto& its = weights[{at.dy, at.dx, part}];
          its.resize(std::size_t{1} << parts[part].bits);
          const Digit& digit = compiled.digits[at.site];
          for (std::size_t value = 0; value < its.size(); ++value)
            if (const std::size_t i = digit.of(static_cast<std::int64_t>(value) << parts[part].shift);
                i < digit.species.size())
              its[value] += std::uint64_t{one.stride * one.of(digit.species[i])} << group.shift;
        }
    }
    for (const auto& [where, its] : weights) {
      const auto& [dy, dx, part] = where;
      if (std::ranges::all_of(its, [](std::uint64_t weight) { return weight == 0; })) continue;
      tables.entries.push_back({static_cast<std::int8_t>(dx), static_cast<std::int8_t>(dy),
                                static_cast<std::uint8_t>(parts[part].shift), static_cast<std::uint8_t>(its.size() - 1),
                                static_cast<std::uint32_t>(tables.weights.size())});
      tables.weights.insert(tables.weights.end(), its.begin(), its.end());
    }
    sum.end_entry = static_cast<std::uint32_t>(tables.entries.size());
    sum.end_group = static_cast<std::uint32_t>(g);
    tables.sums.push_back(sum);
  }
  int reads = 0, writes = 0;
  for (const TableEntry& one : tables.entries) reads = std::max({reads, std::abs(one.dx), std::abs(one.dy)});
  for (const auto& one : tables.changes) writes = std::max({writes, std::abs(one.at.dx), std::abs(one.at.dy)});
  tables.reach = reads + writes;
}

std::uint32_t add_list(const std::vector<Group>& groups, const std::vector<SiteChange>& changes,
                       CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  OutcomeList list{static_cast<std::uint32_t>(tables.changes.size()),
                   static_cast<std::uint32_t>(tables.concerned.size())};
  std::map<std::pair<int, int>, std::int64_t> differences;  // by dy and dx
  std::set<std::pair<int, int>> concerned;
  for (const auto& [at, before, after] : changes) {
    const Digit& digit = compiled.digits[at.site];
    differences[{at.dy, at.dx}] += digit.state(after) - digit.state(before);
    concerned.emplace(at.dy, at.dx);
    for (const Group& group : groups)
      for (const Coordinate& one : group.coordinates)
        for (const LatticeSite& site : one.sites)
          if (site.site == at.site && one.of(before) != one.of(after))
            concerned.emplace(at.dy - site.dy, at.dx - site.dx);
  }
  concerned.erase({0, 0});  // it comes first
  tables.concerned.push_back({0, 0});
  kmc::Offset least{0, 0}, most{0, 0};
  for (const auto& [dy, dx] : concerned) {
    tables.concerned.push_back({dx, dy});
    least = {std::min(least.dx, dx), std::min(least.dy, dy)};
    most = {std::max(most.dx, dx), std::max(most.dy, dy)};
  }
  for (const auto& [where, difference] : differences)
    tables.changes.push_back({{where.second, where.first}, difference});
  list.changed = static_cast<std::int32_t>(differences.size());
  list.count = static_cast<std::int32_t>(concerned.size()) + 1;
  tables.smallest_side = std::max({tables.smallest_side, most.dx - least.dx + 1, most.dy - least.dy + 1, tables.reads});
  tables.lists.push_back(list);
  return static_cast<std::uint32_t>(tables.lists.size() - 1);
}

}  // namespace tessera::processes
