// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/kmc/model.hpp>

#include "processes/tables.hpp"

/// Outcomes of events as the tables of a model have them, of the smallest size for what its events may change.
namespace tessera::processes {

/// An outcome that changes at most the cell and one of four neighbours.
struct alignas(16) PairOutcome {
  explicit PairOutcome(const Outcome& of) : threshold(of.threshold), centre(of.states[0]), changed(of.changed & 1u) {
    for (unsigned k = 1; k < most_changed; ++k)
      if ((of.changed >> k & 1u) != 0) {
        beside = of.states[k];
        direction = static_cast<std::uint8_t>(k - 1);
        changed |= 2u;
      }
    group = of.group;
  }
  KOKKOS_FORCEINLINE_FUNCTION kmc::Event<std::int8_t> result() const {
    return {.centre = centre,
            .beside = beside,
            .direction = direction,
            .changes_centre = (changed & 1u) != 0,
            .changes_beside = (changed & 2u) != 0,
            .group = group};
  }

  std::uint64_t threshold;
  std::int8_t centre, beside = 0;
  std::uint8_t direction = 0, changed;
  std::int32_t group = -1;
};
static_assert(sizeof(PairOutcome) == 16);

/// An outcome that changes any cells of a neighbourhood.
struct SquareOutcome {
  explicit SquareOutcome(const Outcome& of) : threshold(of.threshold), changed(of.changed), group(of.group) {
    std::copy_n(of.states, most_changed, states);
  }
  KOKKOS_FORCEINLINE_FUNCTION kmc::Changes<std::int8_t, 8> result() const {
    return {
        .states = {states[0], states[1], states[2], states[3], states[4], states[5], states[6], states[7], states[8]},
        .changed = changed,
        .group = group};
  }

  std::uint64_t threshold;
  std::int8_t states[most_changed];
  std::uint16_t changed;
  std::int32_t group;
};
static_assert(sizeof(SquareOutcome) == 24);

/// An outcome with a list (Tables::lists).
struct ListedOutcome {
  explicit ListedOutcome(const Outcome& of) : threshold(of.threshold), list(of.list), group(of.group) {}

  std::uint64_t threshold;
  std::uint32_t list;
  std::int32_t group;
};

}  // namespace tessera::processes
