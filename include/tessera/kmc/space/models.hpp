// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/space/lattices.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <vector>

/// Models in three dimensions.
///
/// The rate of a cell depends on its kind, a number below M::kinds, at most 16, that follows from its state and those
/// of its nearest neighbours. States are numbers below model.states(), at most 2^state_bits. An event changes the
/// cell's state, to next(state, random); or, if M::moves, exchanges the states of the cell and of the neighbour
/// direction(at, random). docs/writing_a_model.md has an example.
namespace tessera::kmc::space {

/// A model by kinds. `at(k)` is the state of neighbour k, `random` 64 random bits.
template <class M>
concept HasKinds = requires(const M& model, int state, std::uint64_t random, int (&at)(int)) {
  { M::kinds } -> std::convertible_to<int>;
  { model.rate(0) } -> std::same_as<double>;  // of a kind, on the host
  { model.kind(state, at) } -> std::same_as<int>;
  { model.bond(state, state) } -> std::same_as<int>;  // what a pair of neighbours adds to the energy
  // At time 0; `rank` of the cell, then the number of cells: in a random order if M::moves.
  { model.initial(random, random, random) } -> std::same_as<int>;
};

inline constexpr int most_kept_sums = 64;  ///< for a cell, by tiles
inline constexpr std::size_t bytes_of_records = std::size_t{1} << 28;  ///< of the events of tiles, about

/// A model whose events change and affect any cells, in lists, with sums that it keeps for each cell (kmc::KeepsSums).
/// Its offsets are those of from_row().
template <class M>
concept ListsChanges = requires(const M& model, KeptSums sums, Stream stream, std::uint32_t site, std::uint64_t seed) {
  { model.kept_sums() } -> std::same_as<int>;
  { model.rate(sums) } -> std::same_as<double>;
  { model.largest_rate() } -> std::same_as<double>;
  { model.event(sums, stream) } -> std::same_as<ListedChanges<std::uint8_t>>;
  { model.initial_at(site, seed) } -> std::same_as<int>;  // at time 0
  { model.acts(0) } -> std::same_as<bool>;                // whether a cell in this state may have an event
  { model.farthest_read() } -> std::same_as<int>;  // largest distance along an axis of cells that a rate depends on
  { model.farthest_concerned() } -> std::same_as<int>;  // of cells whose rates an event may change, likewise
  { model.most_concerned() } -> std::same_as<int>;        // their largest number
  { model.bits() } -> std::same_as<int>;                  // of a state: 1, 2, 4 or 8
  { model.start_state() } -> std::same_as<std::int64_t>;  // that of most cells
};

/// A model.
template <class M>
concept Model = requires(const M& model, int state) {
  typename M::Lattice;
  { M::state_bits } -> std::convertible_to<int>;
  { M::moves } -> std::convertible_to<bool>;
  { model.states() } -> std::same_as<int>;
  { M::shown(state) } -> std::same_as<int>;  // in fields
  { M::state_name } -> std::convertible_to<const char*>;
}
&&(HasKinds<M> || ListsChanges<M>);

/// Whether a cell in this state may have an event.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION bool may_act([[maybe_unused]] const M& model, [[maybe_unused]] int state) {
  if constexpr (ListsChanges<M>)
    return model.acts(state);
  else
    return true;
}

/// Number of neighbours for which is(state of the neighbour) holds.
template <class Lattice, class At, class Is>
KOKKOS_FORCEINLINE_FUNCTION int count_neighbours(const At& at, const Is& is) {
  int count = 0;
  for (int k = 0; k < Lattice::neighbours; ++k) count += is(at(k)) ? 1 : 0;
  return count;
}

/// The Ising model with single spin flips at the rate k_0 exp(-K s sum s'), as kmc::Ising; state 0 is the spin -1.
template <class L>
class Ising {
 public:
  using Lattice = L;                                 ///< of the sites
  static constexpr int kinds = L::neighbours + 1;    ///< the number of parallel neighbours
  static constexpr int state_bits = 2;               ///< of a word
  static constexpr bool moves = false;               ///< see above
  static constexpr const char* state_name = "spin";  ///< of fields
  static constexpr const char* order_names[] = {"magnetisation_abs", "magnetisation_2", "magnetisation_4"};  ///< powers

  /// coupling: K. magnetisation: mean spin at time 0, -1 to 1. Initial spins are independent.
  explicit Ising(double coupling, double magnetisation = 1)
      : coupling_(coupling), up_below_(threshold_of((1 + magnetisation) / 2)) {}

  int states() const { return 2; }                                                               ///< their number
  double rate(int kind) const { return portable_exp(-coupling_ * (2 * kind - L::neighbours)); }  ///< of a kind
  /// Number of neighbours in the same state.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION int kind(int state, const At& at) const {
    const int up = count_neighbours<L>(at, [](int other) { return other != 0; });
    return state != 0 ? up : L::neighbours - up;
  }
  KOKKOS_FORCEINLINE_FUNCTION int next(int state, std::uint64_t) const { return 1 - state; }  ///< the flipped spin
  KOKKOS_FORCEINLINE_FUNCTION int initial(std::uint64_t random, std::uint64_t, std::uint64_t) const {  ///< at time 0
    return random <= up_below_ ? 1 : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION int bond(int a, int b) const { return a == b ? -1 : 1; }  ///< -s s'
  static int shown(int state) { return 2 * state - 1; }                                 ///< the spin
  double coupling() const { return coupling_; }                                         ///< K
  Ising phase(bool ordered) const { return Ising(coupling_, ordered ? 1 : 0); }         ///< that begins in this phase

 private:
  double coupling_;
  std::uint64_t up_below_;
};

/// The Potts model with q states and the energy -J sum delta(s, s'): a cell changes to each of the q - 1 other states
/// at the rate k_0 exp(-K n), where n is the number of its neighbours in its present state.
template <class L>
class Potts {
 public:
  using Lattice = L;                                                             ///< of the sites
  static constexpr int kinds = L::neighbours + 1;                                ///< n
  static constexpr int state_bits = 8;                                           ///< of a word
  static constexpr bool moves = false;                                           ///< see above
  static constexpr const char* state_name = "state";                             ///< of fields
  static constexpr const char* order_names[] = {"order", "order_2", "order_4"};  ///< likewise

  /// coupling: K = J / (k_B T). states: q, 2 to 255. Initial states are independent: 0 with the fraction f of which
  /// `order` is (q f - 1) / (q - 1), the others with equal fractions.
  Potts(double coupling, int states, double order = 1)
      : coupling_(coupling), states_(states), zero_below_(threshold_of((1 + (states - 1) * order) / states)) {}

  int states() const { return states_; }                                                   ///< q
  double rate(int kind) const { return (states_ - 1) * portable_exp(-coupling_ * kind); }  ///< to all other states
  /// n.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION int kind(int state, const At& at) const {
    return count_neighbours<L>(at, [&](int other) { return other == state; });
  }
  /// One of the other states, each with the same probability.
  KOKKOS_FORCEINLINE_FUNCTION int next(int state, std::uint64_t random) const {
    return (state + 1 + below(random, states_ - 1)) % states_;
  }
  KOKKOS_FORCEINLINE_FUNCTION int initial(std::uint64_t random, std::uint64_t, std::uint64_t) const {  ///< at time 0
    return random <= zero_below_ ? 0 : 1 + below(second_random(random), states_ - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int bond(int a, int b) const { return a == b ? -1 : 0; }    ///< -delta(s, s')
  static int shown(int state) { return state; }                                           ///< itself
  double coupling() const { return coupling_; }                                           ///< K
  Potts phase(bool ordered) const { return Potts(coupling_, states_, ordered ? 1 : 0); }  ///< likewise

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int below(std::uint64_t random, int count) {
    return static_cast<int>(((random >> 32) * static_cast<std::uint64_t>(count)) >> 32);
  }
  double coupling_;
  int states_;
  std::uint64_t zero_below_;
};

/// A lattice gas: a particle with n occupied neighbours hops to each of its empty neighbours at the rate k_0 exp(-E n),
/// as kmc::Hopping. The rates obey detailed balance with the energy -E k_B T per pair of occupied neighbours.
template <class L>
class Hopping {
 public:
  using Lattice = L;                                       ///< of the sites
  static constexpr int kinds = L::neighbours + 2;          ///< n of a particle; the last one of an empty cell
  static constexpr int state_bits = 2;                     ///< of a word
  static constexpr bool moves = true;                      ///< see above
  static constexpr const char* state_name = "occupation";  ///< of fields

  /// attraction: E. coverage: of the initial state, which has the nearest whole number of particles at random places.
  explicit Hopping(double attraction, double coverage = 0.5) : attraction_(attraction), coverage_(coverage) {}

  int states() const { return 2; }  ///< empty and occupied
  double rate(int kind) const {     ///< of all hops
    return kind < L::neighbours ? (L::neighbours - kind) * portable_exp(-attraction_ * kind) : 0;
  }
  /// n, or that of an empty cell.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION int kind(int state, const At& at) const {
    return state != 0 ? occupied(at) : kinds - 1;
  }
  /// One of the empty neighbours, each with the same probability.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION int direction(const At& at, std::uint64_t random) const {
    const auto free = static_cast<std::uint64_t>(L::neighbours - occupied(at));
    int which = static_cast<int>(((random >> 32) * free) >> 32), chosen = 0;
    for (int k = 0; k < L::neighbours; ++k) {
      const bool is_free = at(k) == 0;
      chosen = is_free && which == 0 ? k : chosen;
      which -= is_free ? 1 : 0;
    }
    return chosen;
  }
  /// `rank`: of the cell in a random order of all `cells`.
  KOKKOS_FORCEINLINE_FUNCTION int initial(std::uint64_t, std::uint64_t rank, std::uint64_t cells) const {
    return rank < static_cast<std::uint64_t>(coverage_ * static_cast<double>(cells) + 0.5) ? 1 : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION int bond(int a, int b) const { return a & b; }  ///< 1 for a pair of particles
  static int shown(int state) { return state; }                               ///< 1: occupied
  Hopping phase(bool) const { return *this; }                                 ///< likewise

 private:
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION static int occupied(const At& at) {
    return count_neighbours<L>(at, [](int other) { return other != 0; });
  }
  double attraction_, coverage_;
};

/// The largest rate of a cell.
template <Model M>
double largest_rate(const M& model) {
  double largest = 0;
  if constexpr (ListsChanges<M>)
    return model.largest_rate();
  else
    for (int kind = 0; kind < M::kinds; ++kind) largest = model.rate(kind) > largest ? model.rate(kind) : largest;
  return largest;
}

/// State of a site at time 0. `seed`: of the replica; `in_planes`: the particles are at the first sites.
template <Model M>
KOKKOS_FUNCTION int initial_state(const M& model, std::uint64_t seed, std::uint64_t site, std::uint64_t sites,
                                  bool in_planes = false) requires HasKinds<M> {
  const bool at_random = M::moves && !in_planes;
  const std::uint64_t rank = at_random ? permuted(site, sites, hash(seed, 0, Purpose::kmc_initial_state)) : site;
  return model.initial(hash(seed, site, Purpose::kmc_initial_state), rank, sites);
}

template <ListsChanges M>
KOKKOS_FUNCTION int initial_state(const M& model, std::uint64_t seed, std::uint64_t site, std::uint64_t /*sites*/) {
  return model.initial_at(static_cast<std::uint32_t>(site), seed);
}

/// Cells that draw new waiting times after an event: the cell, the neighbour with which it exchanges its state, and
/// their other neighbours.
template <Model M>
struct Concerned {
  using L = typename M::Lattice;                                   ///< of the sites
  static constexpr int directions = M::moves ? L::neighbours : 1;  ///< of events
  /// Largest number of cells.
  static constexpr int most = M::moves ? 2 * L::neighbours : 1 + L::neighbours;
  std::array<Offset, most> offsets{};  ///< of the cells, the event's first, then that of the neighbour
  int count = 0;                       ///< number of cells

  /// Of events in this direction in a cell of this parity.
  constexpr Concerned(int parity, int direction) {
    add({0, 0, 0});
    const Offset to = L::offset(direction, parity);
    if (M::moves) add(to);
    for (int k = 0; k < L::neighbours; ++k) add(L::offset(k, parity));
    // A neighbour may have the other parity.
    const int parity_there = L::parity(0, to.y, to.z) ^ parity;
    for (int k = 0; M::moves && k < L::neighbours; ++k) {
      const Offset next = L::offset(k, parity_there);
      add({to.x + next.x, to.y + next.y, to.z + next.z});
    }
  }

 private:
  constexpr void add(const Offset& cell) {
    for (int i = 0; i < count; ++i)
      if (offsets[static_cast<std::size_t>(i)] == cell) return;
    offsets[static_cast<std::size_t>(count++)] = cell;
  }
};

/// The offsets of all directions, for cells of each parity, in one number each: dx + 256 dy + 65536 dz.
template <Model M>
std::vector<std::int32_t> packed_offsets() {
  std::vector<std::int32_t> all;
  for (int parity = 0; parity < M::Lattice::parities; ++parity)
    for (int direction = 0; direction < Concerned<M>::directions; ++direction) {
      const Concerned<M> around(parity, direction);
      for (int i = 0; i < around.count; ++i) {
        const Offset& by = around.offsets[static_cast<std::size_t>(i)];
        all.push_back(by.x + by.y * 256 + by.z * 65536);
      }
    }
  return all;
}

}  // namespace tessera::kmc::space
