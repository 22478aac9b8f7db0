// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kpz/observables/autocorrelation.hpp>
#include <tessera/kpz/observables/loaded.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <tessera/kpz/observables/waves.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <utility>
#include <vector>

namespace tessera::kpz {

/// Measurements that depend on earlier ones: it stores the surfaces of the waiting times, for autocorrelations, and the
/// last two measurements, for rates and effective exponents. A checkpoint contains all of it.
template <class ExecutionSpace>
class Observer {
 public:
  /// `lattice`: this rank's block. All functions are collective.
  Observer(const ExecutionSpace& space, const Lattice& lattice, const std::vector<double>& waiting_times,
           const parallel::Distribution& distribution = {}, bool structure_factor = false)
      : space_(space),
        lattice_(lattice),
        distribution_(distribution),
        sites_(distribution.ranks.sum(lattice.sites())),
        waiting_times_(waiting_times),
        lines_(lattice.replicas, lattice.nx, lattice.ny, distribution),
        structure_factor_(structure_factor),
        before_(empty_mark(none)),
        now_(empty_mark(0)) {}

  /// The first waiting time whose surface is not stored yet, or infinity.
  double next_waiting_time() const {
    return kept_.size() < waiting_times_.size() ? waiting_times_[kept_.size()]
                                                : std::numeric_limits<double>::infinity();
  }

  /// Stores the surface for the waiting times that have been reached.
  void keep(double time, const Words<ExecutionSpace>& words) {
    while (next_waiting_time() <= time) {
      Kokkos::deep_copy(space_, add_surface(), words);
      kept_times_.push_back(time);
    }
  }

  /// Observables of docs/kpz.md. `accepted`: depositions and removals, [replicas, 2]. Throws RunError if too rough.
  std::vector<Observable> measure(double time, const Words<ExecutionSpace>& words,
                                  const std::vector<std::uint64_t>& accepted) {
    Mark present = empty_mark(time);
    present.accepted = accepted;
    const auto sums = sum_height_powers(space_, lattice_, words, distribution_);
    std::vector<double> means;
    std::vector<analysis::Moments> moments;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      means.push_back(0.5 + 2 * static_cast<double>(grown(accepted, r)) / static_cast<double>(sites_));
      moments.push_back(analysis::moments(sums[r]));
    }
    std::vector<Observable> result = analysis::height_observables("layers", means, moments);
    auto next = std::ranges::copy(result[1].values, present.quantities.begin()).out;
    std::vector<Observable> two_times;
    const auto of_earlier = overlaps(space_, lattice_, words, kept_, distribution_);
    for (std::size_t k = 0; k < of_earlier.size(); ++k) {
      Observable heights{name_of(1 + 2 * k, "", "_autocorrelation_"), "layers^2", {}},
          slopes{name_of(2 + 2 * k, "", "_autocorrelation_"), "", {}};
      // C_h = <h h'> - <h> <h'>, and C_s = <n n'> - <n> <n'> with n = 1 for up and 0 for down. Half of the slopes of
      // each line are up: <n> = 1/2.
      for (const Overlaps& o : of_earlier[k]) {
        detail::refuse_too_rough(static_cast<std::uint64_t>(o.too_far));
        heights.values.push_back(analysis::covariance(sites_, o.heights, o.earlier_heights, o.products));
        slopes.values.push_back(static_cast<double>(o.slopes_up - sites_ / 2) / (2 * static_cast<double>(sites_)));
      }
      for (const Observable& correlation : {heights, slopes}) {
        next = std::ranges::copy(correlation.values, next).out;
        two_times.push_back(correlation);
      }
    }
    if (!(time <= now_.time)) {
      before_ = now_;
      now_ = present;
      add_changes();
    }
    add_rates(result);
    result.insert(result.end(), two_times.begin(), two_times.end());
    lines_.template sum<word_sites>(space_, "tessera::kpz::count_rises",
                                    CountRises<Words<ExecutionSpace>, LineSums<ExecutionSpace>::rows>{lattice_, words});
    lines_.add_waves(space_, "height", "layers", structure_factor_, "structure_factor", result, true);
    return result;
  }

  /// Quantities with effective exponents at successive measurements, for all replicas, since the last call.
  std::vector<History> drain_changes() { return std::exchange(changes_, {}); }

  void save(io::CheckpointWriter& archive) const {
    parallel::SharedWriter shared(archive, distribution_.ranks);
    save_mark(shared, "measured_before", before_);
    save_mark(shared, "measured", now_);
    if (waiting_times_.empty()) return;
    auto times = kept_times_;
    times.resize(waiting_times_.size(), none);
    shared.array("kept_times", times, {times.size()}, "MCS");
    for (std::size_t k = 0; k < kept_.size(); ++k)
      transfer_of_words(space_, lattice_, distribution_).save(archive, kept_name(k), kept_[k]);
  }
  /// `time`, `accepted`: of the checkpoint; see measure(). Throws InputError if the entries are inconsistent.
  void load(const io::CheckpointReader& archive, double time, const std::vector<std::uint64_t>& accepted,
            const FillHalo<ExecutionSpace>& fill_halo) {
    const parallel::SharedReader shared(archive, distribution_.ranks);
    load_mark(shared, "measured_before", before_);
    load_mark(shared, "measured", now_);
    check_mark("measured", now_, time, accepted);
    check_mark("measured_before", before_, now_.time, now_.accepted);
    if (waiting_times_.empty()) return;
    kept_.clear();
    kept_times_.resize(waiting_times_.size());
    shared.array("kept_times", kept_times_, {kept_times_.size()});
    for (std::size_t k = 0; k < waiting_times_.size(); ++k) {
      const bool kept = waiting_times_[k] <= time;
      if (kept ? !(kept_times_[k] >= waiting_times_[k] && kept_times_[k] <= time) : !std::isnan(kept_times_[k]))
        refuse_loaded("kept_times", "it must be a time from the waiting time on, or NaN before it");
      if (kept) load_surface(space_, archive, kept_name(k), lattice_, add_surface(), distribution_, fill_halo);
    }
    kept_times_.resize(kept_.size());
  }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::size_t replicas() const { return static_cast<std::size_t>(lattice_.replicas); }

  /// A measurement. Quantities: W^2, then C_h and C_s for each waiting time, NaN if it has not been reached.
  struct Mark {
    double time;                          ///< NaN: none
    std::vector<std::uint64_t> accepted;  ///< [replicas, 2]
    std::vector<double> quantities;       ///< [quantities, replicas]
  };
  Mark empty_mark(double time) const {
    return {time, std::vector<std::uint64_t>(2 * replicas()),
            std::vector((1 + 2 * waiting_times_.size()) * replicas(), none)};
  }

  const Words<ExecutionSpace>& add_surface() {
    return kept_.emplace_back(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::kept_surface"),
                              lattice_.all_words());
  }
  static std::string kept_name(std::size_t k) { return "kept_surface_" + std::to_string(k); }

  /// Of an autocorrelation, height_autocorrelation_S, or of its exponents, lambda_eff_height_S.
  std::string name_of(std::size_t q, const std::string& before, const std::string& between) const {
    std::ostringstream name;
    name << before << (q % 2 == 1 ? "height" : "slope") << between << waiting_times_[(q - 1) / 2];
    return name.str();
  }

  /// Adds velocity (growth of the mean height per MCS) and acceptance (accepted attempts) since the last measurement.
  void add_rates(std::vector<Observable>& result) const {
    Observable velocity{"velocity", "layers/MCS", {}}, acceptance{"acceptance", "", {}};
    const double attempts = (now_.time - before_.time) * static_cast<double>(sites_);
    for (std::size_t r = 0; r < replicas(); ++r) {
      const auto now = static_cast<double>(grown(now_.accepted, r)),
                 before = static_cast<double>(grown(before_.accepted, r));
      velocity.values.push_back(2 * (now - before) / attempts);
      const std::uint64_t changes =
          now_.accepted[2 * r] + now_.accepted[2 * r + 1] - before_.accepted[2 * r] - before_.accepted[2 * r + 1];
      acceptance.values.push_back(static_cast<double>(changes) / attempts);
    }
    result.push_back(velocity);
    result.push_back(acceptance);
  }

  /// Adds the last two measurements, if both are at positive times, to the changes.
  void add_changes() {
    if (!(before_.time > 0)) return;
    for (std::size_t q = 0; q * replicas() < now_.quantities.size(); ++q) {
      const auto of = [&](const Mark& mark) {
        const auto first = mark.quantities.begin() + static_cast<std::ptrdiff_t>(q * replicas());
        return std::vector(first, first + lattice_.replicas);
      };
      const auto before = of(before_), now = of(now_);
      if (!std::isnan(now[0]) && !std::isnan(before[0]))
        changes_.push_back({q == 0 ? "beta_eff" : name_of(q, "lambda_eff_", "_"),
                            {"time_before", "time", "before", "now"},
                            {},
                            {{before_.time}, {now_.time}, before, now}});
    }
  }

  void save_mark(io::CheckpointWriter& archive, const std::string& name, const Mark& mark) const {
    archive.array(name + "_time", std::span(&mark.time, 1), {1}, "MCS");
    archive.array(name + "_accepted", mark.accepted, {replicas(), 2}, "");
    archive.array(name + "_quantities", mark.quantities, {mark.quantities.size() / replicas(), replicas()}, "");
  }
  /// Throws InputError unless a measurement is possible before this one. The one before the last may be missing.
  void check_mark(const std::string& name, const Mark& mark, double time,
                  const std::vector<std::uint64_t>& accepted) const {
    const bool earlier = name == "measured_before";
    if (!(mark.time >= 0 && mark.time <= time && !(earlier && mark.time == time)) &&
        !(earlier && std::isnan(mark.time)))
      refuse_loaded(name + "_time", "it must lie between 0 and the time of the next measurement");
    for (std::size_t i = 0; i < accepted.size(); ++i)
      if (mark.accepted[i] > accepted[i])
        refuse_loaded(name + "_accepted", "it must not exceed the value of the next measurement");
    for (std::size_t i = 0; i < mark.quantities.size(); ++i)
      if (std::isinf(mark.quantities[i]) || (i < replicas() && mark.quantities[i] <= 0))
        refuse_loaded(name + "_quantities", "it must be possible as a measurement");
  }

  void load_mark(const io::CheckpointReader& archive, const std::string& name, Mark& mark) const {
    archive.array(name + "_time", std::span(&mark.time, 1), {1});
    archive.array(name + "_accepted", mark.accepted, {replicas(), 2});
    archive.array(name + "_quantities", mark.quantities, {mark.quantities.size() / replicas(), replicas()});
  }

  ExecutionSpace space_;
  Lattice lattice_;
  parallel::Distribution distribution_;
  std::int64_t sites_;  ///< of the whole lattice
  std::vector<double> waiting_times_;
  LineSums<ExecutionSpace> lines_;
  bool structure_factor_;                    ///< whether to measure S(k) of all wave vectors along the axes
  std::vector<Words<ExecutionSpace>> kept_;  ///< surfaces of the first waiting times, which are in ascending order
  std::vector<double> kept_times_;           ///< times at which they were stored
  Mark before_, now_;
  std::vector<History> changes_;
};

}  // namespace tessera::kpz
