// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tessera/kpz/observables/autocorrelation.hpp>
#include <tessera/kpz/observables/heights.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"

namespace tessera::testing {
namespace {

using kpz::Lattice;
using HostWords = std::vector<std::uint32_t>;

/// Surfaces of random-sequential growth, the latest first.
std::vector<HostWords> grown(const Lattice& lattice, int count) {
  kpz::Parameters p;
  p.nx = lattice.nx;
  p.ny = lattice.ny;
  p.replicas = lattice.replicas;
  p.steps = 1000;
  const auto simulation = make_sequential(p);
  std::vector<HostWords> surfaces;
  for (int i = 0; i < count; ++i) {
    simulation->advance(1 + 5 * i);
    surfaces.insert(surfaces.begin(), simulation->words());
  }
  return surfaces;
}

/// A ramp along x, up in the first half of the row and down in the other or the reverse: as high as there is.
HostWords ramp(const Lattice& lattice, bool up_first) {
  HostWords words(lattice.all_words());
  for (std::size_t w = 0; w < words.size(); ++w) {
    const int x = static_cast<int>(w) % lattice.words_x(), y = static_cast<int>(w) / lattice.words_x();
    const bool in_first_half = x < lattice.words_x() / 2;
    // Bits are the same on the way up and alternate on the way down. From row to row it goes up and down.
    words[w] = (y % 4 < 2 ? ~0u : 0u) ^ (in_first_half == up_first ? 0u : 0x55555555u);
  }
  return words;
}

/// The same sums over the heights of all sites, which are counted from those of site (0, ny - 1).
std::vector<kpz::Overlaps> plain_overlaps(const Lattice& lattice, const HostWords& words, const HostWords& earlier) {
  std::vector<kpz::Overlaps> result;
  const std::vector<std::uint64_t> none(2 * static_cast<std::size_t>(lattice.replicas));
  const auto heights_of = [&](const HostWords& of) {
    using Host = Kokkos::DefaultHostExecutionSpace;
    const kpz::Words<Host> view("words", of.size());
    std::copy(of.begin(), of.end(), view.data());
    std::vector<std::int32_t> heights(static_cast<std::size_t>(lattice.sites() * lattice.replicas));
    kpz::shared_heights(Host(), lattice, view, none)(0, heights.size(), heights);
    return heights;
  };
  const auto heights = heights_of(words), others = heights_of(earlier);
  for (int r = 0; r < lattice.replicas; ++r) {
    kpz::Overlaps sums{};
    const auto first = static_cast<std::size_t>(r) * static_cast<std::size_t>(lattice.sites());
    const std::size_t origin = first + static_cast<std::size_t>((lattice.ny - 1) * lattice.nx);
    const auto value = [&](std::int64_t difference) {
      const bool far = std::abs(difference) > kpz::largest_difference;
      sums.too_far += far;
      return far ? 0 : difference;
    };
    for (std::size_t i = first; i < first + static_cast<std::size_t>(lattice.sites()); ++i) {
      const std::int64_t h = value(heights[i] - heights[origin]), other = value(others[i] - others[origin]);
      sums.heights += h;
      sums.earlier_heights += other;
      sums.products += h * other;
    }
    const auto at = [&](const std::vector<std::int32_t>& of, int x, int y) {
      return of[first +
                static_cast<std::size_t>((y + lattice.ny) % lattice.ny * lattice.nx + (x + lattice.nx) % lattice.nx)];
    };
    for (int y = 0; y < lattice.ny; ++y)
      for (int x = 0; x < lattice.nx; ++x)
        for (const int in_x : {0, 1}) {
          const auto rises = [&](const std::vector<std::int32_t>& of) {
            return at(of, x, y) > at(of, x - in_x, y - (1 - in_x));
          };
          sums.slopes_up += rises(heights) && rises(others);
        }
    result.push_back(sums);
  }
  return result;
}

template <class Space>
class SurfaceOverlaps : public ::testing::Test {
 protected:
  using Words = kpz::Words<Space>;

  static Words on_device(const HostWords& words) {
    const Words view("words", words.size());
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(words.begin(), words.end(), host.data());
    Kokkos::deep_copy(view, host);
    return view;
  }

  /// The overlaps of the first surface with the others.
  static void expect_plain_overlaps(const Lattice& lattice, const std::vector<HostWords>& surfaces) {
    std::vector<Words> earlier;
    std::vector<std::vector<kpz::Overlaps>> expected;
    for (std::size_t k = 1; k < surfaces.size(); ++k) {
      earlier.push_back(on_device(surfaces[k]));
      expected.push_back(plain_overlaps(lattice, surfaces[0], surfaces[k]));
    }
    const Words words = on_device(surfaces[0]);
    EXPECT_EQ(kpz::overlaps(Space(), lattice, words, earlier), expected);
  }
};
TYPED_TEST_SUITE(SurfaceOverlaps, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(SurfaceOverlaps, EqualSumsOverHeights) {
  for (const Lattice& lattice : {Lattice{4, 8, 2}, {64, 16, 3}, {16, 128, 1}, {1024, 16, 2}})
    for (const int surfaces : {1, 2, 4, 11}) {
      SCOPED_TRACE(std::to_string(lattice.nx) + " x " + std::to_string(lattice.ny) + ", " + std::to_string(surfaces));
      this->expect_plain_overlaps(lattice, grown(lattice, surfaces));
    }
}

/// Heights up to the largest difference, and beyond it.
TYPED_TEST(SurfaceOverlaps, EqualSumsOverHeightsOfTheSteepestSurfaces) {
  for (const int nx : {1 << 13, 1 << 14, 1 << 15}) {
    const Lattice lattice{nx, 16, 1};
    this->expect_plain_overlaps(lattice, {ramp(lattice, true), ramp(lattice, true), ramp(lattice, false)});
  }
}

}  // namespace
}  // namespace tessera::testing
