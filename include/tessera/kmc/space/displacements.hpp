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
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// The particles of a species: the sites of a unit cell that they may occupy.
struct TrackedSpecies {
  /// The species is on the site if state / weight % base is `value`.
  struct Site {
    int weight, base, value;
    std::array<double, 3> position;  ///< in units of the sides of the cell
    bool holds(int state) const { return state / weight % base == value; }
  };
  std::string name;                              ///< of the species
  std::vector<Site> sites;                       ///< of a unit cell
  std::array<std::array<double, 3>, 3> sides{};  ///< of the unit cell, x, y and z of each
};

/// Displacements of the particles of a species in a periodic box, without wrapping. In a steady state with the
/// diffusion coefficient D in d dimensions the mean squared displacement in a time w is 2 d D w + b, where b is
/// constant once w is longer than the memory of the hops, and the mean product of the displacements in successive
/// intervals w is -b / 2. The correlation factor is the ratio of 2 d D w to the mean sum of the squared lengths of the
/// hops (J. Bardeen and C. Herring, 1951).
class Displacements {
 public:
  static constexpr std::size_t places = 3, numbers = 4 * places;  ///< of a particle in save()
  /// Over the particles and the intervals so far, in the squared unit of TrackedSpecies::sides.
  enum Sum { squared_displacement, successive_displacements, squared_hops, sums };
  using Sums = std::array<double, sums>;
  static constexpr std::array<const char*, sums> names{"squared_displacement_", "successive_displacements_",
                                                       "squared_hops_"};  ///< of observables, before the species

  Displacements(const TrackedSpecies& species, const Box& box, std::span<const std::uint8_t> states)
      : species_(species), box_(box), particle_at_(states.size() * species.sites.size(), -1) {
    for (std::uint32_t cell = 0; cell < states.size(); ++cell)
      for (std::size_t s = 0; s < species.sites.size(); ++s)
        if (species.sites[s].holds(states[cell])) {
          particle_at_[cell * species.sites.size() + s] = static_cast<std::int32_t>(particles_.size());
          const Place place{box.at(cell), s};
          particles_.push_back({place, place, place});
        }
  }

  std::size_t size() const { return particles_.size(); }     ///< number of particles
  const std::string& name() const { return species_.name; }  ///< of the species
  const Sums& all_sums() const { return sums_; }             ///< by Sum, over the intervals that have ended

  /// The state of a cell changes in an event, at this offset from the event's cell.
  void change(std::uint32_t cell, const Offset& by, int before, int after) {
    for (std::size_t s = 0; s < species_.sites.size(); ++s) {
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
      const Place next{
          {now.cell.x + to_.by.x - from_.by.x, now.cell.y + to_.by.y - from_.by.y, now.cell.z + to_.by.z - from_.by.z},
          to_.site};
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
        all.insert(all.end(), {cell.x, cell.y, cell.z, static_cast<std::int32_t>(site)});
    return all;
  }
  /// Continues from save(), with the states of the constructor, and the sums. Throws InputError if a value is
  /// impossible.
  void load(std::span<const std::int32_t> saved, const Sums& sums_so_far) {
    const std::size_t sites = species_.sites.size();
    std::vector<std::int32_t> found(particle_at_.size(), -1);
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      bool is_place = true;
      for (std::size_t k = 0; k < places; ++k, saved = saved.subspan(4)) {
        particles_[i][k] = {{saved[0], saved[1], saved[2]}, static_cast<std::size_t>(saved[3])};
        is_place &= particles_[i][k].site < sites;
      }
      const auto inside = [&](int at, int axis) {
        return (at % box_.sides[axis] + box_.sides[axis]) % box_.sides[axis];
      };
      const auto& [cell, site] = particles_[i][0];
      const std::size_t index = box_.site(inside(cell.x, 0), inside(cell.y, 1), inside(cell.z, 2)) * sites + site;
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
  /// A site; cells are counted through all periodic images.
  struct Place {
    Offset cell;
    std::size_t site;
  };
  using Particle = std::array<Place, places>;
  /// Of an event.
  struct End {
    Offset by;
    std::size_t site, index;
    bool is_given;
  };

  using Vector = std::array<double, 3>;
  static double product(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  Vector between(const Place& a, const Place& b) const {
    const Vector &from = species_.sites[a.site].position, &to = species_.sites[b.site].position;
    const Vector along{b.cell.x - a.cell.x + to[0] - from[0], b.cell.y - a.cell.y + to[1] - from[1],
                       b.cell.z - a.cell.z + to[2] - from[2]};
    Vector distance{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t k = 0; k < 3; ++k) distance[axis] += along[k] * species_.sides[k][axis];
    return distance;
  }

  TrackedSpecies species_;
  Box box_;
  std::vector<std::int32_t> particle_at_;  ///< number of the particle, or -1 [cells, sites]
  std::vector<Particle> particles_;
  End from_{}, to_{};
  Sums sums_{};
};

/// Changes the states of a box by an event of a site, and moves the particles.
inline void change_states(const ListedChanges<std::uint8_t>& event, const Box& box, std::uint32_t site,
                          std::span<std::uint8_t> states, std::span<Displacements> tracked) {
  const Offset cell = box.at(site);
  for (int i = 0; i < event.changed; ++i) {
    const Offset by = from_row(event.changes[i].at.dx, event.changes[i].at.dy);
    const std::uint32_t changed = box.site(cell, by);
    const int before = states[changed];
    states[changed] = static_cast<std::uint8_t>(before + event.changes[i].difference);
    for (Displacements& one : tracked) one.change(changed, by, before, states[changed]);
  }
  for (Displacements& one : tracked) one.end_event();
}

}  // namespace tessera::kmc::space
