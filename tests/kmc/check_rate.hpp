// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <tessera/kmc/models.hpp>
#include <utility>

#include "tests/kmc/exactness.hpp"

namespace tessera::kmc {

/// The published check: of the two rings along the boundary between two tiles it looks at one, the ring in the tile to
/// the west and that in the tile to the south (equations 3 and 4 of Darkins, Duffy and Ford, 2024).
inline constexpr unsigned published_sides = 0b0101;
inline constexpr unsigned all_sides = ~0u;

/// What became of the steps that a check has let pass.
struct CheckedSteps {
  std::uint64_t accepted = 0, rejected = 0;
  std::uint64_t wrong = 0;  ///< accepted ones after which a waiting time differs from the sequential trajectory
  std::uint64_t events = 0;
};

/// Takes steps of the tile method with a check of the sides in `side_mask` alone, until `wanted` of them have been
/// accepted, and compares each of these with the sequential method. After a wrong step the state is set right, so that
/// every step begins on the true trajectory. Starts at time `relaxed`, which is reached with the whole check.
template <class Space, Model M>
CheckedSteps take_steps(const Parameters& p, const M& model, unsigned side_mask, double relaxed, std::uint64_t wanted) {
  const auto tiles = tile_method<Space>(p, model);
  WaitingTimeSimulation<M> expected(p, model);
  tiles->advance(relaxed);
  expected.advance(relaxed);
  tiles->check_only(side_mask);
  CheckedSteps count;
  while (count.accepted < wanted) {
    const StepState before = tiles->step_states()[0];
    bool once = true;
    tiles->advance(before.time + before.step, [&] { return std::exchange(once, false); });
    const StepState after = tiles->step_states()[0];
    EXPECT_EQ(after.accepted + after.rejected, before.accepted + before.rejected + 1) << "not one step";
    count.rejected += after.rejected - before.rejected;
    if (after.accepted == before.accepted) continue;
    ++count.accepted;
    count.events += after.events - before.events;
    expected.advance(after.time);
    if (tiles->waiting_times() == expected.waiting_times()) continue;
    ++count.wrong;
    ::tessera::io::MemoryArchive archive;  // the step control's part of one, the trajectory's of the other
    tiles->save(archive);
    expected.save(archive);
    tiles->load(archive);
  }
  if (count.wrong == 0) expect_equal(snapshot<M>(*tiles), snapshot<M>(expected));
  return count;
}

/// Rejecting steps, tile 8, halo 8, as in the paper.
inline Parameters as_published(int n) { return tiled(lattice(n, n, 2024), 8, 8, StepControl::reject); }

}  // namespace tessera::kmc
