// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/contact_fits.hpp>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/impl/loaded_entries.hpp>
#include <tessera/disks/impl/state.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/io/checkpoint.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Adds `acceptance`, accepted over all trial moves since sweep 0, and `move_radius`, the present one.
inline void add_moves(std::vector<Observable>& all, const std::vector<MoveCount>& moves,
                      const std::vector<double>& radii) {
  Observable acceptance{"acceptance", "", {}, {}};
  for (const MoveCount& m : moves)
    acceptance.values.push_back(static_cast<double>(m.accepted) / static_cast<double>(m.tried));
  all.push_back(std::move(acceptance));
  all.push_back({"move_radius", "sigma", radii, {}});
}

/// Number of averages per replica.
inline std::size_t averages_of_replica(PressureFit fit) {
  return 3 + (fit == PressureFit::automatic ? analysis::ContactFits::number_of_ranges : 1);
}

/// Averages over the samples of each replica, and the samples since the last drain.
class Statistics {
 public:
  /// `density` is rho sigma^2.
  Statistics(const Parameters& p, double density)
      : particles_(static_cast<double>(p.particles)),
        density_(density),
        interval_(p.sample_every),
        chooses_(p.pressure_fit == PressureFit::automatic),
        replicas_(static_cast<std::size_t>(p.replicas), Averages(averages_of_replica(p.pressure_fit))),
        pairs_(chooses_ ? replicas_.size() * PairBins::count : 0) {}

  void add(std::size_t replica, double sweep, const Sample& sample) {
    const std::span<const std::uint64_t> pairs(sample.pairs);
    Averages& averages = replicas_[replica];
    double pressure;
    if (chooses_) {
      const auto all = pairs_of(replica);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += pairs[i];
      const auto pressures = pressures_of(pairs);
      for (std::size_t k = 1; k < pressures.size(); ++k) averages[psi6_kinds + k].add(pressures[k]);
      averages[0].add(pressures[0]);
      pressure = pressures[fits_.choose(all)];
    } else {
      pressure = analysis::ContactValue::pressure(paper_fit_.at_contact(pairs, particles_, density_), density_);
      averages[0].add(pressure);
    }
    averages[1].add(std::hypot(sample.psi6_re, sample.psi6_im));
    averages[2].add(sample.psi6_re);
    averages[3].add(sample.psi6_im);
    const double row[] = {static_cast<double>(replica), sweep, pressure, sample.psi6_re, sample.psi6_im};
    for (std::size_t c = 0; c < std::size(row); ++c) history_.columns[c].push_back(row[c]);
  }

  /// Means over the samples so far, NaN before the first: `pressure` (P*), `contact_value` (g(sigma+)), `psi6` (mean
  /// modulus), and `psi6_time` (integrated autocorrelation time of psi6, in sweeps; NaN with too few samples, see
  /// BlockAverages). If the range of the fit is automatic, also `fit_reach`, its upper end, and `next_degree`, the
  /// change of the pressure by a polynomial of one degree more.
  std::vector<Observable> measure() const {
    std::vector<Observable> all{{"pressure", "k_B T / sigma^2", {}, {}},
                                {"contact_value", "", {}, {}},
                                {"psi6", "", {}, {}},
                                {"psi6_time", "sweeps", {}, {}},
                                {"samples", "", {}, {}}};
    Observable reach{"fit_reach", "sigma", {}, {}}, next{"next_degree", "k_B T / sigma^2", {}, {}};
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      const Averages& a = replicas_[r];
      const std::size_t range = chooses_ ? fits_.choose(pairs_of(r)) : 0;
      const auto& pressure = a[range == 0 ? 0 : psi6_kinds + range];
      add_to(all[0], pressure.mean(), pressure.error());
      add_to(all[1], (pressure.mean() - density_) / slope(), pressure.error() / slope());
      add_to(all[2], a[1].mean(), a[1].error());
      const double re = a[2].autocorrelation_time(), im = a[3].autocorrelation_time();
      all[3].values.push_back((re + im) / 2 * interval_);
      const auto samples = static_cast<double>(pressure.count());
      all[4].values.push_back(samples);
      if (!chooses_) continue;
      reach.values.push_back(fits_.reach(range));
      const auto more = fits_.next_degree(pairs_of(r), particles_ * samples, density_, range);  // NaN without samples
      add_to(next, slope() * more.value, slope() * more.error);
    }
    if (chooses_) all.insert(all.end(), {std::move(reach), std::move(next)});
    return all;
  }

  /// Replica, sweep, pressure, and real and imaginary part of psi6 of the samples since the last call. The range of the
  /// fit for a sample's pressure is chosen from all samples up to this one.
  History drain_history() { return std::exchange(history_, empty_history()); }

  void save(io::CheckpointWriter& archive) const {
    std::vector<double> numbers;
    numbers.reserve(replicas_.size() * kinds() * analysis::BlockAverages::size);
    for (const Averages& a : replicas_)
      for (const auto& averages : a) {
        const auto one = averages.numbers();
        numbers.insert(numbers.end(), one.begin(), one.end());
      }
    archive.array("averages", numbers, {replicas_.size(), kinds(), analysis::BlockAverages::size}, "");
    if (chooses_) archive.array("pairs", pairs_, {replicas_.size(), PairBins::count}, "");
  }
  /// Throws InputError unless the entries are valid averages of this number of samples.
  void load(const io::CheckpointReader& archive, std::uint64_t samples) {
    std::vector<double> numbers(replicas_.size() * kinds() * analysis::BlockAverages::size);
    archive.array("averages", numbers, {replicas_.size(), kinds(), analysis::BlockAverages::size});
    for (std::size_t at = 0; at < numbers.size(); at += analysis::BlockAverages::size)
      require_of_entry(analysis::BlockAverages::are_numbers(&numbers[at], samples), "averages",
                       "not possible as averages of " + std::to_string(samples) + " samples");
    const double* next = numbers.data();
    for (Averages& a : replicas_)
      for (auto& averages : a) {
        averages = analysis::BlockAverages::from_numbers(next);
        next += analysis::BlockAverages::size;
      }
    if (!chooses_) return;
    archive.array("pairs", pairs_, {replicas_.size(), PairBins::count});
    for (std::size_t r = 0; r < replicas_.size(); ++r) require_pairs(r, samples);
  }

 private:
  /// Pressure (by the widest range, or the paper's); modulus, real and imaginary part of psi6; pressure by the other
  /// ranges.
  using Averages = std::vector<analysis::BlockAverages>;
  static constexpr std::size_t psi6_kinds = 3;

  std::size_t kinds() const { return replicas_.front().size(); }
  std::span<const std::uint64_t> pairs_of(std::size_t replica) const {
    return std::span(pairs_).subspan(replica * PairBins::count, PairBins::count);
  }
  std::span<std::uint64_t> pairs_of(std::size_t replica) {
    return std::span(pairs_).subspan(replica * PairBins::count, PairBins::count);
  }

  /// Derivative of P*, which is linear in g(sigma+), with respect to g(sigma+) (equation 4).
  double slope() const { return std::numbers::pi / 2 * density_ * density_; }

  /// Pressures by each of the ranges.
  analysis::ContactFits::Values pressures_of(std::span<const std::uint64_t> pairs, double samples = 1) const {
    auto values = fits_.at_contact(pairs, particles_ * samples, density_);
    for (double& value : values) value = analysis::ContactValue::pressure(value, density_);
    return values;
  }

  /// Checks that the pairs of a checkpoint agree with its pressures: both are sums over the same samples.
  void require_pairs(std::size_t replica, std::uint64_t samples) const {
    const auto pairs = pairs_of(replica);
    const auto count = static_cast<double>(samples);
    double sum = 0;
    for (const std::uint64_t one : pairs) sum += static_cast<double>(one);
    constexpr double most_of_a_disk = 3;  // six neighbours within the bins, each pair once
    require_of_entry(sum <= most_of_a_disk * particles_ * count, "pairs", "more pairs than are possible");
    if (samples == 0) return;
    // Weights of about 1 may cancel, and the averages are rounded.
    const double rounding = 1e-9 * (density_ + slope() * fits_.of_a_pair(particles_ * count, density_) * sum);
    const auto pressures = pressures_of(pairs, count);
    for (std::size_t k = 0; k < pressures.size(); ++k) {
      const double read = replicas_[replica][k == 0 ? 0 : psi6_kinds + k].mean();
      require_of_entry(std::abs(pressures[k] - read) <= rounding, "pairs",
                       "the pairs do not give the pressure of the averages");
    }
  }

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
  bool chooses_;  ///< whether the range of the fit is automatic
  analysis::ContactValue paper_fit_;
  analysis::ContactFits fits_;
  std::vector<Averages> replicas_;
  std::vector<std::uint64_t> pairs_;  ///< [replicas, PairBins::count], sum over all samples
  History history_ = empty_history();
};

/// Times of samples: every `interval` sweeps after `equilibrate`.
struct SampleTimes {
  std::int64_t equilibrate, interval;

  bool due(std::int64_t sweep) const { return sweep > equilibrate && (sweep - equilibrate) % interval == 0; }
  /// Number of samples up to this sweep.
  std::uint64_t count(std::int64_t sweep) const {
    return sweep > equilibrate ? static_cast<std::uint64_t>((sweep - equilibrate) / interval) : 0;
  }
  /// Time of the first sample after `sweep`.
  std::int64_t next(std::int64_t sweep) const {
    if (sweep < equilibrate) return equilibrate + interval;
    return equilibrate + ((sweep - equilibrate) / interval + 1) * interval;
  }
};

}  // namespace tessera::disks
