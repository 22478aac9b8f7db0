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
#include <tessera/kmc/space/displacements.hpp>
#include <tessera/kmc/space/simulation.hpp>
#include <vector>

namespace tessera::kmc::space {

/// A simulation that measures the displacements of the particles of some species.
template <Model M>
class TrackedSimulation : public Simulation<M> {
  using Base = Simulation<M>;

 public:
  TrackedSimulation(const Parameters& p, const M& model, const Box& box, const std::vector<TrackedSpecies>& species,
                    const parallel::Communicator& ranks = {})
      : Base(p, model, box, ranks), species_(species), tracked_(progress_.size()) {
    for (const TrackedSpecies& one : species)
      for (const std::string sum : Displacements::names)
        this->counters_[sum + one.name] = {1, unit_of_growth(unit_of_squares, this->time_unit())};
  }

  /// Also, per particle, the sums of Displacements.
  std::vector<Observable> measure() override {
    std::vector<Observable> all = Base::measure();
    for (std::size_t k = 0; k < species_.size(); ++k) {
      if (shape_of(k)[1] == 0) throw InputError("--track " + species_[k].name + ": there are no particles");
      const std::size_t first = all.size();
      for (const std::string name : Displacements::names)
        all.emplace_back(Observable{name + species_[k].name, unit_of_squares, {}});
      for (std::size_t r = 0; r < tracked_.size(); ++r) {
        const Displacements::Sums sums = tracked(r)[k].measured(ends_interval(this->times()[r]));
        for (std::size_t i = 0; i < sums.size(); ++i)
          all[first + i].values.push_back(sums[i] / static_cast<double>(tracked(r)[k].size()));
      }
    }
    return all;
  }
  /// Diffusion coefficients and correlation factors from the intervals between measurements, and their bias.
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    std::vector<analysis::FunctionOfMeans> all = Base::functions_of_averages();
    for (const auto& [name, sites, sides] : species_) {
      const std::string unit = unit_of_growth(unit_of_squares, this->time_unit());
      const auto rate = [&](Displacements::Sum sum) { return Displacements::names[sum] + name + "_rate"; };
      const std::string displacement = rate(Displacements::squared_displacement),
                        successive = rate(Displacements::successive_displacements),
                        hops = rate(Displacements::squared_hops);
      using Means = std::span<const double>;
      all.push_back({"diffusion_" + name, unit, {displacement}, [](Means mean) { return mean[0] / 6; }});
      all.push_back({"diffusion_bias_" + name, unit, {successive}, [](Means mean) { return -2 * mean[0] / 6; }});
      all.push_back(
          {"correlation_factor_" + name, "", {displacement, hops}, [](Means mean) { return mean[0] / mean[1]; }});
    }
    return all;
  }

  /// Writes also where tracked particles are, [replicas, particles, Displacements::numbers], and sums [replicas, 3].
  void save(io::CheckpointWriter& of_rank_zero) const override {
    Base::save(of_rank_zero);
    parallel::SharedWriter archive(of_rank_zero, this->ranks_);
    for (std::size_t k = 0; k < species_.size(); ++k) {
      std::vector<std::int32_t> places;
      std::vector<double> sums;
      for (std::size_t r = 0; r < tracked_.size(); ++r) {
        std::ranges::copy(tracked(r)[k].save(), std::back_inserter(places));
        std::ranges::copy(tracked(r)[k].all_sums(), std::back_inserter(sums));
      }
      archive.array("tracked_" + species_[k].name, places, shape_of(k), "");
      archive.array("tracked_sums_" + species_[k].name, sums, {tracked_.size(), Displacements::sums}, unit_of_squares);
    }
  }
  void load(const io::CheckpointReader& of_rank_zero) override {
    for (auto& of_replica : tracked_) of_replica.clear();
    Base::load(of_rank_zero);
    const parallel::SharedReader archive(of_rank_zero, this->ranks_);
    for (std::size_t k = 0; k < species_.size(); ++k) {
      const std::size_t size = tracked(0)[k].size() * Displacements::numbers;
      std::vector<std::int32_t> places(tracked_.size() * size);
      std::vector<double> sums(tracked_.size() * Displacements::sums);
      archive.array("tracked_" + species_[k].name, places, shape_of(k));
      archive.array("tracked_sums_" + species_[k].name, sums, {tracked_.size(), Displacements::sums});
      for (std::size_t r = 0; r < tracked_.size(); ++r) {
        Displacements::Sums its;
        std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(r * its.size()), its.size(), its.begin());
        tracked(r)[k].load(std::span(places).subspan(r * size, size), its);
      }
    }
  }

 protected:
  /// Of a replica, by species; at first from its states.
  std::vector<Displacements>& tracked(std::size_t replica) const {
    std::vector<Displacements>& its = tracked_[replica];
    if (its.size() < species_.size()) {
      const auto states = this->states_of(static_cast<int>(replica), 0, static_cast<std::size_t>(box_.sites()));
      for (const TrackedSpecies& one : species_) its.emplace_back(one, box_, states);
    }
    return its;
  }
  using Base::progress_, Base::parameters_, Base::box_, Base::model_;

 private:
  static constexpr const char* unit_of_squares = "length^2";
  /// Whether a measurement at this time is one of those at equal intervals, unlike that at the end of a run.
  bool ends_interval(double time) const {
    const double every = parameters_.track_every;
    return every <= 0 || std::abs(std::remainder(time, every)) <= 1e-9 * every;
  }
  /// All replicas have as many particles.
  std::vector<std::size_t> shape_of(std::size_t k) const {
    for (std::size_t r = 0; r < tracked_.size(); ++r)
      if (tracked(r)[k].size() != tracked(0)[k].size())
        throw InputError("--track " + species_[k].name +
                         ": replicas have different numbers of particles; use a number or a "
                         "part of the sites in [Initial], and no probability");
    return {tracked_.size(), tracked(0)[k].size(), Displacements::numbers};
  }

  std::vector<TrackedSpecies> species_;
  mutable std::vector<std::vector<Displacements>> tracked_;  ///< [replicas, species]
};

}  // namespace tessera::kmc::space
