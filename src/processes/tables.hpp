// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <vector>

#include "processes/rates.hpp"

namespace tessera::processes {

/// Number of cells in a neighbourhood, the cell (0) and 12 neighbours.
constexpr std::size_t most_cells = 13;

/// Possible outcome of an event in a cell.
struct alignas(16) Outcome {
  std::uint64_t threshold = ~std::uint64_t{0};  ///< largest 64-bit random number for which it is chosen
  std::uint32_t change = 0;                     ///< index in Tables::lists; of pairs of_pair()
  std::int32_t group = -1;                      ///< process, whose events are counted; -1: none

  /// The new states of the cell and of neighbour `direction`, of which bits 0 and 1 of `changed` tell that they change.
  static std::uint32_t of_pair(std::int64_t centre, std::int64_t beside, std::size_t direction, unsigned changed) {
    return static_cast<std::uint8_t>(centre) | std::uint32_t{static_cast<std::uint8_t>(beside)} << 8 |
           static_cast<std::uint32_t>(direction) << 16 | changed << 24;
  }
  /// The event that these define.
  KOKKOS_FORCEINLINE_FUNCTION kmc::Event<std::int8_t> pair() const {
    return {.centre = static_cast<std::int8_t>(change),
            .beside = static_cast<std::int8_t>(change >> 8),
            .direction = static_cast<int>(change >> 16 & 0xffu),
            .changes_centre = (change >> 24 & 1u) != 0,
            .changes_beside = (change >> 24 & 2u) != 0,
            .group = group};
  }
  bool operator==(const Outcome&) const = default;
};

/// A group of processes with its table of rates and outcomes by the number of a neighbourhood, bits of a TableSum.
struct TableGroup {
  std::uint32_t begin = 0, end = 0;  ///< its numbers
  std::uint32_t shift = 0, mask = 0;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(std::uint64_t sum) const {
    return begin + (static_cast<std::uint32_t>(sum >> shift) & mask);
  }
};
/// A sum over entries and joint tables, with the numbers of several groups.
struct TableSum {
  std::uint32_t first_entry = 0, end_entry = 0, first_joint = 0, end_joint = 0, first_group = 0, end_group = 0;
};
/// Part of the state of the cell at an offset, and what its values add to a sum.
struct TableEntry {
  std::int8_t dx, dy;
  std::uint8_t shift, mask;
  std::uint32_t weights;  ///< index of the first one in Tables::weights

  template <class State>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t value(State state) const {
    return static_cast<std::uint32_t>(state >> shift) & mask;
  }
};
/// Tables over the joint values of several sites. A bit of one of two words is set if a site has one of some species;
/// fields of the words are the indices of the tables.
struct JointTables {
  std::uint32_t first_bit = 0, end_bit = 0, first_field = 0, end_field = 0;
};
/// The places in both words of the bit that is set if the part of a state, as in TableEntry, has one of some values.
struct alignas(16) JointBit {
  std::int8_t dx = 0, dy = 0;
  std::uint8_t shift = 0, mask = 0;
  std::uint64_t values = 0;  ///< bit i: value i
  std::uint64_t places[2] = {0, 0};

  template <class State>
  KOKKOS_FORCEINLINE_FUNCTION bool holds(State state) const {
    return (values >> (static_cast<std::uint32_t>(state >> shift) & mask) & 1u) != 0;
  }
};
/// What one of the tables adds to a sum.
struct JointField {
  std::uint32_t weights;  ///< index of the first one in Tables::weights
  std::uint16_t word, shift;
  std::uint32_t mask;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t index(const std::uint64_t* words) const {
    return weights + (static_cast<std::uint32_t>((word == 0 ? words[0] : words[1]) >> shift) & mask);
  }
};

/// What an outcome changes, and the cells that it affects.
struct OutcomeList {
  std::uint32_t changes = 0, concerned = 0;  ///< indices of the first ones
  std::int32_t changed = 0, count = 0;       ///< their numbers
};
/// The site of a unit cell in a state, state / weight % base.
struct TableDigit {
  std::int64_t weight = 1;
  std::int32_t base = 1, species = 1;  ///< the number of species is at most the base
};

/// Distances of the cells that groups of processes depend on and change, for states of up to 31 bits, and of more.
struct GroupReach {
  int reads, writes;
};
constexpr GroupReach near_reach{3, 1}, far_reach{4, 2};

/// Bit that marks the last one in the list of the rates of a neighbourhood's outcomes.
constexpr std::uint32_t last_rate = 1u << 31;

/// Sum of the rates with these numbers.
KOKKOS_INLINE_FUNCTION double total_rate(const std::uint32_t* numbers, const double* rates) {
  double total = rates[*numbers & ~last_rate];
  for (; (*numbers & last_rate) == 0; total += rates[*numbers & ~last_rate]) ++numbers;
  return total;
}

/// Sets the thresholds of the outcomes of a neighbourhood, whose rates have these numbers.
KOKKOS_INLINE_FUNCTION void set_thresholds(const std::uint32_t* numbers, const double* rates, Outcome* outcomes) {
  const double total = total_rate(numbers, rates);
  double sum = rates[*numbers & ~last_rate];
  for (; (*numbers & last_rate) == 0; sum += rates[*numbers & ~last_rate], ++outcomes) {
    // As threshold_of(), which is not for devices.
    outcomes->threshold = sum < total ? static_cast<std::uint64_t>(sum / total * 0x1.0p64) : ~std::uint64_t{0};
    ++numbers;
  }
  outcomes->threshold = ~std::uint64_t{0};
}

/// A row of cells in a region: the number of its cells in the rows before, and the index of what Tables::start_columns
/// has of it: the number of those in the columns before each one and, at last, in all columns.
struct StartRow {
  std::uint64_t before, first;
};

/// Species of a site at time 0 in some cells of a region: those whose rank in a random order is below a fraction of
/// their number plus a number, or, `by_chance`, those with a random number below the fraction. The entries of an order
/// follow each other; the first `choice` for which this holds counts, with all its sites.
struct Start {
  std::uint64_t inside = 0;  ///< number of cells of the region
  std::int32_t rows = -1;    ///< index of its first StartRow; -1: all cells
  double below = 0, number = 0;
  std::uint32_t order = 0;
  std::int32_t choice = 0, by_chance = 0;
  std::int32_t digits = 1, digit = 0;  ///< of the site in a state; its species
  std::int64_t weight = 1;

  KOKKOS_FUNCTION std::uint64_t cells_of(int nx, int ny) const {  // ny: rows of all planes
    return rows < 0 ? static_cast<std::uint64_t>(nx) * static_cast<std::uint64_t>(ny) : inside;
  }
  KOKKOS_FUNCTION bool holds(std::uint64_t rank, std::uint64_t cells) const {
    if (by_chance != 0) return static_cast<double>(rank) < below * 0x1p53;
    return rank <
           static_cast<std::uint64_t>(below * static_cast<double>(cells) + 0.5) + static_cast<std::uint64_t>(number);
  }
};

/// Part of a configuration that is counted: a cell has one of some states, or states with one of some values of a site.
struct alignas(16) ObservedCell {
  std::uint64_t states[2] = {0, 0};     ///< bit i % 64 of word i / 64: the cell may have value i
  std::int64_t weight = 1;              ///< with `ends`: what the orientation adds
  std::int8_t dx = 0, dy = 0;           ///< offset of the cell
  std::int16_t ends = 0;                ///< 1: last cell of an orientation; 2: and last one of the configuration
  std::uint8_t shift = 0, mask = 0x7f;  ///< of the value in a state

  void allow(int value) { states[value / 64] |= std::uint64_t{1} << value % 64; }
  KOKKOS_FORCEINLINE_FUNCTION bool allows(std::int64_t state) const {
    const auto bit = static_cast<unsigned>(state >> shift) & mask;
    return (states[bit / 64] >> bit % 64 & 1u) != 0;
  }
};
static_assert(sizeof(ObservedCell) == 32);

/// What a model of tables has on the host.
struct TableInfo {
  std::vector<TableGroup> groups;        ///< at least one
  std::shared_ptr<Rates> changing;       ///< if rates change with time
  std::string cell;                      ///< sites, species and shape of the unit cell, for io::UnitCell
  std::vector<std::string> observables;  ///< names of the coverages, of the numbers of configurations, and `energy`
  double energy_unit = 0;                ///< of the latter, in eV; 0: there is none
  std::string time_unit;                 ///< ModelFile::time_unit
  std::vector<kmc::ClusterKind> clusters;
  std::vector<kmc::CountedEvents> counted;  ///< events of the processes, and turnovers
};

/// A model as tables over all neighbourhoods of a cell. The number of a neighbourhood is the sum of state times stride;
/// for processes that reach further, and cells of many states, there is a number in each of several groups.
struct Tables : TableInfo {
  std::bitset<256> acting;  ///< in three dimensions, the states of cells that may have an event
  bool in_space = false;    ///< in three dimensions; offsets are (x, row) (kmc::space::from_row)
  int states = 0;           ///< number of states of a cell; 0: the sites have bits of their own in a state
  int neighbours = 4;       ///< 4, 8 or 12; with 8 events may change all of them, otherwise one of the nearest
  std::array<std::int32_t, most_cells> strides{};  ///< by cell; 0: no rate depends on it
  int reads = 0;                                   ///< distance of the cells that groups depend on; 0: no groups
  int reach = 0;                       ///< sum of the largest distances of the cells that groups depend on, and change
  int smallest_side = 0;               ///< of a lattice, with groups
  std::vector<TableSum> sums;          ///< of the groups, in their order
  std::vector<TableEntry> entries;     ///< of the sums
  std::vector<JointTables> joints;     ///< of the sums
  std::vector<JointBit> bits;          ///< of the joint tables
  std::vector<JointField> fields;      ///< likewise
  std::vector<std::uint64_t> weights;  ///< of the entries and the fields
  std::vector<OutcomeList> lists;      ///< of the outcomes, unless of pairs; list 0 changes nothing
  std::vector<kmc::CellChange<std::int64_t>> changes;
  std::vector<kmc::Offset> concerned;
  std::vector<std::uint64_t> differences;  ///< what outcomes add to sums and state [concerned, kept_sums() + 1]
  std::vector<TableDigit> digits;          ///< by site
  std::vector<double> rate;                ///< total rate of the cell's processes, by neighbourhood
  std::vector<std::uint32_t> first;        ///< index of the first outcome, by neighbourhood; several may share outcomes
  std::vector<Outcome> outcomes;           ///< outcome 0: no event
  std::vector<std::uint32_t> numbers;      ///< of the rates of the outcomes, with last_rate, if rates change with time
  std::int64_t start_state = 0;            ///< of a cell whose sites have the species of the file
  std::vector<Start> start;                ///< what [Initial] changes
  std::vector<StartRow> start_rows;        ///< of its regions
  std::vector<std::uint32_t> start_columns;   ///< of the rows
  std::vector<ObservedCell> observed;         ///< the configurations that are counted, one observable after the other
  std::vector<std::uint32_t> first_observed;  ///< index of the first cell, by observable
  std::vector<ObservedCell> members;          ///< states in which a site is occupied, by kind of clusters and site

  /// Whether events change a cell, a neighbour, or both (Outcome::pair()).
  bool of_pairs() const { return reads == 0 && neighbours != 8; }
  /// Largest distance of the cells that an event affects.
  int largest_reach() const { return reads > 0 ? std::max(2, reach) : (neighbours > 8 ? 3 : 2); }

  /// Number of sums that are kept for each cell: of the entries of each TableSum, and the words of its joint tables.
  int kept_sums() const { return static_cast<int>(sums.size() + 2 * joints.size()); }

  /// Upper bound of the rate of a cell: the sum of the groups' largest ones.
  double largest_rate() const {
    double sum = 0;
    for (const TableGroup& group : groups)
      sum += *std::max_element(rate.begin() + group.begin, rate.begin() + group.end);
    return sum;
  }

  /// Bytes of all tables. Rates that change with time have two generations.
  std::size_t bytes() const {
    const auto of = [](const auto&... all) { return (... + (all.size() * sizeof(all[0]))); };
    const std::size_t of_rates = of(rate) * (reads > 0 ? 1 : 2) + of(outcomes);
    return (changing ? 2 : 1) * of_rates + of(first, numbers, groups, sums, entries, joints, bits, fields, weights) +
           of(lists, changes, concerned, differences, start, start_rows, start_columns, observed, first_observed,
              members);
  }
};

}  // namespace tessera::processes
