// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <tessera/kmc/space/tile_launches.hpp>
#include <type_traits>
#include <vector>

#include "tests/kmc/emulated_team.hpp"

namespace tessera::testing {

/// Runs a tile with sides of at most `tile` by a team of many lanes in changing orders (the window Many), and by one
/// lane (Alone); both must agree. `same_bits`: last bits of the times of the first events, which are equal, so that
/// many events are at the same tick. `window_side`: of ListedWindow.
template <class Alone, class Many, class M>
void expect_lanes_equal_one(const M& model, const kmc::space::Box& box, int tile, std::uint32_t length,
                            int same_bits = 0, int window_side = 32) {
  using namespace kmc::space;
  TileLaunches<Kokkos::DefaultHostExecutionSpace, M> launches({}, model, box, 1, 3, false, box.all_tiles());
  launches.cells_.window_side = window_side;
  launches.cells_.steps(0) = {0, 0, 1, 0};
  launches.start_states();
  launches.draw_times(false);
  for (std::int64_t i = 0; i < box.sites(); ++i)
    if (launches.cells_.times(i) != far) launches.cells_.times(i) |= (1u << same_bits) - 1;
  launches.cells_.steps(0).length = length;
  std::vector<std::uint64_t> scratch(std::max(Alone::bytes + sizeof(Alone), Many::bytes + sizeof(Many)) / 8 + 1);
  const TilePlace place{0, {2, 0, 5}, {tile, tile - 1, tile}};
  const auto run = [&]<class Run>(std::type_identity<Run>, int lanes) {
    std::vector<std::uint64_t> result(Run::number_of_sums);
    std::fill(scratch.begin(), scratch.end(), 0);
    std::uint32_t events = 0;
    EmulatedTeam::run(lanes, [&](const auto& team) {
      events = launches.template run_window<Run>(team, reinterpret_cast<char*>(scratch.data()), launches.cells_, box,
                                                 launches.model_, place, result.data(), launches.counted_, 0);
    });
    result.push_back(events);
    for (int k = 0; k < launches.cells_.numbers_counted; ++k) result.push_back(launches.counted_(k));
    for (int z = 0; z < place.sides[2]; ++z)
      for (int y = 0; y < place.sides[1]; ++y)
        for (int x = 0; x < place.sides[0]; ++x) {
          const auto at = box.sites() + box.site(place.begin[0] + x, place.begin[1] + y, place.begin[2] + z);
          const std::uint8_t state = launches.cells_.states(at);
          result.push_back(state);
          result.push_back(may_act(model, state) ? launches.cells_.times(at) : far);  // else it may be any time
        }
    return result;
  };
  const auto one = run(std::type_identity<Alone>(), 1), many = run(std::type_identity<Many>(), 64);
  EXPECT_GT(one[Alone::number_of_sums], 10u);
  // The sums count what happens in the halo, where many lanes need no order unless it is in the margin.
  const auto own = [](const std::vector<std::uint64_t>& all) {
    return std::vector(all.begin() + Alone::number_of_sums, all.end());
  };
  EXPECT_EQ(own(many), own(one));
}

}  // namespace tessera::testing
