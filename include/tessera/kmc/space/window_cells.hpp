// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kmc/kernels/due_buckets.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/nearby.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <tessera/kmc/space/window_frame.hpp>

namespace tessera::kmc::space {

/// The cells of a window (Window) in the scratch memory of a team, and its lists.
template <Model M, int most_tile, int halo, int margin, int reach, bool single_lane>
class WindowCells : protected WindowFrame<M, most_tile, halo, single_lane> {
 protected:
  using Frame = WindowFrame<M, most_tile, halo, single_lane>;
  using Word = CellWord<M>;
  using Frame::add, Frame::back_states_, Frame::back_times_, Frame::beyond, Frame::box_, Frame::counts_,
      Frame::direction_to, Frame::each, Frame::front_states_, Frame::front_times_, Frame::is_first, Frame::model_,
      Frame::number_of_counts, Frame::number_of_sums, Frame::origin_, Frame::overflow, Frame::pending, Frame::place_,
      Frame::side, Frame::site, Frame::step_, Frame::sums_, Frame::sync, Frame::used;
  using typename Frame::L;
  static constexpr int ordered = most_tile + 2 * margin;  ///< side of the cells with stamps
  static constexpr int concerned_by_event = Concerned<M>(0, 0).count;
  static constexpr int most_pending = single_lane ? 0 : 928, most_candidates = single_lane ? 0 : 256,
                       most_fired = single_lane ? 1 : 64;  ///< lengths of the lists
  static_assert(side <= (single_lane ? 128 : 32) && margin < halo);

  /// Distances of rows and planes such that lanes of neighbouring cells use different banks of the memory.
  static constexpr int row = side % 16 == 0 ? side + 2 : side;
  static constexpr int find_plane() {
    for (int words = row * side;; words += 2) {
      bool differ = 2 * words % 32 != 0;
      for (const int near : {0, 1, -1, row, -row, row + 1, row - 1, -row + 1, -row - 1})
        differ &= (words - near) % 32 != 0;
      if (differ) return words;
    }
  }
  static constexpr int plane = find_plane();
  static constexpr int padding = (reach * (row + 1) + 1) / 2 * 2;  ///< words before and after, in reach
  static constexpr int number_of_words = plane * side + 2 * padding;

  /// An event of a round.
  struct Event {
    std::uint64_t seed, term;  ///< seed_at() its time; what it adds to the sums
    std::int32_t cell;
    std::uint32_t key;
    std::uint8_t outcome, state, other_state;  ///< direction or new state; states of the cell and its partner after it
    std::uint16_t entry;                       ///< in the list of pending cells
  };

  /// Places of the arrays in bytes.
  static constexpr std::size_t aligned(std::size_t size) { return (size + 7) / 8 * 8; }
  static constexpr std::size_t at_stamps = 4 * std::size_t{number_of_words};
  static constexpr std::size_t at_fired = aligned(at_stamps + 2 * std::size_t{ordered} * ordered * ordered);
  static constexpr std::size_t at_means = at_fired + sizeof(Event) * std::size_t{most_fired};
  static constexpr std::size_t at_frame = at_means + 16 * sizeof(double);
  static constexpr std::size_t at_pending = at_frame + Frame::bytes_of_frame;
  static constexpr std::size_t at_candidates = at_pending + 4 * most_pending;
  static constexpr std::size_t at_following = aligned(at_candidates + 2 * most_candidates);
  static constexpr std::size_t at_buckets = aligned(at_following + (single_lane ? 4 * std::size_t{plane} * side : 0));
  static constexpr int buckets = 1024;  ///< of the step, for a lane alone

 public:
  /// Of scratch memory.
  static constexpr std::size_t bytes = aligned(at_buckets + (single_lane ? 4 * buckets + buckets / 8 : 0));

 protected:
  template <class MemorySpace>
  KOKKOS_FUNCTION WindowCells(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                              const TilePlace& place)
      : Frame(scratch + at_frame, cells, box, model, place),
        words_(reinterpret_cast<std::uint32_t*>(scratch) + padding),
        stamps_(reinterpret_cast<std::uint16_t*>(scratch + at_stamps)),
        fired_(reinterpret_cast<Event*>(scratch + at_fired)),
        concerned_(cells.concerned.data()),
        means_(reinterpret_cast<double*>(scratch + at_means)),
        pending_(reinterpret_cast<std::uint32_t*>(scratch + at_pending)),
        candidates_(reinterpret_cast<std::uint16_t*>(scratch + at_candidates)),
        scratch_(scratch),
        means_of_model_(cells.means.data()) {}

  /// A cell of the window in one number. Sums of it and of a packed offset have a component beyond the window for a
  /// cell there.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int packed(int x, int y, int z) { return x + (y << 8) + (z << 16); }
  struct Place {
    int x, y, z;
    KOKKOS_FORCEINLINE_FUNCTION explicit Place(int cell) : x(cell & 255), y(cell >> 8 & 255), z(cell >> 16) {}
    KOKKOS_FORCEINLINE_FUNCTION int index() const { return z * plane + y * row + x; }
  };
  KOKKOS_FORCEINLINE_FUNCTION static Place place_of(int index) {
    return Place(packed(index % plane % row, index % plane / row, index / plane));
  }
  KOKKOS_FORCEINLINE_FUNCTION int parity(const Place& cell) const {
    return L::parity(origin_[0] + cell.x, origin_[1] + cell.y, origin_[2] + cell.z);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int distance_of(const Offset& by) {
    return by.z * plane + by.y * row + by.x;
  }
  /// Index of neighbour k minus that of a cell of this parity.
  KOKKOS_FORCEINLINE_FUNCTION static int to_neighbour(int k, int parity) {
    return distance_of(L::offset(k, 0)) +
           (L::parities == 1 || parity == 0 ? 0 : distance_of(L::offset(k, 1)) - distance_of(L::offset(k, 0)));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_own(const Place& cell) const {
    return (static_cast<unsigned>(cell.x - halo) < static_cast<unsigned>(place_.sides[0])) &
           (static_cast<unsigned>(cell.y - halo) < static_cast<unsigned>(place_.sides[1])) &
           (static_cast<unsigned>(cell.z - halo) < static_cast<unsigned>(place_.sides[2]));
  }
  /// Distance to the tile along an axis.
  KOKKOS_FORCEINLINE_FUNCTION int distance(int i, int axis) const {
    const int before = halo - i, after = i - (halo + place_.sides[axis] - 1), most = before > after ? before : after;
    return most > 0 ? most : 0;
  }
  /// Whether a cell that an event affects is in the window.
  KOKKOS_FORCEINLINE_FUNCTION bool is_inside(const Place& cell) const {
    if (!M::moves) return true;  // only the outermost cells are beside the border, and have no events
    return cell.x < used(0) && cell.y < used(1) && static_cast<unsigned>(cell.z) < static_cast<unsigned>(used(2));
  }
  /// Whether event a is before event b in the order of all events; cells by their indices.
  KOKKOS_FUNCTION bool before(int a, int b) const {
    const std::uint32_t key_a = Word::key(words_[a]), key_b = Word::key(words_[b]);
    if (key_a != key_b) return key_a < key_b;
    return is_first(Place(place_of(a)), Place(place_of(b)));
  }

  KOKKOS_FORCEINLINE_FUNCTION int bucket_of(std::uint32_t key) const { return static_cast<int>(key >> in_bucket_); }
  /// Adds cells to the list of those with an event in the step; returns the first entry.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t add_pending(std::uint32_t count) {
    const std::uint32_t entry = add(&counts_[pending], count);
    if (entry + count > most_pending) counts_[overflow] = 1;
    return entry;
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_pending(std::uint32_t entry, int index) {
    if (entry < most_pending) pending_[entry] = static_cast<std::uint32_t>(index);
  }

  struct alignas(8) Two {
    std::uint32_t of[2];
  };
  struct alignas(2) TwoStates {
    std::uint8_t of[2];
  };

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void prepare(const Team& team) {
    each(team, 16, [&](int i) { means_[i] = means_of_model_[i]; });
    each(team, number_of_counts, [&](int i) { counts_[i] = 0; });
    if constexpr (single_lane) {
      auto* const first = reinterpret_cast<std::int32_t*>(scratch_ + at_buckets);
      queue_ = BucketQueue(reinterpret_cast<std::int32_t*>(scratch_ + at_following), first,
                           reinterpret_cast<std::uint64_t*>(first + buckets), buckets);
      while (step_.length >> in_bucket_ >= buckets) ++in_bucket_;
    } else {
      each(team, number_of_words / 2, [&](int i) { reinterpret_cast<Two*>(words_ - padding)[i] = {{~0u, ~0u}}; });
    }
    sync(team);
  }

  /// Reads the window, by pairs of cells along x that begin at even sites.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team) {
    constexpr int odd = halo & 1, pairs = side / 2 + odd, rows = side * side;
    events_ = 0;
    each(team, 2 * number_of_sums, [&](int i) { sums_[i] = 0; });
    each(team, ordered * ordered * ordered, [&](int i) { stamps_[i] = 0; });
    if constexpr (single_lane) {
      for (int i = 0; i < pairs * rows; ++i) {
        const int x = 2 * (i % pairs) - odd, y = i / pairs % side, z = i / pairs / side;
        const int first = z * plane + y * row + x;
        const unsigned bits = load_pair(x, y, z);
        for (int index : {first, first + 1})
          if ((bits >> (index - first) & 1) != 0) queue_.add(index, bucket_of(Word::key(words_[index])));
      }
    } else {
      // A lane has the same pair of many rows: up to 16 of them, then it lists its cells.
      const int stride = team.team_size() / pairs, x = 2 * (team.team_rank() % pairs) - odd;
      int first = team.team_rank() / pairs < stride ? team.team_rank() / pairs : rows;
      for (int y = first % side, z = first / side; z < side;) {
        unsigned bits = 0;
        for (int i = 0; i < 16 && z < side; ++i) {
          bits |= load_pair(x, y, z) << (2 * i);
          y += stride % side;
          z += stride / side + (y >= side ? 1 : 0);
          y -= y >= side ? side : 0;
        }
        std::uint32_t entry = add_pending(static_cast<std::uint32_t>(Kokkos::Experimental::popcount_builtin(bits)));
        for (; bits != 0; bits &= bits - 1, ++entry) {
          const int bit = Kokkos::Experimental::countr_zero_builtin(bits), of = first + bit / 2 * stride;
          set_pending(entry, of / side * plane + of % side * row + x + (bit & 1));
        }
        first = z * side + y;
      }
    }
    sync(team);
  }
  /// The same for one pair; bits of those with an event in the step.
  KOKKOS_FORCEINLINE_FUNCTION unsigned load_pair(int x, int y, int z) {
    if (x >= used(0) || y >= used(1) || z >= used(2)) return 0;
    const std::uint32_t at = box_.site(origin_[0] + x, origin_[1] + y, origin_[2] + z);
    const Two times = *reinterpret_cast<const Two*>(front_times_ + at);
    const TwoStates states = *reinterpret_cast<const TwoStates*>(front_states_ + at);
    const int dy = distance(y, 1), dz = distance(z, 2);
    unsigned bits = 0;
    for (int j = 0; j < 2; ++j) {
      if (halo % 2 != 0 && static_cast<unsigned>(x + j) >= static_cast<unsigned>(used(0))) continue;
      const int dx = distance(x + j, 0);
      // On a simple cubic lattice, what happens at corners and edges of the halo hardly reaches the tile.
      const bool is_far = dx >= halo || dy >= halo || dz >= halo ||
                          (L::neighbours == 6 && !M::moves && margin == 0 && dx + dy + dz > halo);
      const std::uint32_t key = times.of[j] - step_.now;
      const bool is_pending = key < step_.length && !is_far;
      words_[z * plane + y * row + x + j] = Word::of(is_pending ? key : Word::no_event, is_far, states.of[j]);
      bits |= is_pending ? 1u << j : 0u;
    }
    return bits;
  }

  /// Writes the tile to the back buffer, but for the times written before.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team) const {
    each(team, most_tile / 2 * most_tile * most_tile, [&](int i) {
      const int x = 2 * (i % (most_tile / 2)), y = i / (most_tile / 2) % most_tile, z = i / (most_tile / 2) / most_tile;
      if (x >= place_.sides[0] || y >= place_.sides[1] || z >= place_.sides[2]) return;
      const std::uint32_t at = site(Place(packed(halo + x, halo + y, halo + z)));
      const std::uint32_t* const word = words_ + ((halo + z) * plane + (halo + y) * row + halo + x);
      *reinterpret_cast<TwoStates*>(back_states_ + at) = {
          {static_cast<std::uint8_t>(Word::state(word[0])), static_cast<std::uint8_t>(Word::state(word[1]))}};
      const std::uint16_t* const stamp = stamps_ + (((margin + z) * ordered + margin + y) * ordered + margin + x);
      const Two times = *reinterpret_cast<const Two*>(front_times_ + at);
      for (int j = 0; j < 2; ++j)
        if (stamp[j] == 0) back_times_[at + static_cast<unsigned>(j)] = times.of[j];
    });
  }

  std::uint32_t* words_;           ///< CellWord [side, side, side]
  std::uint16_t* stamps_;          ///< of the last redraw, or 0 [ordered, ordered, ordered]
  Event* fired_;                   ///< events of a round [most_fired]
  const std::int32_t* concerned_;  ///< Cells::concerned
  double* means_;                  ///< Cells::means
  std::uint32_t* pending_;         ///< indices of cells with an event in the step; from bit 16, of one that had to come
                                   ///< before it, or 0 [most_pending]
  std::uint16_t* candidates_;      ///< entries whose blockers are gone [most_candidates]
  char* scratch_;                  ///< all of these
  const double* means_of_model_;
  std::uint32_t events_ = 0;  ///< in the tile, of this lane
  BucketQueue queue_;         ///< of a lane alone
  int in_bucket_ = 0;         ///< bits of the keys of a bucket
};

}  // namespace tessera::kmc::space
