// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <type_traits>

namespace tessera::kmc::space {

/// A step of a replica, in ticks.
struct Step {
  std::uint64_t begin = 0;   ///< of the epoch, since time 0
  std::uint32_t now = 0;     ///< begin of the step in the epoch
  std::uint32_t length = 0;  ///< 0: the replica makes no step
  std::int32_t front = 0;    ///< number of the buffer of the present state
};

/// What a replica counts in a step.
struct Tally {
  std::uint64_t events = 0;        ///< in tiles
  std::uint32_t repairs = 0;       ///< tiles listed for a repair
  std::uint32_t inconsistent = 0;  ///< pairs of tiles that disagree after the last repair
  std::uint32_t rounds = 0;        ///< of the tile with the most (ListedWindow), if a team has many lanes
};

/// An event of a model that lists its changes.
struct EventRecord {
  std::uint32_t key;   ///< its tick in the step
  std::uint32_t site;  ///< of the event's cell
  std::uint32_t what;  ///< ListedChanges::what
};
inline constexpr int words_of_record = sizeof(EventRecord) / sizeof(std::uint32_t);
/// A record behind the numbers that are counted in a tile.
KOKKOS_FORCEINLINE_FUNCTION EventRecord& record_of(std::uint32_t* records, std::uint32_t number) {
  return reinterpret_cast<EventRecord*>(records)[number];
}

/// States and times of all replicas in two buffers, and tables of the model.
template <class MemorySpace>
struct Cells {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;
  Array<std::uint8_t> states;     ///< [2, replicas, nz, ny, nx]
  Array<std::uint32_t> times;     ///< ticks after the begin of the epoch, likewise
  Array<double> means;            ///< Clock::means
  Array<std::int32_t> concerned;  ///< packed offsets [parity, direction, Concerned::count]
  Array<Step> steps;              ///< [replicas]
  Array<Tally> tallies;           ///< [replicas]
  double ticks = 1;               ///< Clock::ticks
  std::uint64_t seed = 0;         ///< of replica 0
  int replicas = 1;               ///< their number
  int numbers_counted = 0;        ///< of a tile by ListedWindow::run()
  int most_recorded = 0;          ///< events of a tile that it records, behind these numbers
  int window_side = 0;            ///< of ListedWindow, a multiple of 8

  /// Index of the first site of a replica in a buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first(int buffer, int replica, const Box& box) const {
    return (std::int64_t{buffer} * replicas + replica) * box.sites();
  }
};

/// Hash of the seed of a replica, for random_of().
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t seed_of(std::uint64_t seed, int replica) {
  return hash(seed + static_cast<std::uint64_t>(replica), 0);
}

/// A tile, or a part of it: its first site and its sides.
struct TilePlace {
  int replica;
  int begin[3], sides[3];
};

/// Tile number t of a replica.
KOKKOS_FORCEINLINE_FUNCTION TilePlace place_of(const Box& box, std::uint32_t number) {
  const auto tiles = static_cast<std::uint32_t>(box.all_tiles());
  const auto t = static_cast<int>(number % tiles);
  const int at[3] = {t % box.tiles[0], t / box.tiles[0] % box.tiles[1], t / box.tiles[0] / box.tiles[1]};
  TilePlace place{static_cast<int>(number / tiles), {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    place.begin[axis] = box.begin(axis, at[axis]);
    place.sides[axis] = box.begin(axis, at[axis] + 1) - place.begin[axis];
  }
  place.begin[2] += box.ghosts;
  return place;
}
/// Number of the neighbouring tile in a direction. The tiles of other ranks follow those of all replicas: of each
/// replica the layer before and that after its own.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t neighbouring_tile(const Box& box, std::uint32_t number, int direction,
                                                            int replicas) {
  const auto tiles = static_cast<std::uint32_t>(box.all_tiles()), replica = number / tiles,
             layer = static_cast<std::uint32_t>(box.tiles[0] * box.tiles[1]);
  const auto t = static_cast<int>(number % tiles);
  const Offset by = offset_of(direction);
  const auto moved = [&](int i, int axis) { return (i + box.tiles[axis]) % box.tiles[axis]; };
  const int x = moved(t % box.tiles[0] + by.x, 0), y = moved(t / box.tiles[0] % box.tiles[1] + by.y, 1),
            z = t / box.tiles[0] / box.tiles[1] + by.z;
  const auto in_layer = static_cast<std::uint32_t>(y * box.tiles[0] + x);
  if (box.ghosts > 0 && (z < 0 || z == box.tiles[2]))
    return static_cast<std::uint32_t>(replicas) * tiles + (2 * replica + (z < 0 ? 0u : 1u)) * layer + in_layer;
  return replica * tiles + static_cast<std::uint32_t>(moved(z, 2)) * layer + in_layer;
}

/// What windows of tiles have in common: where they lie, and the parts of their steps. `halo` around the tile.
/// most_tile: 0 for windows that are objects in the scratch memory of a team, with copies of what others refer to.
template <Model M, int most_tile, int halo, bool single_lane>
class WindowFrame {
 public:
  static constexpr int number_of_sums = 2 * directions;  ///< of a tile

 protected:
  using L = typename M::Lattice;
  static constexpr int side = most_tile + 2 * halo;  ///< of the window
  static constexpr int most_parts = 16;

  enum Count {
    pending,     ///< entries of the list
    candidates,  ///< in even, in odd rounds
    fired = candidates + 2,
    late = fired + 2,  ///< a key out of order, plus 1
    overflow,
    known_parts,
    events,
    first_key,
    rounds,            ///< of ListedWindow
    ticks_one_by_one,  ///< likewise: whether events at later ticks wait for all others
    number_of_counts
  };
  // The sums, the counts and the parts follow each other in the scratch memory.
  static constexpr std::size_t at_counts = 4 * 2 * std::size_t{number_of_sums};
  static constexpr std::size_t bytes_of_frame = 4 * (2 * std::size_t{number_of_sums} + number_of_counts + most_parts);

  template <class MemorySpace>
  KOKKOS_FUNCTION WindowFrame(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                              const TilePlace& place)
      : sums_(reinterpret_cast<std::uint32_t*>(scratch)),
        counts_(sums_ + 2 * number_of_sums),
        parts_(counts_ + number_of_counts),
        box_(box),
        model_(model),
        place_(place),
        step_(cells.steps(place.replica)),
        seed_(seed_of(cells.seed, place.replica)) {
    const std::int64_t front = cells.first(step_.front, place.replica, box),
                       back = cells.first(1 - step_.front, place.replica, box);
    front_states_ = cells.states.data() + front;
    front_times_ = cells.times.data() + front;
    back_states_ = cells.states.data() + back;
    back_times_ = cells.times.data() + back;
    for (int axis = 0; axis < 3; ++axis) origin_[axis] = place.begin[axis] - halo;
    while (step_.length >> coarser_ > 0xfff0u) ++coarser_;
  }

  template <class Team, class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void each(const Team& team, int count, const Use& use) {
    for (int i = team.team_rank(); i < count; i += team.team_size()) use(i);
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static void sync([[maybe_unused]] const Team& team) {
    if constexpr (!single_lane) sync_warps(team);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t add(std::uint32_t* to, std::uint32_t value) {
    if constexpr (!single_lane) return Kokkos::atomic_fetch_add(to, value);
    const std::uint32_t before = *to;
    *to += value;
    return before;
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  // Of cells of the window, which have x, y and z.
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t site(const Place& cell) const {
    return box_.site(origin_[0] + cell.x, origin_[1] + cell.y, origin_[2] + cell.z);
  }
  /// Its number in the whole array.
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(const Place& cell) const {
    return box_.number(site(cell));
  }
  /// Whether, at the same tick, a cell is before another one.
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION bool is_first(const Place& at, const Place& other) const {
    const unsigned its = Box::parities(origin_[0] + at.x, origin_[1] + at.y, origin_[2] + at.z),
                   others = Box::parities(origin_[0] + other.x, origin_[1] + other.y, origin_[2] + other.z);
    return its != others ? its < others : number(at) < number(other);
  }
  /// Cells of the window along an axis, for a tile with shorter sides than most_tile.
  KOKKOS_FORCEINLINE_FUNCTION int used(int axis) const { return place_.sides[axis] + 2 * halo; }
  /// -1, 0 or 1: before, in or after the tile along an axis.
  KOKKOS_FORCEINLINE_FUNCTION int beyond(int i, int axis) const {
    return i < halo ? -1 : (i >= halo + place_.sides[axis] ? 1 : 0);
  }
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION int direction_to(const Place& cell) const {
    return direction_of(beyond(cell.x, 0), beyond(cell.y, 1), beyond(cell.z, 2));
  }
  /// Adds the term of an event to the sums of a direction, of own events, or of those around.
  KOKKOS_FORCEINLINE_FUNCTION void add_term(int direction, bool is_own, std::uint64_t term) {
    std::uint32_t* const to = sums_ + 2 * (is_own ? direction : directions + direction);
    add(to, static_cast<std::uint32_t>(term));
    add(to + 1, static_cast<std::uint32_t>(term >> 32));
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write_sums(const Team& team, std::uint64_t* to) const {
    each(team, number_of_sums,
         [&](int i) { to[i] = std::uint64_t{sums_[2 * i + 1]} << 32 | std::uint64_t{sums_[2 * i]}; });
  }

  /// Last key of the part of the step that begins with this key.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t end_of_part(std::uint32_t begin) const {
    std::uint32_t last = step_.length;
    for (std::uint32_t i = 0; i < counts_[known_parts]; ++i)
      if (parts_[i] >= begin) last = smaller(last, parts_[i]);
    return last;
  }
  /// After a failed attempt: the late key becomes a part of its own; false after many, for steps tick by tick.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool divide(const Team& team) {
    const std::uint32_t parts = counts_[known_parts], key = counts_[late] - 1;
    bool divides = parts + 2 <= most_parts;
    for (std::uint32_t i = 0; i < parts; ++i) divides &= parts_[i] != key;
    sync(team);
    if (team.team_rank() == 0 && divides) {
      parts_[parts] = key == 0 ? 0 : key - 1;
      parts_[parts + 1] = key;
      counts_[known_parts] = parts + 2;
    }
    each(team, overflow, [&](int i) { counts_[i] = 0; });
    sync(team);
    return divides;
  }

  std::uint32_t* sums_;    ///< halves of the sums of own events, then of those around [2 * directions, 2]
  std::uint32_t* counts_;  ///< Count
  std::uint32_t* parts_;   ///< last keys of parts
  template <class T>
  using Kept = std::conditional_t<most_tile == 0, T, const T&>;
  Kept<Box> box_;
  const M& model_;
  Kept<TilePlace> place_;
  Step step_;
  std::uint64_t seed_;
  const std::uint8_t* front_states_;
  const std::uint32_t* front_times_;
  std::uint8_t* back_states_;
  std::uint32_t* back_times_;
  int origin_[3];
  int coarser_ = 0;            ///< bits of a key that its stamp does not have
  bool tick_by_tick_ = false;  ///< unlike ticks_one_by_one, of each lane
};

}  // namespace tessera::kmc::space
