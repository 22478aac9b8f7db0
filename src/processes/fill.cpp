// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tessera/core/streams.hpp>
#include <utility>

#include "processes/compile.hpp"
#include "processes/groups.hpp"

namespace tessera::processes {
namespace {

constexpr std::uint32_t no_set = ~std::uint32_t{0};

/// The effect of one copy of a process, by coordinates of its group.
struct Event {
  struct Changed {
    LatticeSite at;
    std::size_t coordinate, species;  // of the site; that after the event
  };
  std::size_t process = 0;                                    // index in CompiledModel::processes
  std::vector<std::vector<bool>> allows;                      // by coordinate and value; empty: all values
  std::vector<std::vector<std::vector<std::size_t>>> counts;  // of bystanders, likewise; empty: none
  std::vector<Changed> changes;
  // With counts as coordinates, sets of bystanders have numbers of their own: the sum of value times stride.
  std::vector<std::size_t> strides;  // by coordinate
  std::vector<std::uint32_t> sets;   // by this number; no_set: it cannot occur. Empty: without such numbers
  // dE is a constant plus the sum of coordinates' values times these factors.
  std::int64_t constant = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> energies;
};

class Filler {
 public:
  Filler(const ModelFile& model, Rates& rates, CompiledModel& compiled)
      : model_(model), compiled_(compiled), rates_(rates), groups_(groups_of(model, compiled, rates)) {}

  void fill() {
    Tables& tables = compiled_.tables;
    tables.outcomes.assign(1, {});
    if (!tables.of_pairs()) add_list(groups_, {}, compiled_);  // of rejected events
    if (rates_.change()) tables.numbers.assign(1, last_rate);
    for (const Group& group : groups_) {
      const std::size_t begin = tables.rate.size(), end = begin + static_cast<std::size_t>(group.size());
      tables.groups.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      tables.rate.resize(end);
      tables.first.resize(end);
      coordinates_ = &group.coordinates;
      events_.clear();
      for (const Group::Member& member : group.members) events_.push_back(event_of(member));
      possible_.assign(group.coordinates.size() + 1, {});
      values_.assign(group.coordinates.size(), 0);
      for (const Event& event : events_) possible_[0].push_back({&event, 0});
      each_value(0, begin);
    }
    if (tables.reads == 0) return;
    add_sums(groups_, compiled_);
    add_differences(lists_, compiled_);
    require_finite(tables.largest_rate());
  }

 private:
  /// An event that the first coordinates of a neighbourhood permit, with the set of their bystanders.
  struct Possible {
    const Event* event;
    std::size_t set;
  };

  /// Of a site without patterns, or of a sum.
  std::size_t coordinate_of(const LatticeSite& at, const std::vector<Pattern>& patterns = {}) const {
    const auto is_its = [&](const Coordinate& one) { return one.site == at && one.patterns == patterns; };
    return static_cast<std::size_t>(std::ranges::find_if(*coordinates_, is_its) - coordinates_->begin());
  }

  Event event_of(const Group::Member& member) {
    Event event;
    event.process = member.process;
    const std::vector<Coordinate>& all = *coordinates_;
    const Process& copy = *member.copy;
    event.allows.resize(all.size());
    event.counts.resize(all.size());
    for (const Condition& condition : copy.conditions) {
      const std::size_t c = coordinate_of(condition.at);
      std::vector<bool>& allows = event.allows[c];
      allows.resize(all[c].size(), true);
      for (std::size_t value = 0; value < allows.size(); ++value)
        allows[value] = allows[value] && (all[c].values[value] & condition.species) != 0;
    }
    for (const Action& action : copy.actions)
      if (copy.changes(action)) event.changes.push_back({action.at, coordinate_of(action.at), action.species});
    const Change& change = copy.change;
    event.constant = change.constant;
    for (const auto& [factor, patterns] : sums_of(change)) {
      event.energies.emplace_back(coordinate_of({}, patterns), factor);
      event.constant += factor * all[event.energies.back().first].least();
    }
    Rate& rate = rates_.of(member.process);
    event.strides.resize(all.size());
    if (compiled_.tables.reads > 0) {
      find_sets(copy, rate, event);
      return event;
    }
    for (const Bystander& one : copy.bystanders) {
      const std::size_t c = coordinate_of(one.at);
      event.counts[c].resize(all[c].size());
      for (std::size_t value = 0; value < all[c].size(); ++value)
        if (const auto number = rate.count_of(one, first_of(all[c].values[value])))
          event.counts[c][value].push_back(*number);
    }
    return event;
  }

  /// Numbers the sets of bystanders, and finds those that can occur while the conditions hold.
  void find_sets(const Process& copy, Rate& rate, Event& event) const {
    std::map<std::size_t, std::size_t> strides;  // by the number that Rate has for the bystanders
    std::size_t size = 1;
    for (const auto& [number, counted] : counted_sites(compiled_, copy, rate)) {
      const std::size_t c = coordinate_of({}, counted);
      event.strides[c] += strides[number] = size;
      size *= (*coordinates_)[c].size();
    }
    std::map<LatticeSite, std::vector<const Bystander*>> by_site;
    for (const Bystander& one : copy.bystanders) by_site[one.at].push_back(&one);
    std::map<std::size_t, std::size_t> sets{{0, 0}};  // of Rate, by their numbers here
    for (const auto& [at, bystanders] : by_site) {
      const auto condition = std::ranges::find(copy.conditions, at, &Condition::at);
      std::map<std::size_t, std::size_t> next;
      for (const std::size_t species : compiled_.digits[at.site].species) {
        if (condition != copy.conditions.end() && !has(condition->species, species)) continue;
        for (const auto& before : sets) {
          auto [here, set] = std::pair<std::size_t, std::size_t>(before);
          for (const Bystander* one : bystanders)
            if (const auto number = rate.count_of(*one, species)) {
              here += strides[*number];
              set = rate.after(set, *number);
            }
          next.emplace(here, set);
        }
      }
      sets = std::move(next);
    }
    event.sets.assign(size, no_set);
    for (const auto& [here, set] : sets) event.sets[here] = static_cast<std::uint32_t>(set);
  }

  /// Loops over the values of coordinate c and the following ones. `number`: of the neighbourhood for value 0 of these.
  void each_value(std::size_t c, std::size_t number) {
    if (c == coordinates_->size()) return add(number);
    std::vector<Possible>& possible = possible_[c + 1];
    const Coordinate& its = (*coordinates_)[c];
    for (std::size_t value = 0; value < its.size(); ++value) {
      values_[c] = value;
      possible.clear();
      for (auto [event, set] : possible_[c]) {
        if (!event->allows[c].empty() && !event->allows[c][value]) continue;
        if (!event->counts[c].empty())
          for (const std::size_t count : event->counts[c][value]) set = rates_.of(event->process).after(set, count);
        possible.push_back({event, set + value * event->strides[c]});
      }
      if (!possible.empty()) each_value(c + 1, number + value * its.stride);
    }
  }

  void add(std::size_t number) {
    Tables& tables = compiled_.tables;
    numbers_.clear();
    outcomes_.clear();
    for (auto [event, set] : possible_.back()) {
      if (!event->sets.empty()) set = event->sets[set];
      if (set == no_set) continue;
      std::int64_t change = event->constant;
      for (const auto& [c, factor] : event->energies) change += factor * static_cast<std::int64_t>(values_[c]);
      const auto rate = rates_.number(event->process, set, change);
      if (!rate) continue;
      numbers_.push_back(*rate);
      outcomes_.push_back(outcome_of(*event, number));
    }
    if (numbers_.empty()) return;
    numbers_.back() |= last_rate;
    tables.rate[number] = total_rate(numbers_.data(), rates_.at_start().data());
    set_thresholds(numbers_.data(), rates_.at_start().data(), outcomes_.data());
    require_finite(tables.rate[number]);
    tables.first[number] = place_of_outcomes();
  }

  void require_finite(double rate) const {
    if (!std::isfinite(rate)) model_.source.refuse(1, "the rates of all processes of a unit cell add up to infinity");
  }

  /// The outcome of an event in the present neighbourhood, with this number.
  Outcome outcome_of(const Event& event, std::size_t number) {
    Outcome outcome;
    outcome.group = static_cast<std::int32_t>(event.process);
    changes_.clear();
    for (const auto& [at, c, species] : event.changes) {
      const SpeciesSet before = (*coordinates_)[c].values[values_[c]];
      if (before != SpeciesSet{1} << species) changes_.push_back({at, first_of(before), species});
    }
    if (compiled_.tables.of_pairs()) {
      outcome.change = change_of_pair(number);
    } else {
      const auto [its, is_new] = lists_.try_emplace(changes_, 0);
      if (is_new) its->second = add_list(groups_, changes_, compiled_);
      outcome.change = its->second;
    }
    return outcome;
  }

  /// The present changes of the cell and a neighbour in the neighbourhood with this number (Outcome).
  std::uint32_t change_of_pair(std::size_t number) const {
    const Tables& tables = compiled_.tables;
    std::size_t direction = 0;
    unsigned changed = 0;
    std::int64_t differences[2] = {0, 0};
    for (const auto& [at, before, after] : changes_) {
      const std::size_t cell = cell_of(at), which = cell == 0 ? 0 : 1;
      if (which == 1) direction = cell - 1;
      changed |= 1u << which;
      differences[which] += compiled_.digits[at.site].state(after) - compiled_.digits[at.site].state(before);
    }
    const auto state = [&](std::size_t cell) {
      return static_cast<std::int64_t>(number) / tables.strides[cell] % tables.states;
    };
    return Outcome::of_pair(state(0) + differences[0], (changed & 2u) != 0 ? state(direction + 1) + differences[1] : 0,
                            direction, changed);
  }

  /// Appends the outcomes of a neighbourhood, unless the last one with this hash has the same ones at all times.
  std::uint32_t place_of_outcomes() {
    Tables& tables = compiled_.tables;
    std::vector<Outcome>& all = tables.outcomes;
    const bool change = rates_.change();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      sum = hash(sum, change ? numbers_[i] : outcomes_[i].threshold);
      sum = 31 * sum + outcomes_[i].change;
    }
    std::uint32_t& place = places_[sum % places_.size()];
    if (place == 0 || all.size() - place < outcomes_.size() ||
        !std::equal(outcomes_.begin(), outcomes_.end(), all.begin() + place) ||
        (change && !std::equal(numbers_.begin(), numbers_.end(), tables.numbers.begin() + place))) {
      place = static_cast<std::uint32_t>(all.size());
      all.insert(all.end(), outcomes_.begin(), outcomes_.end());
      if (change) tables.numbers.insert(tables.numbers.end(), numbers_.begin(), numbers_.end());
    }
    return place;
  }

  const ModelFile& model_;
  CompiledModel& compiled_;
  Rates& rates_;
  std::vector<Group> groups_;
  const std::vector<Coordinate>* coordinates_ = nullptr;  // of the present group, as the following
  std::vector<Event> events_;
  std::vector<std::vector<Possible>> possible_;  // by the number of coordinates whose values are given
  std::vector<std::size_t> values_;              // by coordinate
  std::vector<SiteChange> changes_;
  std::map<std::vector<SiteChange>, std::uint32_t> lists_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(1 << 16);
};

}  // namespace

void fill(const ModelFile& model, Values values, double rate_window, CompiledModel& compiled) {
  std::vector<Rate> of_processes;
  for (const Compiled& one : compiled.processes)
    of_processes.emplace_back(model, values, one, one.scale, compiled.energies.unit);
  const auto rates = std::make_shared<Rates>(std::move(values), std::move(of_processes), rate_window);
  Filler(model, *rates, compiled).fill();
  if (!rates->change()) return;
  Tables& tables = compiled.tables;
  tables.changing = rates;
  const std::vector<double> bounds = rates->bounds(0).rates;
  for (std::size_t i = 0; i < tables.first.size(); ++i)
    if (const std::uint32_t at = tables.first[i]; at != 0) {
      tables.rate[i] = total_rate(&tables.numbers[at], bounds.data());
      set_thresholds(&tables.numbers[at], bounds.data(), &tables.outcomes[at]);
    }
}

}  // namespace tessera::processes
