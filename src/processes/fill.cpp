// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/fill.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tessera/core/streams.hpp>

#include "options/value_text.hpp"
#include "processes/belongs.hpp"

namespace tessera::processes {
namespace {

/// The rate of a process as a function of its bystanders.
class Rate {
 public:
  Rate(const ModelFile& model, const Values& values, const Compiled& compiled)
      : model_(model), values_(values), process_(model.processes[compiled.number]), base_(compiled.rate) {
    for (const Bystander& one : process_.bystanders)
      for (std::size_t species = 0; species < model.species.size(); ++species)
        if ((one.species >> species & 1u) != 0)
          counts_.try_emplace("nr_" + model.species[species] + "_" + one.flag, counts_.size());
    if (!process_.otf_rate.text.empty()) at(std::vector<int>(counts_.size()));
  }

  bool is_constant() const { return process_.otf_rate.text.empty(); }
  double base() const { return base_; }

  /// The rate if the bystanders of a copy have these species.
  double operator()(const std::vector<std::size_t>& species) {
    std::vector<int> numbers(counts_.size());
    for (std::size_t i = 0; i < species.size(); ++i) {
      const Bystander& one = process_.bystanders[i];
      if ((one.species >> species[i] & 1u) != 0)
        ++numbers[counts_.at("nr_" + model_.species[species[i]] + "_" + one.flag)];
    }
    return at(numbers);
  }

 private:
  double at(const std::vector<int>& numbers) {
    const auto [known, is_new] = known_.try_emplace(numbers, 0.0);
    if (!is_new) return known->second;
    const std::string what = "otf_rate of " + process_.name;
    const double rate = values_.of(process_.otf_rate, what, [&](const std::string& name) -> std::optional<double> {
      if (name == "base_rate") return base_;
      const auto count = counts_.find(name);
      return count != counts_.end() ? std::optional<double>(numbers[count->second]) : std::nullopt;
    });
    if (!(rate >= 0) || !std::isfinite(rate)) {
      std::string where;
      for (const auto& [name, i] : counts_) where += ", " + name + " = " + std::to_string(numbers[i]);
      model_.source.refuse(process_.otf_rate.line, what + ": is " + program::write_value(rate) + where +
                                                       "; it must be finite and not negative");
    }
    return known->second = rate;
  }

  const ModelFile& model_;
  const Values& values_;
  const Process& process_;
  double base_;
  std::map<std::string, std::size_t> counts_;
  std::map<std::vector<int>, double> known_;
};

/// The effect of one copy of a process on the states of the cells.
struct Event {
  std::size_t process = 0;                                      // index in CompiledModel::processes
  std::array<std::vector<bool>, most_cells> allows;             // by cell and state; empty: all states
  std::array<std::vector<std::int8_t>, most_cells> after;       // state after the event, likewise; empty: unchanged
  std::vector<std::pair<std::size_t, std::size_t>> bystanders;  // cell and site
};

Event event_of(const CompiledModel& compiled, std::size_t number, const Process& copy) {
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
  for (const Bystander& one : copy.bystanders) event.bystanders.emplace_back(cell_of(one.at), one.at.site);
  return event;
}

class Filler {
 public:
  Filler(const ModelFile& model, const Values& values, CompiledModel& compiled) : model_(model), compiled_(compiled) {
    for (std::size_t i = 0; i < compiled.processes.size(); ++i) {
      rates_.emplace_back(model, values, compiled.processes[i]);
      if (!compiled.processes[i].possible) continue;
      for (const Process& copy : compiled.processes[i].copies) events_.push_back(event_of(compiled, i, copy));
    }
  }

  void fill() {
    Tables& tables = compiled_.tables;
    std::size_t size = 1;
    for (const std::int32_t stride : tables.strides)
      if (stride > 0) size = static_cast<std::size_t>(stride) * static_cast<std::size_t>(tables.states);
    tables.rate.assign(size, 0);
    tables.first.assign(size, 0);
    tables.outcomes.assign(1, {});
    for (int centre = 0; centre < tables.states; ++centre) {
      of_centre_.clear();
      for (const Event& event : events_)
        if (event.allows[0].empty() || event.allows[0][static_cast<std::size_t>(centre)]) of_centre_.push_back(&event);
      std::array<std::size_t, most_cells> states{static_cast<std::size_t>(centre)};
      each_neighbour(1, states);
    }
  }

 private:
  /// Loops over the states of neighbour k and the following ones.
  void each_neighbour(std::size_t k, std::array<std::size_t, most_cells>& states) {
    if (k == most_cells) return add(states);
    const int count = compiled_.tables.strides[k] > 0 ? compiled_.tables.states : 1;
    for (int state = 0; state < count; ++state) {
      states[k] = static_cast<std::size_t>(state);
      each_neighbour(k + 1, states);
    }
  }

  double rate_of(const Event& event, const std::array<std::size_t, most_cells>& states) {
    Rate& rate = rates_[event.process];
    if (rate.is_constant()) return rate.base();
    species_.clear();
    for (const auto& [cell, site] : event.bystanders) {
      const Digit& digit = compiled_.digits[site];
      species_.push_back(digit.species[digit.of(static_cast<int>(states[cell]))]);
    }
    return rate(species_);
  }

  void add(const std::array<std::size_t, most_cells>& states) {
    Tables& tables = compiled_.tables;
    std::size_t number = 0;
    for (std::size_t k = 0; k < most_cells; ++k) number += states[k] * static_cast<std::size_t>(tables.strides[k]);
    happens_.clear();
    double total = 0;
    for (const Event* event : of_centre_) {
      bool possible = true;
      for (std::size_t k = 1; k < most_cells && possible; ++k)
        possible = event->allows[k].empty() || event->allows[k][states[k]];
      if (!possible) continue;
      const double rate = rate_of(*event, states);
      if (rate == 0) continue;
      total += rate;
      happens_.emplace_back(event, total);
    }
    if (!std::isfinite(total)) model_.source.refuse(1, "the rates of all processes of a unit cell add up to infinity");
    tables.rate[number] = total;
    if (happens_.empty()) return;
    constexpr std::size_t most_outcomes = 100'000'000;
    if (tables.outcomes.size() + happens_.size() > most_outcomes)
      model_.source.refuse(1, "all neighbourhoods together have more than " + std::to_string(most_outcomes) +
                                  " possible processes; use fewer sites in a unit cell or fewer species");
    tables.first[number] = static_cast<std::uint32_t>(tables.outcomes.size());
    for (const auto& [event, sum] : happens_) {
      Outcome outcome;
      outcome.threshold = threshold_of(sum / total);
      for (std::size_t k = 0; k < most_changed; ++k) {
        outcome.states[k] = static_cast<std::int8_t>(states[k]);
        if (event->after[k].empty() || event->after[k][states[k]] == outcome.states[k]) continue;
        outcome.states[k] = event->after[k][states[k]];
        outcome.changed |= static_cast<std::uint16_t>(1u << k);
      }
      outcome.group = static_cast<std::int8_t>(compiled_.processes[event->process].group);
      tables.outcomes.push_back(outcome);
    }
    tables.outcomes.back().threshold = ~std::uint64_t{0};
  }

  const ModelFile& model_;
  CompiledModel& compiled_;
  std::vector<Rate> rates_;
  std::vector<Event> events_;
  std::vector<const Event*> of_centre_;
  std::vector<std::pair<const Event*, double>> happens_;
  std::vector<std::size_t> species_;
};

}  // namespace

void fill(const ModelFile& model, const Values& values, CompiledModel& compiled) {
  Filler(model, values, compiled).fill();
}

}  // namespace tessera::processes
