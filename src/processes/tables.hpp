// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::processes {

/// What an event may do to a cell and one of its neighbours.
struct alignas(16) Outcome {
  std::uint64_t threshold = ~std::uint64_t{0};  ///< it happens to 64 random bits up to this that no earlier one takes
  std::int8_t centre = 0, beside = 0;           ///< new states
  std::uint8_t direction = 0;                   ///< number of the neighbour
  std::uint8_t flags = 0;                       ///< of the following
  std::uint32_t process = 0;                    ///< number of the process in the file
  static constexpr std::uint8_t changes_centre = 1, changes_beside = 2, is_counted = 4;
};
static_assert(sizeof(Outcome) == 16);

/// Of a site: what it adds to the state of a cell at time 0, in the cells whose number in a random order of them is
/// below a part of all. Those of a site follow each other.
struct Start {
  double below = 1;
  std::uint32_t site = 0;
  std::int32_t state = 0;
};

/// A model of processes as tables of all neighbourhoods: of a cell (0) and its neighbours west, east, south and north
/// (1 to 4). The number of a neighbourhood is the sum of state times stride.
struct Tables {
  int states = 0;                       ///< of a cell
  std::array<std::int32_t, 5> strides;  ///< 0: no rate depends on this neighbour
  std::vector<double> rate;             ///< sum of the rates of the cell's processes, by the neighbourhood's number
  std::vector<std::uint32_t> first;     ///< its first outcome
  std::vector<Outcome> outcomes;        ///< the first of all stands for none
  std::vector<Start> start;
  std::vector<std::string> observables;  ///< names: coverages
  std::vector<std::uint64_t> observed;   ///< bit i: the state counts for observable i

  std::size_t bytes() const {
    return rate.size() * (2 * sizeof(double) + sizeof(std::uint32_t)) + outcomes.size() * sizeof(Outcome) +
           start.size() * sizeof(Start) + observed.size() * sizeof(std::uint64_t);
  }
};

}  // namespace tessera::processes
