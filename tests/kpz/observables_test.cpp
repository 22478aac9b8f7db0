// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tessera/kpz/observables/consistency.hpp>
#include <tessera/kpz/observables/observables.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/plain_scheme.hpp"
#include "tests/kpz/schemes.hpp"

namespace tessera::testing {
namespace {

using kpz::Parameters;

/// The mean of f(i) over the sites.
template <class F>
double mean(std::size_t sites, const F& f) {
  double sum = 0;
  for (std::size_t i = 0; i < sites; ++i) sum += f(i);
  return sum / static_cast<double>(sites);
}

template <class Space>
class KpzObservables : public ::testing::Test {};
TYPED_TEST_SUITE(KpzObservables, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(KpzObservables, AreThoseOfTheHeights) {
  Parameters p = small_lattice(21);
  p.waiting_times = {2, 10};
  p.q = 0.2;
  PlainScheme plain(p);
  const auto simulation = make_simulation<TypeParam>(p);
  const auto sites = static_cast<std::size_t>(p.nx * p.ny);
  std::map<int, std::vector<int>> heights;
  for (int t = 0; t <= 40; ++t, plain.interval()) heights[t] = plain.heights();
  simulation->advance(31);
  simulation->measure();
  simulation->advance(40);
  const std::vector<int>& now = heights[40];
  EXPECT_EQ(simulation->heights(), now);
  const double m = mean(sites, [&](std::size_t i) { return now[i]; });
  const auto central = [&](int power) {
    return mean(sites, [&](std::size_t i) { return std::pow(now[i] - m, power); });
  };
  const auto near = [&](const std::string& name, double expected) {
    const auto values = values_of(*simulation, name);
    ASSERT_EQ(values.size(), 1u) << name;
    EXPECT_NEAR(values[0], expected, 1e-12 * std::max(1.0, std::abs(expected))) << name;
  };
  near("height_mean", m);
  near("roughness", central(2));
  near("skewness", central(3) / std::pow(central(2), 1.5));
  near("kurtosis", central(4) / std::pow(central(2), 2) - 3);
  near("velocity", (m - mean(sites, [&](std::size_t i) { return heights[31][i]; })) / 9);
  EXPECT_GT(values_of(*simulation, "acceptance")[0], std::abs(values_of(*simulation, "velocity")[0]) / 2);
  for (const int s : {2, 10}) {
    const std::vector<int>& then = heights[s];
    const double m_then = mean(sites, [&](std::size_t i) { return then[i]; });
    near("height_autocorrelation_" + std::to_string(s),
         mean(sites, [&](std::size_t i) { return (now[i] - m) * (then[i] - m_then); }));
    const auto up = [&](const std::vector<int>& h, std::size_t i, bool in_x) {
      const auto nx = static_cast<std::size_t>(p.nx);
      const std::size_t before = in_x ? (i % nx == 0 ? i + nx - 1 : i - 1) : (i < nx ? i + sites - nx : i - nx);
      return h[i] > h[before] ? 1.0 : 0.0;
    };
    near("slope_autocorrelation_" + std::to_string(s),
         mean(sites, [&](std::size_t i) {
           return (up(now, i, true) * up(then, i, true) + up(now, i, false) * up(then, i, false)) / 2;
         }) - 0.25);
  }
}

TYPED_TEST(KpzObservables, OfAFlatSurface) {
  Parameters p = small_lattice();
  p.waiting_times = {0};
  const auto simulation = make_simulation<TypeParam>(p);
  EXPECT_EQ(values_of(*simulation, "height_mean")[0], 0.5);
  EXPECT_EQ(values_of(*simulation, "roughness")[0], 0.25);
  EXPECT_EQ(values_of(*simulation, "skewness")[0], 0);
  EXPECT_EQ(values_of(*simulation, "kurtosis")[0], -2);
  EXPECT_EQ(values_of(*simulation, "height_autocorrelation_0")[0], 0.25);
  EXPECT_EQ(values_of(*simulation, "slope_autocorrelation_0")[0], 0.25);
  EXPECT_TRUE(std::isnan(values_of(*simulation, "velocity")[0]));
}

/// What no small surface has: a ramp as high as the lattice allows.
TYPED_TEST(KpzObservables, RefuseASurfaceThatIsTooRough) {
  using MemorySpace = typename TypeParam::memory_space;
  const kpz::Lattice lattice{1 << 15, 16, 1};
  const Kokkos::View<std::uint32_t*, MemorySpace> words("words", lattice.all_words());
  const auto host = Kokkos::create_mirror_view(words);
  for (int y = 0; y < lattice.words_y(); ++y)
    for (int x = 0; x < lattice.words_x(); ++x)
      host(lattice.word(0, x, y)) = 0x5a5a0000u | (x < lattice.words_x() / 2 ? 0xffffu : 0);
  Kokkos::deep_copy(words, host);
  EXPECT_THROW(kpz::sum_height_powers(TypeParam(), lattice, words), RunError);
}

TYPED_TEST(KpzObservables, SeeEverySlopeThatIsNotOfASurface) {
  using MemorySpace = typename TypeParam::memory_space;
  const kpz::Lattice lattice{32, 16, 2};
  const Kokkos::View<std::uint32_t*, MemorySpace> words("words", lattice.all_words());
  const auto host = Kokkos::create_mirror_view(words);
  for (std::size_t w = 0; w < lattice.all_words(); ++w)
    for (int bit = 0; bit < 32; ++bit) {
      Kokkos::deep_copy(host, kpz::flat_word);
      host(w) ^= 1u << bit;
      Kokkos::deep_copy(words, host);
      ASSERT_EQ(kpz::count_inconsistencies(TypeParam(), lattice, words), 3u) << w << " " << bit;
    }
  // Whole lines up: loops close, the surface does not.
  Kokkos::deep_copy(host, 0xa5a5a5a5u);
  for (int x = 0; x < lattice.words_x(); ++x)
    for (int y = 0; y < lattice.words_y(); ++y) host(lattice.word(1, x, y)) = 0xffffffffu;
  Kokkos::deep_copy(words, host);
  EXPECT_EQ(kpz::count_inconsistencies(TypeParam(), lattice, words), 32u + 16u);
}

TEST(EffectiveExponents, AreBetweenAMeasurementAndTheOneBefore) {
  Parameters p = small_lattice(31);
  p.replicas = 4;
  p.waiting_times = {4};
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  std::map<int, std::vector<double>> roughness, heights;
  for (const int t : {0, 2, 4, 8, 16}) {
    simulation->advance(t);
    roughness[t] = values_of(*simulation, "roughness");
    heights[t] = values_of(*simulation, "height_autocorrelation_4");
  }
  const auto average = [](const std::vector<double>& v) { return (v[0] + v[1] + v[2] + v[3]) / 4; };
  const auto exponents = simulation->drain_exponents();
  int seen = 0;
  for (const auto& e : exponents) {
    const int before = static_cast<int>(e.time_before), now = static_cast<int>(e.time);
    EXPECT_EQ(now, 2 * before);
    if (e.name == "roughness") {
      EXPECT_NEAR(e.value, std::log2(average(roughness[now]) / average(roughness[before])) / 2, 1e-12);
    } else if (e.name == "height_autocorrelation_4") {
      EXPECT_NEAR(e.value, -std::log2(average(heights[now]) / average(heights[before])), 1e-12);
    }
    EXPECT_GT(e.error, 0);
    EXPECT_GT(e.propagated_error, 0);
    ++seen;
  }
  EXPECT_EQ(seen, 3 + 2 + 2);
  EXPECT_TRUE(simulation->drain_exponents().empty());
}

}  // namespace
}  // namespace tessera::testing
