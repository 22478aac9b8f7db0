// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tessera/kpz/state/word.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/kpz/statistics.hpp"

// With p = q every attempt undoes as readily as it does: all surfaces are equally likely in the steady state, whatever
// the order in which sites are attempted.
namespace tessera::testing {
namespace {

using kpz::Parameters;

/// A surface of 4 x 4 sites: the bits of its rows one after the other, where site (0, 0) has the bit 0, so that those
/// at different heights are the same.
using Surface = std::uint32_t;

Surface without_height(Surface surface) { return (surface & 1u) != 0 ? ~surface & 0xffffu : surface; }

std::uint32_t bit(Surface surface, int x, int y) { return surface >> (4 * ((y + 4) % 4) + (x + 4) % 4) & 1u; }

/// How many sites of a surface lead to which other ones, by deposition or removal.
std::map<Surface, int> neighbours(Surface surface) {
  std::map<Surface, int> others;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      const kpz::Neighbourhood near{bit(surface, x, y), bit(surface, x + 1, y), bit(surface, x, y + 1),
                                    bit(surface, x - 1, y), bit(surface, x, y - 1)};
      if (((near.open_to_deposition() | near.open_to_removal()) & 1u) != 0)
        ++others[without_height(surface ^ (1u << (4 * y + x)))];
    }
  return others;
}

Surface surface_of(const std::uint32_t* rows) {
  Surface surface = 0;
  for (int y = 0; y < 4; ++y) surface |= (rows[y] & 0xfu) << (4 * y);
  return without_height(surface);
}

/// All surfaces of 4 x 4 sites that a flat one can become.
std::set<Surface> surfaces() {
  const std::uint32_t flat[4] = {kpz::flat_word(0), kpz::flat_word(1), kpz::flat_word(2), kpz::flat_word(3)};
  std::set<Surface> found{surface_of(flat)};
  std::vector<Surface> to_visit{surface_of(flat)};
  while (!to_visit.empty()) {
    const Surface surface = to_visit.back();
    to_visit.pop_back();
    for (const auto& [other, sites] : neighbours(surface))
      if (found.insert(other).second) to_visit.push_back(other);
  }
  return found;
}

/// The surfaces counted from their definition: slopes of 4 x 4 sites whose lines and loops add up to 0.
int surfaces_by_definition() {
  int count = 0;
  for (unsigned along_x = 0; along_x < 1u << 16; ++along_x) {
    int heights[4][4];  // of each row from that of its first site
    bool closed = true;
    for (int y = 0; y < 4; ++y) {
      int height = 0;
      for (int x = 0; x < 4; ++x) {
        heights[y][x] = height;
        height += (along_x >> (4 * y + x) & 1u) != 0 ? 1 : -1;
      }
      closed = closed && height == 0;
    }
    if (!closed) continue;
    for (unsigned along_y = 0; along_y < 16; ++along_y) {
      int first[4], height = 0;
      for (int y = 0; y < 4; ++y) {
        first[y] = height;
        height += (along_y >> y & 1u) != 0 ? 1 : -1;
      }
      bool steps = height == 0;
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          steps = steps && std::abs(first[y] + heights[y][x] - first[(y + 1) % 4] - heights[(y + 1) % 4][x]) == 1;
      count += steps;
    }
  }
  return count;
}

TEST(EqualRates, AnAttemptOnTheSmallestLatticeIsAsLikelyAsItsReverse) {
  const auto all = surfaces();
  EXPECT_EQ(static_cast<int>(all.size()), surfaces_by_definition());
  for (const Surface surface : all)
    for (const auto& [other, sites] : neighbours(surface)) EXPECT_EQ(neighbours(other)[surface], sites);
}

// A false alarm in 5e6 runs, at 130 samples a surface; probabilities that differ by 10 % would be seen.
TEST(EqualRates, SequentialDynamicsVisitsAllSurfacesOfTheSmallestLatticeEquallyOften) {
  const auto all = surfaces();
  Parameters p = small_lattice(81);
  p.nx = p.ny = 4;
  p.p = p.q = 0.5;
  p.replicas = 500;
  const auto simulation = make_sequential(p);
  std::map<Surface, double> visits;
  const int samples = static_cast<int>(130 * all.size()) / p.replicas;
  for (int i = 0; i < samples; ++i) {
    simulation->advance(200 + 30 * i);
    const auto words = simulation->words();
    for (std::size_t row = 0; row < words.size(); row += 4) ++visits[surface_of(&words[row])];
  }
  const double expected = static_cast<double>(samples * p.replicas) / static_cast<double>(all.size());
  double chi_square = expected * static_cast<double>(all.size() - visits.size());
  for (const auto& [surface, count] : visits) {
    ASSERT_TRUE(all.contains(surface));
    chi_square += (count - expected) * (count - expected) / expected;
  }
  const double deviate = deviate_of_chi_square(chi_square, static_cast<double>(all.size()) - 1);
  RecordProperty("deviate", std::to_string(deviate));
  EXPECT_LT(std::abs(deviate), largest_deviate);
}

/// W^2 in the steady state, from replicas that run long after they have forgotten their start.
analysis::Estimate steady_roughness(const Parameters& p, bool sequential) {
  const auto simulation = sequential ? make_sequential(p) : make_simulation<OneThread>(p);
  std::vector<double> of_replicas(static_cast<std::size_t>(p.replicas));
  constexpr int samples = 10;
  for (int i = 0; i < samples; ++i) {
    simulation->advance(200 + 20 * i);
    const auto values = values_of(*simulation, "roughness");
    for (std::size_t r = 0; r < values.size(); ++r) of_replicas[r] += values[r] / samples;
  }
  return analysis::mean_of(of_replicas);
}

// A false alarm in 5e5 runs. A scheme whose W^2 is off by 10 % would be seen: the error of each is 1 %.
TEST(EqualRates, AllSchemesHaveTheSequentialSteadyState) {
  Parameters p = small_lattice(83);
  p.nx = p.ny = 16;
  p.domain = 8;
  p.p = p.q = 0.5;
  p.replicas = 64;
  const auto sequential = steady_roughness(p, true);
  EXPECT_LT(sequential.error, 0.02 * sequential.value);
  for (Parameters scheme : all_schemes(p)) {
    SCOPED_TRACE(describe(scheme));
    scheme.seed = ++p.seed;
    if (scheme.device_layer == kpz::DeviceLayer::dead_border) scheme.border = 2;
    EXPECT_LT(std::abs(z_score(steady_roughness(scheme, false), sequential)), largest_deviate);
  }
}

}  // namespace
}  // namespace tessera::testing
