// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/key_queue.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>

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
};

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
  std::uint64_t seed = 0;         ///< of replica 0
  int replicas = 1;               ///< their number

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

/// The cells of a window (Window) in the scratch memory of a team, and its lists.
template <Model M, int most_tile, int halo, int margin, bool single_lane>
class WindowCells {
 protected:
  using L = typename M::Lattice;
  using Word = CellWord<M>;
  static constexpr int side = most_tile + 2 * halo;  ///< of the window
  static constexpr int blocks = side / 2;            ///< along an axis
  static constexpr int groups = (blocks + 1) / 2;    ///< of 2 x 2 x 2 blocks, of which one may fire
  static constexpr int across = 2 * groups + 1;      ///< blocks in a row, with the border between two rows
  static constexpr int with_border = (across + 1) * across * across + across + 1;  ///< all blocks
  static constexpr int ordered = most_tile + 2 * margin;                           ///< side of the cells with stamps
  static constexpr int most_fired = groups * groups * groups;                      ///< in a round
  static constexpr int concerned_by_event = Concerned<M>(0, 0).count;
  static constexpr int most_parts = 12;
  static_assert(side % 2 == 0 && side <= 128 && margin < halo);

  /// Distances of rows and planes such that lanes of neighbouring cells use different banks of the memory.
  static constexpr int row = side % 16 == 0 ? side + 2 : side;
  static constexpr int find_plane() {
    for (int plane = row * side;; plane += 2) {
      bool differ = 2 * plane % 32 != 0;
      for (const int near : {0, 1, -1, row, -row, row + 1, row - 1, -row + 1, -row - 1})
        differ &= (plane - near) % 32 != 0;
      if (differ) return plane;
    }
  }
  static constexpr int plane = find_plane();

  enum Count { fired, late, tied, known_parts, events, first_word, first_site, number_of_counts };

  /// Places of the arrays in bytes.
  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
  static constexpr std::size_t at_stamps = 4 * std::size_t{plane} * side;
  static constexpr std::size_t at_blocks = at_stamps + 4 * std::size_t{ordered} * ordered * ordered;
  static constexpr std::size_t at_fired = at_blocks + 4 * std::size_t{with_border};
  static constexpr std::size_t at_fired_words = at_fired + 4 * std::size_t{most_fired};
  static constexpr std::size_t at_outcomes = at_fired_words + 4 * std::size_t{most_fired};
  static constexpr std::size_t at_means = aligned(at_outcomes + (M::moves ? most_fired : 0));
  static constexpr std::size_t at_sums = at_means + 16 * sizeof(double);
  static constexpr std::size_t at_counts = at_sums + 2 * directions * sizeof(std::uint64_t);
  static constexpr std::size_t at_parts = at_counts + 4 * number_of_counts;
  static constexpr std::size_t at_following = at_parts + 4 * most_parts;
  static constexpr std::size_t at_buckets = at_following + (single_lane ? 4 * std::size_t{plane} * side : 0);

 public:
  /// Of scratch memory.
  static constexpr std::size_t bytes = aligned(at_buckets + (single_lane ? 4 * KeyQueue::buckets : 0));
  static constexpr int number_of_sums = 2 * directions;  ///< of a tile

 protected:
  template <class MemorySpace>
  KOKKOS_FUNCTION WindowCells(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                              const TilePlace& place)
      : words_(reinterpret_cast<std::uint32_t*>(scratch)),
        stamps_(reinterpret_cast<std::uint32_t*>(scratch + at_stamps)),
        blocks_(reinterpret_cast<std::uint32_t*>(scratch + at_blocks)),
        fired_(reinterpret_cast<std::int32_t*>(scratch + at_fired)),
        fired_words_(reinterpret_cast<std::uint32_t*>(scratch + at_fired_words)),
        outcomes_(reinterpret_cast<std::uint8_t*>(scratch + at_outcomes)),
        concerned_(cells.concerned.data()),
        means_(reinterpret_cast<double*>(scratch + at_means)),
        sums_(reinterpret_cast<std::uint32_t*>(scratch + at_sums)),
        counts_(reinterpret_cast<std::uint32_t*>(scratch + at_counts)),
        parts_(reinterpret_cast<std::uint32_t*>(scratch + at_parts)),
        scratch_(scratch),
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
    means_of_model_ = cells.means.data();
    for (int axis = 0; axis < 3; ++axis) origin_[axis] = place.begin[axis] - halo;
    flip_ = static_cast<int>(Box::parities(origin_[0], origin_[1], origin_[2]));
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
  KOKKOS_FORCEINLINE_FUNCTION static void raise(std::uint32_t* to, std::uint32_t value) {
    if constexpr (!single_lane)
      Kokkos::atomic_max(to, value);
    else
      *to = *to > value ? *to : value;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void lower(std::uint32_t* to, std::uint32_t value) {
    if constexpr (!single_lane)
      Kokkos::atomic_min(to, value);
    else
      *to = smaller(*to, value);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  /// A cell of the window in one number. Sums of it and of a packed offset have a component beyond the window for a
  /// cell there.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int packed(int x, int y, int z) { return x + (y << 8) + (z << 16); }
  struct Place {
    int x, y, z;
    KOKKOS_FORCEINLINE_FUNCTION explicit Place(int cell) : x(cell & 255), y(cell >> 8 & 255), z(cell >> 16) {}
    KOKKOS_FORCEINLINE_FUNCTION int index() const { return z * plane + y * row + x; }
    KOKKOS_FORCEINLINE_FUNCTION int block() const { return ((z / 2 + 1) * across + y / 2 + 1) * across + x / 2 + 1; }
  };
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t site(int x, int y, int z) const {
    return box_.site(origin_[0] + x, origin_[1] + y, origin_[2] + z);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t site(const Place& cell) const { return site(cell.x, cell.y, cell.z); }
  KOKKOS_FORCEINLINE_FUNCTION int parity(const Place& cell) const {
    return L::parity(origin_[0] + cell.x, origin_[1] + cell.y, origin_[2] + cell.z);
  }
  /// Index of neighbour k minus that of a cell of this parity.
  KOKKOS_FORCEINLINE_FUNCTION static int to_neighbour(int k, int parity) {
    const auto distance = [k](int of) {
      const Offset by = L::offset(k, of);
      return by.z * plane + by.y * row + by.x;
    };
    if constexpr (L::parities == 1)
      return distance(0);
    else
      return parity == 0 ? distance(0) : distance(1);
  }
  /// -1, 0 or 1: before, in or after the tile along an axis; its distance to the tile.
  KOKKOS_FORCEINLINE_FUNCTION int beyond(int i, int axis) const {
    return i < halo ? -1 : (i >= halo + place_.sides[axis] ? 1 : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_own(const Place& cell) const {
    return (static_cast<unsigned>(cell.x - halo) < static_cast<unsigned>(place_.sides[0])) &
           (static_cast<unsigned>(cell.y - halo) < static_cast<unsigned>(place_.sides[1])) &
           (static_cast<unsigned>(cell.z - halo) < static_cast<unsigned>(place_.sides[2]));
  }
  KOKKOS_FORCEINLINE_FUNCTION int direction_to(const Place& cell) const {
    return direction_of(beyond(cell.x, 0), beyond(cell.y, 1), beyond(cell.z, 2));
  }
  KOKKOS_FORCEINLINE_FUNCTION int distance(int i, int axis) const {
    const int before = halo - i, after = i - (halo + place_.sides[axis] - 1), most = before > after ? before : after;
    return most > 0 ? most : 0;
  }
  /// Blocks of the window along an axis, for a tile with shorter sides than most_tile.
  KOKKOS_FORCEINLINE_FUNCTION int used_blocks(int axis) const { return (place_.sides[axis] + 2 * halo + 1) / 2; }
  /// Whether a cell that an event concerns is in the window.
  KOKKOS_FORCEINLINE_FUNCTION bool is_inside(const Place& cell) const {
    if (!M::moves) return true;  // only the outermost cells are beside the border, and have no events
    return cell.x < 2 * used_blocks(0) && cell.y < 2 * used_blocks(1) &&
           static_cast<unsigned>(cell.z) < 2u * static_cast<unsigned>(used_blocks(2));
  }
  /// Word of a cell at place j of its block, x + 2 y + 4 z, for the block.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t block_word(std::uint32_t word, int j) const {
    return Word::key(word) << 3 | static_cast<unsigned>(j ^ flip_);
  }
  static constexpr std::uint32_t no_block_word = ~0u;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void prepare(const Team& team) {
    each(team, 16, [&](int i) { means_[i] = means_of_model_[i]; });
    each(team, number_of_counts, [&](int i) { counts_[i] = 0; });
    if constexpr (single_lane)
      queue_ = KeyQueue(reinterpret_cast<std::int32_t*>(scratch_ + at_following),
                        reinterpret_cast<std::int32_t*>(scratch_ + at_buckets), step_.length);
    else
      each(team, with_border, [&](int i) { blocks_[i] = no_block_word; });
    sync(team);
  }

  /// Reads the window.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team) {
    events_ = 0;
    each(team, 2 * number_of_sums, [&](int i) { sums_[i] = 0; });
    each(team, ordered * ordered * ordered, [&](int i) { stamps_[i] = 0; });
    each(team, blocks * blocks * blocks, [&](int i) {
      const Place first(packed(2 * (i % blocks), 2 * (i / blocks % blocks), 2 * (i / blocks / blocks)));
      if (first.x >= 2 * used_blocks(0) || first.y >= 2 * used_blocks(1) || first.z >= 2 * used_blocks(2)) return;
      std::uint32_t least = no_block_word, times[8], states[8];
      for (int j = 0; j < 8; ++j) {
        const std::uint32_t at = site(first.x + (j & 1), first.y + (j >> 1 & 1), first.z + (j >> 2));
        times[j] = front_times_[at];
        states[j] = front_states_[at];
      }
      for (int j = 0; j < 8; ++j) {
        const int x = first.x + (j & 1), y = first.y + (j >> 1 & 1), z = first.z + (j >> 2);
        const int dx = distance(x, 0), dy = distance(y, 1), dz = distance(z, 2);
        // On a simple cubic lattice, what happens at corners and edges of the halo hardly reaches the tile.
        const bool is_far = dx >= halo || dy >= halo || dz >= halo ||
                            (L::neighbours == 6 && !M::moves && margin == 0 && dx + dy + dz > halo);
        const std::uint32_t key = times[j] - step_.now;
        const std::uint32_t word = Word::of(key < step_.length && !is_far ? key : Word::no_event, is_far, states[j]);
        const int index = first.index() + (j & 1) + (j >> 1 & 1) * row + (j >> 2) * plane;
        words_[index] = word;
        if constexpr (single_lane) {
          if (Word::key(word) < step_.length) queue_.add(index, Word::key(word));
        } else {
          least = smaller(least, block_word(word, j));
        }
      }
      if constexpr (!single_lane) blocks_[first.block()] = least;
    });
    sync(team);
  }

  /// Writes the tile to the back buffer, but for the times written before.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team) const {
    each(team, most_tile * most_tile * most_tile, [&](int i) {
      const int x = i % most_tile, y = i / most_tile % most_tile, z = i / most_tile / most_tile;
      if (x >= place_.sides[0] || y >= place_.sides[1] || z >= place_.sides[2]) return;
      const std::uint32_t at = site(halo + x, halo + y, halo + z);
      back_states_[at] =
          static_cast<std::uint8_t>(Word::state(words_[(halo + z) * plane + (halo + y) * row + halo + x]));
      if (stamps_[((margin + z) * ordered + margin + y) * ordered + margin + x] == 0)
        back_times_[at] = front_times_[at];
    });
  }

  std::uint32_t* words_;           ///< CellWord [side, side, side]
  std::uint32_t* stamps_;          ///< key of the last redraw plus 1, or 0 [ordered, ordered, ordered]
  std::uint32_t* blocks_;          ///< smallest word of a block's cells [with_border]
  std::int32_t* fired_;            ///< cells that fire in a round [most_fired]
  std::uint32_t* fired_words_;     ///< of their blocks
  std::uint8_t* outcomes_;         ///< directions of their events, or `excluded`
  const std::int32_t* concerned_;  ///< Cells::concerned
  double* means_;                  ///< Cells::means
  std::uint32_t* sums_;            ///< halves of the sums of own events, then of those around [2 * directions, 2]
  std::uint32_t* counts_;          ///< Count
  std::uint32_t* parts_;           ///< last keys of parts
  char* scratch_;                  ///< all of these
  const Box& box_;
  const M& model_;
  const TilePlace& place_;
  Step step_;
  std::uint64_t seed_;
  const std::uint8_t* front_states_;
  const std::uint32_t* front_times_;
  std::uint8_t* back_states_;
  std::uint32_t* back_times_;
  const double* means_of_model_;
  int origin_[3], flip_;
  std::uint32_t events_ = 0;  ///< in the tile, of this lane
  KeyQueue queue_;            ///< of a lane alone
};

}  // namespace tessera::kmc::space
