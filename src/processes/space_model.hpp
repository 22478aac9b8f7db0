// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <tessera/kmc/space/models.hpp>

#include "processes/table_model.hpp"

namespace tessera::processes {

/// Largest distances along an axis of the cells on which a rate depends, and of those whose rates an event changes;
/// largest number of the latter; bits of a state, 1, 2, 4 or 8.
struct ReachInSpace {
  int reads = 0, concerns = 0, most_concerned = 0, bits = 1;

  explicit ReachInSpace(const Tables& all) {
    const auto reach = [](int& most, int x, int row) {
      const kmc::space::Offset by = kmc::space::from_row(x, row);
      most = std::max({most, std::abs(by.x), std::abs(by.y), std::abs(by.z)});
    };
    for (const TableEntry& one : all.entries) reach(reads, one.dx, one.dy);
    for (const JointBit& one : all.bits) reach(reads, one.dx, one.dy);
    for (const kmc::Offset& one : all.concerned) reach(concerns, one.dx, one.dy);
    for (const OutcomeList& one : all.lists) most_concerned = std::max(most_concerned, one.count);
    for (const TableDigit& one : all.digits)
      while (one.weight * one.base > std::int64_t{1} << bits) bits *= 2;
  }
};

/// A model from a file in three dimensions (kmc::space::ListsChanges), with constant rates. Unit cells are the sites of
/// an array.
class SpaceModel : public TableModelOf<TableForm::space, false> {
 public:
  using Lattice = kmc::space::SimpleCubic;  ///< of the unit cells
  static constexpr int state_bits = 8;      ///< of a word
  static constexpr bool moves = false;      ///< as a kind of its own
  static constexpr const char* state_name = "state";

  /// `nx`, `rows`: unit cells along x, and rows of all planes.
  SpaceModel(const Tables& all, int nx, int rows, UsedOn used_on = UsedOn::both)
      : TableModelOf(all, used_on), nx_(nx), rows_(rows), reach_(all) {
    for (std::size_t state = 0; state < all.acting.size(); ++state)
      acting_[state / 64] |= std::uint64_t{all.acting[state]} << state % 64;
  }

  int states() const { return 1 << state_bits; }                                  ///< possible or not
  KOKKOS_FUNCTION int initial_at(std::uint32_t site, std::uint64_t seed) const {  ///< at time 0
    const auto nx = static_cast<std::uint32_t>(nx_);
    return initial({static_cast<int>(site % nx), static_cast<int>(site / nx), nx_, rows_, seed, 0});
  }
  KOKKOS_FORCEINLINE_FUNCTION int farthest_read() const { return reach_.reads; }          ///< of ReachInSpace
  KOKKOS_FORCEINLINE_FUNCTION int farthest_concerned() const { return reach_.concerns; }  ///< likewise
  KOKKOS_FORCEINLINE_FUNCTION int most_concerned() const { return reach_.most_concerned; }
  KOKKOS_FORCEINLINE_FUNCTION int bits() const { return reach_.bits; }
  /// Whether a cell in this state may have an event.
  KOKKOS_FORCEINLINE_FUNCTION bool acts(int state) const { return (acting_[state >> 6] >> (state & 63) & 1) != 0; }
  static int shown(int state) { return state; }

 private:
  int nx_, rows_;
  ReachInSpace reach_;
  std::uint64_t acting_[4] = {};  ///< bits
};

}  // namespace tessera::processes
