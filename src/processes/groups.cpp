// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

/// Groups are merged while their table has fewer entries than this, which caches hold, or than both together.
constexpr double small_table = 2e3;
constexpr double most_entries = 1e8;     ///< of all tables
constexpr double most_in_one_sum = 1e4;  ///< values of dE

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
    return other.site == one.site && other.is_sum() == one.is_sum() && other.patterns == one.patterns;
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
    Coordinate one{condition.at, {compiled.digits[condition.at.site].all()}};
    divide(one.values, condition.species);
    add(one, all);
  }
  for (const Action& action : member.copy->actions)
    if (member.copy->changes(action)) {
      // Those that the condition excludes need not be distinguished.
      const auto condition = std::ranges::find(member.copy->conditions, action.at, &Condition::at);
      Coordinate one{action.at, {compiled.digits[action.at.site].all()}};
      divide(one.values, condition->species);
      for (const std::size_t species : compiled.digits[action.at.site].species)
        if (has(condition->species, species)) divide(one.values, SpeciesSet{1} << species);
      add(one, all);
    }
  for (const auto& [number, counted] : counted_sites(compiled, *member.copy, rate)) add({{}, {}, counted}, all);
  for (const auto& [factor, patterns] : sums_of(member.copy->change)) add({{}, {}, patterns}, all);
  return all;
}

/// All sites of the cells that rates depend on, each with all of its species, in one table.
Group whole_neighbourhoods(const CompiledModel& compiled) {
  Group group;
  for (std::size_t k = 0; k < most_cells; ++k)
    for (std::size_t site = compiled.digits.size(); site-- > 0;) {
      const Digit& digit = compiled.digits[site];
      if (compiled.tables.strides[k] == 0) continue;
      Coordinate& one = group.coordinates.emplace_back(Coordinate{site_in(k), {}});
      one.site.site = site;
      for (const std::size_t species : digit.species) one.values.push_back(SpeciesSet{1} << species);
      one.stride = static_cast<std::size_t>(compiled.tables.strides[k] * digit.weight);
    }
  for (std::size_t i = 0; i < compiled.processes.size(); ++i)
    for (const Process& copy : compiled.processes[i].copies)
      if (compiled.processes[i].possible) group.members.push_back({i, &copy});
  return group;
}

}  // namespace

std::int64_t Coordinate::least() const {
  std::int64_t sum = 0;
  for (const Pattern& one : patterns) sum += std::min<std::int64_t>(one.weight, 0);
  return sum;
}

std::size_t Coordinate::size() const {
  std::size_t size = std::max<std::size_t>(values.size(), 1);
  for (const Pattern& one : patterns) size += static_cast<std::size_t>(std::abs(one.weight));
  return size;
}

std::size_t Coordinate::of(std::size_t species) const {
  return static_cast<std::size_t>(std::ranges::find_if(values, [&](SpeciesSet set) { return has(set, species); }) -
                                  values.begin());
}

double Group::size() const {
  double size = 1;
  for (const Coordinate& one : coordinates) size *= static_cast<double>(one.size());
  return size;
}

std::map<std::size_t, std::vector<Pattern>> counted_sites(const CompiledModel& compiled, const Process& copy,
                                                          const Rate& rate) {
  std::map<std::size_t, std::vector<Pattern>> all;
  for (const Bystander& one : copy.bystanders)
    for (const std::size_t species : compiled.digits[one.at.site].species)
      if (const auto number = rate.count_of(one, species))
        all[*number].push_back({{{one.at, SpeciesSet{1} << species}}});
  for (auto& [number, its] : all) std::ranges::sort(its);
  return all;
}

std::vector<std::pair<std::int64_t, std::vector<Pattern>>> sums_of(const Change& change) {
  if (change.patterns.empty()) return {};
  std::map<std::int64_t, std::vector<Pattern>> by_weight;
  for (const auto& [conditions, weight] : change.patterns)
    by_weight[change.step * std::abs(weight)].push_back({conditions, weight < 0 ? -1 : 1});
  double size = 1;
  for (const auto& [number, patterns] : by_weight) size *= static_cast<double>(Coordinate{{}, {}, patterns}.size());
  const auto in_one = static_cast<double>(Coordinate{{}, {}, change.patterns}.size());
  if (in_one <= most_in_one_sum || in_one <= size) return {{change.step, change.patterns}};
  return {by_weight.begin(), by_weight.end()};
}

std::vector<Group> groups_of(const ModelFile& model, const CompiledModel& compiled, Rates& rates) {
  if (compiled.tables.reads == 0) return {whole_neighbourhoods(compiled)};
  std::vector<Group> groups;
  double entries = 0;
  for (std::size_t i = 0; i < compiled.processes.size(); ++i)
    for (const Process& copy : compiled.processes[i].copies) {
      if (!compiled.processes[i].possible) continue;
      const Group::Member member{i, &copy};
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
                                           "; use fewer conditions, or fewer flags of bystanders" +
                                           (copy.change.empty() ? "" : ", or energies with fewer digits"));
      if (best == nullptr) best = &groups.emplace_back();
      best->members.push_back(member);
      best->coordinates = of_best;
    }
  if (groups.empty()) groups.emplace_back();
  for (Group& group : groups) {
    // Conditions come first where neighbourhoods are numbered one after the other.
    std::ranges::stable_sort(group.coordinates, {}, &Coordinate::is_sum);
    std::size_t stride = 1;
    for (Coordinate& one : group.coordinates) {
      one.stride = stride;
      stride *= one.size();
    }
  }
  return groups;
}

std::uint32_t add_list(const std::vector<Group>& groups, const std::vector<SiteChange>& changes,
                       CompiledModel& compiled) {
  Tables& tables = compiled.tables;
  OutcomeList list{static_cast<std::uint32_t>(tables.changes.size()),
                   static_cast<std::uint32_t>(tables.concerned.size())};
  std::map<std::pair<int, int>, std::int64_t> differences;  // by row and dx
  std::set<std::pair<int, int>> concerned;
  for (const auto& [at, before, after] : changes) {
    const Digit& digit = compiled.digits[at.site];
    differences[{at.row(), at.dx}] += digit.state(after) - digit.state(before);
    concerned.emplace(at.row(), at.dx);
    const auto concern = [&, &here = at](const LatticeSite& site, bool differs) {
      if (site.site == here.site && differs) concerned.emplace(here.row() - site.row(), here.dx - site.dx);
    };
    // In a number of the whole neighbourhood a change of a cell affects all neighbours.
    for (std::size_t cell = 0; tables.reads == 0 && cell <= static_cast<std::size_t>(tables.neighbours); ++cell)
      concern(LatticeSite{0, 0, at.site} + site_in(cell), true);
    for (const Group& group : groups)
      for (const Coordinate& one : group.coordinates) {
        concern(one.site, !one.is_sum() && one.of(before) != one.of(after));
        for (const Pattern& pattern : one.patterns)
          for (const auto& [site, set] : pattern.conditions) concern(site, has(set, before) != has(set, after));
      }
  }
  concerned.erase({0, 0});  // it comes first
  tables.concerned.push_back({0, 0});
  kmc::space::Offset least{0, 0, 0}, most{0, 0, 0};
  for (const auto& [row, dx] : concerned) {
    tables.concerned.push_back({dx, row});
    const auto [x, y, z] = kmc::space::from_row(dx, row);
    least = {std::min(least.x, x), std::min(least.y, y), std::min(least.z, z)};
    most = {std::max(most.x, x), std::max(most.y, y), std::max(most.z, z)};
  }
  for (const auto& [where, difference] : differences)
    tables.changes.push_back({{where.second, where.first}, difference});
  list.changed = static_cast<std::int32_t>(differences.size());
  list.count = static_cast<std::int32_t>(concerned.size()) + 1;
  if (tables.reads > 0)
    tables.smallest_side = std::max(
        {tables.smallest_side, most.x - least.x + 1, most.y - least.y + 1, most.z - least.z + 1, tables.reads});
  tables.lists.push_back(list);
  return static_cast<std::uint32_t>(tables.lists.size() - 1);
}

}  // namespace tessera::processes
