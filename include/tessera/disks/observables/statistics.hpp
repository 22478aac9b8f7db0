// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/analysis/fourier_modes.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/loaded_entries.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/io/checkpoint.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// The last sample of each replica, and the samples since the last drain.
class Statistics {
 public:
  /// Columns of the table of samples, with their units.
  static constexpr std::array names{"replica",       "sweep",           "pressure",        "psi6_re",
                                    "psi6_im",       "disk_variance_4", "disk_variance_8", "disk_variance_16",
                                    "density_kx_re", "density_kx_im",   "density_ky_re",   "density_ky_im"};
  static constexpr std::array units{"", "", "k_B T / sigma^2", "", "", "", "", "", "", "", "", ""};

  /// `density` is rho sigma^2.
  Statistics(const Parameters& p, double density)
      : particles_(static_cast<double>(p.particles)),
        density_(density),
        chooses_(p.pressure_fit == PressureFit::automatic),
        last_(static_cast<std::size_t>(p.replicas)),
        pairs_(chooses_ ? last_.size() * PairBins::count : 0) {}

  void add(std::size_t replica, double sweep, const Sample& sample) {
    const std::span<const std::uint64_t> pairs(sample.pairs);
    double contact;
    if (chooses_) {
      const auto all = std::span(pairs_).subspan(replica * PairBins::count, PairBins::count);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += pairs[i];
      contact = fits_.at_contact(pairs, particles_, density_)[fits_.choose(all)];
    } else {
      contact = paper_fit_.at_contact(pairs, particles_, density_);
    }
    last_[replica] = {analysis::ContactValue::pressure(contact, density_), sample.psi6_re, sample.psi6_im};
    const auto [pressure, re, im] = last_[replica];
    const auto [x, y] = waves(sample.disks);
    std::vector<double> row{static_cast<double>(replica), sweep, pressure, re, im};
    for (const int side : {4, 8, 16}) row.push_back(variance_over_mean(sample.disks, side));
    row.insert(row.end(), {x.re, x.im, y.re, y.im});
    for (std::size_t c = 0; c < row.size(); ++c) history_.columns[c].push_back(row[c]);
    if (replica == 0) ++samples_;
  }

  /// g(sigma+) from a pressure (equation 4).
  static double contact_value(double pressure, double density) {
    return (pressure / density - 1) / (std::numbers::pi / 2 * density);
  }

  /// Of the last sample, NaN before the first: `pressure` (P*), `contact_value` (g(sigma+)), `psi6` (modulus). The
  /// number of `samples`. If the range of the fit is automatic, from all samples: its upper end `fit_r_max`, and
  /// `fit_bias`, the change of the pressure if the degree of the polynomial is increased by one.
  std::vector<Observable> measure() const {
    std::vector<Observable> all{
        {"pressure", "k_B T / sigma^2", {}}, {"contact_value", "", {}}, {"psi6", "", {}}, {"samples", "", {}}};
    Observable r_max{"fit_r_max", "sigma", {}}, bias{"fit_bias", "k_B T / sigma^2", {}, {}};
    const double slope = std::numbers::pi / 2 * density_ * density_, samples = static_cast<double>(samples_);
    for (std::size_t r = 0; r < last_.size(); ++r) {
      const auto [pressure, re, im] = last_[r];
      const double none = samples_ > 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
      all[0].values.push_back(pressure + none);
      all[1].values.push_back(contact_value(pressure, density_) + none);
      all[2].values.push_back(std::hypot(re, im) + none);
      all[3].values.push_back(samples);
      if (!chooses_) continue;
      const auto pairs = std::span(pairs_).subspan(r * PairBins::count, PairBins::count);
      const std::size_t range = fits_.choose(pairs);
      r_max.values.push_back(fits_.r_max(range));
      const auto more = fits_.fit_bias(pairs, particles_ * samples, density_, range);  // NaN without samples
      bias.values.push_back(slope * more.value);
      bias.errors.push_back(slope * more.error);
    }
    if (chooses_) all.insert(all.end(), {std::move(r_max), std::move(bias)});
    return all;
  }

  /// The samples since the last call. The range of the fit for a sample is chosen from all samples up to it.
  History drain_history() { return std::exchange(history_, empty_history()); }

  void save(io::CheckpointWriter& archive) const {
    archive.array("last_sample", viewed_as<double>(last_), {last_.size(), 3});
    if (chooses_) archive.array("pairs", pairs_, {last_.size(), PairBins::count});
  }
  /// Throws InputError unless the entries are possible after this number of samples.
  void load(const io::CheckpointReader& archive, std::uint64_t samples) {
    samples_ = samples;
    archive.array("last_sample", viewed_as<double>(last_), {last_.size(), 3});
    constexpr double rounding = 1 + 1e-6, most_of_a_disk = 3;  // six neighbours within the bins, each pair once
    for (const auto& [pressure, re, im] : last_)
      require_of_entry(std::isfinite(pressure) && std::hypot(re, im) <= rounding, "last_sample",
                       "a pressure that is no number, or a psi6 above 1");
    if (!chooses_) return;
    archive.array("pairs", pairs_, {last_.size(), PairBins::count});
    for (std::size_t r = 0; r < last_.size(); ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < PairBins::count; ++i) sum += static_cast<double>(pairs_[r * PairBins::count + i]);
      require_of_entry(sum <= most_of_a_disk * particles_ * static_cast<double>(samples), "pairs",
                       "more pairs than are possible");
    }
  }

 private:
  /// Variance over mean of the numbers of disks in side x side blocks.
  static double variance_over_mean(std::span<const std::uint64_t> disks, int side) {
    std::vector<std::uint64_t> blocks(static_cast<std::size_t>(side * side));
    for (int i = 0; i < Blocks::count; ++i)
      blocks[static_cast<std::size_t>(i / Blocks::side * side / Blocks::side * side +
                                      i % Blocks::side * side / Blocks::side)] += disks[static_cast<std::size_t>(i)];
    double sum = 0, squares = 0;
    for (const std::uint64_t one : blocks) {
      sum += static_cast<double>(one);
      squares += static_cast<double>(one) * static_cast<double>(one);
    }
    return squares / sum - sum / static_cast<double>(blocks.size());
  }

  /// The longest waves along x and y, N^(-1/2) sum of exp(-i k x) over the disks, from their numbers in the blocks.
  std::array<analysis::Mode, 2> waves(std::span<const std::uint64_t> disks) const {
    constexpr std::size_t side = Blocks::side;
    std::array<std::array<std::int64_t, side>, 2> lines{};
    for (std::size_t i = 0; i < disks.size(); ++i)
      for (const std::size_t axis : {0, 1})
        lines[axis][axis == 0 ? i % side : i / side] += static_cast<std::int64_t>(disks[i]);
    std::array<analysis::Mode, 2> found{};
    for (const std::size_t axis : {0, 1}) {
      const analysis::Mode wave = analysis::fourier_mode(lines[axis], analysis::phases(side));
      found[axis] = {wave.re / std::sqrt(particles_), wave.im / std::sqrt(particles_)};
    }
    return found;
  }

  static History empty_history() {
    const std::vector<std::vector<double>> columns(names.size());
    return {"samples", {names.begin(), names.end()}, {units.begin(), units.end()}, columns, true};
  }

  double particles_, density_;
  bool chooses_;  ///< whether the range of the fit is automatic
  analysis::ContactValue paper_fit_;
  analysis::ContactFits fits_;
  std::uint64_t samples_ = 0;
  std::vector<std::array<double, 3>> last_;  ///< pressure, real and imaginary part of psi6
  std::vector<std::uint64_t> pairs_;         ///< [replicas, PairBins::count], sum over all samples
  History history_ = empty_history();
};

/// Samples are taken every `interval` sweeps after `equilibrate`.
struct SampleTimes {
  std::int64_t equilibrate, interval;

  bool due(std::int64_t sweep) const { return sweep > equilibrate && (sweep - equilibrate) % interval == 0; }
  /// Number of samples up to this sweep.
  std::uint64_t count(std::int64_t sweep) const {
    return sweep > equilibrate ? static_cast<std::uint64_t>((sweep - equilibrate) / interval) : 0;
  }
  /// Sweep of the first sample after `sweep`.
  std::int64_t next(std::int64_t sweep) const {
    return equilibrate + (static_cast<std::int64_t>(count(sweep)) + 1) * interval;
  }
};

}  // namespace tessera::disks
