// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/state/initial_state.hpp>
#include <vector>

#include "tests/kmc/emulated_team.hpp"

/// What the tests of teams of many lanes share.
namespace tessera::kmc {

using ::tessera::testing::EmulatedLanes;
using ::tessera::testing::EmulatedTeam;
using Host = Kokkos::DefaultHostExecutionSpace;

/// How a team goes about a tile; of one lane, always in the same way.
struct TeamWay {
  int lanes = 1;
  EventOrder order = EventOrder::local;
  bool on_threads = false;  ///< one to a lane
  bool halo_counts = true;  ///< see AdvanceTile::run()
};

/// The times of all replicas.
struct TimeZero {
  KOKKOS_FUNCTION double operator()(std::int64_t) const { return 0; }
};

/// The steps of a lattice of 3 x 2 tiles, made by teams of one lane or of many, without check: the front buffer decides
/// alone what a tile makes of it. Every other tile has its streams in level-0 scratch memory.
template <Model M, bool of_many = true>
class Lattice {
 public:
  Lattice(const M& model, int tile, int halo, const TeamWay& way, std::uint64_t seed = 5)
      : halo_(halo),
        way_(way),
        state_(Geometry{3 * tile, 2 * tile, tile, 3, 2, 1}, model),
        work_{state_, model, way.order},
        scratch_((ScratchBytes(tile, halo, way.lanes, true, reach_of(model)).level0 +
                  ScratchBytes(tile, halo, way.lanes, false, reach_of(model)).level1) /
                     16 +
                 4) {
    seed_cells(Host(), state_, seed);
    start_states(Host(), state_, model, seed);
    start_times(Host(), state_, model, TimeZero());
  }

  /// Gives all cells one of a few waiting times, from 1 on: `apart` from each other, of which nearest numbers are
  /// 2^-52. If the model keeps sums, only cells with a rate: events that cannot happen would make impossible sums.
  void tie(double apart) {
    for (int y = 0; y < state_.geometry.ny; ++y)
      for (int x = 0; x < state_.geometry.nx; ++x)
        if (double& time = state_.times(state_.index(0, y * state_.geometry.nx + x));
            !KeepsSums<M> || std::isfinite(time))
          time = 1 + apart * static_cast<double>(hash(1, 100 * y + x) % 5);
  }

  /// Makes the present, which is 0, and all waiting times so much later.
  void begin_at(double time) {
    time_ = time;
    for (int site = 0; site < state_.geometry.nx * state_.geometry.ny; ++site)
      state_.times(state_.index(0, site)) += time;
  }

  /// The time of cell (x, y)'s next event, `offset` units in the last place after the present time.
  void put(int x, int y, std::uint64_t offset) {
    state_.times(state_.front(0, y * state_.geometry.nx + x)) =
        Kokkos::bit_cast<double>(Kokkos::bit_cast<std::uint64_t>(time_) + offset);
  }

  /// An accepted step of length `step`; what the tiles have reported.
  std::vector<std::uint64_t> advance(double step) {
    const std::vector<std::uint64_t> reports = run_tiles(step, [](int) { return false; });
    accept();
    time_ += step;
    return reports;
  }

  /// What the tiles report of a step of length `step`, checksums and all.
  std::vector<std::uint64_t> run_tiles(double step, const std::function<bool(int)>& skip) {
    std::vector<std::uint64_t> reports;
    for (int tile = 0; tile < 6; ++tile) {
      std::vector<std::uint64_t> checksums(kmc::checksums<M>);
      const TileReport<M> report = run(tile, time_ + step, checksums.data(), skip);
      events += report.too_long ? 0 : report.events;
      runs += report.runs;
      too_long += report.too_long;
      if (report.too_long) continue;
      reports.insert(reports.end(), checksums.begin(), checksums.end());
      reports.insert(reports.end(), {report.events, Kokkos::bit_cast<std::uint64_t>(report.last_event), report.touched,
                                     report.too_long});
      for (std::size_t g = 0; g < state_.counted.extent(1); ++g)
        reports.push_back(state_.counted(static_cast<std::size_t>(tile), g));
    }
    return reports;
  }

  /// Makes what the tiles have written the present.
  void accept() {
    if (of_many)
      state_.swapped(0) = 1 - state_.swapped(0);
    else
      for (int tile = 0; tile < 6; ++tile) state_.commit(0, tile);
    if constexpr (KeepsSums<M>) set_sums();
  }

  /// Those of one tile.
  std::vector<std::uint64_t> cells_of(int tile) const {
    const std::vector<std::uint64_t> all = cells();
    const int side = state_.geometry.tile, first = (tile / 3 * side * 3 + tile % 3) * side;
    std::vector<std::uint64_t> result;
    for (int y = 0; y < side; ++y) {
      const auto row = all.begin() + std::ptrdiff_t{3} * (first + y * state_.geometry.nx);
      result.insert(result.end(), row, row + std::ptrdiff_t{3} * side);
    }
    return result;
  }

  /// States, waiting times and generators of all cells.
  std::vector<std::uint64_t> cells() const {
    std::vector<std::uint64_t> result;
    for (int y = 0; y < state_.geometry.ny; ++y)
      for (int x = 0; x < state_.geometry.nx; ++x) {
        const std::size_t i = state_.front(0, y * state_.geometry.nx + x);
        result.insert(result.end(), {static_cast<std::uint64_t>(state_.states(i)),
                                     Kokkos::bit_cast<std::uint64_t>(state_.times(i)), state_.streams(i)});
      }
    return result;
  }

  std::uint64_t events = 0;  ///< of all tiles, so far
  int runs = 0;              ///< likewise
  int too_long = 0;          ///< tiles that have found a step so

 private:
  /// Expects that the kept sums of cells which read only their own tile are those of their states, and sets them all:
  /// tiles that are not compared may disagree about the others.
  void set_sums() {
    const int tile = state_.geometry.tile, columns = state_.geometry.nx;
    const auto inside = [&](int i) { return i % tile >= M::reads && i % tile < tile - M::reads; };
    const std::size_t first = state_.front(0, 0);
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(state_.kept));
    for (int site = 0; site < columns * state_.geometry.ny; ++site) {
      const int x = site % columns, y = site / columns;
      std::uint64_t* const kept = state_.sums_of(first + static_cast<std::size_t>(site));
      work_.model.sum_up(state_.neighbourhood(static_cast<std::int64_t>(first), x, y), sums.data());
      EXPECT_TRUE(!inside(x) || !inside(y) || std::equal(sums.begin(), sums.end(), kept)) << "cell " << x << ", " << y;
      std::copy(sums.begin(), sums.end(), kept);
    }
  }
  TileReport<M> run(int tile, double end, std::uint64_t* checksums, const std::function<bool(int)>& skip) {
    return tile % 2 == 1 && of_many ? run<true>(tile, end, checksums, skip) : run<false>(tile, end, checksums, skip);
  }
  template <bool streams_in_level0>
  TileReport<M> run(int tile, double end, std::uint64_t* checksums, const std::function<bool(int)>& skip) {
    auto* const first = reinterpret_cast<char*>(scratch_.data());
    const ScratchBytes bytes(state_.geometry.tile, halo_, way_.lanes, streams_in_level0, reach_of(work_.model));
    const TileScratch scratch{first, first + (bytes.level0 + 15) / 16 * 16};
    TileReport<M> report;
    EmulatedTeam::run(
        way_.lanes,
        [&](const EmulatedTeam& team) {
          const TileReport<M> its = work_.template run<streams_in_level0>(
              team, scratch, 0, tile, halo_, time_, end, checksums, skip(team.team_rank()), way_.halo_counts);
          if (team.team_rank() == 0) report = its;
        },
        way_.on_threads);
    return report;
  }

  int halo_;
  TeamWay way_;
  State<Kokkos::HostSpace, M> state_;
  AdvanceTile<EmulatedLanes<of_many>, M> work_;
  double time_ = 0;
  struct alignas(16) Block {
    std::byte bytes[16];
  };
  std::vector<Block> scratch_;
};

/// Teams of many lanes take long on a host: those of more than two warps are not tried in every order.
class ManyLanes : public ::testing::TestWithParam<int> {
 protected:
  std::vector<EventOrder> orders() const {
    if (GetParam() > 64) return {EventOrder::local};
    return {EventOrder::local, EventOrder::in_parts, EventOrder::one_by_one};
  }
};

}  // namespace tessera::kmc
