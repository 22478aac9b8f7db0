// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Displacements of the particles of a species in a periodic lattice, without wrapping. In a steady state with the
/// diffusion coefficient D in d dimensions the mean squared displacement in a time w is 2 d D w + b, where b is
/// constant once w is longer than the memory of the hops, and the mean product of the displacements in successive
/// intervals w is -b / 2. The correlation factor is the ratio of 2 d D w to the mean sum of the squared lengths of the
/// hops (J. Bardeen and C. Herring, 1951).
class Displacements {
 public:
  using Cell = std::array<int, 3>;  ///< through all periodic images; or an offset of cells
  static constexpr std::size_t places = 3, numbers = 4 * places;  ///< of a particle in save()
  /// Over the particles and the intervals so far, in the squared unit of TrackedSpecies::sides.
  enum Sum { squared_displacement, successive_displacements, squared_hops, sums };
  using Sums = std::array<double, sums>;
  static constexpr std::array<const char*, sums> names{"squared_displacement_", "successive_displacements_",
                                                       "squared_hops_"};  ///< of observables, before the species

  /// In a lattice with these sides and states [nz, ny, nx].
  template <class State>
  Displacements(const TrackedSpecies& species, const Cell& sides, const std::vector<State>& states)
      : species_(species), sides_(sides), particle_at_(states.size() * species.sites.size(), -1) {
    Cell at{};
    for (const State state : states) {
      for (std::uint32_t s = 0; s < species.sites.size(); ++s)
        if (species.sites[s].holds(state)) {
          const Place place{at, s};
          particle_at_[index_of(place)] = static_cast<std::int32_t>(particles_.size());
          particles_.push_back({place, place, place});
        }
      for (std::size_t axis = 0; axis < 3 && ++at[axis] == sides[axis]; ++axis) at[axis] = 0;
    }
  }

  /// Bytes of a cell of the lattice, which is in this state.
  static std::size_t bytes_of_cell(const TrackedSpecies& species, std::int64_t state) {
    std::size_t bytes = 0;
    for (const TrackedSpecies::Site& site : species.sites)
      bytes += sizeof(particle_at_[0]) + (site.holds(state) ? sizeof(Particle) : 0);
    return bytes;
  }

  std::size_t size() const { return particles_.size(); }     ///< number of particles
  const std::string& name() const { return species_.name; }  ///< of the species
  const Sums& all_sums() const { return sums_; }             ///< by Sum, over the intervals that have ended

  /// The state of a cell changes in an event, at this offset from the event's cell.
  void change(std::size_t cell, const Cell& by, std::int64_t before, std::int64_t after) {
    for (std::uint32_t s = 0; s < species_.sites.size(); ++s) {
      const bool was = species_.sites[s].holds(before), is = species_.sites[s].holds(after);
      if (was && !is) from_ = {by, s, cell * species_.sites.size() + s, true};
      if (!was && is) to_ = {by, s, cell * species_.sites.size() + s, true};
    }
  }
  /// After all changes of an event, which moves at most one particle.
  void end_event() {
    if (from_.is_given && to_.is_given) {
      const std::int32_t number = particle_at_[to_.index] = std::exchange(particle_at_[from_.index], -1);
      Place& now = particles_[static_cast<std::size_t>(number)][0];
      Place next{now.cell, to_.site};
      for (std::size_t axis = 0; axis < 3; ++axis) next.cell[axis] += to_.by[axis] - from_.by[axis];
      sums_[squared_hops] += product(between(now, next), between(now, next));
      now = next;
    }
    from_.is_given = to_.is_given = false;
  }
  /// The sums at a measurement, which `ends` the interval or is within it.
  Sums measured(bool ends) {
    Sums all = sums_;
    for (Particle& one : particles_) {
      const Vector last = between(one[1], one[0]);
      all[squared_displacement] += product(last, last);
      all[successive_displacements] += product(between(one[2], one[1]), last);
      if (ends) one = {one[0], one[0], one[1]};
    }
    if (ends) sums_ = all;
    return all;
  }

  /// Cell and site of each particle now, and at the begin of this interval and of the one before, [particles, numbers].
  std::vector<std::int32_t> save() const {
    std::vector<std::int32_t> all;
    for (const Particle& one : particles_)
      for (const auto& [cell, site] : one)
        all.insert(all.end(), {cell[0], cell[1], cell[2], static_cast<std::int32_t>(site)});
    return all;
  }
  /// Continues from save(), with the states of the constructor, and the sums. Throws InputError if a value is
  /// impossible.
  void load(std::span<const std::int32_t> saved, const Sums& sums_so_far) {
    std::vector<std::int32_t> found(particle_at_.size(), -1);
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      bool is_place = true;
      for (std::size_t k = 0; k < places; ++k, saved = saved.subspan(4)) {
        particles_[i][k] = {{saved[0], saved[1], saved[2]}, static_cast<std::uint32_t>(saved[3])};
        is_place &= particles_[i][k].site < species_.sites.size();
      }
      const std::size_t index = index_of(particles_[i][0]);
      if (!is_place || particle_at_[index] < 0 || found[index] >= 0)
        refuse_loaded("tracked", "particle " + std::to_string(i) + " must be at a site of its own with its species");
      found[index] = static_cast<std::int32_t>(i);
    }
    if (!std::ranges::all_of(sums_so_far, [](double one) { return std::isfinite(one); }))
      refuse_loaded("tracked_sums", "it must be finite");
    particle_at_ = std::move(found);
    sums_ = sums_so_far;
  }

 private:
  struct Place {
    Cell cell;
    std::uint32_t site;
  };
  using Particle = std::array<Place, places>;
  /// Of an event.
  struct End {
    Cell by;
    std::uint32_t site;
    std::size_t index;
    bool is_given;
  };

  using Vector = std::array<double, 3>;
  static double product(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  Vector between(const Place& a, const Place& b) const {
    const Vector &from = species_.sites[a.site].position, &to = species_.sites[b.site].position;
    Vector distance{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double along = b.cell[k] - a.cell[k] + to[k] - from[k];
      for (std::size_t axis = 0; axis < 3; ++axis) distance[axis] += along * species_.sides[k][axis];
    }
    return distance;
  }

  /// Of a place in particle_at_.
  std::size_t index_of(const Place& place) const {
    std::size_t cell = 0;
    for (std::size_t axis = 3; axis-- > 0;) {
      const int side = sides_[axis], inside = (place.cell[axis] % side + side) % side;
      cell = cell * static_cast<std::size_t>(side) + static_cast<std::size_t>(inside);
    }
    return cell * species_.sites.size() + place.site;
  }

  TrackedSpecies species_;
  Cell sides_;
  std::vector<std::int32_t> particle_at_;  ///< number of the particle, or -1 [cells, sites]
  std::vector<Particle> particles_;
  End from_{}, to_{};
  Sums sums_{};
};

}  // namespace tessera::kmc
