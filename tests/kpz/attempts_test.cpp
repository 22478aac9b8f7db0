// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <tessera/kpz/state/decomposition.hpp>
#include <utility>
#include <vector>

#include "tests/kpz/plain_scheme.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/kpz/statistics.hpp"

// How often sites are attempted. With tilings a cell gets as many attempts in an interval as it has sites, each at a
// site drawn from it: the number of attempts at a site has a mean of 1 and a variance of 1 - 1 / (sites of the cell).
namespace tessera::testing {
namespace {

using kpz::Parameters;

/// How often the plain scheme, which has the surfaces of all mappings, has attempted each site in `intervals`
/// intervals, [ny, nx], and the time.
std::pair<std::vector<std::uint32_t>, double> attempts_of_sites(const Parameters& p, int intervals) {
  PlainScheme plain(p);
  for (int i = 0; i < intervals; ++i) plain.interval();
  const double interval = kpz::Decomposition(kpz::lattice_of(p), p).attempts_an_interval();
  return {plain.attempts(), intervals * interval / static_cast<double>(p.nx * p.ny)};
}

double mean_of_attempts(const std::vector<std::uint32_t>& attempts) {
  double sum = 0;
  for (const std::uint32_t a : attempts) sum += a;
  return sum / static_cast<double>(attempts.size());
}

/// Mean attempts of the sites with x or y modulo 4 equal to `last`, and of the others.
std::pair<double, double> by_position_in_word(const std::vector<std::uint32_t>& attempts, const Parameters& p,
                                              int last) {
  double there = 0, others = 0, sites = 0;
  for (int y = 0; y < p.ny; ++y)
    for (int x = 0; x < p.nx; ++x) {
      const bool is_there = x % 4 == last || y % 4 == last;
      (is_there ? there : others) += attempts[static_cast<std::size_t>(y * p.nx + x)];
      sites += is_there;
    }
  return {there / sites, others / (static_cast<double>(attempts.size()) - sites)};
}

/// The attempts by position modulo `period` in both directions, each over all sites there.
std::vector<double> folded(const std::vector<std::uint32_t>& attempts, const Parameters& p, int period) {
  std::vector<double> sums(static_cast<std::size_t>(period * period));
  for (int y = 0; y < p.ny; ++y)
    for (int x = 0; x < p.nx; ++x)
      sums[static_cast<std::size_t>(y % period * period + x % period)] +=
          attempts[static_cast<std::size_t>(y * p.nx + x)];
  return sums;
}

/// The sum of (attempts - mean)^2 / mean: chi-square were the numbers Poisson's.
template <class Numbers>
double chi_square(const Numbers& numbers) {
  double total = 0, sum = 0;
  for (const auto n : numbers) total += n;
  const double mean = total / static_cast<double>(numbers.size());
  for (const auto n : numbers) sum += (n - mean) * (n - mean) / mean;
  return sum;
}

constexpr int attempted_intervals = 200;

// A false alarm in 1e6 runs. Sites that differ by 2 % would be seen, or positions in the word that differ by 0.7 %.
TEST(AttemptsOfSites, AreEqualWithTilings) {
  for (const Parameters& p : with_cells(all_schemes(small_lattice(71)))) {
    if (kpz::has_dead_border(p.device_layer)) continue;
    SCOPED_TRACE(describe(p));
    const auto [attempts, time] = attempts_of_sites(p, attempted_intervals);
    EXPECT_EQ(time, attempted_intervals);
    EXPECT_EQ(mean_of_attempts(attempts), attempted_intervals);
    const double degrees = static_cast<double>(attempts.size()) - 1;
    const double sites_of_cell = 16 << (p.thread_cell_x + p.thread_cell_y);
    const double chi = chi_square(attempts) / (1 - 1 / sites_of_cell);
    EXPECT_LT(std::abs(deviate_of_chi_square(chi, degrees)), largest_deviate);
    for (const int period : {4, 8, 16, 32}) {
      const auto positions = folded(attempts, p, period);
      if (p.block_layer == kpz::BlockLayer::dead_border) {
        EXPECT_LT(deviate_of_chi_square(chi_square(positions), period * period - 1), largest_deviate);
        continue;
      }
      // All cells of a domain draw the same sub-tiles: the number at a position in a cell of V sites, over the 1024 / V
      // cells of a domain, has a variance of 1 + 3 * 1024 / V^2 times its mean, most of it common to a sub-tile.
      const double mean = attempted_intervals * static_cast<double>(attempts.size()) / (period * period);
      const double deviation = std::sqrt(mean * (1 + 3 * 1024 / (sites_of_cell * sites_of_cell)));
      for (const double n : positions) EXPECT_LT(std::abs(n - mean), 6.8 * deviation);
    }
  }
}

// Equation 9, and a false alarm in 1e6 runs. With borders of five sites in domains of 32 x 32 the 200 origins leave
// positions in the word 0.4 % apart.
TEST(AttemptsOfSites, AreEqualWithDeadBordersAtAnyPlace) {
  for (const Parameters& p : with_cells(all_schemes(small_lattice(72)))) {
    if (p.device_layer != kpz::DeviceLayer::dead_border) continue;
    SCOPED_TRACE(describe(p));
    const auto [attempts, time] = attempts_of_sites(p, attempted_intervals);
    EXPECT_NEAR(time, attempted_intervals * 0.5 * (27.0 / 32) * (27.0 / 32), 1e-9);
    EXPECT_NEAR(mean_of_attempts(attempts) / time, 1, 0.0035);
    for (int last = 0; last < 4; ++last) {
      const auto [there, others] = by_position_in_word(attempts, p, last);
      EXPECT_NEAR(there / others, 1, 0.023) << last;
    }
  }
}

// What the paper finds wrong with cDB: sites at the edge of a word are in a border of one site, the others never.
TEST(AttemptsOfSites, AreFewerAtEdgesOfWordsWithCoarseDeadBorders) {
  for (const Parameters& p : with_cells(all_schemes(small_lattice(73)))) {
    if (p.device_layer != kpz::DeviceLayer::coarse_dead_border) continue;
    SCOPED_TRACE(describe(p));
    const auto [attempts, time] = attempts_of_sites(p, attempted_intervals);
    EXPECT_NEAR(time, attempted_intervals * (31.0 / 32) * (31.0 / 32), 1e-9);
    EXPECT_NEAR(mean_of_attempts(attempts) / time, 1, 0.0035);
    const auto [there, others] = by_position_in_word(attempts, p, 3);
    // Of seven positions at an edge one is in both borders: alive 6 x 7/8 + 49/64 of 7.
    EXPECT_NEAR(there / others, (6 * 7.0 / 8 + 49.0 / 64) / 7, 0.023);
  }
}

}  // namespace
}  // namespace tessera::testing
