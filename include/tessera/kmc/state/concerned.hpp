// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/scratch.hpp>
#include <type_traits>

/// Cells affected by an event: its own cell, and every cell whose rate depends on a state that the event changes. Each
/// of them draws a new waiting time from its own stream.
namespace tessera::kmc {

/// Outcome of an event of a model.
template <Model M>
using OutcomeOf = std::conditional_t<ChangesListed<M>, ListedChanges<typename M::State>, Event<typename M::State>>;

/// The cells affected by an event that changes a cell with this number of neighbours: first the cell, then neighbour k
/// as cell k + 1. With a partner, by an event that may change the cell and its neighbour to the east: first the cell,
/// then the others row by row; flags: 1, a change of the cell affects it; 2, one of the partner.
constexpr PackedOffsets concerned_cells(int neighbours, bool with_partner) {
  PackedOffsets all;
  all.add({0, 0}, 3);
  for (int k = 0; !with_partner && k < neighbours; ++k) all.add(neighbour_offsets[k]);
  const auto is_around = [neighbours](int dx, int dy) {
    bool is_any = dx == 0 && dy == 0;
    for (int k = 0; k < neighbours; ++k) is_any |= neighbour_offsets[k].dx == dx && neighbour_offsets[k].dy == dy;
    return is_any;
  };
  for (int dy = -2; with_partner && dy <= 2; ++dy)
    for (int dx = -2; dx <= 3; ++dx) {
      const unsigned flag = (is_around(dx, dy) ? 1u : 0u) | (is_around(dx - 1, dy) ? 2u : 0u);
      if (flag != 0 && (dx != 0 || dy != 0)) all.add({dx, dy}, flag);
    }
  return all;
}

/// Positions of the affected cells relative to the event: position 0 is its own cell. If events may change a pair of
/// cells, they are relative to the direction from the cell to its partner.
template <Model M>
struct Concerned {
  static constexpr int reads = M::neighbours > 8 ? 2 : 1;   ///< distance of the states on which a rate depends
  static constexpr int writes = ChangesOneCell<M> ? 0 : 1;  ///< distance of the states that an event changes
  static constexpr int reach = reads + writes;              ///< largest distance of a position, in x or y
  static constexpr int positions = concerned_cells(M::neighbours, ChangesPairs<M>).count;

  /// Number of positions for this event.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count(const OutcomeOf<M>&) { return positions; }
  /// Offset of position k for this event.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset offset(int k, [[maybe_unused]] const OutcomeOf<M>& event) {
    constexpr PackedOffsets cells = concerned_cells(M::neighbours, ChangesPairs<M>);
    const Offset at = cells[k];
    if constexpr (ChangesPairs<M>) {
      const int dx = neighbour_dx(event.direction), dy = neighbour_dy(event.direction);
      return {at.dx * dx - at.dy * dy, at.dx * dy + at.dy * dx};
    } else {
      return at;
    }
  }
  /// Whether the event affects the cell at position k.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool at(int k, [[maybe_unused]] const OutcomeOf<M>& event) {
    if constexpr (ChangesPairs<M>) {
      constexpr PackedOffsets cells = concerned_cells(M::neighbours, true);
      const unsigned changed = (event.changes_centre ? 1u : 0u) | (event.changes_beside ? 2u : 0u);
      return k == 0 || (cells.number(cells.flag, k) & changed) != 0;
    } else {
      return true;
    }
  }
};

/// Those of a model that lists them.
template <Model M>
requires ChangesListed<M>
struct Concerned<M> {
  static constexpr int reads = M::reads, writes = M::writes, reach = reads + writes;
  static_assert(writes <= reads);
  static constexpr int positions = (2 * reach + 1) * (2 * reach + 1);
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
};
/// Number of sides and corners of a tile.
inline constexpr int sides_and_corners = 8;
/// Sums that all lanes of a team have in common where events affect cells beyond the neighbours: two checksums for
/// each side and corner, the number of events, and the bits of the time of the last one.
inline constexpr int common_sums = 2 * sides_and_corners + 2;
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
/// Largest distance of a cell that an event of the model affects, in x or y. Two events whose cells are further apart
/// than twice this commute: they affect no common cell, and neither changes a state that the redraws of the other
/// read.
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
  reach.reach = largest_reach(model);
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
  } else {
    if (event.changes_centre) at(0, 0) = event.centre;
    const int dx = neighbour_dx(event.direction), dy = neighbour_dy(event.direction);
    if (event.changes_beside) at(dx, dy) = event.beside;
  }
}

/// A number that identifies the outcome: outcomes that change different states, or to other values, have different
/// numbers.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t outcome(const OutcomeOf<M>& event) {
  if constexpr (ChangesListed<M>) {
    return event.what;
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
