// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Timer.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tessera/kmc/any_simulation.hpp>
#include <utility>
#include <vector>

#include "options/text.hpp"

namespace tessera::program {

/// A checkpoint that takes a state from one simulation to another.
struct StateInMemory : io::CheckpointWriter, io::CheckpointReader {
  void write(const std::string& name, io::ElementType type, const io::Content& content, std::size_t count,
             const std::vector<std::size_t>&, const std::string&) override {
    auto& bytes = entries[name];
    bytes.resize(count * io::element_size(type));
    content.copy(0, count, io::element_size(type), bytes.data());
  }
  bool has(const std::string& name) const override { return entries.contains(name); }
  void read(const std::string& name, io::ElementType, void* data, std::size_t,
            const std::vector<std::size_t>&) const override {
    std::memcpy(data, entries.at(name).data(), entries.at(name).size());
  }

  std::map<std::string, std::vector<std::byte>> entries;
};

/// A run by the faster one of the tile and the waiting-time method, which have one trajectory and read each other's
/// checkpoints. Slices of wall time of the run itself, whatever happens in them, are the trial of a method; the other
/// one then continues from the same state. The faster one runs on until its speed, or the number of events per
/// simulated time, has changed by a factor of two, or for long. Trials take at most a thirtieth of the time.
template <kmc::Model M>
class FasterOf : public kmc::AnySimulation<M> {
 public:
  using State = typename M::State;  ///< of a cell
  using Make = std::function<std::unique_ptr<kmc::AnySimulation<M>>(kmc::Method)>;

  /// Begins with `first`, by tiles. `tell`: for a message where bkl is faster; may be null. `clock`: wall seconds.
  FasterOf(
      std::unique_ptr<kmc::AnySimulation<M>> first, Make make, std::function<void(const std::string&)> tell = {},
      std::function<double()> clock = [timer = std::make_shared<Kokkos::Timer>()] { return timer->seconds(); })
      : part_(std::move(first)), make_(std::move(make)), tell_(std::move(tell)), clock_(std::move(clock)) {}

  bool advance(double until, const std::function<bool()>& keep_going) override {
    for (;;) {
      if (seconds_ >= length()) end_slice();
      const double begin = clock_(), left = length() - seconds_, events = this->work(), time = this->time();
      const bool arrived = part_->advance(until, [&] { return keep_going() && clock_() - begin < left; });
      seconds_ += clock_() - begin;
      events_ += this->work() - events;
      time_ += this->time() - time;
      if (arrived || !keep_going()) return arrived;
    }
  }

  std::vector<std::uint64_t> events() const override { return part_->events(); }
  std::vector<bool> ended() const override { return part_->ended(); }
  std::vector<double> times() const override { return part_->times(); }
  std::vector<double> absorbed() const override { return part_->absorbed(); }
  const kmc::Parameters& parameters() const override { return part_->parameters(); }
  const M& model() const override { return part_->model(); }
  History drain_history() override { return part_->drain_history(); }
  std::vector<Observable> measure() override { return part_->measure(); }
  std::vector<State> states() const override { return part_->states(); }
  void read_states(std::size_t first, std::size_t count, std::span<State> to) const override {
    part_->read_states(first, count, to);
  }
  std::vector<std::vector<kmc::ClusterSizes>> cluster_sizes() const override { return part_->cluster_sizes(); }
  void start_from(const std::function<std::vector<State>()>& read) override { part_->start_from(read); }
  void save(io::CheckpointWriter& archive) const override { part_->save(archive); }
  void load(const io::CheckpointReader& archive) override { part_->load(archive); }

 private:
  double length() const { return is_new_ || tries_ || duration_ == 0 ? 0.05 : 0.5; }  ///< of a slice

  void end_slice() {
    const double speed = events_ / seconds_, density = events_ / time_;
    seconds_ = events_ = time_ = 0;
    // A method begins with short steps, a device with its preparation.
    if (std::exchange(is_new_, false)) return;
    const auto is_near = [](double a, double b) { return a < 2 * b && b < 2 * a; };
    if (std::exchange(tries_, false)) {
      if (speed < speed_) exchange();
      speed_ = std::max(speed, speed_);
      if (duration_ == 0 && tell_) try_bkl(density);
      duration_ = clock_() - began_;
    } else if (const double rest = is_near(speed, speed_) && is_near(density, density_) ? 300 : 30;
               clock_() - began_ >= rest * duration_) {
      began_ = clock_();
      speed_ = speed;
      tries_ = true;
      exchange();
    } else {
      return;
    }
    density_ = density;
  }

  /// Continues by the other method.
  void exchange() {
    StateInMemory state;
    part_->save(state);
    method_ = method_ == kmc::Method::tile ? kmc::Method::waiting_time : kmc::Method::tile;
    part_ = make_(method_);
    part_->load(state);
    is_new_ = true;
  }

  /// Tells how long the run would take by bkl, from a short trial from its state, if that is less than half its time.
  void try_bkl(double density) const {
    const auto bkl = make_(kmc::Method::bkl);
    bkl->start_from([&] { return states(); });
    const double begin = clock_();
    bkl->advance(HUGE_VAL, [&] { return clock_() < begin + 0.03; });
    const double left =
        std::min((this->stopping_time() - this->time()) * density, this->stopping_work() - this->work());
    const double seconds = left / speed_, of_bkl = left * (clock_() - begin) / bkl->work();
    if (seconds > std::max(10.0, 2 * of_bkl))
      tell_("--method bkl, with another trajectory of the same statistics, would take about " + short_duration(of_bkl) +
            " instead of " + short_duration(seconds));
  }

  std::unique_ptr<kmc::AnySimulation<M>> part_;
  Make make_;
  std::function<void(const std::string&)> tell_;
  std::function<double()> clock_;
  kmc::Method method_ = kmc::Method::tile;
  bool is_new_ = true, tries_ = false;          // not yet a slice by this method; on trial, against `speed_`
  double seconds_ = 0, events_ = 0, time_ = 0;  // of the present slice
  double speed_ = 0, density_ = 0;              // events per wall second and per simulated time at the last trial
  double began_ = 0, duration_ = 0;             // of the last trial, by the clock; 0: there was none
};

}  // namespace tessera::program
