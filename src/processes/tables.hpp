// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/kmc/model.hpp>
#include <vector>

namespace tessera::processes {

/// Number of cells in a neighbourhood, a cell (0) and neighbours k of kmc::Neighbourhood (k + 1), and number of those
/// that an event may change.
constexpr std::size_t most_cells = 13, most_changed = 9;

/// Possible outcome of an event in a cell: new states of the cell and of its neighbours.
struct Outcome {
  std::uint64_t threshold = ~std::uint64_t{0};  ///< largest 64-bit random number for which it is chosen
  std::int8_t states[most_changed] = {};        ///< new states of the cells that change, by cell
  std::uint16_t changed = 0;                    ///< bit k: cell k changes
  std::int32_t group = -1;                      ///< process, whose events are counted; -1: none

  bool operator==(const Outcome&) const = default;
};
static_assert(sizeof(Outcome) == 24);

/// Contribution of a site to the state of a cell at time 0, for cells whose rank in a random order is below a fraction
/// of their number. The entries of a site follow each other.
struct Start {
  double below = 1;
  std::uint32_t site = 0;
  std::int32_t state = 0;
};

/// Part of a configuration that is counted: a cell has one of some states.
struct alignas(16) ObservedCell {
  std::uint64_t states[2] = {0, 0};  ///< bit i % 64 of word i / 64: the cell may have state i
  std::int32_t cell = 0;             ///< 0: the cell itself; k + 1: neighbour k of eight
  std::int32_t ends = 0;             ///< 1: last cell of an orientation; 2: and last orientation of the configuration

  void allow(int state) { states[state / 64] |= std::uint64_t{1} << state % 64; }
  KOKKOS_FORCEINLINE_FUNCTION bool allows(std::int8_t state) const {
    const auto bit = static_cast<unsigned>(state);
    return (states[bit / 64] >> bit % 64 & 1u) != 0;
  }
};
static_assert(sizeof(ObservedCell) == 32);

/// A model as tables over all neighbourhoods of a cell. The number of a neighbourhood is the sum of state times stride.
struct Tables {
  int states = 0;      ///< number of states of a cell
  int neighbours = 4;  ///< 4, 8 or 12; with 8 events may change all of them, otherwise one of the nearest
  std::array<std::int32_t, most_cells> strides{};  ///< by cell; 0: no rate depends on it
  std::vector<double> rate;                        ///< total rate of the cell's processes, by neighbourhood
  std::vector<std::uint32_t> first;  ///< index of the first outcome, by neighbourhood; several may share outcomes
  std::vector<Outcome> outcomes;     ///< outcome 0: no event
  std::vector<Start> start;
  std::vector<std::string> observables;       ///< names of the coverages and of the numbers of configurations
  std::vector<ObservedCell> observed;         ///< the configurations that are counted, one observable after the other
  std::vector<std::uint32_t> first_observed;  ///< index of the first cell, by observable
  std::vector<kmc::ClusterKind> clusters;
  std::vector<ObservedCell> members;        ///< states in which a site is occupied, by kind of clusters and site
  std::vector<kmc::CountedEvents> counted;  ///< events of the processes, and turnovers

  std::size_t bytes() const {
    return rate.size() * (2 * sizeof(double) + sizeof(std::uint32_t)) +
           outcomes.size() * (neighbours == 8 ? sizeof(Outcome) : 16) + start.size() * sizeof(Start) +
           (observed.size() + members.size()) * sizeof(ObservedCell);
  }
};

}  // namespace tessera::processes
