// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <tessera/analysis/block_sums.hpp>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/spectrum.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/observables/structure_factor.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/loaded_entries.hpp>
#include <tessera/io/checkpoint.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// The functions that are averaged over samples. A sample of a replica is a list of numbers: the pairs in each ring,
/// each pair once; if requested the sums of Re(psi_6^* psi_6') over these pairs; S(q) of each wave vector.
struct CorrelationPlan {
  Rings rings;
  bool with_orders;
  std::vector<WaveNumber> waves;

  static constexpr double rounding = 1e-9;

  /// The last ring contains r_max.
  CorrelationPlan(const Parameters& p, const Point& box)
      : rings{p.g_bins, static_cast<int>(std::ceil(p.r_max * p.g_bins * (1 - rounding)))},
        with_orders(p.g6),
        waves(p.q_max > 0 ? wave_numbers(box, p.q_max) : decltype(waves)()) {}

  std::size_t numbers_of_rings() const { return static_cast<std::size_t>(rings.count); }
  std::size_t numbers() const { return numbers_of_rings() * (with_orders ? 2 : 1) + waves.size(); }
};

/// Averages of g(r), g6(r) and S(q) over the samples of each replica. Sums are kept by blocks of samples, so that early
/// ones can be left out and a single replica has error bars.
class Correlations {
 public:
  Correlations(const Parameters& p, const Point& box)
      : plan_(p, box),
        box_(box),
        particles_(static_cast<double>(p.particles)),
        equilibrate_(p.equilibrate),
        interval_(p.sample_every),
        is_single_(p.all_replicas() == 1),
        sums_(static_cast<std::size_t>(p.replicas), analysis::BlockSums(plan_.numbers())) {}

  const CorrelationPlan& plan() const { return plan_; }
  bool empty() const { return plan_.numbers() == 0; }

  void add(std::size_t replica, std::span<const double> sample) { sums_[replica].add(sample); }

  /// Means over the blocks that begin at the time `from` or later, NaN without a sample: `g`, g(r); `g6`, the mean of
  /// Re(psi_6^* psi_6') over the pairs in a ring, NaN without pairs; `S`, S(q).
  std::vector<AveragedFunction> functions(double from) const {
    if (empty()) return {};
    const double of_block = static_cast<double>(sums_[0].length()) * interval_,
                 last = static_cast<double>(sums_[0].blocks() - 1);
    const double left_out = std::clamp(std::ceil((from - equilibrate_) / of_block), 0.0, last);
    const auto first = static_cast<std::size_t>(left_out);
    const std::uint64_t samples = sums_[0].samples() - first * sums_[0].length();
    const std::size_t n = plan_.numbers_of_rings();
    std::vector<AveragedFunction> all;
    std::vector<double> r;
    for (std::size_t i = 0; i < n; ++i) r.push_back((static_cast<double>(i) + 0.5) / plan_.rings.per_sigma);
    const std::vector<AveragedFunction::Argument> distance{{"r", "sigma", r}};
    if (n > 0) all.push_back({"g", "", distance, {}});
    if (n > 0 && plan_.with_orders) all.push_back({"g6", "", distance, {}});
    if (!plan_.waves.empty()) {
      AveragedFunction::Argument x{"q_x", "1/sigma", {}}, y{"q_y", "1/sigma", {}};
      for (const WaveNumber& q : plan_.waves) {
        x.values.push_back(2 * std::numbers::pi * q.x / box_[0]);
        y.values.push_back(2 * std::numbers::pi * q.y / box_[1]);
      }
      all.push_back({"S", "", {std::move(x), std::move(y)}, {}});
    }
    for (const analysis::BlockSums& sums : sums_) {
      std::vector<double> total(plan_.numbers());
      for (std::size_t b = first; b < sums.blocks(); ++b)
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += sums.block(b)[i];
      const std::vector<double> values = means(total, samples);
      const std::vector<double> errors = is_single_ ? errors_of(sums, first) : std::vector<double>();
      std::size_t at = 0;
      for (AveragedFunction& f : all) {
        f.from = equilibrate_ + left_out * of_block;
        f.samples = samples;
        const auto begin = static_cast<std::ptrdiff_t>(at), end = begin + std::ssize(f.arguments[0].values);
        f.values.insert(f.values.end(), values.begin() + begin, values.begin() + end);
        if (is_single_) f.errors.assign(errors.begin() + begin, errors.begin() + end);
        at = static_cast<std::size_t>(end);
      }
    }
    return all;
  }

  void save(io::CheckpointWriter& archive) const {
    if (empty()) return;
    std::vector<double> all;
    for (const analysis::BlockSums& sums : sums_) all.insert(all.end(), sums.sums().begin(), sums.sums().end());
    archive.array("correlations", all, shape(sums_.front().samples()), "");
  }

  /// Throws InputError unless this number of samples can have such sums.
  void load(const io::CheckpointReader& archive, std::uint64_t samples) {
    if (empty()) return;
    const std::size_t numbers = plan_.numbers(), blocks = analysis::BlockSums::blocks_of(samples);
    const std::uint64_t length = analysis::BlockSums::length_of(samples);
    std::vector<double> all(sums_.size() * blocks * numbers);
    archive.array("correlations", all, shape(samples));
    for (std::size_t r = 0; r < sums_.size(); ++r) {
      const auto of_replica = std::span(all).subspan(r * blocks * numbers, blocks * numbers);
      sums_[r].set({of_replica.begin(), of_replica.end()}, samples);
      for (std::size_t b = 0; b < blocks; ++b)
        require_sums(sums_[r].block(b), static_cast<double>(b + 1 < blocks ? length : samples - b * length));
    }
  }

 private:
  std::vector<std::size_t> shape(std::uint64_t samples) const {
    return {sums_.size(), analysis::BlockSums::blocks_of(samples), plan_.numbers()};
  }

  /// The values of all functions from sums over samples.
  std::vector<double> means(std::span<const double> sums, std::uint64_t samples) const {
    const auto count = static_cast<double>(samples);
    const std::size_t n = plan_.numbers_of_rings();
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(2 * sums[i] /
                       (count * ideal_pairs(plan_.rings, static_cast<int>(i), particles_, box_[0] * box_[1])));
    std::size_t at = n;
    for (; plan_.with_orders && at < 2 * n; ++at) values.push_back(sums[at] / sums[at - n]);
    for (; at < sums.size(); ++at) values.push_back(sums[at] / count);
    return values;
  }

  /// Standard errors from the powers of the lowest frequencies of the complete blocks first and up, NaN for fewer than
  /// eight of them.
  std::vector<double> errors_of(const analysis::BlockSums& sums, std::size_t first) const {
    std::vector<double> errors(plan_.numbers(), std::numeric_limits<double>::quiet_NaN());
    const std::size_t blocks = sums.blocks() - 1 - first;
    if (blocks < 8) return errors;
    std::vector<std::vector<double>> values;
    for (std::size_t b = 0; b < blocks; ++b) values.push_back(means(sums.block(first + b), sums.length()));
    std::vector<double> of_one(blocks);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      for (std::size_t b = 0; b < blocks; ++b) of_one[b] = values[b][i];
      const double mean = analysis::mean_of(of_one).value, count = static_cast<double>(blocks);
      for (double& value : of_one) value -= mean;
      const auto powers = analysis::powers_of(of_one, 1, std::min<std::size_t>(8, blocks / 2));
      if (const double power = analysis::power_at_zero(count, std::span(&mean, 1), powers).power; power > 0)
        errors[i] = std::sqrt(power / count);
    }
    return errors;
  }

  void require_sums(std::span<const double> sums, double samples) const {
    constexpr double rounding = 1 + 1e-4;  // of factors, where all disks are in phase
    const auto require = [](bool holds, const std::string& wrong) { require_of_entry(holds, "correlations", wrong); };
    const std::size_t n = plan_.numbers_of_rings();
    // Disks within reach of a disk cover no more than closest packing.
    const double around = plan_.rings.reach() + 0.5, most = samples * particles_ * 4 * 0.907 * around * around;
    double pairs = 0;
    for (std::size_t i = 0; i < n; ++i) {
      // The sequential method counts a half from each disk of a pair.
      require(sums[i] >= 0 && 2 * sums[i] == std::floor(2 * sums[i]), "negative or fractional numbers of pairs");
      pairs += sums[i];
    }
    require(pairs <= most, "more pairs than closest packing allows");
    std::size_t at = n;
    for (; plan_.with_orders && at < 2 * n; ++at)
      require(std::abs(sums[at]) <= rounding * sums[at - n], "a sum of g6 larger than the number of pairs");
    for (; at < sums.size(); ++at)
      require(sums[at] >= 0 && sums[at] <= rounding * samples * particles_, "a sum of structure factors out of range");
  }

  CorrelationPlan plan_;
  Point box_;
  double particles_, equilibrate_, interval_;
  bool is_single_;                         ///< the only replica of the run
  std::vector<analysis::BlockSums> sums_;  ///< of each replica
};

}  // namespace tessera::disks
