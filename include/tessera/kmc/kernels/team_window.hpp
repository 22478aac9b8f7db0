// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/due_cells.hpp>
#include <tessera/kmc/kernels/lane_share.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <type_traits>

namespace tessera::kmc {

/// The window of a team of several lanes. Many events are performed at once (DueCells), and all lanes share their
/// redraws. See SingleLaneWindow for the use of windows.
///
/// Events may be processed out of causal order: a chain of events may start outside the surroundings of a cell that has
/// fired, and reach them at an earlier time. The order of two events matters only for the cells that both redraw,
/// because an event that changes the input of a redraw also redraws that cell. Each cell therefore has a timestamp, the
/// time of the event that last redrew it. A redraw that is not later than the timestamp is out of order, and in_order()
/// returns false. Without such a redraw the run equals the sequential one. Otherwise the caller loads the window again,
/// with an order in which this is rarer or impossible.
///
/// If tiles are compared and repaired, only the redraws of the central tile must be in order: they depend on events in
/// the tile and in the ring around it, and the comparison detects a ring that differs from that of the neighbouring
/// tiles (checksums.hpp). Most cells of a window are in the halo.
///
/// Words and states, which each round reads, are in level-0 scratch memory. Data that only redraws need are in level 1,
/// for redrawn cells only; those of the others are in the lattice. Streams have the largest latency, and draws do not
/// depend on the event: with `streams_in_level0`, the streams of all cells are in level 0, and lanes draw from them
/// before the time of the event is known. If a redrawn cell of the central tile has its next event after the end of the
/// step, this time is written to the back buffer at once; a later redraw overwrites it.
template <class MemorySpace, Model M, bool whole, bool streams_in_level0>
class TeamWindow : public DueCells {
 public:
  using StateType = typename M::State;
  using DueCells::any;

  /// `skip`: the window is not run, if it is set in any lane.
  template <class Team>
  KOKKOS_FUNCTION TeamWindow(const Team& team, const TileScratch& scratch, const State<MemorySpace, M>& state,
                             int halo_width, int replica, int tile_number, double begin, double end, bool skip)
      : DueCells(state.geometry, halo_width, TeamLayout(state.geometry.tile, halo_width), begin, end),
        state_(state),
        end_(end),
        first_of_replica_(state.front(replica, 0)),
        to_back_(state.to_back(replica)),
        tile_index_(std::int64_t{replica} * state.geometry.tiles() + tile_number),
        event_(Roles(team.team_rank()).event),
        k_(Roles(team.team_rank()).k) {
    const TeamLayout layout(tile, halo);
    char* at = scratch.level0;
    carve(at, words_, layout.cells);
    carve(at, states_, layout.cells);
    at = scratch.level0 + layout.cells * 8;
    carve(at, block_words_, layout.bordered_blocks);
    carve(at, earliest_, 4);
    carve(at, part_keys_, most_parts);
    carve(at, counts_, TeamLayout::words_shared);
    carve(at, fired_times_, TeamLayout::most_firing);
    if constexpr (Concerned<M>::reach > 1)
      carve(at, common_checksums_, checksums<M>);
    else
      carve(at, fired_states_, TeamLayout::most_firing);
    carve(at, fired_, TeamLayout::most_firing);
    carve(at, column_x, side);
    carve(at, row_site, side);
    if constexpr (streams_in_level0) carve(at, streams_, layout.live_cells);
    redrawn_ = reinterpret_cast<Redrawn*>(scratch.level1);
    set_tile(team, state.geometry, tile_number);
    if (const int i = team.team_rank(); i < counters) counts_[i] = i == skipped && skip ? 1 : 0;
  }

  /// Reads the window. Returns whether an event lies before the end of the step. `halo_counts`: whether redraws in the
  /// halo must be in order, too.
  template <class Team>
  KOKKOS_FUNCTION bool load(const Team& team, [[maybe_unused]] const M& model, EventOrder order, bool halo_counts) {
    sync_team(team);
    if (counts_[skipped] != 0) return false;
    const bool again = !in_order(), one_more = order == EventOrder::in_parts && again;
    if (again) {
      sync_team(team);
      if (one_more && team.team_rank() == 0) add_part();
      sync_team(team);
      if (team.team_rank() < skipped) counts_[team.team_rank()] = 0;
    }
    parts_ = one_more ? parts_ + 1 : 0;
    if constexpr (Concerned<M>::reach > 1)
      for (int i = team.team_rank(); i < checksums<M>; i += team.team_size()) common_checksums_[i] = 0;
    state_.visit_counted(team, tile_index_, [](int, std::uint32_t& count) { count = 0; });
    halo_counts_ = halo_counts;
    // The shortest waiting times have a mean of less than 2^11 keys.
    if constexpr (may_settle) settles_ = end_ - due_.time(0, 0) > 0x1p16 * model.smallest_mean_waiting_time();
    load_cells(team);
    sync_team(team);
    const bool any_due = DueCells::template begin<whole, may_settle>(team, order);
    if (!whole && any_due && team.team_rank() == 0) state_.same(tile_index_) = 0;
    return any_due;
  }

  /// Returns the number of next events: 0 if none is left before the end of the step, or if events were out of order.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team) {
    return next_round<whole, may_settle, further>(team, Roles::events_of(team.team_size()), [&](int x, int y) {
      return Kokkos::bit_cast<std::uint64_t>(time_of(words_[y * stride + x], second_word(x, y)));
    });
  }

  /// Performs these events. A lane redraws one of the cells concerned by an event (LaneShare), and calls record(x, y,
  /// dx, dy, k, time of the event, outcome); k = -1 for an idle lane.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform(const Team& team, const M& model, int count, const Record& record) {
    if constexpr (Concerned<M>::reach > 1)
      perform_far(team, model, count, record);
    else
      perform_cells(team, model, count, record);
  }

  /// Whether all redraws were in order; valid after fire() has returned 0.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order() const { return counts_[tied] == 0 && counts_[late] == 0; }

  /// The order for the next attempt otherwise. A whole lattice, whose next step can be shorter, is not divided as
  /// often.
  KOKKOS_FORCEINLINE_FUNCTION EventOrder next_order() const {
    return parts_ == (whole ? most_parts_of_whole : most_parts) ? EventOrder::one_by_one : EventOrder::in_parts;
  }

  /// Number of unresolved waiting times in the central tile (is_unresolved()); valid after the last event.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t unresolved() const {
    return static_cast<std::uint32_t>(counts_[unresolved_waits]);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* common_checksums() const { return common_checksums_; }

  /// The latest `last` of all lanes; called after the last event.
  template <class Team>
  KOKKOS_FUNCTION double latest(const Team& team, double last) const {
    if (team.team_rank() == 0) earliest_[0] = 0;
    sync_team(team);
    Kokkos::atomic_max(earliest_, Kokkos::bit_cast<std::uint64_t>(last));
    sync_team(team);
    return Kokkos::bit_cast<double>(earliest_[0]);
  }

  /// Writes the central tile to the back buffer, except for data written before; of a whole lattice the redrawn cells
  /// to the front buffer. `touched`: whether there are any.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, bool touched) const {
    if (!touched) {
      if (whole || counts_[skipped] != 0 || state_.same(tile_index_) != 0) return;
      sync_team(team);
      if (team.team_rank() == 0) state_.same(tile_index_) = 1;
    }
    const unsigned divide_by_tile = (1u << 22) / static_cast<unsigned>(tile) + 1;
    const int cells = tile * tile, lanes = team.team_size();
    constexpr int batch = 4;
    for (int begin = team.team_rank(); begin < cells; begin += batch * lanes) {
      bool writes[batch], has_time[batch];
      std::size_t to[batch];
      StateType state[batch];
      double time[batch];
      std::uint64_t stream[batch];
      for (int j = 0; j < batch; ++j) {
        const int i = begin + j * lanes < cells ? begin + j * lanes : begin;
        const int row = static_cast<int>((static_cast<unsigned>(i) * divide_by_tile) >> 22);
        const int x = halo + i - row * tile, y = halo + row, cell = y * stride + x;
        const std::size_t at = front(x, y);
        const bool redrawn = is_redrawn(words_[cell]);
        writes[j] = (redrawn || !whole) && begin + j * lanes < cells;
        has_time[j] = redrawn && !whole;
        to[j] = whole ? at : at + to_back_;
        state[j] = states_[cell];
        time[j] = writes[j] && !has_time[j] ? state_.times(whole ? at + to_back_ : at) : 0;
        stream[j] = writes[j] ? stream_of(redrawn, x, y) : 0;
      }
      for (int j = 0; j < batch; ++j) {
        if (!writes[j]) continue;
        state_.states(to[j]) = state[j];
        if (!has_time[j]) state_.times(to[j]) = time[j];
        state_.streams.states()(to[j]) = stream[j];
      }
    }
  }

  /// Memory for two numbers per lane, after store() and a synchronisation of all lanes.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* room() const { return reinterpret_cast<std::uint64_t*>(words_); }

 private:
  using Roles = LaneShare<M>;
  static constexpr bool may_settle = HasSmallestMean<M>;
  static constexpr int boundary = Concerned<M>::reads;  ///< width of the fixed boundary
  static_assert(Roles::events_of(TeamLayout::most_lanes) <= TeamLayout::most_firing);
  static constexpr bool further = width + 1 < Concerned<M>::apart;
  static_assert(width == height && (further ? 3 * width / 2 + 1 : width + 1) >= Concerned<M>::apart,
                "events that fire together must concern no cell in common");
  static_assert(8 * checksums<M> <= 4 * TeamLayout::most_firing);

  /// Data of a redrawn cell in level-1 scratch memory: its stream, unless streams are in level 0; packed (DueTimes),
  /// the rest of its time, if before the end of the step, and its timestamp.
  struct alignas(16) StreamAndTimes {
    std::uint64_t stream, rest_and_stamp;
  };
  struct Times {
    std::uint64_t rest_and_stamp;
  };
  using Redrawn = std::conditional_t<streams_in_level0, Times, StreamAndTimes>;
  static_assert(sizeof(Redrawn) == TeamLayout::bytes_of_redrawn(streams_in_level0));

  /// A lane's redraw, with its input.
  struct Redraw {
    bool is_made = false;  ///< false for idle lanes and for cells of the fixed boundary
    int x = 0, y = 0;      ///< cell to redraw; the cell of the event if there is none
    int event_x, event_y;
    std::uint32_t event_word, word;
    std::uint64_t second;
    std::size_t at;  ///< index in the front buffer
    std::uint64_t stream;
    double variate = 0;  ///< drawn from the stream
    double time;         ///< time of the cell's next event so far, if before the end of the step
    NeighbourhoodOf<M> n;
  };

  /// perform() for events that change one cell and concern its neighbours: the cell of lane k is known before the event
  /// is drawn.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform_cells(const Team& team, const M& model, int count, const Record& record) {
    // All lanes of a warp execute this; idle ones repeat another lane's event without effect.
    const int first = Roles::first_event(team.team_rank()), event = event_ < count ? event_ : first;
    Redraw redraw;
    if (first < count) {
      read(redraw, event, event_ < count);
      begin_event(redraw, model, event);
      sync_within_warps(team);  // no other event of the round changes the input
      const double now = fired_times_[event];
      const StateType next = fired_states_[event];
      make(redraw, model, now, next);
      record(redraw.event_x, redraw.event_y, dx(), dy(), event_ < count ? k_ : -1, now, next);
    }
    sync_warps(team);
    update_was_late();
    if (redraw.is_made) this->template refresh_block<whole, may_settle>(redraw.x, redraw.y);
    sync_warps(team);
  }

  /// perform() for events that may concern cells at a distance of two. Each lane of an event draws its outcome, which
  /// determines whether, and of a pair which, cell is concerned. States are written after all lanes have read the input
  /// of the event.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform_far(const Team& team, const M& model, int count, const Record& record) {
    const int first = Roles::first_event(team.team_rank()), event = event_ < count ? event_ : first;
    const bool has_share = event_ < count;
    Redraw r;
    if (first < count) {
      const int event_x = x_of(fired_[event]), event_y = y_of(fired_[event]);
      r.event_word = words_[event_y * stride + event_x];
      Stream event_stream(stream_of(is_redrawn(r.event_word), event_x, event_y));
      const double now = time_of(r.event_word, second_word(event_x, event_y));
      const auto outcome_drawn =
          draw_event(model, neighbourhood<whole, M::neighbours>(states_, event_x, event_y), event_stream);
      const auto [dx, dy] = Concerned<M>::offset(k_, outcome_drawn);
      const bool is_live = whole || live<boundary>(event_x + dx, event_y + dy);
      r.is_made = has_share & Concerned<M>::at(k_, outcome_drawn) & is_live;
      r.x = is_live ? event_x + dx : event_x;
      r.y = is_live ? event_y + dy : event_y;
      if constexpr (whole) {
        r.x = wrapped(r.x, side);
        r.y = wrapped(r.y, side);
      }
      r.at = front(r.x, r.y);
      r.word = words_[r.y * stride + r.x];
      // The time matters only if the keys of cell and event are equal.
      r.second = (is_redrawn(r.word) | (key_of(r.word) == key_of(r.event_word))) ? second_word(r.x, r.y) : 0;
      Stream drawn(k_ == 0 ? event_stream.state() : stream_of(is_redrawn(r.word), r.x, r.y));
      r.variate = exponential_variate(drawn.draw());
      r.stream = drawn.state();
      const bool before = key_of(r.word) < key_of(r.event_word);
      const bool same_key = key_of(r.word) == key_of(r.event_word);
      const bool overtaken = (k_ != 0) & (before || (same_key && time_of(r.word, r.second) <= now));
      sync_within_warps(team);
      if (has_share & (k_ == 0)) {
        fired_times_[event] = now;
        if constexpr (!ChangesSeveral<M>)
          if (outcome_drawn.changes_centre) states_[event_y * stride + event_x] = outcome_drawn.centre;
        if constexpr (counts_events<M>)
          if (outcome_drawn.group >= 0 && (whole || central(event_x, event_y)))
            Kokkos::atomic_inc(&state_.counted(tile_index_, outcome_drawn.group));
      }
      // Cells of the fixed boundary change, too.
      if constexpr (ChangesSeveral<M>) {
        for (int j = 0; j <= M::neighbours; ++j)
          if (has_share & (k_ == j) & ((outcome_drawn.changed >> j & 1u) != 0))
            states_[j == 0 ? event_y * stride + event_x
                           : this->template neighbour_cell<whole>(event_x, event_y, j == 0 ? 0 : j - 1)] =
                outcome_drawn.states[j];
      } else if (has_share & (k_ == 1) & outcome_drawn.changes_beside) {
        states_[this->template neighbour_cell<whole>(event_x, event_y, outcome_drawn.direction)] = outcome_drawn.beside;
      }
      sync_within_warps(team);
      r.n = neighbourhood<whole, M::neighbours>(states_, r.x, r.y);
      finish(r, model, now, overtaken);
      record(event_x, event_y, dx, dy, r.is_made ? k_ : -1, now, outcome<M>(outcome_drawn));
    }
    sync_warps(team);
    update_was_late();
    if (r.is_made) this->template refresh_block<whole, may_settle>(r.x, r.y);
    sync_warps(team);
  }

  KOKKOS_FORCEINLINE_FUNCTION int dx() const { return k_ == 0 ? 0 : neighbour_dx(k_ - 1); }
  KOKKOS_FORCEINLINE_FUNCTION int dy() const { return k_ == 0 ? 0 : neighbour_dy(k_ - 1); }

  KOKKOS_FORCEINLINE_FUNCTION void read(Redraw& r, int event, bool has_share) const {
    r.event_x = x_of(fired_[event]);
    r.event_y = y_of(fired_[event]);
    const bool is_live = whole || live<boundary>(r.event_x + dx(), r.event_y + dy());
    r.is_made = has_share & is_live;
    r.x = is_live ? r.event_x + dx() : r.event_x;
    r.y = is_live ? r.event_y + dy() : r.event_y;
    if constexpr (whole) {
      r.x = wrapped(r.x, side);
      r.y = wrapped(r.y, side);
    }
    r.at = front(r.x, r.y);
    r.event_word = words_[r.event_y * stride + r.event_x];
    r.word = words_[r.y * stride + r.x];
    r.second = second_word(r.x, r.y);
    r.stream = stream_of(is_redrawn(r.word), r.x, r.y);
    r.n = neighbourhood<whole, M::neighbours>(states_, r.x, r.y);
  }

  /// Computes the time of the event and the new state, for all lanes of the event. With streams in level 0, also draws
  /// the variate of the redraw, before the time is known.
  KOKKOS_FORCEINLINE_FUNCTION void begin_event(Redraw& r, const M& model, int event) const {
    const bool is_first = r.is_made & (k_ == 0);
    Stream drawn(r.stream);
    if (is_first) fired_states_[event] = model.next(r.n, drawn);
    if constexpr (streams_in_level0) r.variate = exponential_variate(drawn.draw());
    r.time = time_of(r.word, r.second);
    if (is_first) fired_times_[event] = r.time;
    r.stream = drawn.state();
  }

  KOKKOS_FORCEINLINE_FUNCTION void make(Redraw& r, const M& model, double now, StateType next) const {
    r.n.centre = k_ == 0 ? next : r.n.centre;
    for (int j = 0; j < M::neighbours; ++j) r.n.around[j] = k_ == 1 + opposite(j) ? next : r.n.around[j];
    Stream drawn(r.stream);
    if constexpr (!streams_in_level0) r.variate = exponential_variate(drawn.draw());
    r.stream = drawn.state();
    const bool overtaken = (k_ != 0) & (key_of(r.word) <= key_of(r.event_word)) & (r.time <= now);
    if (r.is_made & (k_ == 0)) states_[r.y * stride + r.x] = next;
    finish(r, model, now, overtaken);
  }

  /// Sets the new waiting time of the cell, from its new neighbourhood and the variate. `overtaken`: its own next event
  /// would have preceded this event.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Redraw& r, const M& model, double now, bool overtaken) const {
    const double mean = mean_waiting_time(model, r.n), time = next_waiting_time(now, mean, r.variate);
    const bool due = time < end_;
    const std::uint64_t stamp = due_.stamp(now);
    const bool is_late = (is_redrawn(r.word) & (stamp <= due_.stamp_of(r.second))) | overtaken;
    const bool matters = whole | halo_counts_ | central(r.x, r.y);
    const bool unresolved = is_unresolved(now, mean), notes_late = is_late & matters & !exact_;
    if (r.is_made & (notes_late | unresolved)) {  // rare: one branch for both
      if (notes_late) record_key(late, due_.key(now));
      if (unresolved && (whole || central(r.x, r.y))) Kokkos::atomic_inc(counts_ + unresolved_waits);
    }
    const std::uint32_t new_word = word(due ? due_.key(time) : DueTimes::never, r.x, r.y, true);
    const std::uint64_t rest_and_stamp = due_.packed(due ? due_.rest(time) : 0, stamp);
    const int cell = r.y * stride + r.x, number = live_number(r.x, r.y);
    if (!r.is_made) return;
    words_[cell] = new_word;
    if constexpr (streams_in_level0) {
      streams_[number] = r.stream;
      redrawn_[number] = {rest_and_stamp};
    } else {
      redrawn_[number] = {r.stream, rest_and_stamp};
    }
    if (!due && (whole || central(r.x, r.y))) state_.times(r.at + to_back_) = time;
  }

  /// Index of cell (x, y) in the front buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t front(int x, int y) const {
    return first_of_replica_ + static_cast<std::size_t>(site(x, y));
  }

  /// Number of cell (x, y) among the live cells.
  KOKKOS_FORCEINLINE_FUNCTION int live_number(int x, int y) const {
    constexpr int border = whole ? 0 : 1;
    return (y - border) * (side - 2 * border) + x - border;
  }

  /// Stream of live cell (x, y).
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream_of(bool redrawn, int x, int y) const {
    if constexpr (streams_in_level0)
      return streams_[live_number(x, y)];
    else
      return redrawn ? redrawn_[live_number(x, y)].stream : state_.streams.states()(front(x, y));
  }

  /// Second part of the time of due cell (x, y), in addition to its word; with the timestamp if it has been redrawn.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t second_word(int x, int y) const {
    const auto* const time = reinterpret_cast<const std::uint64_t*>(&state_.times(front(x, y)));
    return *(is_redrawn(words_[y * stride + x]) ? &redrawn_[live_number(x, y)].rest_and_stamp : time);
  }
  KOKKOS_FORCEINLINE_FUNCTION double time_of(std::uint32_t word, std::uint64_t second) const {
    const double redrawn = due_.time(key_of(word), due_.rest_of(second));
    return is_redrawn(word) ? redrawn : Kokkos::bit_cast<double>(second);
  }

  /// Reads the waiting times and states of all cells. A lane issues several loads before it uses the first value.
  /// Beyond the last cell it repeats its first one, because compilers serialise loads in a branch.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load_cells(const Team& team) const {
    constexpr int batch = streams_in_level0 ? 4 : 8;
    const int lanes = team.team_size(), rank = team.team_rank(), cells = side * side, own = rank < cells ? rank : 0;
    const unsigned divide_by_side = (1u << 22) / static_cast<unsigned>(side) + 1;
    for (int begin = 0; begin < cells; begin += batch * lanes) {
      int x[batch], y[batch];
      double time[batch];
      StateType state[batch];
      std::uint64_t stream[batch];
      for (int j = 0; j < batch; ++j) {
        const int i = begin + j * lanes + rank < cells ? begin + j * lanes + rank : own;
        y[j] = static_cast<int>((static_cast<unsigned>(i) * divide_by_side) >> 22);
        x[j] = i - y[j] * side;
        const std::size_t at = front(x[j], y[j]);
        time[j] = state_.times(at);
        state[j] = state_.states(at);
        if constexpr (streams_in_level0) stream[j] = state_.streams.states()(at);
      }
      if constexpr (streams_in_level0)
        sync_within_warps(team);  // prevents compilers from delaying the loads of streams
      if (rank >= cells) continue;
      for (int j = 0; j < batch; ++j) {
        const int cell = y[j] * stride + x[j];
        const bool is_live = whole || live<boundary>(x[j], y[j]);
        words_[cell] = word(time[j] < end_ && is_live ? due_.key(time[j]) : DueTimes::never, x[j], y[j], false);
        states_[cell] = state[j];
        if constexpr (streams_in_level0)
          if (is_live) streams_[live_number(x[j], y[j])] = stream[j];
      }
    }
    const int rows = (side + height - 1) / height * height;
    for (int y = team.team_rank(); y < rows; y += lanes)
      for (int x = y < side ? side : 0; x < stride; ++x) words_[y * stride + x] = beyond;
  }

  const State<MemorySpace, M>& state_;
  double end_;
  std::size_t first_of_replica_;  ///< index in the front buffer
  std::size_t to_back_;
  std::int64_t tile_index_;
  int event_, k_;                              ///< event and position of this lane (LaneShare)
  bool halo_counts_ = true;                    ///< see load()
  StateType* states_;                          ///< x of all cells [stride * rows]
  double* fired_times_;                        ///< times of the current events [most_firing]
  StateType* fired_states_;                    ///< new states of the current events [most_firing]
  std::uint64_t* common_checksums_ = nullptr;  ///< of far events, instead of fired_states_ (Checksums)
  Redrawn* redrawn_;                           ///< data of redrawn cells [live cells]
  std::uint64_t* streams_;                     ///< streams of all live cells, if in level 0 [live cells]
};

}  // namespace tessera::kmc
