// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <fstream>
#include <numbers>
#include <string>
#include <tessera/kpz/sequential.hpp>
#include <vector>

#include "tests/kmc/physics_methods.hpp"
#include "tests/program/temporary_folder.hpp"

// The models whose events change two cells, and the octahedron model in continuous time, against what is known exactly.
namespace tessera::testing {
namespace {

using kmc::Epitaxy;
using kmc::Hopping;
using kmc::Octahedron;

/// Pairs of occupied nearest neighbours on a periodic lattice of 4 x 4 cells, of which cell c is occupied where bit c
/// is set.
int bonds(unsigned cells) {
  int count = 0;
  for (unsigned c = 0; c < 16; ++c) {
    const unsigned x = c % 4, y = c / 4, east = 4 * y + (x + 1) % 4, north = 4 * ((y + 1) % 4) + x;
    if ((cells >> c & 1u) != 0) count += static_cast<int>((cells >> east & 1u) + (cells >> north & 1u));
  }
  return count;
}

/// Averages over all configurations of 4 x 4 cells with the weight z^N exp(E bonds); `particles` < 0: any number of
/// them; `obstacles`: cells that are not to be occupied.
struct Canonical {
  double coverage = 0, bonds = 0;  // per cell

  Canonical(double attraction, double activity, int particles = -1, unsigned obstacles = 0) {
    double sum = 0;
    for (unsigned cells = 0; cells < 1u << 16; ++cells) {
      const int occupied = std::popcount(cells), pairs = testing::bonds(cells);
      if ((cells & obstacles) != 0 || (particles >= 0 && occupied != particles)) continue;
      const double weight = std::pow(activity, occupied) * std::exp(attraction * pairs);
      sum += weight;
      coverage += weight * occupied / 16;
      bonds += weight * pairs / 16;
    }
    coverage /= sum;
    bonds /= sum;
  }
};

template <class Method>
class LatticeGas : public ::testing::Test {};
TYPED_TEST_SUITE(LatticeGas, SequentialMethods, MethodNames);

TYPED_TEST(LatticeGas, HasTheCanonicalAverageOfItsBonds) {
  struct Case {
    double coverage, attraction;
  };
  for (const auto& [coverage, attraction] : {Case{0.5, 1}, Case{0.3125, -0.7}, Case{0.75, 1.5}}) {
    auto simulation = TypeParam::make(lattice(4, 256, 1), Hopping(coverage, attraction));
    const Estimate found = sampled(*simulation, "bonds", 20, 4, 15);
    expect_near("bonds", found.mean, Canonical(attraction, 1, static_cast<int>(16 * coverage)).bonds, found.error);
    for (const double value : measured(*simulation, "coverage")) EXPECT_EQ(value, coverage);
  }
}

TYPED_TEST(LatticeGas, HasTheGrandCanonicalAveragesWithAdsorptionAndDesorption) {
  constexpr double attraction = 0.8, adsorption = 0.3, desorption = 1.2;
  const Canonical expected(attraction, adsorption / desorption);
  for (const char* name : {"coverage", "bonds"}) {
    auto simulation = TypeParam::make(lattice(4, 256, 7), Hopping(0.5, attraction, adsorption, desorption));
    const Estimate found = sampled(*simulation, name, 20, 4, 15);
    expect_near(name, found.mean, std::string(name) == "bonds" ? expected.bonds : expected.coverage, found.error);
  }
}

// Without attraction a particle's mean occupation follows the diffusion equation of the lattice exactly, whatever the
// configuration (the simple exclusion process): a Fourier mode of the occupation decays as exp(-2 (1 - cos k) t) on
// average.
TYPED_TEST(LatticeGas, WithoutAttractionDensityWavesDecayAsInDiffusion) {
  constexpr int side = 32, replicas = 48;
  auto simulation = TypeParam::make(lattice(side, replicas, 3), Hopping(0.4, 0));
  const auto modes = [&] {
    const auto states = simulation->states();
    std::vector<std::complex<double>> all;  // [replicas][modes 1 to 3 in x and in y]
    for (int r = 0; r < replicas; ++r)
      for (int mode = 1; mode <= 3; ++mode)
        for (const bool along_x : {true, false}) {
          std::complex<double> sum = 0;
          for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
              sum += static_cast<double>(states[static_cast<std::size_t>((r * side + y) * side + x)]) *
                     std::polar(1.0, 2 * std::numbers::pi * mode * (along_x ? x : y) / side);
          all.push_back(sum);
        }
    return all;
  };
  const auto start = modes();
  simulation->advance(4);
  const auto now = modes();
  for (int mode = 1; mode <= 3; ++mode) {
    double overlap = 0, norm = 0;
    std::vector<double> each;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (static_cast<int>(i / 2 % 3) + 1 != mode) continue;
      overlap += std::real(now[i] * std::conj(start[i]));
      norm += std::norm(start[i]);
    }
    const double decay = std::exp(-2 * (1 - std::cos(2 * std::numbers::pi * mode / side)) * 4);
    double variance = 0;
    for (std::size_t i = 0; i < now.size(); ++i)
      if (static_cast<int>(i / 2 % 3) + 1 == mode)
        variance += std::pow(std::real((now[i] - decay * start[i]) * std::conj(start[i])), 2);
    expect_near("mode", overlap / norm, decay, std::sqrt(variance) / norm);
  }
}

/// A simulation that begins with state(x, y) from a file.
template <class Method, class State>
auto started(kmc::Parameters parameters, const Hopping& model, const State& state) {
  const tessera::testing::TemporaryFolder folder;
  parameters.starts = {(folder / "states").string()};
  std::ofstream file(parameters.starts[0]);
  for (int y = 0; y < parameters.ny; ++y, file << '\n')
    for (int x = 0; x < parameters.nx; ++x) file << state(x, y) << ' ';
  file.close();
  auto simulation = Method::make(parameters, model);
  simulation->start([] { return true; });
  return simulation;
}

TYPED_TEST(LatticeGas, HasTheExactAveragesBetweenObstacles) {
  constexpr unsigned obstacles = 1u << 0 | 1u << 2 | 1u << 5;  // three around cell 1
  const auto state = [](int x, int y) { return (obstacles >> (4 * y + x) & 1u) != 0 ? 8 : (y >= 2 ? 1 : 0); };
  for (const double desorption : {0.0, 0.9}) {
    const double adsorption = desorption / 2;
    const Canonical expected(1, 0.5, desorption > 0 ? -1 : 8, obstacles);
    auto simulation = started<TypeParam>(lattice(4, 256, 11), Hopping(0.5, 1, adsorption, desorption), state);
    const Estimate bonds = sampled(*simulation, "bonds", 20, 4, 15);
    expect_near("bonds", bonds.mean, expected.bonds, bonds.error);
    const Estimate coverage(measured(*simulation, "coverage"));
    expect_near("coverage", coverage.mean, expected.coverage, coverage.error + 1e-12);
    for (unsigned i = 0; const auto now : simulation->states())
      EXPECT_EQ(now == 8, (obstacles >> (i++ % 16) & 1u) != 0);
  }
}

// Between two walls the mean occupation follows the diffusion equation with reflecting ends: a mode decays as
// exp(-2 (1 - cos k) t), k = pi mode / width.
TYPED_TEST(LatticeGas, DensityWavesDecayBetweenWallsAsInDiffusion) {
  constexpr int side = 32, replicas = 64, width = side - 1;
  constexpr double time = 6;
  auto simulation = started<TypeParam>(lattice(side, replicas, 13), Hopping(0.5, 0),
                                       [](int x, int) { return x == 0 ? 8 : (x <= side / 2 ? 1 : 0); });
  const auto amplitudes = [&](double k) {
    std::vector<double> sums(replicas);
    for (std::size_t i = 0; const auto state : simulation->states()) {
      if (state == 1) sums[i / (side * side)] += std::cos(k * (static_cast<double>(i % side) - 0.5)) / side;
      ++i;
    }
    return sums;
  };
  const auto wave_number = [](int mode) { return std::numbers::pi * mode / width; };
  std::vector<double> before;
  for (const int mode : {1, 3, 5}) before.push_back(amplitudes(wave_number(mode)).front());
  simulation->advance(time);
  for (std::size_t i = 0; const int mode : {1, 3, 5}) {
    const double k = wave_number(mode);
    const Estimate now(amplitudes(k));
    expect_near("amplitude", now.mean, before[i++] * std::exp(-2 * (1 - std::cos(k)) * time), now.error);
  }
}

template <class Method>
class MolecularBeamEpitaxy : public ::testing::Test {};
TYPED_TEST_SUITE(MolecularBeamEpitaxy, SequentialMethods, MethodNames);

TYPED_TEST(MolecularBeamEpitaxy, WithoutDiffusionIsPoissonian) {
  constexpr double t = 3, heights = 32.0 * 32 * 32;
  auto simulation = TypeParam::make(lattice(32, 32, 5), Epitaxy(0.5, 0, 1));
  simulation->advance(2 * t);
  expect_near("mean", Estimate(measured(*simulation, "height_mean")).mean, t, std::sqrt(t / heights));
  expect_near("variance", Estimate(measured(*simulation, "roughness")).mean * 1024 / 1023, t,
              std::sqrt((t + 2 * t * t) / heights));
}

TYPED_TEST(MolecularBeamEpitaxy, KeepsTheAtomsThatHaveLanded) {
  auto simulation = TypeParam::make(lattice(32, 8, 6), Epitaxy(1, 200, 1));
  simulation->advance(0.7);
  const auto landed = measured(*simulation, "depositions"), mean = measured(*simulation, "height_mean");
  for (std::size_t r = 0; r < landed.size(); ++r) EXPECT_DOUBLE_EQ(mean[r] * 1024, landed[r]);
  expect_near("depositions", Estimate(landed).mean, 0.7 * 1024, std::sqrt(0.7 * 1024 / 8));
}

// Atoms that meet stay together: the largest density of islands falls as (D/F)^(-1/3) where D/F is large.
TYPED_TEST(MolecularBeamEpitaxy, IslandsBecomeFewerWithTheCubeRootOfDiffusion) {
  std::vector<Estimate> largest;
  for (const double diffusion : {1e4, 1e6}) {
    auto simulation = TypeParam::make(lattice(64, 8, 9), Epitaxy(1, diffusion, 30));
    for (const double coverage : {0.06, 0.1, 0.15}) {
      simulation->advance(coverage);
      const Estimate density(measured(*simulation, "island_density"));
      if (coverage == 0.06) largest.push_back(density);
      if (density.mean > largest.back().mean) largest.back() = density;
    }
  }
  const double exponent = std::log(largest[0].mean / largest[1].mean) / std::log(100);
  const double error =
      std::hypot(largest[0].error / largest[0].mean, largest[1].error / largest[1].mean) / std::log(100);
  EXPECT_NEAR(exponent, 1.0 / 3, 0.03 + 7 * error);
  EXPECT_LT(error, 0.02);
}

/// Mean number of steps per column of `atoms` atoms on a substrate of 4 x 4 columns, each configuration of heights with
/// the weight exp(E lateral bonds): hops obey detailed balance with it.
class AtomsOnASubstrate {
 public:
  AtomsOnASubstrate(double bond_energy, int atoms) : energy_(bond_energy) {
    place(0, atoms);
    steps_ /= sum_;
  }
  double steps() const { return steps_; }

 private:
  void place(std::size_t column, int atoms) {
    if (column == 15) {
      heights_[15] = atoms;
      return add();
    }
    for (heights_[column] = 0; heights_[column] <= atoms; ++heights_[column])
      place(column + 1, atoms - heights_[column]);
  }
  void add() {
    int lateral = 0, steps = 0;
    for (std::size_t c = 0; c < 16; ++c)
      for (const std::size_t other : {c / 4 * 4 + (c + 1) % 4, (c + 4) % 16}) {
        lateral += std::min(heights_[c], heights_[other]);
        steps += heights_[c] != heights_[other];
      }
    const double weight = std::exp(energy_ * lateral);
    sum_ += weight;
    steps_ += weight * steps / 16;
  }

  double energy_, sum_ = 0, steps_ = 0;
  int heights_[16] = {};
};

// Hops are so frequent that the surface is in equilibrium with the atoms that have landed so far.
TYPED_TEST(MolecularBeamEpitaxy, WithFrequentHopsIsInEquilibrium) {
  constexpr double bond_energy = 1;
  constexpr int atoms = 4;
  const double expected = AtomsOnASubstrate(bond_energy, atoms).steps();
  auto simulation = TypeParam::make(lattice(4, 128, 11), Epitaxy(1, 4000, bond_energy));
  std::vector<double> steps;
  for (int i = 0; i < 12; ++i) {
    simulation->advance(0.2 + 0.01 * i);
    const auto landed = measured(*simulation, "depositions"), density = measured(*simulation, "step_density");
    for (std::size_t r = 0; r < landed.size(); ++r)
      if (landed[r] == atoms) steps.push_back(density[r]);
  }
  ASSERT_GT(steps.size(), 150u);
  const Estimate found(steps);
  // Those of one replica, 40 hops of each atom apart, are independent; the surface lags behind a landing by few hops.
  expect_near("step_density", found.mean, expected, std::hypot(found.error, 0.002));
}

template <class Method>
class OctahedronModel : public ::testing::Test {};
TYPED_TEST_SUITE(OctahedronModel, SequentialMethods, MethodNames);

// A time unit is a Monte Carlo step of the random-sequential dynamics.
TYPED_TEST(OctahedronModel, GrowsAsTheRandomSequentialDynamicsDoes) {
  struct Case {
    double p, q;
  };
  for (const auto& [p, q] : {Case{1, 0}, Case{0.9, 0.3}}) {
    SCOPED_TRACE("p = " + std::to_string(p));
    kpz::Parameters of_steps;
    of_steps.nx = of_steps.ny = 64;
    of_steps.replicas = 96;
    of_steps.seed = 1;
    of_steps.p = p;
    of_steps.q = q;
    of_steps.steps = 15;
    kpz::Sequential steps(of_steps);
    auto simulation = TypeParam::make(lattice(64, 96, 1), Octahedron(p, q));
    for (const double t : {2.0, 15.0}) {
      steps.advance(t);
      simulation->advance(t);
      for (const char* name : {"roughness", "height_mean"}) {
        const Estimate expected(measured(steps, name)), found(measured(*simulation, name));
        expect_near(name, found.mean, expected.mean, std::hypot(found.error, expected.error));
      }
    }
  }
}

// Random-sequential dynamics make N t attempts on N sites in a time t, Poisson clocks a Poisson variate of that mean.
// The attempts are the same Markov chain. The number displaces the time by sqrt(t / N): the variance of the mean height
// is larger by v^2 t / N, and a width in the steady state is the same. A steady surface of 4 x 4 sites has 17 % more
// variance, which is 10 of its standard errors.
TYPED_TEST(OctahedronModel, HasAMeanHeightThatFluctuatesWithTheNumberOfAttempts) {
  constexpr int side = 4, replicas = 16384;
  constexpr double sites = side * side, begin = 4, end = 8;
  kpz::Parameters of_steps;
  of_steps.nx = of_steps.ny = side;
  of_steps.replicas = replicas;
  of_steps.method = kpz::Method::sequential;
  of_steps.steps = end;
  kpz::Sequential steps(of_steps);
  steps.advance(begin);
  const Estimate before(measured(steps, "height_mean"));
  steps.advance(end);
  const Estimate discrete(measured(steps, "height_mean")), discrete_width(measured(steps, "roughness"));
  auto simulation = TypeParam::make(lattice(side, replicas, 1), Octahedron(1, 0));
  simulation->advance(end);
  const Estimate continuous(measured(*simulation, "height_mean")), width(measured(*simulation, "roughness"));

  const auto variance = [](const Estimate& mean) { return replicas * mean.error * mean.error; };
  const double velocity = (discrete.mean - before.mean) / (end - begin);
  const double error = std::hypot(variance(discrete), variance(continuous)) * std::sqrt(2.0 / replicas);
  expect_near("variance of the mean height", variance(continuous) - variance(discrete),
              velocity * velocity * end / sites, error);
  expect_near("roughness", width.mean, discrete_width.mean, std::hypot(width.error, discrete_width.error));
  expect_near("height_mean", continuous.mean, discrete.mean, std::hypot(continuous.error, discrete.error));
}

}  // namespace
}  // namespace tessera::testing
