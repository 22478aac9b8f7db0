// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <type_traits>

/// Cells concerned by an event: its own cell, and every cell whose rate depends on a state that the event changes. Each
/// of them draws a new waiting time from its own stream.
namespace tessera::kmc {

/// Outcome of an event of a model.
template <Model M>
using OutcomeOf = std::conditional_t<
    ChangesListed<M>, ListedChanges<typename M::State>,
    std::conditional_t<ChangesSeveral<M>, Changes<typename M::State, M::neighbours>, Event<typename M::State>>>;

/// Positions of the concerned cells relative to the event. If events change one cell: position 0 is the cell, position
/// k its neighbour k - 1. If events may change a pair of cells: 8 positions, along the direction from the cell to its
/// partner and perpendicular to it; position 1 is the partner.
///
///         4 6
///       2 0 1 3
///         5 7
///
/// If events may change more cells, or rates depend on cells two away: the 5 x 5 cells around the cell, row by row from
/// the cell on; after the last row follows the first. If both events change pairs and rates depend on cells two away: 6
/// such rows, which follow each other in the direction from the cell to its partner.
template <Model M>
struct Concerned {
  static constexpr int reads = M::neighbours > 8 ? 2 : 1;   ///< distance of the states on which a rate depends
  static constexpr int writes = ChangesOneCell<M> ? 0 : 1;  ///< distance of the states that an event changes
  static constexpr int reach = reads + writes;              ///< largest distance of a position, in x or y
  static constexpr bool has_rows = ChangesSeveral<M> || reads == 2;
  static constexpr int positions = has_rows ? (reach == 3 ? 30 : 25) : (ChangesPairs<M> ? 8 : 1 + M::neighbours);
  /// Two events whose cells are this far apart in x or y commute: they concern no common cell, and neither changes a
  /// state that the redraws of the other read.
  static constexpr int apart = 2 * reach + 1;

  /// Number of positions for this event.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count(const OutcomeOf<M>&) { return positions; }
  /// Offset of position k for this event.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset offset(int k, [[maybe_unused]] const OutcomeOf<M>& event) {
    [[maybe_unused]] const int i = k < positions - 12 ? k + 12 : k + 12 - positions;
    if constexpr (ChangesPairs<M>) {
      const int dx = neighbour_dx(event.direction), dy = neighbour_dy(event.direction);
      const int along = has_rows ? i / 5 - 2 : static_cast<int>(0xA5C9u >> (2 * k) & 3u) - 1;
      const int across = has_rows ? i % 5 - 2 : static_cast<int>(0x2255u >> (2 * k) & 3u) - 1;
      return {along * dx - across * dy, along * dy + across * dx};
    } else if constexpr (has_rows) {
      return {i % 5 - 2, i / 5 - 2};
    } else {
      return {k == 0 ? 0 : neighbour_dx(k - 1), k == 0 ? 0 : neighbour_dy(k - 1)};
    }
  }

  /// The positions that an event which may change several cells concerns: bit k for position k.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned concerned(const OutcomeOf<M>& event) {
    unsigned all = 1;
    for (int j = 0; j <= M::neighbours; ++j)
      all |= (event.changed >> j & 1u) != 0 ? around(j == 0 ? 0 : neighbour_dx(j - 1), j == 0 ? 0 : neighbour_dy(j - 1))
                                            : 0u;
    return all;
  }
  /// Whether the event concerns the cell at position k.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool at(int k, [[maybe_unused]] const OutcomeOf<M>& event) {
    if constexpr (ChangesSeveral<M>) {
      return (concerned(event) >> k & 1u) != 0;
    } else if constexpr (ChangesPairs<M>) {
      constexpr unsigned itself = 1u;  // bit k for position k
      constexpr unsigned of_centre = has_rows ? around(0, 0) : 0x37u, of_beside = has_rows ? around(0, 1) : 0xcbu;
      const unsigned all = itself | (event.changes_centre ? of_centre : 0u) | (event.changes_beside ? of_beside : 0u);
      return (all >> k & 1u) != 0;
    } else if constexpr (has_rows) {
      return (around(0, 0) >> k & 1u) != 0;
    } else {
      return true;
    }
  }

  /// Those positions of rows that an event of one or two cells can concern, 5 bits each.
  struct Concernable {
    int count = 0;
    std::uint64_t position[3] = {};
  };
  static constexpr Concernable concernable() {
    unsigned any = around(0, 0);
    if (ChangesPairs<M>) any |= around(0, 1);
    Concernable all;
    for (unsigned k = 0; k < positions; ++k)
      if ((any >> k & 1u) != 0) {
        all.position[all.count / 12] |= std::uint64_t{k} << 5 * (all.count % 12);
        ++all.count;
      }
    return all;
  }

 private:
  /// Positions in the rows of the cell at this offset and its neighbours: bit k for position k. For pairs dy is along
  /// the direction to the partner.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned around(int dx, int dy) {
    unsigned positions_of_all = position(dx, dy);
    for (int k = 0; k < M::neighbours; ++k)
      positions_of_all |= position(dx + neighbour_dx<M::neighbours>(k), dy + neighbour_dy<M::neighbours>(k));
    return positions_of_all;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned position(int dx, int dy) {
    return 1u << (5 * dy + dx + (5 * dy + dx < 0 ? positions : 0));
  }
};

/// Those of a model that lists them.
template <Model M>
requires ChangesListed<M>
struct Concerned<M> {
  static constexpr int reads = M::reads, writes = M::writes, reach = reads + writes;
  static_assert(writes <= reads);
  static constexpr int positions = (2 * reach + 1) * (2 * reach + 1);
  static constexpr int apart = 2 * reach + 1;
  KOKKOS_FORCEINLINE_FUNCTION static int count(const OutcomeOf<M>& event) { return event.count; }
  KOKKOS_FORCEINLINE_FUNCTION static Offset offset(int k, const OutcomeOf<M>& event) { return event.concerned[k]; }
  KOKKOS_FORCEINLINE_FUNCTION static bool at(int, const OutcomeOf<M>&) { return true; }
};

/// An event whose cells all lanes of a team share (LaneShare).
template <Model M>
struct SharedEvent {
  double time;
  std::uint64_t stream;  ///< of its cell, after the draw of the outcome
  OutcomeOf<M> outcome;

  /// Number of concerned cells, and the position of cell i of these.
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return outcome.count; }
  KOKKOS_FORCEINLINE_FUNCTION static int position(int i) { return i; }
};
/// An event that may change several cells.
template <Model M>
requires ChangesSeveral<M>
struct SharedEvent<M> {
  double time;
  std::uint64_t stream;
  OutcomeOf<M> outcome;
  unsigned concerned = Concerned<M>::concerned(outcome);  ///< positions

  KOKKOS_FORCEINLINE_FUNCTION int count() const { return Kokkos::Experimental::popcount_builtin(concerned); }
  KOKKOS_FORCEINLINE_FUNCTION int position(int i) const {
    unsigned rest = concerned;
    for (; i > 0; --i) rest &= rest - 1;
    return Kokkos::Experimental::countr_zero_builtin(rest);
  }
};
/// Sums that all lanes of a team have in common where events concern cells beyond the neighbours: two checksums for
/// each of 8 sides and corners, the number of events, and the bits of the time of the last one.
inline constexpr int common_sums = 18;
/// Bytes of the events that a team performs at once, in scratch memory (TeamWindow).
template <Model M>
constexpr int bytes_of_events() {
  if (Concerned<M>::reach == 1) return TeamLayout::most_firing * static_cast<int>(8 + sizeof(typename M::State));
  const int shared = Concerned<M>::positions > 9 ? TeamLayout::most_shared<sizeof(SharedEvent<M>)> : 0;
  return 8 * common_sums + shared * static_cast<int>(sizeof(SharedEvent<M>));
}
/// Distances of a model's events.
template <Model M>
inline constexpr EventReach event_reach{.reads = Concerned<M>::reads,
                                        .reach = Concerned<M>::reach,
                                        .positions = Concerned<M>::positions,
                                        .bytes = static_cast<int>(sizeof(typename M::State)),
                                        .of_events = bytes_of_events<M>(),
                                        .keeps_sums = KeepsSums<M>,
                                        .counts = counts_events<M>};
/// Largest distance of a cell that an event of the model concerns, in x or y.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION int largest_reach([[maybe_unused]] const M& model) {
  if constexpr (requires { model.largest_reach(); })
    return model.largest_reach();
  else
    return Concerned<M>::reach;
}
template <Model M>
EventReach reach_of(const M& model) {
  EventReach reach = event_reach<M>;
  reach.largest = largest_reach(model);
  reach.sums = kept_sums_of(model);
  if constexpr (requires { model.smallest_side(); }) reach.least_side = model.smallest_side();
  return reach;
}

/// Draws the outcome of an event in a cell with neighbourhood n, at the total time time(), from the cell's stream.
template <Model M, class Around, class TimeOf>
KOKKOS_FORCEINLINE_FUNCTION OutcomeOf<M> draw_event(const M& model, const Around& n, Stream& stream,
                                                    [[maybe_unused]] const TimeOf& time) {
  if constexpr (ChangesOneCell<M>)
    return {model.next(n, stream), typename M::State{}};
  else if constexpr (RejectsEvents<M>)
    return model.event(n, stream, time);
  else
    return model.event(n, stream);
}

/// Changes the states as the event prescribes; at(dx, dy) is that of the cell at an offset.
template <Model M, class At>
KOKKOS_FORCEINLINE_FUNCTION void change_states(const OutcomeOf<M>& event, const At& at) {
  if constexpr (ChangesListed<M>) {
    for (const CellChange<typename M::State>* one = event.changes; one < event.changes + event.changed; ++one) {
      auto& state = at(one->at.dx, one->at.dy);
      state = static_cast<typename M::State>(state + one->difference);
    }
  } else if constexpr (ChangesSeveral<M>) {
    for (int j = 0; j <= M::neighbours; ++j)
      if ((event.changed >> j & 1u) != 0)
        (j == 0 ? at(0, 0) : at(neighbour_dx(j - 1), neighbour_dy(j - 1))) = event.states[j];
  } else {
    if (event.changes_centre) at(0, 0) = event.centre;
    if (event.changes_beside) at(neighbour_dx(event.direction), neighbour_dy(event.direction)) = event.beside;
  }
}

/// A number that identifies the outcome: outcomes that change different states, or to other values, have different
/// numbers.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t outcome(const OutcomeOf<M>& event) {
  if constexpr (ChangesListed<M>) {
    return event.what;
  } else if constexpr (ChangesSeveral<M>) {
    std::uint64_t all = event.changed;
    for (int j = 0; j <= M::neighbours; ++j)
      if ((event.changed >> j & 1u) != 0) all = all * golden + static_cast<std::uint32_t>(event.states[j]);
    return static_cast<std::int64_t>(all);
  } else if constexpr (ChangesPairs<M>) {
    const auto half = [](typename M::State state) { return std::uint64_t{static_cast<std::uint32_t>(state)}; };
    const unsigned beside = event.changes_beside ? 2u | static_cast<unsigned>(event.direction) << 2 : 0u;
    const std::uint64_t changed = (event.changes_centre ? 1u : 0u) | beside;
    return static_cast<std::int64_t>((half(event.centre) << 32 | half(event.beside)) + changed * golden);
  } else {
    return event.centre;
  }
}

}  // namespace tessera::kmc
