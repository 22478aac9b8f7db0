// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <string>
#include <tessera/kpz/observables/loaded.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <tessera/kpz/observables/waves.hpp>
#include <tessera/kpz/state/state.hpp>
#include <type_traits>

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

/// S(k) and its mode for k = 2 pi j / n, by the functions of the library.
void expect_waves(const std::vector<int>& heights, int nx, AnySimulation& simulation) {
  std::map<std::string, Observable> found;
  for (const Observable& one : simulation.measure()) found.emplace(one.name, one);
  const int ny = static_cast<int>(heights.size()) / nx;
  for (const bool along_x : {true, false}) {
    const std::string axis = along_x ? "x" : "y";
    const Observable& s = found.at("structure_factor_" + axis);
    ASSERT_EQ(s.arguments, static_cast<std::size_t>(along_x ? nx : ny) / 2);
    for (std::size_t j = 1; j <= s.arguments; ++j) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < heights.size(); ++i) {
        const int x = static_cast<int>(i) % nx, y = static_cast<int>(i) / nx;
        sum += static_cast<double>(heights[i]) * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j) *
                                                                     (along_x ? x : y) / (along_x ? nx : ny));
      }
      sum /= std::sqrt(static_cast<double>(heights.size()));
      EXPECT_NEAR(s.values.at(j - 1), std::norm(sum), 1e-9) << axis << j;
      if (j > 1) continue;
      EXPECT_NEAR(found.at("height_k" + axis + "_re").values.at(0), sum.real(), 1e-10) << axis;
      EXPECT_NEAR(found.at("height_k" + axis + "_im").values.at(0), sum.imag(), 1e-10) << axis;
    }
  }
}

template <class Space>
class KpzObservables : public ::testing::Test {};
TYPED_TEST_SUITE(KpzObservables, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(KpzObservables, EqualSumsOverHeights) {
  Parameters p = small_lattice(21);
  p.waiting_times = {2, 10};
  p.q = 0.2;
  p.structure_factor = true;
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
  expect_waves(now, p.nx, *simulation);
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

// Several of whose rows share a word.
TYPED_TEST(KpzObservables, EqualSumsOverHeightsOfNarrowLattices) {
  for (const int nx : {16, 32}) {
    SCOPED_TRACE(nx);
    Parameters p;
    p.nx = nx;
    p.ny = 16;
    p.seed = 5;
    p.steps = 60;
    p.waiting_times = {20};
    p.structure_factor = true;
    const auto simulation = make_simulation<TypeParam>(p);
    simulation->advance(20);
    const std::vector<int> then = simulation->heights();
    simulation->measure();
    simulation->advance(60);
    const std::vector<int> now = simulation->heights();
    const auto mean_of = [&](const auto& f) { return mean(now.size(), f); };
    const double m = mean_of([&](std::size_t i) { return now[i]; });
    const double m_then = mean_of([&](std::size_t i) { return then[i]; });
    const auto near = [&](const std::string& name, double expected) {
      EXPECT_NEAR(values_of(*simulation, name).at(0), expected, 1e-12 * std::max(1.0, std::abs(expected))) << name;
    };
    near("height_mean", m);
    near("roughness", mean_of([&](std::size_t i) { return std::pow(now[i] - m, 2); }));
    near("moment_3", mean_of([&](std::size_t i) { return std::pow(now[i] - m, 3); }));
    near("moment_4", mean_of([&](std::size_t i) { return std::pow(now[i] - m, 4); }));
    expect_waves(now, nx, *simulation);
    near("height_autocorrelation_20", mean_of([&](std::size_t i) { return (now[i] - m) * (then[i] - m_then); }));
  }
}

TYPED_TEST(KpzObservables, OfAFlatSurfaceAreKnown) {
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
  for (const std::string& wave : analysis::names_of_waves("height"))
    EXPECT_EQ(values_of(*simulation, wave)[0], 0) << wave;
}

/// By strips of rows as on CPUs and as on GPUs.
TYPED_TEST(KpzObservables, OfWavesDoNotDependOnTheStrips) {
  for (const auto& [nx, ny] : {std::pair(256, 136), std::pair(16, 20)}) {
    const kpz::Lattice lattice{nx, ny, 2};
    const kpz::Words<TypeParam> words("words", lattice.all_words());
    const auto host = Kokkos::create_mirror_view(words);
    for (std::size_t i = 0; i < host.size(); ++i) host(i) = static_cast<std::uint32_t>((i + 1) * 2654435761u);
    Kokkos::deep_copy(words, host);
    const auto waves = [&]<bool wide>(std::bool_constant<wide>) {
      const LineSums<TypeParam, wide> lines(2, nx, ny);
      lines.template sum<kpz::word_sites>(
          TypeParam(), "count_rises",
          kpz::CountRises<kpz::Words<TypeParam>, LineSums<TypeParam, wide>::rows>{lattice, words});
      std::vector<Observable> all;
      lines.add_waves(TypeParam(), "height", "", true, "S", all);
      return all;
    };
    const auto wide = waves(std::true_type()), narrow = waves(std::false_type());
    ASSERT_EQ(wide.size(), 6u);
    for (std::size_t i = 0; i < wide.size(); ++i) EXPECT_EQ(wide[i].values, narrow.at(i).values) << wide[i].name;
  }
}

/// What no small surface has: a ramp as high as the lattice allows.
TYPED_TEST(KpzObservables, RefuseATooRoughSurface) {
  using MemorySpace = typename TypeParam::memory_space;
  const kpz::Lattice lattice{1 << 15, 16, 1};
  const Kokkos::View<std::uint32_t*, MemorySpace> words("words", lattice.all_words());
  const auto host = Kokkos::create_mirror_view(words);
  // Up along the first half of a row: all bits are the same. Down along the other one: they alternate. From row to row
  // up and down.
  for (int y = 0; y < lattice.ny; ++y)
    for (int x = 0; x < lattice.words_x(); ++x)
      host(lattice.word(0, x, y)) = (y % 4 < 2 ? ~0u : 0u) ^ (x < lattice.words_x() / 2 ? 0u : 0x55555555u);
  Kokkos::deep_copy(words, host);
  EXPECT_THROW(kpz::sum_height_powers(TypeParam(), lattice, words), RunError);
}

/// Of single wrong bits those alone are no wrong surface that an attempt could have changed.
TYPED_TEST(KpzObservables, DetectEveryInconsistentBit) {
  using MemorySpace = typename TypeParam::memory_space;
  Parameters p = small_lattice(23);
  p.nx = 64;
  p.ny = 16;
  p.domain = 8;
  p.q = 0.5;
  p.replicas = 2;
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  simulation->advance(30);
  const kpz::Lattice lattice = kpz::lattice_of(p);
  const auto grown = simulation->words();
  const auto heights = simulation->heights();
  const auto height = [&](int r, int x, int y) {
    return heights[static_cast<std::size_t>((r * p.ny + (y + p.ny) % p.ny) * p.nx + (x + p.nx) % p.nx)];
  };
  const Kokkos::View<std::uint32_t*, MemorySpace> words("words", lattice.all_words());
  const auto host = Kokkos::create_mirror_view(words);
  int seen = 0;
  for (int r = 0; r < p.replicas; ++r)
    for (int y = 0; y < p.ny; ++y)
      for (int x = 0; x < p.nx; ++x) {
        std::copy(grown.begin(), grown.end(), host.data());
        host(lattice.word(r, x / 32, y)) ^= 1u << (x % 32);
        Kokkos::deep_copy(words, host);
        int higher = 0;
        for (const auto& [i, j] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
          higher += height(r, x + i, y + j) > height(r, x, y);
        const bool open = higher == 0 || higher == 4;
        ASSERT_EQ(kpz::count_inconsistencies(TypeParam(), lattice, words) == 0, open) << x << " " << y;
        seen += !open;
      }
  EXPECT_GT(seen, 500);
  // Whole lines up: squares close, the surface does not.
  for (std::size_t w = 0; w < lattice.all_words(); ++w) host(w) = kpz::flat_word(static_cast<int>(w / 2) % 4);
  for (int x = 0; x < lattice.words_x(); ++x)
    for (int y = 0; y < lattice.ny; ++y) host(lattice.word(1, x, y)) = 0;
  Kokkos::deep_copy(words, host);
  EXPECT_EQ(kpz::count_inconsistencies(TypeParam(), lattice, words), 2u);
}

TYPED_TEST(KpzObservables, DetectDifferingPeriodicImages) {
  using MemorySpace = typename TypeParam::memory_space;
  for (const int nx : {4, 8, 16}) {
    const kpz::Lattice lattice{nx, 16, 2};
    const Kokkos::View<std::uint32_t*, MemorySpace> words("words", lattice.all_words());
    const auto host = Kokkos::create_mirror_view(words);
    for (std::size_t w = 0; w < lattice.all_words(); ++w) host(w) = kpz::flat_word(static_cast<int>(w % 4));
    Kokkos::deep_copy(words, host);
    EXPECT_EQ(kpz::count_inconsistencies(TypeParam(), lattice, words), 0u);
    host(21) ^= 1u;  // an open site is closed in one of its images
    Kokkos::deep_copy(words, host);
    EXPECT_GT(kpz::count_inconsistencies(TypeParam(), lattice, words), 0u);
  }
}

/// More than 64 bits hold, of either sign.
struct AddLargeNumbers {
  KOKKOS_FUNCTION void operator()(analysis::ExactSums<2>& sums, const kpz::Slopes&, int, const kpz::Slopes&,
                                  int) const {
    sums.value[0] += (std::uint64_t{1} << 60) + 1;
    sums.value[1] -= (std::uint64_t{1} << 60) + 3;
  }
};

TYPED_TEST(KpzObservables, DoNotOverflow) {
  const kpz::Lattice lattice{32, 256, 2};
  const kpz::Words<TypeParam> words("words", lattice.all_words());
  kpz::flatten(TypeParam(), lattice, words);
  for (const auto& sums : kpz::sum_over_surfaces<2>(TypeParam(), "sum", lattice, words, words, AddLargeNumbers())) {
    EXPECT_TRUE(sums.value[0] == 256 * ((analysis::Wide{1} << 60) + 1));
    EXPECT_TRUE(sums.value[1] == -256 * ((analysis::Wide{1} << 60) + 3));
  }
}

TEST(EffectiveExponents, AreSlopesBetweenSuccessiveMeasurements) {
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
  int seen = 0;
  for (const History& table : simulation->tables_of(simulation->drain_histories())) {
    EXPECT_EQ(table.names, (std::vector<std::string>{"time_before", "time", "value", "error", "propagated_error"}));
    const auto entry = [&](std::size_t column) { return table.columns.at(column).at(0); };
    const int before = static_cast<int>(entry(0)), now = static_cast<int>(entry(1));
    EXPECT_EQ(now, 2 * before);
    if (table.name == "beta_eff") {
      EXPECT_NEAR(entry(2), std::log2(average(roughness[now]) / average(roughness[before])) / 2, 1e-12);
    } else if (table.name == "lambda_eff_height_4") {
      EXPECT_NEAR(entry(2), -std::log2(average(heights[now]) / average(heights[before])), 1e-12);
    }
    EXPECT_GT(entry(3), 0);
    EXPECT_GT(entry(4), 0);
    ++seen;
  }
  EXPECT_EQ(seen, 3 + 2 + 2);
  EXPECT_TRUE(simulation->drain_histories().empty());
}

}  // namespace
}  // namespace tessera::testing
