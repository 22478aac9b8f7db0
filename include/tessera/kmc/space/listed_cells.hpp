// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/window_frame.hpp>

namespace tessera::kmc::space {

/// Largest side of a window (ListedWindow) of states of 1, 2, 4 or 8 bits, which take 32 KB.
constexpr int largest_window_side(int bits) { return bits == 1 ? 64 : bits == 2 ? 48 : bits == 4 ? 40 : 32; }

/// The memory of a ListedWindow, in the scratch memory of a team: states of M::bits() bits, a list of the cells with an
/// event in the step, a coarse grid to find those around a cell, and the events so far. The object lies behind this
/// memory, since it does not fit into registers.
template <Model M, int halo, bool single_lane>
class ListedCells : protected WindowFrame<M, 0, halo, single_lane> {
 protected:
  using Frame = WindowFrame<M, 0, halo, single_lane>;
  using Frame::add, Frame::back_states_, Frame::back_times_, Frame::direction_to, Frame::each, Frame::front_states_,
      Frame::front_times_, Frame::known_parts, Frame::origin_, Frame::overflow, Frame::pending, Frame::place_,
      Frame::rounds, Frame::site, Frame::step_, Frame::ticks_one_by_one, Frame::used;
  static constexpr int most_fired = single_lane ? 1 : 32;
  /// In counts(): void entries of the list, or negative; events near the tile so far.
  static constexpr int freed = Frame::candidates, logged = Frame::candidates + 1;
  static constexpr std::uint32_t no_event = ~0u;  ///< key
  static constexpr std::uint16_t no_entry = 0xffff;
  static constexpr int grain = 3, grid = 8;  ///< cells of the grid have sides of 2^grain; their largest number in a row

  /// A cell of the window, whose coordinates have 8 bits each in the lists.
  struct Place {
    int x, y, z;
    KOKKOS_FORCEINLINE_FUNCTION Place(int at_x, int at_y, int at_z) : x(at_x), y(at_y), z(at_z) {}
    KOKKOS_FORCEINLINE_FUNCTION explicit Place(std::uint32_t packed)
        : x(static_cast<int>(packed & 255)),
          y(static_cast<int>(packed >> 8 & 255)),
          z(static_cast<int>(packed >> 16)) {}
    KOKKOS_FORCEINLINE_FUNCTION Place(const Place& from, const kmc::Offset& to) : Place(from) {
      const Offset by = from_row(to.dx, to.dy);
      x += by.x;
      y += by.y;
      z += by.z;
    }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t packed() const {
      return static_cast<std::uint32_t>(z) << 16 | static_cast<std::uint32_t>(y) << 8 | static_cast<std::uint32_t>(x);
    }
    /// Whether the differences along all axes are at most `most`.
    KOKKOS_FORCEINLINE_FUNCTION bool is_near(const Place& other, int most) const {
      const auto within = [most](int by) {
        return static_cast<unsigned>(by + most) <= 2u * static_cast<unsigned>(most);
      };
      return within(x - other.x) && within(y - other.y) && within(z - other.z);
    }
  };
  /// An event of a round.
  struct Event {
    std::uint64_t seed, term;  ///< seed_at() its time; what it adds to the sums
    ListedChanges<std::uint8_t> lists;
    std::uint32_t key, cell;
  };

  // Scratch memory: the events of a round, the frame, the grid, the states, and the lists with what is left.
  static constexpr std::size_t at_frame = sizeof(Event) * most_fired, at_heads = at_frame + Frame::bytes_of_frame,
                               at_states = (at_heads + (single_lane ? 0 : 4 * grid * grid * grid) + 7) / 8 * 8,
                               bytes_of_entry = 4 + 4 + 2 + 2 + 2, bytes_of_logged = 4 + 4;
  static_assert(ListsChanges<M> && sizeof(Event) % 8 == 0);

 public:
  using Frame::number_of_sums;
  /// Of scratch memory, beside the object. GPUs have 48 KB, two of which are for Kokkos.
  static constexpr std::size_t bytes = single_lane ? 512 * 1024 : 46 * 1024 - 512;
  /// Largest number of cells with events in a step, and of events near the tile, in windows of this side.
  KOKKOS_FUNCTION static int most_listed(int side, int bits) {
    const std::size_t states = static_cast<std::size_t>(side) * side * side / 8 * bits;
    return static_cast<int>((bytes - at_states - states) / (bytes_of_entry + bytes_of_logged) / 4 * 4);
  }

 protected:
  template <class MemorySpace>
  KOKKOS_FUNCTION ListedCells(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                              const TilePlace& place)
      : Frame(scratch + at_frame, cells, box, model, place),
        side_(cells.window_side),
        bits_(model.bits()),
        most_(most_listed(side_, bits_)),
        wide_(halo % 8 == 0 && box.sides[0] % 8 == 0 && origin_[0] % 8 == 0 && place.sides[0] % 8 == 0 ? 8 : 2),
        at_keys_(static_cast<int>(at_states) + side_ * side_ * side_ / 8 * bits_),
        ticks_(cells.ticks),
        numbers_counted_(cells.numbers_counted),
        most_recorded_(cells.most_recorded),
        tally_(cells.tallies(place.replica)) {
    counts()[known_parts] = counts()[rounds] = counts()[ticks_one_by_one] = 0;
  }

  // Eight states take bits_ bytes; words of 32 bits begin with their lowest byte, as on all machines with Kokkos.
  KOKKOS_FORCEINLINE_FUNCTION int index(const Place& at) const { return (at.z * side_ + at.y) * side_ + at.x; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* words() const { return at<std::uint32_t>(at_states); }
  KOKKOS_FORCEINLINE_FUNCTION static int state_in(const std::uint32_t* all, int bit, int bits) {
    return static_cast<int>(all[bit >> 5] >> (bit & 31) & ((1u << bits) - 1));
  }
  KOKKOS_FORCEINLINE_FUNCTION int state(int index) const { return state_in(words(), index * bits_, bits_); }
  /// Other cells of the same word may change at the same time.
  KOKKOS_FORCEINLINE_FUNCTION void add_to_state(int index, std::uint8_t difference) {
    if (bits_ == 8) {
      states()[index] = static_cast<std::uint8_t>(states()[index] + difference);
      return;
    }
    const int bit = index * bits_;
    add(&words()[bit >> 5], static_cast<std::uint32_t>(static_cast<std::int8_t>(difference)) << (bit & 31));
  }
  /// The states of 8 cells, of a byte each, without unused bits; and the reverse.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t packed(std::uint64_t bytes_of) const {
    const int less = 8 - bits_;
    bytes_of = (bytes_of | bytes_of >> less) & ((1ull << 2 * bits_) - 1) * 0x0001000100010001ull;
    bytes_of = (bytes_of | bytes_of >> 2 * less) & ((1ull << 4 * bits_) - 1) * 0x0000000100000001ull;
    return (bytes_of | bytes_of >> 4 * less) & ~0ull >> 8 * less;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t unpacked(std::uint64_t its) const {
    const int less = 8 - bits_;
    its = (its | its << 4 * less) & ((1ull << 4 * bits_) - 1) * 0x0000000100000001ull;
    its = (its | its << 2 * less) & ((1ull << 2 * bits_) - 1) * 0x0001000100010001ull;
    return (its | its << less) & ((1ull << bits_) - 1) * 0x0101010101010101ull;
  }
  /// States around a cell of the window.
  KOKKOS_FORCEINLINE_FUNCTION auto around(const Place& at) const {
    return [all = words(), cell = index(at), row_length = side_, bits = bits_](int x, int row) {
      const Offset by = from_row(x, row);
      return state_in(all, (cell + (by.z * row_length + by.y) * row_length + by.x) * bits, bits);
    };
  }

  /// Whether a cell is in the window, `within` cells from its border.
  KOKKOS_FORCEINLINE_FUNCTION bool is_inside(const Place& at, int within) const {
    return at.x >= within && at.y >= within && at.z >= within && at.x < used(0) - within && at.y < used(1) - within &&
           at.z < used(2) - within;
  }
  /// Adds an entry to the grid, which only teams of many lanes have.
  KOKKOS_FORCEINLINE_FUNCTION void link(std::uint32_t entry, const Place& at) {
    if constexpr (!single_lane) {
      const int cell = ((at.z >> grain) * grid + (at.y >> grain)) * grid + (at.x >> grain);
      next()[entry] = static_cast<std::uint16_t>(Kokkos::atomic_exchange(&heads()[cell], entry));
    }
  }
  /// Uses a void entry if there is one. These become void in another phase of a round.
  KOKKOS_FORCEINLINE_FUNCTION void add_pending(const Place& at, std::uint32_t key) {
    const auto left = static_cast<std::int32_t>(add(&counts()[freed], ~0u));
    const std::uint32_t entry = left > 0 ? free()[left - 1] : add(&counts()[pending], 1);
    if (entry >= static_cast<std::uint32_t>(most_)) {
      counts()[overflow] = 1;
      return;
    }
    cells()[entry] = at.packed();
    keys()[entry] = key;
    blockers()[entry] = no_entry;
    link(entry, at);
  }
  KOKKOS_FORCEINLINE_FUNCTION int entries() const {
    return counts()[pending] < static_cast<std::uint32_t>(most_) ? static_cast<int>(counts()[pending]) : most_;
  }

  // The memory ends where this object begins, so that nvcc sees that all addresses are those of shared memory.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T* at(int place) const {
    return reinterpret_cast<T*>(const_cast<char*>(reinterpret_cast<const char*>(this)) - bytes + place);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T* list(int before) const {  ///< `before`: bytes of an entry of the lists before
    return at<T>(at_keys_ + before * most_);
  }
  KOKKOS_FORCEINLINE_FUNCTION Event* fired_events() const { return at<Event>(0); }  ///< of a round [most_fired]
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* counts() const { return at<std::uint32_t>(at_frame + Frame::at_counts); }
  /// Of the grid: last entry [grid, grid, grid].
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* heads() const { return at<std::uint32_t>(at_heads); }
  /// [side, side, side], of bits_ bits.
  KOKKOS_FORCEINLINE_FUNCTION std::uint8_t* states() const { return at<std::uint8_t>(at_states); }
  // Of the list [most_]: tick in the step, or no_event; cell.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* keys() const { return list<std::uint32_t>(0); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* cells() const { return list<std::uint32_t>(4); }
  // Of the events so far for which is_ordered() holds, likewise.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* logged_keys() const { return list<std::uint32_t>(8); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* logged_cells() const { return list<std::uint32_t>(12); }
  // Of the list: next entry in the same cell of the grid, or no_entry; one that had to come before it, or no_entry.
  KOKKOS_FORCEINLINE_FUNCTION std::uint16_t* next() const { return list<std::uint16_t>(16); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint16_t* blockers() const { return list<std::uint16_t>(18); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint16_t* free() const { return list<std::uint16_t>(20); }  ///< void entries
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clear_grid(const Team& team) {
    if constexpr (!single_lane) each(team, grid * grid * grid, [&](int i) { heads()[i] = no_entry; });
  }

  /// Reads the window, by groups of 8 cells along x, lists the events in the step, and writes the times of the tile's
  /// cells that may have events to the back buffer. Other times may have any value.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, const M& model) {
    constexpr int at_once = 2;  // loads under way
    const int lanes = team.team_size() < 8 ? 1 : 8, rows = team.team_size() / lanes, all_rows = used(1) * used(2),
              x_of_lane = 8 * (team.team_rank() % lanes);
    for (int x = x_of_lane; x - x_of_lane < side_; x += 8 * lanes) {  // as often on each lane
      Place next_place(x, team.team_rank() / lanes, 0);
      for (int first = 0; first < all_rows; first += at_once * rows) {
        Place places[at_once] = {next_place, next_place};
        std::uint64_t bytes_of[at_once];
        for (int n = 0; n < at_once; ++n) {
          for (; next_place.y >= used(1); next_place.y -= used(1)) ++next_place.z;
          places[n] = next_place;
          next_place.y += rows;
          if (x < side_ && places[n].z < used(2)) bytes_of[n] = eight_states(places[n]);
        }
        for (int n = 0; n < at_once; ++n)
          if (x < side_ && places[n].z < used(2)) take(model, places[n], bytes_of[n]);
        if constexpr (!single_lane) sync_within_warps(team);  // else the lanes of a warp diverge
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t eight_states(const Place& at) const {
    if (wide_ == 8) return *reinterpret_cast<const std::uint64_t*>(front_states_ + site(at));
    std::uint64_t all = 0;
    for (int x = 0; x < 8; x += 2)
      if (at.x + x < used(0))
        all |= std::uint64_t{*reinterpret_cast<const std::uint16_t*>(front_states_ + site(Place(at.x + x, at.y, at.z)))}
               << 8 * x;
    return all;
  }
  /// Eight cells.
  KOKKOS_FORCEINLINE_FUNCTION void take(const M& model, const Place& group, std::uint64_t bytes_of) {
    const std::uint64_t its = bytes_of == 0 ? 0 : packed(bytes_of);
    std::uint8_t* const to = states() + index(group) / 8 * bits_;
    for (int i = 0; i < bits_; ++i) to[i] = static_cast<std::uint8_t>(its >> 8 * i);
    if (const auto common = static_cast<std::uint64_t>(model.start_state());
        bytes_of == common * 0x0101010101010101ull && !model.acts(static_cast<int>(common)))
      return;
    unsigned acting = 0;  // bits
    for (int x = 0; x < 8; ++x) acting |= model.acts(static_cast<int>(bytes_of >> 8 * x & 255)) ? 1u << x : 0u;
    for (int x = 0; acting >> x != 0; ++x) {
      const Place at(group.x + x, group.y, group.z);
      if ((acting >> x & 1) == 0 || !is_inside(at, model.farthest_read())) continue;
      const std::uint32_t from = site(at), time = front_times_[from], key = time - step_.now;
      if (direction_to(at) == itself) back_times_[from] = time;
      if (key < step_.length) add_pending(at, key);
    }
  }
  /// Writes the states of the tile to the back buffer.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team) const {
    const int in_row = place_.sides[0] / wide_;
    each(team, in_row * place_.sides[1] * place_.sides[2], [&](int i) {
      const int row = i / in_row, z = row / place_.sides[1];
      const Place at(halo + i % in_row * wide_, halo + row - z * place_.sides[1], halo + z);
      const int from = index(at);
      std::uint8_t* const to = back_states_ + site(at);
      if (wide_ == 8) {
        std::uint64_t its = 0;
        for (int k = 0; k < bits_; ++k) its |= std::uint64_t{states()[from / 8 * bits_ + k]} << 8 * k;
        *reinterpret_cast<std::uint64_t*>(to) = unpacked(its);
      } else {
        for (int x = 0; x < 2; ++x) to[x] = static_cast<std::uint8_t>(state(from + x));
      }
    });
  }

  int side_, bits_;  ///< of the window, a multiple of 8; of a state
  int most_;         ///< entries of the lists
  int wide_;         ///< cells of a row that are read or written at once: 8, or 2
  int at_keys_;      ///< place of the lists in the scratch memory
  double ticks_;
  int numbers_counted_;
  int most_recorded_;
  Tally& tally_;
};

}  // namespace tessera::kmc::space
