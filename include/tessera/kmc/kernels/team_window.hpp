// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/prefetch.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/due_cells.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/tile_sizes.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <type_traits>

namespace tessera::kmc {

/// The window of a team of several lanes, in its scratch: many events at once (DueCells), whose redraws all lanes
/// share. See LoneWindow for the verbs.
///
/// It is not certain that events come in the right order: a chain of events could start outside the surroundings of a
/// cell that has fired, reach them, and do so at an earlier time. But all that the order of two events can matter for
/// is the cells that both redraw: whatever changes what a redraw reads has redrawn the same cell. So each cell is
/// stamped with the time of the event that has redrawn it last, and a redraw that is not later than its stamp is out of
/// order: in_order() says whether there was one. If not, the run equals the sequential one. If so, the caller loads the
/// window again, for an order in which it happens less, or cannot happen.
///
/// Of waiting times only those before the end of the step are kept, as DueTimes; every redraw of a cell of the central
/// tile with a later time writes that to the back buffer at once. So a redraw that another one follows in the same step
/// leaves nothing that counts.
template <class MemorySpace, Model M>
class TeamWindow : public DueCells {
 public:
  using StateType = typename M::State;

  /// `lazy_below`: with fewer events than this in the window generators are read when they are needed. `skip`: there is
  /// nothing to do; where lanes differ about that, one of them decides.
  template <class Team>
  KOKKOS_FUNCTION TeamWindow(const Team& team, char* scratch, const State<MemorySpace, M>& state, int halo_width,
                             int replica, int tile_number, double begin, double end, int lazy_below, bool skip)
      : DueCells(state.geometry, halo_width, begin, end),
        state_(state),
        end_(end),
        lazy_below_(lazy_below),
        replica_(replica),
        tile_number_(tile_number),
        first_of_replica_(state.index(0, replica, 0)),
        other_buffer_(state.index(1, 0, 0)) {
    const Geometry& g = state.geometry;
    const TeamLayout layout(tile, halo, team.team_size());
    capacity_ = layout.listed;
    const auto carve = [&scratch](auto*& array, int count, int skipped_cells = 0) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(scratch) - skipped_cells;
      scratch += static_cast<std::size_t>(count) * sizeof(*array);
    };
    carve(streams, layout.streams, side);
    carve(fired_times_, TeamLayout::most_firing);
    carve(row_fronts_, side);
    carve(earliest_, 2);
    carve(counts_, counters);
    carve(keys_, all_cells() + 2 * TeamLayout::guard, -TeamLayout::guard);
    carve(lows_, inner_cells(), side);
    carve(stamps_, inner_cells(), side);
    carve(column_x, side);
    carve(row_site, side);
    carve(states, all_cells());
    scratch += static_cast<std::size_t>(-reinterpret_cast<std::intptr_t>(scratch) & 1);
    carve(fired_cells_, TeamLayout::most_firing);
    carve(list_, capacity_);
    const int tile_y = tile_number / g.tiles_x, tile_x = tile_number - tile_y * g.tiles_x;
    for (int i = team.team_rank(); i < side; i += team.team_size()) {
      int its_tile;
      place(i, tile_x, g.tiles_x, column_x[i], its_tile);
      place(i, tile_y, g.tiles_y, row_site[i], its_tile);
      row_fronts_[i] = fronts_of_row(tile_x, its_tile, row_site[i] - its_tile * tile);
      row_site[i] *= g.nx;
    }
    if (team.team_rank() < counters) counts_[team.team_rank()] = team.team_rank() == skipped && skip ? 1 : 0;
  }

  /// Reads the window; false if no event of it lies before the end of the step.
  template <class Team>
  KOKKOS_FUNCTION bool load(const Team& team, EventOrder order) {
    sync_team(team);
    if (counts_[skipped] != 0) return false;
    if (order_ != order) {  // not the first run
      if (team.team_rank() < counters) counts_[team.team_rank()] = 0;
      sync_team(team);
    }
    begin(team, order);
    load_times(team);
    sync_team(team);
    const int due = counts_[listed];
    if (due == 0) return false;
    if (due < lazy_below_)
      load_lazily(team, due);
    else
      visit(
          team, side, side + inner_cells(), [&](std::size_t index) { return state_.streams.states()(index); },
          [&](int cell, int, int, std::uint64_t stream) { streams[cell] = stream; });
    visit(
        team, 0, all_cells(), [&](std::size_t index) { return state_.states(index); },
        [&](int cell, int, int, StateType x) { states[cell] = x; });
    sync_team(team);
    return true;
  }

  /// Performs the next events, but for the redraws. 0: there are none before the end of the step, or what has been done
  /// so far is not in order.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team, const M& model) {
    return next_round(team, [&](int e, int cell, int x, int y) {
      fired_cells_[e] = static_cast<std::uint16_t>(cell);
      fired_times_[e] = due_.time(keys_[cell], lows_[cell]);
      Stream own = stream(x, y);
      states[cell] = model.next(neighbourhood<M::neighbours>(states, cell), own);
      streams[cell] = own.state();
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int e) const { return fired_cells_[e]; }
  KOKKOS_FORCEINLINE_FUNCTION double time(int e) const { return fired_times_[e]; }

  /// Gives live cell (x, y) a new waiting time, because of an event at time `now`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const Team& team, const M& model, double now, int x, int y) {
    const int cell = y * side + x;
    Stream drawn = stream(x, y);
    const double time = next_waiting_time(model, now, neighbourhood<M::neighbours>(states, cell), drawn);
    streams[cell] = drawn.state();
    const std::uint32_t stamp = due_.key(now) + 1;
    if (stamp <= stamps_[cell] && order_ != EventOrder::one_by_one) Kokkos::atomic_or(counts_ + out_of_order, 1);
    stamps_[cell] = stamp;
    if (time < end_) {
      if (is_listed(cell))
        set(cell, time);
      else
        list(team, cell, time);
    } else {
      keys_[cell] = is_listed(cell) ? DueTimes::not_due : DueTimes::unlisted;
      if (central(x, y)) state_.times(written(x, y)) = time;
    }
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void end_round(const Team& team) const {
    sync_team(team);
  }

  /// Whether no redraw has come too late, once fire() has returned 0.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(const Team&) const {
    return counts_[out_of_order] == 0;
  }

  /// Whether the flag of any lane is set. Once, after the last round.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool any(const Team& team, bool flag) const {
    if (flag) Kokkos::atomic_or(counts_ + flagged, 1);
    sync_team(team);
    return counts_[flagged] != 0;
  }

  /// Writes to the back buffer what has changed in the central tile: all of the tile, or, `sparingly`, changed cells
  /// alone. All lanes have synchronised since the last redraw.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, bool touched, bool sparingly) {
    const int lanes = team.team_size(), rank = team.team_rank();
    const std::int64_t index = std::int64_t{replica_} * state_.geometry.tiles() + tile_number_;
    using Written = typename State<MemorySpace, M>::Written;
    if (rank == 0)
      state_.written(index) = !touched ? Written::nothing : (sparingly ? Written::some_cells : Written::all_cells);
    if (!touched) return;
    const int words_of_row = state_.geometry.words_of_row(), words = state_.geometry.words_of_tile();
    std::uint32_t* const changed = lows_ + side;  // no cell is due any more
    if (sparingly) {
      for (int i = rank; i < words; i += lanes) changed[i] = 0;
      sync_team(team);
    }
    const unsigned divide_by_tile = (1u << 22) / static_cast<unsigned>(tile) + 1;
    for (int i = rank; i < tile * tile; i += lanes) {
      const int row_of_tile = static_cast<int>((static_cast<unsigned>(i) * divide_by_tile) >> 22);
      const int column = i - row_of_tile * tile, x = halo + column, y = halo + row_of_tile, cell = y * side + x;
      const bool is_changed = stamps_[cell] != 0;
      if (!is_changed && sparingly) continue;
      const std::size_t to = written(x, y);
      state_.states(to) = states[cell];
      state_.streams.put(to, stream(x, y));
      if (!is_changed) state_.times(to) = state_.times(present(x, y));
      if (sparingly) Kokkos::atomic_or(changed + row_of_tile * words_of_row + column / 32, 1u << (column % 32));
    }
    if (sparingly) {
      sync_team(team);
      for (int i = rank; i < words; i += lanes) state_.changed(index * words + i) = changed[i];
    }
  }

  /// Room for two numbers a lane, once the window has been stored and all lanes have synchronised.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* room() const { return streams + side; }

  std::uint64_t* streams;  ///< g; 0: not read yet [rows 1 .. side - 2]
  StateType* states;       ///< x of all cells

 private:
  /// Which buffers hold the present of a window row: row `inside` of tiles in row `tile_y`. Bit x for its column x.
  KOKKOS_FUNCTION std::uint64_t fronts_of_row(int tile_x, int tile_y, int inside) const {
    const Geometry& g = state_.geometry;
    const std::int64_t row_of_tiles = std::int64_t{replica_} * g.tiles() + std::int64_t{tile_y} * g.tiles_x;
    int from, its_tile;
    place(0, tile_x, g.tiles_x, from, its_tile);
    from -= its_tile * tile;
    std::uint64_t fronts = 0;
    for (int x = 0; x < side;) {
      const std::int64_t word = (row_of_tiles + its_tile) * g.words_of_tile() + inside * g.words_of_row() + from / 32;
      const int end_of_word = from / 32 * 32 + 32 < tile ? from / 32 * 32 + 32 : tile;
      const int rest = end_of_word - from, count = rest < side - x ? rest : side - x;
      const std::uint64_t bits = (std::uint64_t{state_.front(word)} >> (from % 32)) & ((std::uint64_t{1} << count) - 1);
      fronts |= bits << x;
      x += count;
      from += count;
      if (from == tile) {
        from = 0;
        its_tile = its_tile == g.tiles_x - 1 ? 0 : its_tile + 1;
      }
    }
    return fronts;
  }

  /// Where the present of cell (x, y) stands in the arrays of the state, and where a step writes the cell.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(int x, int y) const { return in_buffer(row_fronts_[y] >> x, x, y); }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t written(int x, int y) const { return in_buffer(~row_fronts_[y] >> x, x, y); }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t in_buffer(std::uint64_t second, int x, int y) const {
    return first_of_replica_ + ((second & 1u) != 0 ? other_buffer_ : 0) + static_cast<std::size_t>(site(x, y));
  }

  /// The generator of live cell (x, y), from the lattice if it has not been read yet.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(int x, int y) const {
    std::uint64_t s = streams[y * side + x];
    if (s == 0) s = state_.streams.states()(present(x, y));
    return Stream(s);
  }

  /// Calls use(cell, x, y, read(index)) for this lane's share of the cells first .. end - 1, where `index` is where the
  /// present of the cell stands. A lane reads several before it uses the first, so that it waits for memory once.
  template <class Team, class Read, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void visit(const Team& team, int first, int end, const Read& read, const Use& use) const {
    constexpr int batch = 4;
    const int lanes = team.team_size();
    for (int begin = first + team.team_rank(); begin < end; begin += batch * lanes) {
      decltype(read(std::size_t{})) value[batch];
      for (int j = 0; j < batch; ++j) {
        const int cell = begin + j * lanes < end ? begin + j * lanes : begin, y = row(cell);
        value[j] = read(present(cell - y * side, y));
      }
      for (int j = 0; j < batch; ++j) {
        const int cell = begin + j * lanes, y = row(cell);
        if (cell < end) use(cell, cell - y * side, y, value[j]);
      }
    }
  }

  /// Reads the waiting times, and lists the live cells that are due.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load_times(const Team& team) {
    visit(
        team, side, side + inner_cells(), [&](std::size_t index) { return state_.times(index); },
        [&](int cell, int x, int, double time) {
          stamps_[cell] = 0;
          streams[cell] = 0;
          if (time < end_ && x > 0 && x < side - 1)
            list(team, cell, time);
          else
            keys_[cell] = DueTimes::unlisted;
        });
  }

  /// Reads the generators of the listed cells, and lets those of their neighbours come near.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load_lazily(const Team& team, int due) {
    for (int i = team.team_rank(); i < (due < capacity_ ? due : capacity_); i += team.team_size()) {
      const int cell = listed_cell(i), y = row(cell), x = cell - y * side;
      const auto& streams_of_lattice = state_.streams.states();
      for (int k = 0; k < M::neighbours; ++k)
        prefetch(&streams_of_lattice(present(x + neighbour_dx(k), y + neighbour_dy(k))));
      streams[cell] = streams_of_lattice(present(x, y));
    }
  }

  const State<MemorySpace, M>& state_;
  double end_;
  int lazy_below_, replica_, tile_number_;
  std::size_t first_of_replica_, other_buffer_;

  std::uint64_t* row_fronts_;   ///< bit x of row y: the buffer of the present of cell (x, y) [side]
  std::uint32_t* stamps_;       ///< 1 + key of the event that has redrawn a cell last; 0: none has [rows 1 .. side - 2]
  std::uint16_t* fired_cells_;  ///< of the round under way
  double* fired_times_;
};

}  // namespace tessera::kmc
