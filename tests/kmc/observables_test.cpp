// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <random>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/observables/observables.hpp>
#include <tessera/kmc/observables/waves.hpp>
#include <tessera/kmc/state/host_lattice.hpp>
#include <vector>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/matchers.hpp"

namespace tessera::kmc {
namespace {

/// Replicas of a lattice on the host.
template <class State>
struct Lattices {
  int nx, ny, replicas;
  std::vector<State> states;

  Lattices(int width, int height, int count)
      : nx(width),
        ny(height),
        replicas(count),
        states(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(count)) {}
  const State& at(int replica, int x, int y) const {
    return states[(static_cast<std::size_t>(replica) * static_cast<std::size_t>(ny) +
                   static_cast<std::size_t>((y + ny) % ny)) *
                      static_cast<std::size_t>(nx) +
                  static_cast<std::size_t>((x + nx) % nx)];
  }
};

template <class State, class Space>
struct OnDevice {
  Kokkos::View<State*, typename Space::memory_space> states;
  int nx, ny;
  KOKKOS_FUNCTION State operator()(int replica, int x, int y) const {
    return states((static_cast<std::size_t>(replica) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(y)) *
                      static_cast<std::size_t>(nx) +
                  static_cast<std::size_t>(x));
  }
};

template <class Space, class M>
std::map<std::string, Observable> measure_on(const M& model, const Lattices<typename M::State>& lattices) {
  using State = typename M::State;
  OnDevice<State, Space> lattice{Kokkos::View<State*, typename Space::memory_space>("lattice", lattices.states.size()),
                                 lattices.nx, lattices.ny};
  Kokkos::deep_copy(lattice.states,
                    Kokkos::View<const State*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        lattices.states.data(), lattices.states.size()));
  std::map<std::string, Observable> named;
  for (const Observable& o : measure(Space(), model, lattice, lattices.nx, lattices.ny, lattices.replicas)) {
    EXPECT_TRUE(named.emplace(o.name, o).second) << o.name;
    const bool of_all = o.name == "skewness" || o.name == "kurtosis";
    EXPECT_EQ(o.values.size(), of_all ? 1 : static_cast<std::size_t>(lattices.replicas));
  }
  // The same bits as on the host.
  std::map<std::string, Observable> host;
  if constexpr (!std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>) {
    host = measure_on<Kokkos::DefaultHostExecutionSpace>(model, lattices);
    for (const auto& [name, o] : host)
      for (std::size_t r = 0; r < o.values.size(); ++r)
        EXPECT_EQ(Kokkos::bit_cast<std::uint64_t>(named[name].values[r]), Kokkos::bit_cast<std::uint64_t>(o.values[r]))
            << name << " of replica " << r;
  }
  return named;
}

/// Re and im of N^(-1/2) sum of value(state) exp(-i k x) for k = 2 pi j / n along an axis, by the functions of the
/// library.
template <class State, class Value>
std::complex<double> plain_wave(const Lattices<State>& lattices, int replica, bool along_x, int j, const Value& value) {
  std::complex<double> sum = 0;
  for (int y = 0; y < lattices.ny; ++y)
    for (int x = 0; x < lattices.nx; ++x)
      sum += static_cast<double>(value(lattices.at(replica, x, y))) *
             std::polar(1.0, -2 * std::numbers::pi * j * (along_x ? x : y) / (along_x ? lattices.nx : lattices.ny));
  return sum / std::sqrt(static_cast<double>(lattices.nx) * lattices.ny);
}

/// The waves of random states against plain sums, by strips of rows as on CPUs and as on GPUs.
template <class Space, class M>
void expect_waves(const M& model, int nx, int ny, const std::vector<std::string>& names,
                  const std::function<int(typename M::State, std::size_t)>& value) {
  using State = typename M::State;
  using MemorySpace = typename Space::memory_space;
  Lattices<State> lattices(nx, ny, 3);
  std::mt19937 random(static_cast<unsigned>(nx));
  for (State& state : lattices.states) {
    do state = static_cast<State>(static_cast<int>(random() % 10) - 1);
    while (!model.valid(state));
  }
  OnDevice<State, Space> lattice{Kokkos::View<State*, MemorySpace>("lattice", lattices.states.size()), nx, ny};
  Kokkos::deep_copy(lattice.states,
                    Kokkos::View<const State*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        lattices.states.data(), lattices.states.size()));
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  std::vector<Observable> all;
  measure_waves(Space(), model, lattice, nx, LineSums<Space>(3, nx, ny), true, all);
  std::vector<Observable> narrow;
  measure_waves(Space(), model, lattice, nx, LineSums<Space, false>(3, nx, ny), true, narrow);
  std::map<std::string, Observable> found;
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(narrow.at(i).values, all[i].values) << all[i].name;
  for (const Observable& one : all) EXPECT_TRUE(found.emplace(one.name, one).second) << one.name;
  for (std::size_t q = 0; q < names.size(); ++q)
    for (const bool along_x : {true, false}) {
      const std::string stem = names[q] + (along_x ? "_kx_" : "_ky_");
      const Observable& s =
          found.at("structure_factor" + (names.size() > 1 ? "_" + names[q] : "") + (along_x ? "_x" : "_y"));
      EXPECT_TRUE(found.at(stem + "re").is_slow_mode);
      EXPECT_EQ(s.arguments, size(along_x ? nx : ny) / 2);
      for (int r = 0; r < 3; ++r) {
        const auto of = [&](State state) { return value(state, q); };
        const auto wave = plain_wave(lattices, r, along_x, 1, of);
        EXPECT_NEAR(found.at(stem + "re").values.at(size(r)), wave.real(), 1e-10) << stem;
        EXPECT_NEAR(found.at(stem + "im").values.at(size(r)), wave.imag(), 1e-10) << stem;
        for (std::size_t j = 1; j <= s.arguments; ++j)
          EXPECT_NEAR(s.values.at(size(r) * s.arguments + j - 1),
                      std::norm(plain_wave(lattices, r, along_x, static_cast<int>(j), of)), 1e-9)
              << stem << j;
      }
    }
}

/// Sizes of the connected sets of covered cells of a periodic lattice.
std::vector<int> islands(const Lattices<std::int32_t>& lattices, int replica) {
  std::vector<int> sizes;
  std::vector<bool> seen(static_cast<std::size_t>(lattices.nx * lattices.ny));
  const auto fill = [&](const auto& self, int x, int y) {
    x = (x + lattices.nx) % lattices.nx;
    y = (y + lattices.ny) % lattices.ny;
    const auto cell = static_cast<std::size_t>(y * lattices.nx + x);
    if (seen[cell] || lattices.at(replica, x, y) <= 0) return 0;
    seen[cell] = true;
    int size = 1;
    for (int k = 0; k < 4; ++k) size += self(self, x + neighbour_dx(k), y + neighbour_dy(k));
    return size;
  };
  for (int y = 0; y < lattices.ny; ++y)
    for (int x = 0; x < lattices.nx; ++x)
      if (const int size = fill(fill, x, y); size > 0) sizes.push_back(size);
  return sizes;
}

template <class Space>
class Observables : public ::testing::Test {};
TYPED_TEST_SUITE(Observables, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

TYPED_TEST(Observables, HeightMomentsEqualPlainSums) {
  std::mt19937_64 random(7);
  struct Case {
    int nx, ny, replicas;
    std::int64_t spread, offset;
  };
  for (const Case& c : {Case{5, 7, 1, 2, 0}, Case{64, 48, 3, 12, 100}, Case{300, 211, 2, 60000, -40},
                        Case{64, 64, 40, 5, -2000000000}, Case{130, 127, 2, 130000, 2000000000}}) {
    Lattices<std::int32_t> lattices(c.nx, c.ny, c.replicas);
    for (std::int32_t& height : lattices.states) {
      const double u = static_cast<double>(random() >> 11) * 0x1p-53;  // skew, within the spread
      height = static_cast<std::int32_t>(c.offset + std::llround(std::pow(u, 1.5) * static_cast<double>(c.spread) / 2));
    }
    auto measured = measure_on<TypeParam>(SolidOnSolid(1), lattices);
    ASSERT_EQ(measured.size(), 7u);
    double means[3] = {};
    for (int r = 0; r < c.replicas; ++r) {
      using Real = long double;
      const Real cells = static_cast<Real>(c.nx) * c.ny;
      Real mean = 0, m2 = 0, m3 = 0, m4 = 0, steps = 0;
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) mean += lattices.at(r, x, y) / cells;
      for (int y = 0; y < c.ny; ++y)
        for (int x = 0; x < c.nx; ++x) {
          const std::int32_t h = lattices.at(r, x, y);
          const Real d = h - mean;
          m2 += d * d / cells;
          m3 += d * d * d / cells;
          m4 += d * d * d * d / cells;
          steps += h < lattices.at(r, x - 1, y) || h < lattices.at(r, x + 1, y) || h < lattices.at(r, x, y - 1) ||
                   h < lattices.at(r, x, y + 1);
        }
      const auto value = [&](const char* name) { return measured.at(name).values[static_cast<std::size_t>(r)]; };
      const auto near = [&](const char* name, Real expected, double unit) {
        EXPECT_NEAR(value(name), static_cast<double>(expected), 1e-12 * unit) << name << " of replica " << r;
      };
      near("height_mean", mean, std::abs(static_cast<double>(mean)) + 1);
      near("roughness", m2, static_cast<double>(m2));
      near("moment_3", m3, static_cast<double>(std::pow(m2, Real{1.5})));
      near("moment_4", m4, 10 * static_cast<double>(m2 * m2));
      means[0] += static_cast<double>(m2) / c.replicas;
      means[1] += static_cast<double>(m3) / c.replicas;
      means[2] += static_cast<double>(m4) / c.replicas;
      EXPECT_EQ(value("step_fraction"), static_cast<double>(steps) / static_cast<double>(cells));
    }
    EXPECT_NEAR(measured.at("skewness").values.at(0), means[1] / std::pow(means[0], 1.5), 1e-12);
    EXPECT_NEAR(measured.at("kurtosis").values.at(0), means[2] / (means[0] * means[0]) - 3, 1e-11);
  }
}

TYPED_TEST(Observables, HeightMomentsDoNotOverflow) {
  // d^4 = 65535^4 just fits 64 bits; its sum over 2^20 cells does not.
  Lattices<std::int32_t> lattices(1024, 1024, 1);
  for (std::size_t i = 0; i < lattices.states.size(); ++i) lattices.states[i] = i % 2 == 0 ? 65535 : -65535;
  auto measured = measure_on<TypeParam>(SolidOnSolid(1), lattices);
  EXPECT_EQ(measured["height_mean"].values[0], 0);
  EXPECT_EQ(measured["roughness"].values[0], 65535.0 * 65535.0);
  EXPECT_EQ(measured["skewness"].values[0], 0);
  EXPECT_EQ(measured["kurtosis"].values[0], -2);
  EXPECT_EQ(measured["step_fraction"].values[0], 0.5);
}

TYPED_TEST(Observables, FlatSurfaceHasNoSkewness) {
  Lattices<std::int32_t> lattices(16, 8, 2);
  for (std::int32_t& height : lattices.states) height = -3;
  EXPECT_TRUE(std::isnan(measure_on<TypeParam>(SolidOnSolid(1), lattices)["skewness"].values[0]));
  EXPECT_TRUE(std::isnan(measure_on<TypeParam>(SolidOnSolid(1), lattices)["kurtosis"].values[0]));
  lattices.states[5] = -2;  // the first replica is not quite flat
  auto measured = measure_on<TypeParam>(SolidOnSolid(1), lattices);
  EXPECT_EQ(measured["height_mean"].values[1], -3);
  EXPECT_EQ(measured["roughness"].values[1], 0);
  EXPECT_EQ(measured["moment_3"].values[1], 0);
  EXPECT_EQ(measured["moment_4"].values[1], 0);
  EXPECT_FALSE(std::isnan(measured["skewness"].values[0]));
  EXPECT_EQ(measured["step_fraction"].values, (std::vector<double>{4.0 / 128, 0}));
}

TYPED_TEST(Observables, HeightsTooFarFromTheMeanAreAnError) {
  Lattices<std::int32_t> lattices(64, 64, 3);
  lattices.states[2 * 64 * 64 + 17] = 70000;
  try {
    measure_on<TypeParam>(SolidOnSolid(1), lattices);
    FAIL() << "no exception";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("replica 2: 1 heights differ from the mean, 17 layers, by more than 65535"));
  }
}

TYPED_TEST(Observables, WavesEqualPlainSums) {
  const auto as_is = [](int state, std::size_t) { return state; };
  for (const auto& [nx, ny] : {std::pair(72, 130), std::pair(65, 9), std::pair(4, 4)}) {
    SCOPED_TRACE(nx);
    expect_waves<TypeParam>(Ising(0.4), nx, ny, {"magnetisation"}, as_is);
    expect_waves<TypeParam>(SolidOnSolid(1), nx, ny, {"height"}, as_is);
    expect_waves<TypeParam>(Hopping(0.5, 1), nx, ny, {"coverage"}, [](int s, std::size_t) { return s == 1 ? 1 : 0; });
    expect_waves<TypeParam>(Potts(0.4), nx, ny, {"fraction_0", "fraction_1", "fraction_2"},
                            [](int s, std::size_t q) { return s == static_cast<int>(q) ? 1 : 0; });
  }
}

TYPED_TEST(Observables, EnergyAndMagnetisationEqualPlainSums) {
  std::mt19937_64 random(8);
  Lattices<std::int8_t> lattices(34, 57, 3);
  for (std::int8_t& spin : lattices.states) spin = random() % 3 == 0 ? 1 : -1;
  auto measured = measure_on<TypeParam>(Ising(0.4), lattices);
  ASSERT_EQ(measured.size(), 6u);
  for (int r = 0; r < 3; ++r) {
    double energy = 0, magnetisation = 0;
    for (int y = 0; y < 57; ++y)
      for (int x = 0; x < 34; ++x) {
        magnetisation += lattices.at(r, x, y);
        energy -=
            0.5 * lattices.at(r, x, y) *
            (lattices.at(r, x - 1, y) + lattices.at(r, x + 1, y) + lattices.at(r, x, y - 1) + lattices.at(r, x, y + 1));
      }
    EXPECT_EQ(measured["energy"].values[static_cast<std::size_t>(r)], energy / (34 * 57));
    EXPECT_EQ(measured["magnetisation"].values[static_cast<std::size_t>(r)], magnetisation / (34 * 57));
    const double m = std::abs(magnetisation) / (34 * 57);
    EXPECT_EQ(measured["magnetisation_abs"].values[static_cast<std::size_t>(r)], m);
    EXPECT_DOUBLE_EQ(measured["magnetisation_2"].values[static_cast<std::size_t>(r)], m * m);
    EXPECT_DOUBLE_EQ(measured["magnetisation_4"].values[static_cast<std::size_t>(r)], std::pow(m, 4));
    EXPECT_DOUBLE_EQ(measured["energy_2"].values[static_cast<std::size_t>(r)], std::pow(energy / (34 * 57), 2));
  }
  EXPECT_EQ(measured["energy"].unit, "J");
}

TYPED_TEST(Observables, EnergyAndFractionsOfThePottsModelEqualPlainSums) {
  std::mt19937_64 random(10);
  Lattices<std::int8_t> lattices(33, 20, 3);
  for (std::int8_t& state : lattices.states) state = static_cast<std::int8_t>(random() % 5 % 3);
  auto measured = measure_on<TypeParam>(Potts(0.4), lattices);
  ASSERT_EQ(measured.size(), 8u);
  for (int r = 0; r < 3; ++r) {
    double like = 0, of_state[3] = {};
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 33; ++x) {
        const auto state = lattices.at(r, x, y);
        ++of_state[state];
        like += (state == lattices.at(r, x + 1, y)) + (state == lattices.at(r, x, y + 1));
      }
    EXPECT_EQ(measured["energy"].values[static_cast<std::size_t>(r)], -like / (33 * 20));
    for (int s = 0; s < 3; ++s)
      EXPECT_EQ(measured["fraction_" + std::to_string(s)].values[static_cast<std::size_t>(r)], of_state[s] / (33 * 20));
    const double m = (3 * std::max({of_state[0], of_state[1], of_state[2]}) / (33 * 20) - 1) / 2;
    EXPECT_NEAR(measured["order"].values[static_cast<std::size_t>(r)], m, 1e-14);
    EXPECT_NEAR(measured["order_2"].values[static_cast<std::size_t>(r)], m * m, 1e-14);
    EXPECT_NEAR(measured["order_4"].values[static_cast<std::size_t>(r)], std::pow(m, 4), 1e-14);
  }
  EXPECT_EQ(measured["energy"].unit, "J");
}

TYPED_TEST(Observables, OfAUsersModel) {
  std::mt19937_64 random(9);
  Lattices<std::int16_t> lattices(20, 10, 2);
  for (std::int16_t& species : lattices.states) species = static_cast<std::int16_t>(random() % 3);
  auto measured = measure_on<TypeParam>(Species(), lattices);
  ASSERT_EQ(measured.size(), 3u);
  for (int r = 0; r < 2; ++r) {
    int twos = 0, like = 0;
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 20; ++x) {
        twos += lattices.at(r, x, y) == 2;
        for (const int dx : {-1, 1})
          for (const int dy : {-1, 1}) like += lattices.at(r, x, y) == lattices.at(r, x + dx, y + dy);
      }
    EXPECT_EQ(measured["of_species_2"].values[static_cast<std::size_t>(r)], twos / 200.0);
    EXPECT_EQ(measured["like_diagonals"].values[static_cast<std::size_t>(r)], like / 200.0);
  }
  EXPECT_TRUE(measure_on<TypeParam>(Adsorption(), Lattices<std::int8_t>(4, 4, 1)).empty());
}

/// Heights in a unit of their own, and some in none.
struct Terraces : SolidOnSolid {
  using SolidOnSolid::SolidOnSolid;
  static constexpr const char* state_unit = "nm";
};
struct Numbers : SolidOnSolid {
  using SolidOnSolid::SolidOnSolid;
  static constexpr const char* state_unit = "";
};

TYPED_TEST(Observables, HeightsHaveTheUnitOfTheState) {
  const Lattices<std::int32_t> lattices(4, 4, 1);
  auto layers = measure_on<TypeParam>(SolidOnSolid(1), lattices);
  EXPECT_EQ(layers["height_mean"].unit, "layers");
  EXPECT_EQ(layers["roughness"].unit, "layers^2");
  auto terraces = measure_on<TypeParam>(Terraces(1), lattices);
  EXPECT_EQ(terraces["height_mean"].unit, "nm");
  EXPECT_EQ(terraces["roughness"].unit, "nm^2");
  EXPECT_EQ(terraces["skewness"].unit, "");
  EXPECT_EQ(measure_on<TypeParam>(Numbers(1), lattices)["roughness"].unit, "");
}

TEST(ModelUnits, AreTheModelsOrNone) {
  EXPECT_STREQ(time_unit_of(SolidOnSolid(1)), "1/k_2");
  EXPECT_STREQ(time_unit_of(Ising(0.4, 0)), "1/k_0");
  EXPECT_STREQ(time_unit_of(Potts(0.4, 0)), "1/k_0");
  EXPECT_STREQ(time_unit_of(Species()), "");
  EXPECT_STREQ(state_name_of<SolidOnSolid>(), "height");
  EXPECT_STREQ(state_name_of<Ising>(), "spin");
  EXPECT_STREQ(state_name_of<Species>(), "state");
  EXPECT_STREQ(state_unit_of<SolidOnSolid>(), "layers");
  EXPECT_STREQ(state_unit_of<Ising>(), "");
}

TYPED_TEST(Observables, OfEpitaxyAreIslands) {
  Lattices<std::int32_t> lattices(31, 22, 5);
  std::mt19937 random(1);
  for (std::size_t cell = 0; cell < lattices.states.size(); ++cell)
    if (random() % 10 < 2 * (cell / (31 * 22)) + 1) lattices.states[cell] = 1 + static_cast<int>(random() % 3);
  std::vector<const std::int32_t*> first;
  for (std::size_t r = 0; r < 5; ++r) first.push_back(lattices.states.data() + r * 31 * 22);
  const auto sizes = all_cluster_sizes(Kokkos::DefaultHostExecutionSpace(), Epitaxy(1, 10, 1),
                                       HostLattices<Epitaxy>{first.data(), 31}, 31, 22, 5);
  for (int r = 0; r < 5; ++r) {
    ClusterSizes expected;
    for (const int size : islands(lattices, r)) ++expected[static_cast<std::uint32_t>(size)];
    EXPECT_EQ(sizes.at(0).at(static_cast<std::size_t>(r)), expected);
  }
  for (const int least : {1, 2, 5}) {
    const auto measured = measure_on<TypeParam>(Epitaxy(1, 10, 1, least), lattices).at("island_density").values;
    std::ptrdiff_t total = 0;
    for (int r = 0; r < 5; ++r) {
      const auto counted = std::ranges::count_if(islands(lattices, r), [&](int size) { return size >= least; });
      total += counted;
      EXPECT_EQ(measured[static_cast<std::size_t>(r)], static_cast<double>(counted) / (31 * 22));
    }
    EXPECT_GT(total, 10);
  }
}

}  // namespace
}  // namespace tessera::kmc
