// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/displacements.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::kmc {

/// The particles of Parameters::tracked in all replicas: their displacements and what follows from these.
class TrackedParticles {
 public:
  TrackedParticles(const Parameters& p, const std::string& time_unit)
      : species_(p.tracked),
        sides_{p.nx, p.ny, std::max(1, p.nz)},
        dimensions_(p.nz > 0 ? 3 : 2),
        every_(p.track_every),
        unit_of_rates_(unit_of_growth(unit_of_squares, time_unit)),
        all_(static_cast<std::size_t>(p.replicas)) {}

  /// Begins with states_of(replica), [nz, ny, nx], in replicas that have not begun.
  template <class StatesOf>
  void begin(const StatesOf& states_of) {
    for (std::size_t r = 0; r < all_.size(); ++r) {
      if (all_[r].size() == species_.size()) continue;
      const auto& states = states_of(r);
      for (const TrackedSpecies& one : species_) all_[r].emplace_back(one, sides_, states);
    }
  }
  /// Before a begin() with other states.
  void clear() {
    for (auto& of_replica : all_) of_replica.clear();
  }
  /// Of a replica, by species.
  std::span<Displacements> of(std::size_t replica) { return all_[replica]; }

  /// Adds, per particle, the sums of Displacements at these times.
  void measure(std::vector<Observable>& observables, const std::vector<double>& times) {
    for (std::size_t k = 0; k < species_.size(); ++k) {
      if (shape_of(k)[1] == 0) throw InputError("--track " + species_[k].name + ": there are no particles");
      const std::size_t first = observables.size();
      for (const std::string name : Displacements::names)
        observables.emplace_back(Observable{name + species_[k].name, unit_of_squares, {}});
      for (std::size_t r = 0; r < all_.size(); ++r) {
        const Displacements::Sums sums = all_[r][k].measured(ends_interval(times[r]));
        for (std::size_t i = 0; i < sums.size(); ++i)
          observables[first + i].values.push_back(sums[i] / static_cast<double>(all_[r][k].size()));
      }
    }
  }
  /// Of these sums.
  SimulationInterface::RateOfCounter rate_of_counter(const std::string& observable) const {
    for (const TrackedSpecies& one : species_)
      for (const std::string name : Displacements::names)
        if (observable == name + one.name) return {1, unit_of_rates_};
    return {};
  }
  /// Diffusion coefficients and correlation factors from the intervals between measurements, and their bias.
  void add_functions(std::vector<analysis::FunctionOfMeans>& functions) const {
    for (const TrackedSpecies& one : species_) {
      const auto rate = [&](Displacements::Sum sum) { return Displacements::names[sum] + one.name + "_rate"; };
      const std::string displacement = rate(Displacements::squared_displacement),
                        successive = rate(Displacements::successive_displacements),
                        hops = rate(Displacements::squared_hops);
      using Means = std::span<const double>;
      const double d = dimensions_;
      functions.push_back(
          {"diffusion_" + one.name, unit_of_rates_, {displacement}, [d](Means mean) { return mean[0] / (2 * d); }});
      functions.push_back(
          {"diffusion_bias_" + one.name, unit_of_rates_, {successive}, [d](Means mean) { return -mean[0] / d; }});
      functions.push_back(
          {"correlation_factor_" + one.name, "", {displacement, hops}, [](Means mean) { return mean[0] / mean[1]; }});
    }
  }

  /// Writes where the particles are, [replicas, particles, Displacements::numbers], and sums [replicas, 3].
  template <class Archive>
  void save(Archive& archive) const {
    for (std::size_t k = 0; k < species_.size(); ++k) {
      std::vector<std::int32_t> places;
      std::vector<double> sums;
      for (const std::vector<Displacements>& of_replica : all_) {
        std::ranges::copy(of_replica[k].save(), std::back_inserter(places));
        std::ranges::copy(of_replica[k].all_sums(), std::back_inserter(sums));
      }
      archive.array("tracked_" + species_[k].name, places, shape_of(k), "");
      archive.array("tracked_sums_" + species_[k].name, sums, {all_.size(), Displacements::sums}, unit_of_squares);
    }
  }
  /// Continues from these, after begin() with the states at that time.
  template <class Archive>
  void load(const Archive& archive) {
    for (std::size_t k = 0; k < species_.size(); ++k) {
      const std::size_t size = all_[0][k].size() * Displacements::numbers;
      std::vector<std::int32_t> places(all_.size() * size);
      std::vector<double> sums(all_.size() * Displacements::sums);
      archive.array("tracked_" + species_[k].name, places, shape_of(k));
      archive.array("tracked_sums_" + species_[k].name, sums, {all_.size(), Displacements::sums});
      for (std::size_t r = 0; r < all_.size(); ++r) {
        Displacements::Sums its;
        std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(r * its.size()), its.size(), its.begin());
        all_[r][k].load(std::span(places).subspan(r * size, size), its);
      }
    }
  }

 private:
  static constexpr const char* unit_of_squares = "length^2";
  /// Whether a measurement at this time is one of those at equal intervals, unlike that at the end of a run.
  bool ends_interval(double time) const {
    return every_ <= 0 || std::abs(std::remainder(time, every_)) <= 1e-9 * every_;
  }
  /// All replicas have as many particles.
  std::vector<std::size_t> shape_of(std::size_t k) const {
    for (const std::vector<Displacements>& of_replica : all_)
      if (of_replica[k].size() != all_[0][k].size())
        throw InputError("--track " + species_[k].name +
                         ": replicas have different numbers of particles; use a number or a "
                         "part of the sites in [Initial], and no probability");
    return {all_.size(), all_[0][k].size(), Displacements::numbers};
  }

  std::vector<TrackedSpecies> species_;
  Displacements::Cell sides_;
  int dimensions_;
  double every_;                                 ///< interval of the displacements; 0: that between measurements
  std::string unit_of_rates_;                    ///< of the sums
  std::vector<std::vector<Displacements>> all_;  ///< [replicas, species]
};

}  // namespace tessera::kmc
