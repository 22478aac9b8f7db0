// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tessera/core/streams.hpp>

#include "options/number_text.hpp"
#include "options/value_text.hpp"
#include "processes/belongs.hpp"

namespace tessera::processes {
namespace {

/// The rate of a process as a function of its bystanders. Sets of their numbers, nr_SPECIES_FLAG for each species and
/// flag, have indices in the order in which they occur; set 0 is that of zeros.
class Rate {
 public:
  Rate(const ModelFile& model, const Values& values, const Compiled& compiled)
      : model_(model),
        values_(values),
        process_(model.processes[compiled.number]),
        base_(compiled.rate),
        scale_(compiled.scale) {
    for (const Bystander& one : process_.bystanders)
      for (std::size_t species = 0; species < model.species.size(); ++species) {
        if (is_constant() || (one.species >> species & 1u) == 0) continue;
        const std::string name = count_name(one, species);
        const auto& [index, of, flag] =
            counts_.try_emplace(name, Count{counts_.size(), species, one.flag}).first->second;
        if (of != species || flag != one.flag)
          refuse(name + " is the number of " + model.species[of] + " with the flag " + flag + " and of " +
                 model.species[species] + " with the flag " + one.flag + "; rename a flag");
      }
    for (const Parameter& parameter : model.parameters)
      if (!is_constant() && (parameter.name == "base_rate" || counts_.contains(parameter.name)))
        refuse(parameter.name + " is also the name of a parameter in " +
               model.source.place(parameter.value.line, process_.otf_rate.line) + "; rename the parameter");
    set_of(std::vector<int>(counts_.size()));
    at(0);
  }

  /// The number that a bystander of this species is counted in; nothing if it is not counted.
  std::optional<std::size_t> count_of(const Bystander& bystander, std::size_t species) const {
    const auto found = counts_.find(count_name(bystander, species));
    const bool is_counted = (bystander.species >> species & 1u) != 0 && found != counts_.end();
    return is_counted ? std::optional(found->second.index) : std::nullopt;
  }
  /// The set with one more in `count`.
  std::size_t after(std::size_t set, std::size_t count) {
    if (sets_[set].next[count] == 0) {
      std::vector<int> numbers = sets_[set].numbers;
      ++numbers[count];
      const std::size_t next = set_of(numbers);
      sets_[set].next[count] = next;
    }
    return sets_[set].next[count];
  }
  /// The rate for a set.
  double at(std::size_t set) {
    auto& [numbers, next, rate] = sets_[set];
    if (!rate) rate = scale_ * (is_constant() ? base_ : evaluated(numbers));
    return *rate;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    model_.source.refuse(process_.otf_rate.line, what_ + ": " + what);
  }
  bool is_constant() const { return process_.otf_rate.text.empty(); }
  std::string count_name(const Bystander& bystander, std::size_t species) const {
    return "nr_" + model_.species[species] + "_" + bystander.flag;
  }
  std::size_t set_of(const std::vector<int>& numbers) {
    const auto [known, is_new] = indices_.try_emplace(numbers, sets_.size());
    if (!is_new) return known->second;
    constexpr std::size_t most = 20'000'000;  // characters and numbers, a second
    if (sets_.size() * (process_.otf_rate.text.size() + counts_.size()) > most)
      refuse("has more than " + std::to_string(sets_.size()) + " different values; use fewer bystanders or flags");
    sets_.push_back({numbers, std::vector<std::size_t>(numbers.size()), {}});
    return sets_.size() - 1;
  }

  double evaluated(const std::vector<int>& numbers) const {
    const double rate = values_.of(process_.otf_rate, what_, [&](const std::string& name) -> std::optional<double> {
      if (name == "base_rate") return base_;
      const auto count = counts_.find(name);
      return count != counts_.end() ? std::optional<double>(numbers[count->second.index]) : std::nullopt;
    });
    if (!(rate >= 0) || !std::isfinite(rate)) {
      std::string where;
      for (const auto& [name, count] : counts_) where += ", " + name + " = " + std::to_string(numbers[count.index]);
      refuse("is " + program::write_value(rate) + where + "; it must be finite and not negative");
    }
    return rate;
  }

  const ModelFile& model_;
  const Values& values_;
  const Process& process_;
  std::string what_ = "otf_rate of " + process_.name;
  double base_, scale_;
  /// What nr_SPECIES_FLAG counts, and its index in a set.
  struct Count {
    std::size_t index, species;
    std::string flag;
  };
  std::map<std::string, Count> counts_;
  struct Set {
    std::vector<int> numbers;
    std::vector<std::size_t> next;  // the sets with one more in each count; 0: not known yet
    std::optional<double> rate;
  };
  std::vector<Set> sets_;
  std::map<std::vector<int>, std::size_t> indices_;
};

/// The effect of one copy of a process on the states of the cells.
struct Event {
  std::size_t process = 0;                                 // index in CompiledModel::processes
  std::array<std::vector<bool>, most_cells> allows;        // by cell and state; empty: all states
  std::array<std::vector<std::int8_t>, most_cells> after;  // state after the event, likewise; empty: unchanged
  std::array<std::vector<std::vector<std::size_t>>, most_cells> counts;  // of bystanders, likewise; empty: none
};

Event event_of(const CompiledModel& compiled, std::size_t number, const Process& copy, const Rate& rate) {
  Event event;
  event.process = number;
  const auto states = static_cast<std::size_t>(compiled.tables.states);
  for (const Condition& condition : copy.conditions) {
    std::vector<bool>& allows = event.allows[cell_of(condition.at)];
    const Digit& digit = compiled.digits[condition.at.site];
    if (allows.empty()) allows.assign(states, true);
    for (std::size_t state = 0; state < states; ++state)
      allows[state] =
          allows[state] && (condition.species >> digit.species[digit.of(static_cast<int>(state))] & 1u) != 0;
  }
  for (const Action& action : copy.actions) {
    if (!changes(copy, action)) continue;
    std::vector<std::int8_t>& after = event.after[cell_of(action.at)];
    const Digit& digit = compiled.digits[action.at.site];
    const auto found = std::ranges::find(digit.species, action.species);
    if (found == digit.species.end()) continue;  // only if the process cannot occur
    const auto value = static_cast<int>(found - digit.species.begin());
    const bool is_first = after.empty();
    after.resize(states);
    for (std::size_t state = 0; state < states; ++state) {
      const int before = is_first ? static_cast<int>(state) : after[state];
      after[state] = static_cast<std::int8_t>(before + (value - static_cast<int>(digit.of(before))) * digit.weight);
    }
  }
  for (const Bystander& one : copy.bystanders) {
    const Digit& digit = compiled.digits[one.at.site];
    auto& counts = event.counts[cell_of(one.at)];
    counts.resize(states);
    for (std::size_t state = 0; state < states; ++state)
      if (const auto count = rate.count_of(one, digit.species[digit.of(static_cast<int>(state))]))
        counts[state].push_back(*count);
  }
  return event;
}

class Filler {
 public:
  Filler(const ModelFile& model, const Values& values, CompiledModel& compiled) : model_(model), compiled_(compiled) {
    for (std::size_t i = 0; i < compiled.processes.size(); ++i) {
      rates_.emplace_back(model, values, compiled.processes[i]);
      if (!compiled.processes[i].possible) continue;
      for (const Process& copy : compiled.processes[i].copies)
        events_.push_back(event_of(compiled, i, copy, rates_[i]));
    }
  }

  void fill() {
    Tables& tables = compiled_.tables;
    std::size_t size = 1;
    for (const std::int32_t stride : tables.strides)
      if (stride > 0) size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(tables.states);
    require_few_outcomes();
    tables.rate.assign(size, 0);
    tables.first.assign(size, 0);
    tables.outcomes.assign(1, {});
    for (const Event& event : events_) possible_[0].push_back({&event, 0});
    each_state(0, 0);
  }

 private:
  /// An event that the states of the first cells of a neighbourhood permit, with the set of their bystanders.
  struct Possible {
    const Event* event;
    std::size_t set;
  };

  std::size_t states_of(std::size_t cell) const {
    return compiled_.tables.strides[cell] > 0 ? static_cast<std::size_t>(compiled_.tables.states) : 1;
  }

  /// Refuses tables that would take long and much memory to fill.
  void require_few_outcomes() const {
    double outcomes = 0;
    for (const Event& event : events_) {
      double neighbourhoods = 1;
      for (std::size_t k = 0; k < most_cells; ++k)
        neighbourhoods *=
            static_cast<double>(event.allows[k].empty() ? states_of(k) : std::ranges::count(event.allows[k], true));
      outcomes += neighbourhoods;
    }
    constexpr double most = 1e8;
    if (outcomes > most)
      model_.source.refuse(1, "all neighbourhoods together have " + program::short_number(outcomes) +
                                  " possible processes, more than " + program::short_number(most) +
                                  "; use fewer sites in a unit cell or fewer species");
  }

  /// Loops over the states of cell k and the following ones of a neighbourhood. `number`: its number for state 0 of
  /// these.
  void each_state(std::size_t k, std::size_t number) {
    if (k == most_cells) return add(number);
    std::vector<Possible>& possible = possible_[k + 1];
    for (std::size_t state = 0; state < states_of(k); ++state) {
      states_[k] = state;
      possible.clear();
      for (auto [event, set] : possible_[k]) {
        if (!event->allows[k].empty() && !event->allows[k][state]) continue;
        if (!event->counts[k].empty())
          for (const std::size_t count : event->counts[k][state]) set = rates_[event->process].after(set, count);
        possible.push_back({event, set});
      }
      if (!possible.empty()) each_state(k + 1, number + state * static_cast<std::size_t>(compiled_.tables.strides[k]));
    }
  }

  void add(std::size_t number) {
    Tables& tables = compiled_.tables;
    happens_.clear();
    double total = 0;
    for (const auto& [event, set] : possible_[most_cells]) {
      const double rate = rates_[event->process].at(set);
      if (rate == 0) continue;
      total += rate;
      happens_.emplace_back(event, total);
    }
    if (!std::isfinite(total)) model_.source.refuse(1, "the rates of all processes of a unit cell add up to infinity");
    tables.rate[number] = total;
    if (happens_.empty()) return;
    outcomes_.clear();
    for (const auto& [event, sum] : happens_) {
      Outcome& outcome = outcomes_.emplace_back();
      outcome.threshold = threshold_of(sum / total);
      outcome.states[0] = static_cast<std::int8_t>(states_[0]);
      for (std::size_t k = 0; k < most_changed; ++k) {
        if (event->after[k].empty() || event->after[k][states_[k]] == static_cast<std::int8_t>(states_[k])) continue;
        outcome.states[k] = event->after[k][states_[k]];
        outcome.changed |= static_cast<std::uint16_t>(1u << k);
      }
      outcome.group = static_cast<std::int32_t>(event->process);
    }
    outcomes_.back().threshold = ~std::uint64_t{0};
    tables.first[number] = place_of_outcomes();
  }

  /// Appends the outcomes of a neighbourhood, unless another neighbourhood has the same ones, and was the last one with
  /// this hash.
  std::uint32_t place_of_outcomes() {
    std::vector<Outcome>& all = compiled_.tables.outcomes;
    std::uint64_t sum = 0;
    for (const Outcome& one : outcomes_) {
      sum = hash(sum, one.threshold);
      for (const std::int8_t state : one.states) sum = 31 * sum + static_cast<std::uint8_t>(state);
    }
    std::uint32_t& place = places_[sum % places_.size()];
    if (place == 0 || all.size() - place < outcomes_.size() ||
        !std::equal(outcomes_.begin(), outcomes_.end(), all.begin() + place)) {
      place = static_cast<std::uint32_t>(all.size());
      all.insert(all.end(), outcomes_.begin(), outcomes_.end());
    }
    return place;
  }

  const ModelFile& model_;
  CompiledModel& compiled_;
  std::vector<Rate> rates_;
  std::vector<Event> events_;
  std::array<std::vector<Possible>, most_cells + 1> possible_;  // by the number of cells whose states are given
  std::array<std::size_t, most_cells> states_{};
  std::vector<std::pair<const Event*, double>> happens_;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(1 << 16);
};

}  // namespace

void fill(const ModelFile& model, const Values& values, CompiledModel& compiled) {
  Filler(model, values, compiled).fill();
}

}  // namespace tessera::processes
