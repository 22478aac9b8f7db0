// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tessera/kmc/state/initial_state.hpp>
#include <tessera/kmc/steps/advance_replica.hpp>
#include <vector>

#include "tests/kmc/exactness.hpp"
#include "tests/kmc/lanes.hpp"

/// A single-tile lattice, run by a team of many lanes.
namespace tessera::kmc {

struct KeepNoRecord {
  KOKKOS_FUNCTION void operator()(int, const StepRecord&) const {}
};

/// A single-tile replica, run to `stop` or to its wanted number of events by a team of one lane or of many; its step
/// control begins with `step`. `times`: the first waiting times, unless they are those of the model.
template <bool of_many = true, Model M>
StepState run_whole(const Parameters& p, const M& model, const TeamWay& way, double step, double stop,
                    Snapshot<M>& result, const std::vector<double>& times = {}) {
  State<Kokkos::HostSpace, M> state(Geometry{p.nx, p.ny, p.nx, 1, 1, 1}, model);
  const auto cells = static_cast<std::size_t>(state.geometry.sites());
  seed_cells(Host(), state, p.seed);
  start_states(Host(), state, model, p.seed);
  start_times(Host(), state, model, TimeZero());
  std::copy(times.begin(), times.end(), state.times.data());
  TileSizes sizes;
  sizes.tile = p.nx;
  const StepRules rules(p, sizes, 1, stopping_events(p));
  const AdvanceReplica<EmulatedLanes<of_many>, M> work{state, model, rules, way.order};
  const ScratchBytes bytes(p.nx, 0, way.lanes, false, reach_of(model));
  std::vector<std::max_align_t> scratch((bytes.level0 + bytes.level1) / sizeof(std::max_align_t) + 4);
  auto* const first = reinterpret_cast<char*>(scratch.data());
  StepState done;
  done.step = step;
  done.stop = stop;
  done.ceiling = forever;
  rules.aim(done);
  const StepState begin = done;
  std::vector<std::uint64_t> counted(static_cast<std::size_t>(groups_of(model)) + 1);
  EmulatedTeam::run(
      way.lanes,
      [&](const EmulatedTeam& team) {
        StepState its = begin;
        work.run(team, {first, first + (bytes.level0 + 15) / 16 * 16}, 0, 1 << 20, forever, its, counted.data(),
                 KeepNoRecord());
        if (team.team_rank() == 0) done = its;
      },
      way.on_threads);
  // Every event of the models that count groups belongs to one.
  EXPECT_EQ(std::accumulate(counted.begin(), counted.end(), std::uint64_t{0}), counts_events<M> ? done.events : 0);
  result = {{done.finished ? done.last_event : done.time},
            {done.events},
            {state.states.data(), state.states.data() + cells},
            {state.times.data(), state.times.data() + cells},
            {state.streams.data(), state.streams.data() + cells}};
  return done;
}

}  // namespace tessera::kmc
