// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/due_cells.hpp>
#include <tessera/kmc/kernels/lane_share.hpp>
#include <tessera/kmc/kernels/team_cells.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/scratch.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/waiting_times.hpp>

namespace tessera::kmc {

/// The window of a team of several lanes. Many events are performed at once (DueCells), and all lanes share their
/// redraws: docs/kmc_algorithm.md, "Several events at once". See SingleLaneWindow for the use of windows.
///
/// The order of two events matters only for the cells that both redraw, because an event that changes the input of a
/// redraw also redraws that cell. A redraw that is not later than the last one of the cell, its timestamp, is out of
/// order, and in_order() returns false: the caller loads the window again, with another order. If tiles are compared
/// and repaired, only the redraws of the central tile must be in order (checksums.hpp).
template <class MemorySpace, Model M, bool whole, bool streams_in_level0>
class TeamWindow : public TeamCells<MemorySpace, M, whole, streams_in_level0> {
  using Cells = TeamCells<MemorySpace, M, whole, streams_in_level0>;
  using Cells::around, Cells::central, Cells::front, Cells::is_live, Cells::keys_, Cells::second_word, Cells::side,
      Cells::state_, Cells::states_, Cells::stream_of, Cells::stride, Cells::time_of, Cells::words_;

 public:
  using typename Cells::StateType;

  /// `skip`: the window is not run, if it is set in any lane.
  template <class Team>
  KOKKOS_FUNCTION TeamWindow(const Team& team, TileScratch scratch, const State<MemorySpace, M>& state, int halo_width,
                             int replica, int tile_number, double begin, double end, bool skip)
      : Cells(team, scratch, state, halo_width, replica, tile_number, begin, end),
        due_(team, TeamLayout(Cells::tile, Cells::halo), scratch.level0, Cells::arrays(), skip),
        event_(Roles(team.team_rank()).event),
        k_(Roles(team.team_rank()).k) {
    char* const events = scratch.level0 + Cells::arrays().events;
    if constexpr (Concerned<M>::reach > 1) {
      common_sums_ = reinterpret_cast<std::uint64_t*>(events);
      events_ = reinterpret_cast<SharedEvent<M>*>(common_sums_ + common_sums);
    } else {
      fired_times_ = reinterpret_cast<double*>(events);
      fired_states_ = reinterpret_cast<StateType*>(fired_times_ + TeamLayout::most_firing);
    }
  }

  /// Reads the window. Returns whether an event lies before the end of the step. `halo_counts`: whether redraws in the
  /// halo must be in order, too.
  template <class Team>
  KOKKOS_FUNCTION bool load(const Team& team, const M& model, EventOrder order, bool halo_counts) {
    sync_team(team);
    if (due_.counts[DueCells::skipped] != 0) return false;
    due_.reset(team, order);
    if constexpr (Concerned<M>::reach > 1)
      for (int i = team.team_rank(); i < common_sums; i += team.team_size()) common_sums_[i] = 0;
    state_.visit_counted(team, Cells::tile_index_, [](int, std::uint32_t& count) { count = 0; });
    halo_counts_ = halo_counts;
    due_.apart = 2 * largest_reach(model) + 1;
    // The shortest waiting times have a mean of less than 2^11 keys.
    if constexpr (may_settle)
      due_.settles_ties = Cells::end_ - keys_.time(0, 0) > 0x1p16 * model.smallest_mean_waiting_time();
    Cells::load_cells(team);
    sync_team(team);
    const bool any_due = due_.begin<whole, may_settle>(team, order);
    if (!whole && any_due && team.team_rank() == 0) Cells::is_same() = 0;
    return any_due;
  }

  /// Returns the number of next events: 0 if none is left before the end of the step, or if events were out of order.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team) {
    return due_.next_round<whole, may_settle, 2 * Concerned<M>::reach + 1>(team, Roles::events_of(team.team_size()),
                                                                           *this);
  }

  /// Performs these events. A lane redraws cells affected by events (LaneShare), and calls record(x, y, dx, dy, k,
  /// time of the event, outcome); k = -1 for an idle lane, and rejected_event.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform(const Team& team, const M& model, int count, const Record& record) {
    if constexpr (Roles::of_team)
      perform_as_team(team, model, count, record);
    else
      perform_in_warps(team, model, count, record);
    sync_warps(team);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool in_order() const { return due_.in_order(); }
  KOKKOS_FORCEINLINE_FUNCTION EventOrder next_order() const { return due_.next_order<whole>(); }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool any(const Team& team, bool flag) const {
    return due_.any(team, flag);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* common() const { return common_sums_; }

  /// The latest `last` of all lanes; called after the last event.
  template <class Team>
  KOKKOS_FUNCTION double latest(const Team& team, double last) const {
    if (team.team_rank() == 0) *due_.earliest = 0;
    sync_team(team);
    Kokkos::atomic_max(due_.earliest, Kokkos::bit_cast<std::uint64_t>(last));
    sync_team(team);
    return Kokkos::bit_cast<double>(*due_.earliest);
  }

  /// The sum of the numbers of all lanes; likewise.
  template <class Team>
  KOKKOS_FUNCTION std::uint64_t total(const Team& team, std::uint64_t count) const {
    sync_team(team);
    if (team.team_rank() == 0) *due_.earliest = 0;
    sync_team(team);
    Kokkos::atomic_add(due_.earliest, count);
    sync_team(team);
    const std::uint64_t sum = *due_.earliest;
    sync_team(team);
    return sum;
  }

  /// Writes the central tile to the back buffer, except for data written before; of a whole lattice the redrawn cells
  /// to the front buffer. `touched`: whether there are any.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, bool touched) const {
    if (!touched) {
      if (whole || due_.counts[DueCells::skipped] != 0 || Cells::is_same() != 0) return;
      sync_team(team);
      if (team.team_rank() == 0) Cells::is_same() = 1;
    }
    Cells::store_cells(team);
  }

  /// Memory for two numbers per lane, after store() and a synchronisation of all lanes.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* room() const { return reinterpret_cast<std::uint64_t*>(words_); }

 private:
  using Roles = LaneShare<M>;
  static constexpr bool may_settle = HasSmallestMean<M>;
  static_assert(Roles::events_of(TeamLayout::most_lanes) <= TeamLayout::most_firing);
  static_assert(TeamLayout::block_width == TeamLayout::block_height);

  /// A lane's redraw, with its input.
  struct Redraw {
    bool is_made = false;  ///< false for idle lanes and for cells of the fixed boundary
    int x = 0, y = 0;      ///< cell to redraw; the cell of the event if there is none
    std::uint32_t word;
    std::uint64_t second;
    std::size_t at;  ///< index in the front buffer
    std::uint64_t stream;
    double variate = 0;  ///< drawn from the stream
    RatesFrom<M> n;
  };

  /// Sets the cell that a lane redraws, at this offset from the event.
  KOKKOS_FORCEINLINE_FUNCTION void choose_cell(Redraw& r, bool is_concerned, int event_x, int event_y, int dx,
                                               int dy) const {
    const bool lives = is_live(event_x + dx, event_y + dy);
    r.is_made = is_concerned & lives;
    r.x = lives ? event_x + dx : event_x;
    r.y = lives ? event_y + dy : event_y;
    if constexpr (whole) {
      r.x = wrapped(r.x, side);
      r.y = wrapped(r.y, side);
    }
    r.at = front(r.x, r.y);
    r.word = words_[r.y * stride + r.x];
  }

  /// Redraws for events that change one cell and affect its neighbours: the cell of lane k is known before the event
  /// is drawn.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void redraw_beside(const Team& team, const M& model, bool has_share, int event,
                                                 int event_x, int event_y, Redraw& r, const Record& record) {
    const int dx = k_ == 0 ? 0 : neighbour_dx(k_ - 1), dy = k_ == 0 ? 0 : neighbour_dy(k_ - 1);
    choose_cell(r, has_share, event_x, event_y, dx, dy);
    const std::uint32_t event_word = words_[event_y * stride + event_x];
    r.second = second_word(r.x, r.y);
    Stream drawn(stream_of(is_redrawn(r.word), r.x, r.y));
    r.n = around(r.x, r.y);
    // The time of the event and the new state, for all lanes of the event. With streams in level 0 the variate of the
    // redraw is drawn before the time is known.
    const bool is_first = r.is_made & (k_ == 0);
    if (is_first) fired_states_[event] = model.next(r.n, drawn);
    if constexpr (streams_in_level0) r.variate = exponential_variate(drawn.draw());
    const double time = time_of(r.word, r.second);
    if (is_first) fired_times_[event] = time;
    sync_within_warps(team);  // no other event of the round changes the input
    const double now = fired_times_[event];
    const StateType next = fired_states_[event];
    r.n.centre = k_ == 0 ? next : r.n.centre;
    for (int j = 0; j < M::neighbours; ++j) r.n.around[j] = k_ == 1 + opposite(j) ? next : r.n.around[j];
    if constexpr (!streams_in_level0) r.variate = exponential_variate(drawn.draw());
    r.stream = drawn.state();
    const bool overtaken = (k_ != 0) & (key_of(r.word) <= key_of(event_word)) & (time <= now);
    if (is_first) states_[r.y * stride + r.x] = next;
    finish(r, model, now, overtaken);
    record(event_x, event_y, dx, dy, has_share ? k_ : -1, now, next);
  }

  /// Redraws for events that may change a cell and a neighbour. Each lane of an event draws its outcome, which
  /// determines which cell is affected. States are written after all lanes have read the input of the event.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void redraw_far(const Team& team, const M& model, bool has_share, int event_x,
                                              int event_y, Redraw& r, const Record& record) {
    const std::uint32_t event_word = words_[event_y * stride + event_x];
    Stream event_stream(stream_of(is_redrawn(event_word), event_x, event_y));
    const double now = time_of(event_word, second_word(event_x, event_y));
    const auto outcome_drawn = draw_event(model, around(event_x, event_y), event_stream,
                                          [&] { return state_.total(Cells::tile_index_, now); });
    const auto [dx, dy] = Concerned<M>::offset(k_, outcome_drawn);
    choose_cell(r, has_share & Concerned<M>::at(k_, outcome_drawn), event_x, event_y, dx, dy);
    const bool overtaken = draw(r, k_, key_of(event_word), now, event_stream.state());
    sync_within_warps(team);
    if (has_share & (k_ == 0)) {
      if (outcome_drawn.changes_centre) states_[event_y * stride + event_x] = outcome_drawn.centre;
      if constexpr (counts_events<M>)
        if (outcome_drawn.group >= 0 && (whole || central(event_x, event_y)))
          Kokkos::atomic_inc(&state_.counted(Cells::tile_index_, outcome_drawn.group));
    }
    // Cells of the fixed boundary change, too.
    if (has_share & (k_ == 1) & outcome_drawn.changes_beside)
      state_at(event_x + neighbour_dx(outcome_drawn.direction), event_y + neighbour_dy(outcome_drawn.direction)) =
          outcome_drawn.beside;
    sync_within_warps(team);
    r.n = around(r.x, r.y);
    finish(r, model, now, overtaken);
    const int position = is_rejected(model, outcome_drawn) ? rejected_event : k_;
    record(event_x, event_y, dx, dy, r.is_made ? position : -1, now, outcome<M>(outcome_drawn));
  }

  /// Draws from the stream of the cell at position k of an event at time `now` with this key. Whether its own next
  /// event would have preceded this event.
  KOKKOS_FORCEINLINE_FUNCTION bool draw(Redraw& r, int k, std::uint32_t key, double now,
                                        std::uint64_t event_stream) const {
    const bool same_key = key_of(r.word) == key;
    // The time matters only if the keys of cell and event are equal.
    r.second = (is_redrawn(r.word) | same_key) ? second_word(r.x, r.y) : 0;
    Stream drawn(k == 0 ? event_stream : stream_of(is_redrawn(r.word), r.x, r.y));
    r.variate = exponential_variate(drawn.draw());
    r.stream = drawn.state();
    const bool before = key_of(r.word) < key;
    return (k != 0) & (before || (same_key && time_of(r.word, r.second) <= now));
  }

  /// The state of cell (x, y), which may lie outside a whole lattice.
  KOKKOS_FORCEINLINE_FUNCTION StateType& state_at(int x, int y) const {
    return states_[Cells::template cell_at<whole>(x, y)];
  }

  /// perform() for events whose cells a warp shares.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform_in_warps(const Team& team, const M& model, int count, const Record& record) {
    Redraw r;
    if (const int first = Roles::first_event(team.team_rank()); first < count) {
      // All lanes of a warp execute this; idle ones repeat another lane's event without effect.
      const bool has_share = event_ < count;
      const int event = has_share ? event_ : first, x = x_of(due_.fired[event]), y = y_of(due_.fired[event]);
      if constexpr (Concerned<M>::reach > 1)
        redraw_far(team, model, has_share, x, y, r, record);
      else
        redraw_beside(team, model, has_share, event, x, y, r, record);
    }
    sync_warps(team);
    due_.update_was_late();
    if (r.is_made) due_.template refresh_block<whole, may_settle>(r.x, r.y);
  }

  /// perform() for events whose cells all lanes share: one lane draws the outcome of an event and changes the states,
  /// which no other event of the round reads; then all lanes redraw cells, then the blocks of these. If the model keeps
  /// sums, states change with the redraws.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform_as_team(const Team& team, const M& model, int count, const Record& record) {
    const int rank = team.team_rank(), lanes = team.team_size();
    if (rank < count) {
      const int x = x_of(due_.fired[rank]), y = y_of(due_.fired[rank]);
      const std::uint32_t word = words_[y * stride + x];
      Stream stream(stream_of(is_redrawn(word), x, y));
      const double now = time_of(word, second_word(x, y));
      const OutcomeOf<M> drawn =
          draw_event(model, around(x, y), stream, [&] { return state_.total(Cells::tile_index_, now); });
      events_[rank] = {now, stream.state(), drawn};
      if constexpr (ChangesListed<M>) Kokkos::atomic_max(due_.counts + DueCells::most_concerned, drawn.count);
      // Cells of the fixed boundary change, too.
      if constexpr (!KeepsSums<M>)
        change_states<M>(drawn, [&](int dx, int dy) -> StateType& { return state_at(x + dx, y + dy); });
      if constexpr (counts_events<M>)
        if (drawn.group >= 0 && (whole || central(x, y)))
          Kokkos::atomic_inc(&state_.counted(Cells::tile_index_, drawn.group));
      record(x, y, 0, 0, is_rejected(model, drawn) ? rejected_event : 0, now, outcome<M>(drawn));
    }
    sync_warps(team);
    const auto redraw = [&](int event, int k) {
      const double now = events_[event].time;
      const OutcomeOf<M>& drawn = events_[event].outcome;
      if (!Concerned<M>::at(k, drawn)) return;
      const int x = x_of(due_.fired[event]), y = y_of(due_.fired[event]);
      const Offset at = Concerned<M>::offset(k, drawn);
      if (!is_live(x + at.dx, y + at.dy)) return;
      Redraw r;
      choose_cell(r, true, x, y, at.dx, at.dy);
      const bool redrawn = is_redrawn(r.word), stores_state = KeepsSums<M> && (whole || central(r.x, r.y));
      const StateType state = stores_state ? state_.states(redrawn ? r.at + Cells::to_back_ : r.at) : StateType{};
      const bool overtaken = draw(r, k, keys_.key(now), now, events_[event].stream);
      r.n = around(r.x, r.y);
      if constexpr (KeepsSums<M>) r.n.added = model.change_of_sums(drawn, k);
      finish(r, model, now, overtaken);
      if constexpr (KeepsSums<M>) {
        for (int i = 0; i < state_.kept; ++i) Cells::sums_[Cells::live_number(r.x, r.y) * state_.kept + i] = r.n(i);
        if (const std::uint64_t added = r.n.added[state_.kept]; stores_state && (!redrawn || added != 0))
          state_.states(r.at + Cells::to_back_) = static_cast<StateType>(state + added);
      }
      if (k > 0) record(x, y, at.dx, at.dy, k, now, outcome<M>(drawn));
    };
    // Lists that are shorter than the longest one leave lanes idle.
    const int most = ChangesListed<M> ? due_.counts[DueCells::most_concerned] : Concerned<M>::positions;
    const unsigned divide = (1u << 22) / static_cast<unsigned>(most) + 1;
    for (int i = rank; i < count * most; i += lanes) {
      const auto event = static_cast<int>(static_cast<unsigned>(i) * divide >> 22);
      if (const int k = i - event * most; k < Concerned<M>::count(events_[event].outcome)) redraw(event, k);
    }
    sync_warps(team);
    due_.update_was_late();
    if (rank == 0) due_.counts[DueCells::most_concerned] = 0;
    // The blocks of cells at most `reach` away.
    constexpr int width = TeamLayout::block_width;
    const int reach = largest_reach(model), blocks = (2 * reach + width - 1) / width + 1;
    for (int i = rank; i < count * blocks * blocks; i += lanes) {
      const int event = i / (blocks * blocks), block = i - event * blocks * blocks;
      const auto begin = [&](int cell, int number) { return ((cell - reach) & -width) + width * number; };
      int x = begin(x_of(due_.fired[event]), block % blocks), y = begin(y_of(due_.fired[event]), block / blocks);
      if constexpr (whole) {
        x = wrapped(x, side);
        y = wrapped(y, side);
      } else if (x < 0 || y < 0 || x >= side || y >= side) {
        continue;
      }
      due_.template refresh_block<whole, may_settle>(x, y);
    }
  }

  /// Sets the new waiting time of the cell, from its new neighbourhood and the variate. `overtaken`: its own next event
  /// would have preceded this event.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Redraw& r, const M& model, double now, bool overtaken) const {
    const double mean = mean_waiting_time(model, r.n), time = next_waiting_time(now, mean, r.variate);
    const std::uint64_t stamp = keys_.stamp(now);
    const bool redrawn = is_redrawn(r.word), is_late = (redrawn & (stamp <= keys_.stamp_of(r.second))) | overtaken;
    if (r.is_made & is_late)  // rare; outside, the other conditions would take registers and delay loads of streams
      if ((whole || halo_counts_ || central(r.x, r.y)) && !due_.exact) due_.record_key(DueCells::late, keys_.key(now));
    if (r.is_made) Cells::put(r.x, r.y, r.at, time, stamp, r.stream);
  }

  DueCells due_;
  int event_, k_;                         ///< event and position of this lane, where warps share (LaneShare)
  bool halo_counts_ = true;               ///< see load()
  double* fired_times_;                   ///< times of the current events, if they affect neighbours only
  StateType* fired_states_;               ///< their new states [most_firing]
  std::uint64_t* common_sums_ = nullptr;  ///< of far events, instead [common_sums]
  SharedEvent<M>* events_;                ///< the current ones, where the team shares
};

}  // namespace tessera::kmc
