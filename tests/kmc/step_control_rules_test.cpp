// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tessera/kmc/steps/step_state.hpp>
#include <vector>

#include "tests/kmc/exactness.hpp"

namespace tessera::kmc {
namespace {

constexpr std::uint64_t no_stopping_events = ~std::uint64_t{0};

Parameters with(StepControl control) {
  Parameters p;
  p.step_control = control;
  return p;
}

/// Of a lattice of so many tiles.
StepRules rules_of(const Parameters& p, int tiles, std::uint64_t stopping_events) {
  TileSizes sizes;
  sizes.tile = 16;
  sizes.halo = 4;
  sizes.repair_fraction = p.repair_fraction > 0 ? p.repair_fraction : 0.015;
  return StepRules(p, sizes, tiles, stopping_events);
}

/// A replica at time 0 whose first step is to have length 1.
StepState at_start(const StepRules& rules, double stop = forever) {
  StepState s;
  s.step = 1;
  s.ceiling = forever;
  s.stop = stop;
  rules.aim(s);
  return s;
}

void finish_step(const StepRules& rules, StepState& s, const StepReport& report) {
  rules.decide(s, report);
  rules.aim(s);
}

/// The length of the step after one with this report.
double step_after(const StepRules& rules, StepState& s, const StepReport& report) {
  finish_step(rules, s, report);
  return s.step;
}

constexpr StepReport consistent{.events = 5}, inconsistent{.events = 5, .inconsistent = 1};

TEST(StepRules, GrowTenfoldUntilTheFirstRejectionAndByThreePerCentAfterwards) {
  const StepRules rules = rules_of(with(StepControl::reject), 100, no_stopping_events);
  StepState s = at_start(rules);
  EXPECT_EQ(s.active, 1);
  EXPECT_EQ(s.target, 1);
  finish_step(rules, s, consistent);
  EXPECT_EQ(s.accept, 1);
  EXPECT_EQ(s.time, 1);
  EXPECT_EQ(s.step, 10);
  EXPECT_EQ(s.target, 11);
  finish_step(rules, s, consistent);
  EXPECT_EQ(s.time, 11);
  EXPECT_EQ(s.step, 100);
  finish_step(rules, s, inconsistent);
  EXPECT_EQ(s.accept, 0);
  EXPECT_EQ(s.time, 11);
  EXPECT_EQ(s.step, 50);
  EXPECT_EQ(s.target, 61);
  EXPECT_EQ(step_after(rules, s, inconsistent), 25);
  finish_step(rules, s, consistent);
  EXPECT_EQ(s.time, 36);
  EXPECT_EQ(s.step, 25 * 1.03);
  EXPECT_EQ(s.accepted, 3u);
  EXPECT_EQ(s.rejected, 2u);
  EXPECT_EQ(s.events, 15u);  // those of rejected steps have not happened
}

TEST(StepRules, GrowAndShrinkByTheFactorsOfTheInput) {
  Parameters p = with(StepControl::repair);
  p.grow_first = 4;
  p.grow = 1.5;
  p.shrink = 0.25;
  p.relax = 0.75;
  p.repair_fraction = 0.1;
  const StepRules rules = rules_of(p, 100, no_stopping_events);
  StepState s = at_start(rules);
  EXPECT_EQ(step_after(rules, s, {0, 0, 10, 0}), 4);  // as many tiles repaired as wanted
  EXPECT_EQ(step_after(rules, s, {0, 0, 11, 0}), 3);
  EXPECT_EQ(s.accept, 1);
  EXPECT_EQ(step_after(rules, s, {0, 0, 3, 0}), 4.5);
  EXPECT_EQ(step_after(rules, s, {0, 2, 30, 0}), 1.125);
  EXPECT_EQ(s.accept, 0);
  EXPECT_EQ(s.repaired, 54u);
}

TEST(StepRules, AStepWithFarTooManyRepairsIsFollowedByOneThatIsShorterByTheFactorOfARejection) {
  Parameters p = with(StepControl::repair);
  p.shrink = 0.25;
  p.relax = 0.75;
  // 150, 1.5 and 0.24 tiles are wanted
  const StepRules many = rules_of(p, 10000, no_stopping_events), few = rules_of(p, 100, no_stopping_events),
                  very_few = rules_of(p, 16, no_stopping_events);
  StepState s = at_start(many);
  EXPECT_EQ(step_after(many, s, {0, 0, 616, 0}), 0.75);
  EXPECT_EQ(step_after(many, s, {0, 0, 617, 0}), 0.75 * 0.25);
  EXPECT_EQ(s.accept, 1);
  s = at_start(few);  // where 22 tiles may be chance
  EXPECT_EQ(step_after(few, s, {0, 0, 22, 0}), 0.75);
  EXPECT_EQ(step_after(few, s, {0, 0, 23, 0}), 0.75 * 0.25);
  s = at_start(very_few);  // where 4 may
  EXPECT_EQ(step_after(very_few, s, {0, 0, 4, 0}), 0.75);
  EXPECT_EQ(step_after(very_few, s, {0, 0, 5, 0}), 0.75 * 0.25);
}

TEST(StepRules, GrowTwofoldAtMostOnceThereAreMoreEventsThanTilesToBeRepaired) {
  const StepRules rules = rules_of(with(StepControl::repair), 100, no_stopping_events);
  StepState s = at_start(rules);
  EXPECT_EQ(step_after(rules, s, {100, 0, 0, 0}), 10);
  EXPECT_EQ(step_after(rules, s, {101, 0, 0, 0}), 20);
  const StepRules rejecting = rules_of(with(StepControl::reject), 100, no_stopping_events);
  s = at_start(rejecting);
  EXPECT_EQ(step_after(rejecting, s, {101, 0, 0, 0}), 10);
}

TEST(StepRules, ShrinkAfterAStepThatWasRepeated) {
  const StepRules rules = rules_of(with(StepControl::repair), 1, no_stopping_events);
  StepState s = at_start(rules);
  EXPECT_GT(step_after(rules, s, {.events = 5}), 1);
  const double step = s.step;
  finish_step(rules, s, {.events = 5, .repeats = 1});
  EXPECT_EQ(s.accepted, 2u);
  EXPECT_EQ(s.time, 1 + step);
  EXPECT_EQ(s.step, step * rules.relax * rules.relax);
}

TEST(StepRules, AimAtAnEventPerSiteOfAWholeLattice) {
  Parameters p = with(StepControl::repair);
  p.nx = p.ny = 10;
  const StepRules rules(p, TileSizes{}, 1, no_stopping_events);
  StepState s = at_start(rules);
  EXPECT_EQ(step_after(rules, s, {.events = 80}), 1.25);
  EXPECT_EQ(step_after(rules, s, {.events = 100}), 1.25);
  EXPECT_EQ(step_after(rules, s, {.events = 125}), 1);
  EXPECT_GT(step_after(rules, s, {.events = 0}), 1);
}

TEST(StepRules, RejectingIgnoresRepairs) {
  const StepRules rules = rules_of(with(StepControl::reject), 100, no_stopping_events);
  StepState s = at_start(rules);
  EXPECT_EQ(step_after(rules, s, {0, 0, 100, 0}), 10);
}

TEST(StepRules, TheHaloIsWideFromStepsOfFewEventsToStepsOfMany) {
  Parameters p = with(StepControl::repair);
  p.nx = p.ny = 100;
  TileSizes sizes;
  sizes.halo = 4;
  sizes.wide_halo = 6;
  sizes.wide_below = 0.01;
  sizes.narrow_from = 0.02;
  sizes.repair_fraction = 0.1;
  sizes.wide_repair_fraction = 0.05;
  const StepRules rules(p, sizes, 100, no_stopping_events);
  StepState s = at_start(rules);
  finish_step(rules, s, {100, 0, 0, 0});
  EXPECT_EQ(s.wide, 0);
  finish_step(rules, s, {99, 0, 10, 0});  // as many tiles repaired as wanted
  EXPECT_EQ(s.wide, 1);
  EXPECT_EQ(s.step, 100);
  finish_step(rules, s, {200, 0, 6, 0});  // of which there are to be less now
  EXPECT_EQ(s.wide, 1);
  EXPECT_EQ(s.step, 100 * rules.relax);
  finish_step(rules, s, {201, 0, 6, 0});
  EXPECT_EQ(s.wide, 0);
  EXPECT_EQ(s.step, 100 * rules.relax * rules.relax / 2);
}

TEST(StepRules, AStopOnTheWayChangesNoStep) {
  const StepRules rules = rules_of(with(StepControl::reject), 100, no_stopping_events);
  StepState s = at_start(rules, 0.25);
  EXPECT_EQ(s.target, 0.25);
  finish_step(rules, s, consistent);
  EXPECT_EQ(s.time, 0.25);
  EXPECT_EQ(s.step, 1);
  EXPECT_EQ(s.active, 0);
  EXPECT_EQ(s.finished, 0);
  EXPECT_EQ(s.accepted, 1u);
  s.stop = 1.25;  // exactly one step further: that one is whole
  rules.aim(s);
  EXPECT_EQ(s.active, 1);
  EXPECT_EQ(s.target, 1.25);
  EXPECT_EQ(step_after(rules, s, consistent), 10);
  s.stop = 2.25;
  rules.aim(s);
  EXPECT_EQ(step_after(rules, s, inconsistent), 0.5);  // what was too long is what has been tried: 1
}

/// Takes steps through events at these times until the replica stops; every step is consistent. Sets the time of the
/// last event in an accepted step.
int steps_to_end(const StepRules& rules, StepState& s, const std::vector<double>& events) {
  for (int steps = 1; steps < 2000; ++steps) {
    StepReport report;
    double last = 0;
    for (const double time : events) {
      if (!(time >= s.time && time < s.target)) continue;
      ++report.events;
      last = time;
    }
    finish_step(rules, s, report);
    if (s.accept && last > 0) s.last_event = last;
    if (!s.active) return steps;
  }
  return -1;
}

TEST(StepRules, BisectUntilTheLastWantedEvent) {
  std::vector<double> events;
  for (int i = 1; i <= 1000; ++i) events.push_back(std::sqrt(i) + (i % 3) * 1e-3);
  std::sort(events.begin(), events.end());
  for (const std::uint64_t stopping_events : {1u, 2u, 500u, 999u, 1000u}) {
    const StepRules rules = rules_of(with(StepControl::repair), 100, stopping_events);
    StepState s = at_start(rules);
    const int steps = steps_to_end(rules, s, events);
    EXPECT_GT(steps, 0);
    EXPECT_LT(steps, 100);
    EXPECT_EQ(s.finished, 1);
    EXPECT_EQ(s.events, stopping_events);
    EXPECT_EQ(s.last_event, events[stopping_events - 1]);
    EXPECT_EQ(s.rejected, 0u);  // a step with too many events is none that was too long
  }
}

TEST(StepRules, BisectionSeparatesNeighbouringTimesAndEndsWhereItCannot) {
  const double last = 1.0 / 3;
  const StepRules rules = rules_of(with(StepControl::repair), 100, 2);
  StepState s = at_start(rules);
  steps_to_end(rules, s, {0.25, last, std::nextafter(last, 1), 0.5});
  EXPECT_EQ(s.events, 2u);
  EXPECT_EQ(s.last_event, last);
  StepState tied = at_start(rules);
  EXPECT_GT(steps_to_end(rules, tied, {0.25, last, last, 0.5}), 0);
  EXPECT_EQ(tied.events, 3u);
  EXPECT_EQ(tied.last_event, last);
  EXPECT_EQ(tied.finished, 1);
}

TEST(StepRules, AStepIncreasesTheTimeInDoublePrecision) {
  const StepRules rules = rules_of(with(StepControl::reject), 100, no_stopping_events);
  StepState s = at_start(rules);
  s.time = 1e6;
  s.step = 1e-30;
  rules.aim(s);
  EXPECT_EQ(s.target, std::nextafter(1e6, 2e6));
}

TEST(StepRules, AStepThatWasTooShortGrowsFromTheShortestPossibleOne) {
  const StepRules rules = rules_of(with(StepControl::reject), 100, no_stopping_events);
  StepState s = at_start(rules);
  s.time = 1e6;
  s.step = 0;
  rules.aim(s);
  EXPECT_EQ(step_after(rules, s, consistent), 10 * (std::nextafter(1e6, 2e6) - 1e6));
}

TEST(StepRules, AShortestStepThatIsRejectedIsTheLast) {
  const StepRules rules = rules_of(with(StepControl::repair), 100, no_stopping_events);
  StepState s = at_start(rules);
  s.time = 1e6;
  int steps = 0;
  for (rules.aim(s); s.active && steps < 200; ++steps) finish_step(rules, s, inconsistent);
  EXPECT_LT(steps, 60);
  EXPECT_EQ(s.stuck, 1);
  EXPECT_EQ(s.time, 1e6);
  EXPECT_EQ(s.events, 0u);
  rules.aim(s);
  EXPECT_EQ(s.active, 0);
  EXPECT_EQ(s.finished, 0);
}

TEST(StepRules, AStepWithFarTooManyEventsIsRejectedWhateverElseIsReported) {
  const StepRules rules = rules_of(with(StepControl::repair), 100, 3);
  StepState s = at_start(rules);
  finish_step(rules, s, {5, 0, 0, 1});
  EXPECT_EQ(s.accept, 0);
  EXPECT_EQ(s.rejected, 1u);
  EXPECT_EQ(s.step, 0.5);
  EXPECT_EQ(s.ceiling, forever);
}

TEST(StepRules, MakeNoStepsOfAbsorbedReplicas) {
  StepState s;
  s.absorbed = 1;
  s.time = 3;
  s.stop = 1e6;
  for (const bool ends : {true, false}) {
    Parameters p = with(StepControl::repair);
    p.until_events_per_site = ends ? 1 : forever;
    StepState its = s;
    its.finished = ends ? 1 : 0;
    rules_of(p, 100, no_stopping_events).aim(its);
    EXPECT_EQ(its.active, 0);
    EXPECT_EQ(its.time, ends ? 3 : 1e6);
  }
}

}  // namespace
}  // namespace tessera::kmc
