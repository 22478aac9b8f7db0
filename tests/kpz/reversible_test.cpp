// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tessera/kpz/word.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/kpz/statistics.hpp"

// With p = q every attempt undoes as readily as it does: all surfaces are equally likely in the steady state, whatever
// the order in which sites are attempted.
namespace tessera::testing {
namespace {

using kpz::Parameters;

/// A lattice of 4 x 4 sites is one word, its own neighbour on all sides. The word after an update at a site.
std::uint32_t updated(std::uint32_t word, kpz::Place site) {
  const kpz::Flips flips = kpz::flips_at(site);
  return word ^ flips.word ^ flips.right ^ flips.above;
}

/// How many sites of a word lead to which other words, by deposition or removal.
std::map<std::uint32_t, int> neighbours(std::uint32_t word) {
  std::map<std::uint32_t, int> words;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      const kpz::Place site = kpz::place(x, y);
      const kpz::Slopes slopes = kpz::slopes_at(site, word, word, word);
      if (slopes.are(kpz::open_to_deposition) || slopes.are(kpz::open_to_removal)) ++words[updated(word, site)];
    }
  return words;
}

/// All surfaces of 4 x 4 sites that a flat one can become, by their slopes.
std::set<std::uint32_t> surfaces() {
  std::set<std::uint32_t> found{kpz::flat_word};
  std::vector<std::uint32_t> to_visit{kpz::flat_word};
  while (!to_visit.empty()) {
    const std::uint32_t word = to_visit.back();
    to_visit.pop_back();
    for (const auto& [other, sites] : neighbours(word))
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
  for (const std::uint32_t word : all)
    for (const auto& [other, sites] : neighbours(word)) EXPECT_EQ(neighbours(other)[word], sites);
}

// A false alarm in 5e6 runs, at 130 samples a surface; probabilities that differ by 10 % would be seen.
TEST(EqualRates, SequentialDynamicsVisitsAllSurfacesOfTheSmallestLatticeEquallyOften) {
  const auto all = surfaces();
  Parameters p = small_lattice(81);
  p.nx = p.ny = 4;
  p.p = p.q = 0.5;
  p.replicas = 500;
  const auto simulation = make_sequential(p);
  std::map<std::uint32_t, double> visits;
  const int samples = static_cast<int>(130 * all.size()) / p.replicas;
  for (int i = 0; i < samples; ++i) {
    simulation->advance(200 + 30 * i);
    for (const std::uint32_t word : simulation->words()) ++visits[word];
  }
  const double expected = static_cast<double>(samples * p.replicas) / static_cast<double>(all.size());
  double chi_square = expected * static_cast<double>(all.size() - visits.size());
  for (const auto& [word, count] : visits) {
    ASSERT_TRUE(all.contains(word));
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
