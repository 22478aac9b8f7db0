// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::testing {

/// A small simulation for tests of the run loop: every replica counts events whose waiting times a generator of its own
/// decides, until a time or a number of events. It asks keep_going() before every event.
class CounterProcess : public SimulationInterface {
 public:
  struct StoppingTime {
    double time = std::numeric_limits<double>::infinity();
    std::int64_t events = std::numeric_limits<std::int64_t>::max();
    std::int64_t quick = 0;  ///< events at the beginning, which are 1000 times as frequent
  };

  CounterProcess(std::uint64_t seed, int replicas, StoppingTime stopping_time) : stopping_time_(stopping_time) {
    for (int r = 0; r < replicas; ++r) replicas_.push_back({seed + static_cast<std::uint64_t>(r), 0, 0, 0});
    for (auto& replica : replicas_) draw(replica);
  }

  bool advance(double until, const std::function<bool()>& keep_going) override {
    ++calls_of_advance;
    for (auto& replica : replicas_) {
      while (replica.events < stopping_time_.events && replica.next <= until) {
        if (replica.events == fails_at_event) throw RunError("no event after this");
        if (!keep_going()) return false;
        replica.time = replica.next;
        ++replica.events;
        history_.push_back(replica.time);
        draw(replica);
      }
      if (replica.events < stopping_time_.events) replica.time = until;
    }
    return true;
  }

  bool finished() const override {
    return std::all_of(replicas_.begin(), replicas_.end(), [this](const Replica& replica) {
      return replica.time >= stopping_time_.time || replica.events >= stopping_time_.events;
    });
  }

  double time() const override {
    const auto all = times();
    return *std::min_element(all.begin(), all.end());
  }
  std::vector<double> times() const override { return of_each(&Replica::time); }
  std::string time_unit() const override { return "ticks"; }
  double stopping_time() const override { return stopping_time_.time; }

  double work() const override {
    double sum = 0;
    for (const auto& replica : replicas_) sum += static_cast<double>(replica.events);
    return sum;
  }
  double stopping_work() const override {
    const bool none = stopping_time_.events == std::numeric_limits<std::int64_t>::max();
    return none ? std::numeric_limits<double>::infinity()
                : static_cast<double>(stopping_time_.events) * static_cast<double>(replicas_.size());
  }
  std::string rate_unit() const override { return "counts/s"; }

  std::vector<Observable> measure() override {
    Observable count{"count", "", {}};
    if (time() >= immeasurable_from) throw RunError("cannot be measured");
    for (const auto& replica : replicas_) count.values.push_back(static_cast<double>(replica.events));
    return {count};
  }

  bool steady(const std::string& observable) const override { return observable == "count"; }

  std::vector<Field> fields() override {
    on_fields();
    std::vector<double> data;
    for (const auto& replica : replicas_) data.insert(data.end(), {replica.next, static_cast<double>(replica.events)});
    return {{"cells", "", {1, 2}, gather_of(data)}};
  }

  std::vector<History> drain_histories() override {
    History table{"events", {"time"}, {""}, {history_}};
    history_.clear();
    return {table};
  }

  void save(io::CheckpointWriter& checkpoint) const override {
    checkpoint.array("time", of_each(&Replica::time));
    checkpoint.array("next", of_each(&Replica::next));
    checkpoint.array("events", of_each(&Replica::events));
    checkpoint.array("state", of_each(&Replica::state));
  }

  void load(const io::CheckpointReader& checkpoint) override {
    load_each(checkpoint, "time", &Replica::time);
    load_each(checkpoint, "next", &Replica::next);
    load_each(checkpoint, "events", &Replica::events);
    load_each(checkpoint, "state", &Replica::state);
  }

  int calls_of_advance = 0;
  std::int64_t fails_at_event = -1;
  double immeasurable_from = std::numeric_limits<double>::infinity();
  std::function<void()> on_fields = [] {};  ///< called whenever they are asked for

 private:
  struct Replica {
    std::uint64_t state;
    std::int64_t events;
    double time;
    double next;
  };

  void draw(Replica& replica) const {
    replica.state = replica.state * 6364136223846793005u + 1442695040888963407u;
    const double waits = 0.001 + static_cast<double>(replica.state >> 40) / (1 << 24);
    replica.next = replica.time + (replica.events < stopping_time_.quick ? 0.001 * waits : waits);
  }

  template <class T>
  std::vector<T> of_each(T Replica::*member) const {
    std::vector<T> values;
    for (const auto& replica : replicas_) values.push_back(replica.*member);
    return values;
  }

  template <class T>
  void load_each(const io::CheckpointReader& checkpoint, const char* name, T Replica::*member) {
    std::vector<T> values(replicas_.size());
    checkpoint.array(name, values);
    for (std::size_t r = 0; r < values.size(); ++r) replicas_[r].*member = values[r];
  }

  StoppingTime stopping_time_;
  std::vector<Replica> replicas_;
  std::vector<double> history_;
};

}  // namespace tessera::testing
