// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/loaded_entries.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/state.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Adds `acceptance`, accepted trial moves over all since sweep 0, and `move_radius`, which is in use now.
inline void add_moves(std::vector<Observable>& all, const std::vector<MoveCount>& moves,
                      const std::vector<double>& radii) {
  Observable acceptance{"acceptance", "", {}, {}};
  for (const MoveCount& m : moves)
    acceptance.values.push_back(static_cast<double>(m.accepted) / static_cast<double>(m.tried));
  all.push_back(std::move(acceptance));
  all.push_back({"move_radius", "sigma", radii, {}});
}

/// Averages over the samples of each replica, and the samples themselves until they are drained.
class Statistics {
 public:
  /// Of `replicas` times `particles` disks at density rho sigma^2, a sample every `interval` sweeps.
  Statistics(int replicas, std::int64_t particles, double density, double interval)
      : particles_(static_cast<double>(particles)),
        density_(density),
        interval_(interval),
        replicas_(static_cast<std::size_t>(replicas)) {}

  void add(std::size_t replica, double sweep, const Sample& sample) {
    const double contact =
        contact_value_.at_contact(std::span<const std::uint64_t>(sample.pairs), particles_, density_);
    const double pressure = analysis::ContactValue::pressure(contact, density_);
    const double values[kinds] = {pressure, std::hypot(sample.psi6_re, sample.psi6_im), sample.psi6_re, sample.psi6_im};
    for (std::size_t k = 0; k < kinds; ++k) replicas_[replica][k].add(values[k]);
    const double row[] = {static_cast<double>(replica), sweep, pressure, sample.psi6_re, sample.psi6_im};
    for (std::size_t c = 0; c < std::size(row); ++c) history_.columns[c].push_back(row[c]);
  }

  /// Means over the samples so far, NaN before the first: `pressure` (P*), `contact_value` (g(sigma+)), `psi6` (mean of
  /// the modulus), and `psi6_time` (integrated autocorrelation time of psi6, in sweeps).
  std::vector<Observable> measure() const {
    std::vector<Observable> all{{"pressure", "k_B T / sigma^2", {}, {}},
                                {"contact_value", "", {}, {}},
                                {"psi6", "", {}, {}},
                                {"psi6_time", "sweeps", {}, {}},
                                {"samples", "", {}, {}}};
    for (const Averages& a : replicas_) {
      // P* is linear in g(sigma+): equation 4.
      const double slope = std::numbers::pi / 2 * density_ * density_;
      add_to(all[0], a[0].mean(), a[0].error());
      add_to(all[1], (a[0].mean() - density_) / slope, a[0].error() / slope);
      add_to(all[2], a[1].mean(), a[1].error());
      const double re = a[2].autocorrelation_time(), im = a[3].autocorrelation_time();
      all[3].values.push_back((re + im) / 2 * interval_);
      all[4].values.push_back(static_cast<double>(a[0].count()));
    }
    return all;
  }

  /// Replica, sweep, pressure, and real and imaginary part of psi6 of the samples since the last call.
  History drain_history() { return std::exchange(history_, empty_history()); }

  template <class Archive>
  void save(Archive& archive) const {
    std::vector<double> numbers;
    numbers.reserve(replicas_.size() * kinds * analysis::BlockAverages::size);
    for (const Averages& a : replicas_)
      for (const auto& averages : a) {
        const auto one = averages.numbers();
        numbers.insert(numbers.end(), one.begin(), one.end());
      }
    archive.array("averages", numbers, {replicas_.size(), kinds, analysis::BlockAverages::size}, "");
  }
  /// Throws InputError if what is read cannot be the averages of so many samples.
  template <class Archive>
  void load(const Archive& archive, std::uint64_t samples) {
    std::vector<double> numbers(replicas_.size() * kinds * analysis::BlockAverages::size);
    archive.array("averages", numbers, {replicas_.size(), kinds, analysis::BlockAverages::size});
    for (std::size_t at = 0; at < numbers.size(); at += analysis::BlockAverages::size)
      require_of_entry(analysis::BlockAverages::are_numbers(&numbers[at], samples), "averages",
                       "not the averages of " + std::to_string(samples) + " samples");
    const double* next = numbers.data();
    for (Averages& a : replicas_)
      for (auto& averages : a) {
        averages = analysis::BlockAverages::from_numbers(next);
        next += analysis::BlockAverages::size;
      }
  }

 private:
  static constexpr std::size_t kinds = 4;  // pressure; modulus, real and imaginary part of psi6
  using Averages = std::array<analysis::BlockAverages, kinds>;

  static History empty_history() {
    return {"samples",
            {"replica", "sweep", "pressure", "psi6_re", "psi6_im"},
            {"", "", "k_B T / sigma^2", "", ""},
            std::vector<std::vector<double>>(5)};
  }
  static void add_to(Observable& observable, double value, double error) {
    observable.values.push_back(value);
    observable.errors.push_back(error);
  }

  double particles_, density_, interval_;
  analysis::ContactValue contact_value_;
  std::vector<Averages> replicas_;
  History history_ = empty_history();
};

/// When samples are taken: every `interval` sweeps after `equilibrate`.
struct SampleTimes {
  std::int64_t equilibrate, interval;

  bool due(std::int64_t sweep) const { return sweep > equilibrate && (sweep - equilibrate) % interval == 0; }
  /// The number of samples up to this sweep.
  std::uint64_t count(std::int64_t sweep) const {
    return sweep > equilibrate ? static_cast<std::uint64_t>((sweep - equilibrate) / interval) : 0;
  }
  /// The first time after `sweep` at which one is due.
  std::int64_t next(std::int64_t sweep) const {
    if (sweep < equilibrate) return equilibrate + interval;
    return equilibrate + ((sweep - equilibrate) / interval + 1) * interval;
  }
};

}  // namespace tessera::disks
