// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tessera/core/streams.hpp>
#include <utility>

#include "options/number_text.hpp"
#include "options/value_text.hpp"
#include "processes/belongs.hpp"

namespace tessera::processes {
namespace {

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
  Filler(const ModelFile& model, Rates& rates, CompiledModel& compiled)
      : model_(model), compiled_(compiled), rates_(rates) {
    for (std::size_t i = 0; i < compiled.processes.size(); ++i)
      for (const Process& copy : compiled.processes[i].copies)
        if (compiled.processes[i].possible) events_.push_back(event_of(compiled, i, copy, rates.of(i)));
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
    if (rates_.change()) tables.numbers.assign(1, last_rate);
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
          for (const std::size_t count : event->counts[k][state]) set = rates_.of(event->process).after(set, count);
        possible.push_back({event, set});
      }
      if (!possible.empty()) each_state(k + 1, number + state * static_cast<std::size_t>(compiled_.tables.strides[k]));
    }
  }

  void add(std::size_t number) {
    Tables& tables = compiled_.tables;
    numbers_.clear();
    outcomes_.clear();
    for (const auto& [event, set] : possible_[most_cells]) {
      const auto rate = rates_.number(event->process, set);
      if (!rate) continue;
      numbers_.push_back(*rate);
      Outcome& outcome = outcomes_.emplace_back();
      outcome.states[0] = static_cast<std::int8_t>(states_[0]);
      for (std::size_t k = 0; k < most_changed; ++k) {
        if (event->after[k].empty() || event->after[k][states_[k]] == static_cast<std::int8_t>(states_[k])) continue;
        outcome.states[k] = event->after[k][states_[k]];
        outcome.changed |= static_cast<std::uint16_t>(1u << k);
      }
      outcome.group = static_cast<std::int32_t>(event->process);
    }
    if (numbers_.empty()) return;
    numbers_.back() |= last_rate;
    tables.rate[number] = total_rate(numbers_.data(), rates_.at_start().data());
    set_thresholds(numbers_.data(), rates_.at_start().data(), outcomes_.data());
    if (!std::isfinite(tables.rate[number]))
      model_.source.refuse(1, "the rates of all processes of a unit cell add up to infinity");
    tables.first[number] = place_of_outcomes();
  }

  /// Appends the outcomes of a neighbourhood, unless another neighbourhood has the same ones, at all times, and was the
  /// last one with this hash.
  std::uint32_t place_of_outcomes() {
    Tables& tables = compiled_.tables;
    std::vector<Outcome>& all = tables.outcomes;
    const bool change = rates_.change();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      sum = hash(sum, change ? numbers_[i] : outcomes_[i].threshold);
      for (const std::int8_t state : outcomes_[i].states) sum = 31 * sum + static_cast<std::uint8_t>(state);
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
  std::vector<Event> events_;
  std::array<std::vector<Possible>, most_cells + 1> possible_;  // by the number of cells whose states are given
  std::array<std::size_t, most_cells> states_{};
  std::vector<std::uint32_t> numbers_;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(1 << 16);
};

}  // namespace

void fill(const ModelFile& model, Values values, double rate_window, CompiledModel& compiled) {
  std::vector<Rate> of_processes;
  for (const Compiled& one : compiled.processes)
    of_processes.emplace_back(model, values, model.processes[one.number], one.scale);
  const auto rates = std::make_shared<Rates>(std::move(values), std::move(of_processes), rate_window);
  Filler(model, *rates, compiled).fill();
  if (!rates->change()) return;
  Tables& tables = compiled.tables;
  tables.changing = rates;
  const std::vector<double> means = rates->means(0);
  for (std::size_t i = 0; i < tables.first.size(); ++i)
    if (const std::uint32_t at = tables.first[i]; at != 0) {
      tables.rate[i] = total_rate(&tables.numbers[at], means.data());
      set_thresholds(&tables.numbers[at], means.data(), &tables.outcomes[at]);
    }
}

}  // namespace tessera::processes
