// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"
#include "tests/kmc/desorption.hpp"
#include "tests/kmc/physics_methods.hpp"
#include "tests/kmc/six_by_six.hpp"
#include "tests/processes/models.hpp"

// The model files in inputs/models against what is known of their models.
namespace tessera::testing {
namespace {

template <class Model = processes::TableModel>
Model model_of(const std::string& name, const processes::Settings& settings) {
  std::ifstream file(std::string(TESSERA_SOURCE) + "/inputs/models/" + name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return Model(processes::compile(processes::read_model(text, name), settings).tables);
}

/// Pairs of occupied nearest neighbours of a periodic lattice of side x side cells, per cell.
double bonds_of(const std::int8_t* cells, std::size_t side) {
  int count = 0;
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      count += cells[side * y + x] * (cells[side * y + (x + 1) % side] + cells[side * ((y + 1) % side) + x]);
  return count / static_cast<double>(side * side);
}

/// The mean of `value(replica)` over times from `relax` on, and its error from the scatter of the replicas.
template <class Simulation, class Value>
Estimate sampled_states(Simulation& simulation, double relax, double apart, int samples, std::size_t replicas,
                        const Value& value) {
  std::vector<double> mean(replicas);
  for (int i = 0; i < samples; ++i) {
    simulation.advance(relax + i * apart);
    const auto states = simulation.states();
    for (std::size_t r = 0; r < replicas; ++r) mean[r] += value(states.data() + r * states.size() / replicas) / samples;
  }
  return Estimate(mean);
}

kmc::Parameters six_by_six() { return lattice(SixBySix::side, 256, 1); }

template <class Method>
class ModelFiles : public ::testing::Test {};
TYPED_TEST_SUITE(ModelFiles, SequentialMethods, MethodNames);

// Canonical averages by enumeration of all 2^16 configurations.
TYPED_TEST(ModelFiles, HoppingHasTheCanonicalAverageOfBonds) {
  constexpr double attraction = 1.2;
  double sum = 0, expected = 0;
  for (unsigned cells = 0; cells < 1u << 16; ++cells) {
    if (std::popcount(cells) != 6) continue;
    std::int8_t occupied[16];
    for (unsigned c = 0; c < 16; ++c) occupied[c] = static_cast<std::int8_t>(cells >> c & 1u);
    const double bonds = bonds_of(occupied, 4), weight = std::exp(attraction * 16 * bonds);
    sum += weight;
    expected += weight * bonds;
  }
  auto simulation =
      TypeParam::make(lattice(4, 256, 1), model_of("hopping.ini", {{"E", attraction}, {"coverage", 0.375}}));
  const Estimate found =
      sampled_states(*simulation, 20, 4, 15, 256, [](const std::int8_t* cells) { return bonds_of(cells, 4); });
  expect_near("bonds", found.mean, expected / sum, found.error);
  for (const double value : measured(*simulation, "coverage_particle")) EXPECT_EQ(value, 0.375);
  const auto states = simulation->states();
  const auto pairs = measured(*simulation, "configurations_pair");
  for (std::size_t r = 0; r < pairs.size(); ++r) EXPECT_EQ(pairs[r], bonds_of(states.data() + 16 * r, 4));
}

TEST(ExactDesorption, SolvesItsMasterEquation) {
  ExactDesorption coarse({}, 0.05), fine({}, 0.02);
  EXPECT_EQ(fine.classes(), 805u);
  // Computed apart from all 65,536 configurations.
  EXPECT_NEAR(fine.coverage(20), 0.931981, 5e-7);
  EXPECT_NEAR(fine.coverage(30), 0.476943, 5e-7);
  EXPECT_NEAR(coarse.coverage(30), fine.coverage(30), 1e-7);
}

// Temperature-programmed desorption, with rates in windows of the program's choice.
TYPED_TEST(ModelFiles, DesorptionHasTheExactSpectrum) {
  expect_spectrum(*TypeParam::make(few_sites(2'000, 5), model_of<processes::ChangingTableModel>("desorption.ini", {})),
                  desorption_from(300));
}

// On its way to equilibrium, too, it is the built-in model.
TYPED_TEST(ModelFiles, HoppingRelaxesLikeTheBuiltInModel) {
  auto from_file = TypeParam::make(lattice(16, 128, 1), model_of("hopping.ini", {{"E", 1}}));
  auto built_in = TypeParam::make(lattice(16, 128, 1000), kmc::Hopping(0.5, 1));
  const auto bonds = [](auto& simulation) {
    return sampled_states(simulation, 0.7, 1, 1, 128, [](const std::int8_t* cells) { return bonds_of(cells, 16); });
  };
  const Estimate found = bonds(*from_file), expected = bonds(*built_in);
  expect_near("bonds", found.mean, expected.mean, std::hypot(found.error, expected.error));
}

// Oxygen covers the lattice where less than 0.3874 of the molecules are CO, CO where more than 0.5256 are; between them
// neither does, and 0.1176 CO2 a site and time unit leave it at y = 0.45.
TYPED_TEST(ModelFiles, TheZiffGulariBarshadModelHasThreePhases) {
  const auto coverage = [](double y, const char* species) {
    auto simulation = TypeParam::make(lattice(32, 1, 5), model_of("zgb.ini", {{"y", y}}));
    simulation->advance(y < 0.4 ? 300 : 200);
    return measured(*simulation, species)[0];
  };
  EXPECT_GT(coverage(0.33, "coverage_O"), 0.98);
  EXPECT_GT(coverage(0.58, "coverage_CO"), 0.98);
  const auto turnover = [](const processes::Settings& settings, double from) {
    auto simulation = TypeParam::make(lattice(16, 64, 9), model_of("zgb.ini", settings));
    simulation->advance(from);
    const auto before = measured(*simulation, "turnover_CO2");
    simulation->advance(from + 20);
    std::vector<double> rate = measured(*simulation, "turnover_CO2");
    for (std::size_t r = 0; r < rate.size(); ++r) rate[r] = (rate[r] - before[r]) / (256.0 * 20);
    const Estimate found(rate);
    expect_near("turnover_CO2", found.mean, 0.11760, std::hypot(found.error, 0.00004));
  };
  turnover({{"y", 0.45}}, 45);
  turnover({{"y", 0.45}, {"k", 1e10}}, 130);  // beyond 1000 epochs of the clock
}

// kmcos 1.2 makes 4090(26) CO2 a cell and second of the same rates.
TYPED_TEST(ModelFiles, OxidationOnRuO2HasTheTurnoverOfKmcos) {
  auto simulation = TypeParam::make(lattice(8, 64, 3),
                                    model_of("co_oxidation_ruo2.ini", {{"p_CO", 1}, {"mu_CO", -1.1}, {"mu_O2", -1.2}}));
  simulation->advance(0.001);
  const auto before = measured(*simulation, "turnover_CO2");
  simulation->advance(0.003);
  std::vector<double> rate = measured(*simulation, "turnover_CO2");
  for (std::size_t r = 0; r < rate.size(); ++r) rate[r] = (rate[r] - before[r]) / (64 * 0.002);
  const Estimate found(rate);
  expect_near("turnover_CO2", found.mean, 4090, std::hypot(found.error, 26));
}

// Each empty site is filled at the rate F, wherever the others hop: the mean coverage is 1 - exp(-F t).
TYPED_TEST(ModelFiles, IslandsContainTheDepositedAtoms) {
  constexpr double t = 0.3;
  auto simulation = TypeParam::make(lattice(16, 128, 2), model_of("island_growth.ini", {{"D", 300}}));
  simulation->advance(t);
  const auto coverage = measured(*simulation, "coverage_atom"), landed = measured(*simulation, "turnover_deposition");
  for (std::size_t r = 0; r < landed.size(); ++r) EXPECT_EQ(coverage[r] * 256, landed[r]);
  const Estimate found(coverage);
  expect_near("coverage", found.mean, 1 - std::exp(-t), found.error);
}

/// Numbers of ways to place 0, 1, ... squares of 2 x 2 cells on 6 x 6 cells, from the cell `first` on.
std::vector<double> ways_of_squares(unsigned first = 0, std::uint64_t covered = 0) {
  std::vector<double> sum(1 + SixBySix::cells / 4);
  sum[0] = 1;
  for (unsigned c = first; c < SixBySix::cells; ++c) {
    std::uint64_t square = std::uint64_t{1} << c;
    square |= SixBySix::shifted(square, 1, 0);
    square |= SixBySix::shifted(square, 0, 1);
    if ((square & covered) != 0) continue;
    const std::vector<double> others = ways_of_squares(c + 1, covered | square);
    for (std::size_t n = 1; n < sum.size(); ++n) sum[n] += others[n - 1];
  }
  return sum;
}

// Canonical averages over all configurations of five atoms.
TYPED_TEST(ModelFiles, AdatomsHaveTheCanonicalAverageOfPairs) {
  constexpr double repulsion[2] = {1.1, 0.6};
  double sum = 0, expected[2] = {};
  SixBySix::for_each_set(5, [&](std::uint64_t atoms) {
    const auto pairs = [&](unsigned dx, unsigned dy) {
      return std::popcount(atoms & SixBySix::shifted(atoms, dx, dy));
    };
    const double first = pairs(1, 0) + pairs(0, 1), second = pairs(1, 1) + pairs(1, 5);
    const double weight = std::exp(-repulsion[0] * first - repulsion[1] * second);
    sum += weight;
    expected[0] += weight * first / SixBySix::cells;
    expected[1] += weight * second / SixBySix::cells;
  });
  auto simulation = TypeParam::make(
      six_by_six(), model_of<processes::ListedTableModel>(
                        "adatoms.ini", {{"E1", repulsion[0]}, {"E2", repulsion[1]}, {"coverage", 5.0 / 36}}));
  const Estimate first = sampled(*simulation, "configurations_first", 10, 3, 15),
                 second = sampled(*simulation, "configurations_second", 55, 3, 15);
  expect_near("first", first.mean, expected[0] / sum, first.error);
  expect_near("second", second.mean, expected[1] / sum, second.error);
}

// The grand canonical average over all configurations of hard squares.
TYPED_TEST(ModelFiles, SquareMoleculesHaveTheGrandCanonicalCoverage) {
  constexpr double activity = 3;
  const std::vector<double> ways = ways_of_squares();
  double sum = 0, expected = 0;
  for (std::size_t n = 0; n < ways.size(); ++n) {
    const double weight = ways[n] * std::pow(activity, static_cast<double>(n));
    sum += weight;
    expected += weight * static_cast<double>(n) / SixBySix::cells;
  }
  auto simulation = TypeParam::make(
      six_by_six(),
      model_of<processes::ListedTableModel>("square_molecules.ini", {{"desorption", 1 / activity}, {"hop", 2}}));
  const Estimate found = sampled(*simulation, "coverage_molecule", 15, 4, 15);
  expect_near("coverage", found.mean, expected / sum, found.error);
}

// Atoms that repel third neighbours alone: each of four sublattices, of 3 x 3 sites here, is a lattice gas of its own.
TYPED_TEST(ModelFiles, ThirdNeighboursHaveTheGrandCanonicalCoverage) {
  constexpr double repulsion = 0.8;
  double sum = 0, expected = 0;
  for (unsigned atoms = 0; atoms < 512; ++atoms) {
    const auto has = [&](unsigned x, unsigned y) { return atoms >> (3 * (y % 3) + x % 3) & 1u; };
    unsigned pairs = 0;
    for (unsigned x = 0; x < 3; ++x)
      for (unsigned y = 0; y < 3; ++y) pairs += has(x, y) * (has(x + 1, y) + has(x, y + 1));
    const double weight = std::exp(-repulsion * pairs);
    sum += weight;
    expected += weight * std::popcount(atoms) / 9;
  }
  const processes::ModelFile file = processes::read_model(
      "[Species empty]\n[Species atom]\n[Layer square]\nsite a = (0.5, 0.5, 0.5)\n"
      "[Process up]\nrate_constant = 1\nconditions = empty@a\nactions = atom@a\n"
      "[Process down]\nrate_constant = 1\nconditions = atom@a\nactions = empty@a\notf_rate = "
      "base_rate*exp(0.8*nr_atom_3)\n"
      "bystanders = ['atom']@a.(2,0,0)|3 + ['atom']@a.(-2,0,0)|3 + ['atom']@a.(0,2,0)|3 + ['atom']@a.(0,-2,0)|3\n",
      "m.ini");
  auto simulation = TypeParam::make(six_by_six(), processes::FarTableModel(processes::compile(file, {}).tables));
  const Estimate found = sampled(*simulation, "coverage_atom", 5, 1, 30);
  expect_near("coverage", found.mean, expected / sum, found.error);
}

// Canonical average over all configurations of five particles.
TYPED_TEST(ModelFiles, KawasakiDynamicsHasTheCanonicalAverageOfBonds) {
  constexpr double attraction = 1.1, cells = SixBySix::cells;
  const GasOnSixBySix expected(
      5, attraction, [&](int before, int after) { return 1 / (1 + std::exp(attraction * (before - after))); });
  auto simulation = TypeParam::make(
      six_by_six(), model_of<processes::FarTableModel>("kawasaki.ini", {{"E", attraction}, {"coverage", 5 / cells}}));
  constexpr double relax = 20, time = 60;
  simulation->advance(relax);
  const auto before = measured(*simulation, "events_hop");
  const Estimate bonds =
      sampled_states(*simulation, relax, 4, 15, 256, [](const std::int8_t* states) { return bonds_of(states, 6); });
  simulation->advance(relax + time);
  auto rate = measured(*simulation, "events_hop");
  for (std::size_t r = 0; r < rate.size(); ++r) rate[r] = (rate[r] - before[r]) / (cells * time);
  const Estimate found(rate);
  expect_near("bonds", bonds.mean, expected.bonds, bonds.error);
  expect_near("rate of hops", found.mean, expected.hops, found.error);
}

// fcc(111): the ratio of the rates of a hop and its reverse is exp(-E) for each neighbour that is lost.
TYPED_TEST(ModelFiles, HopsThatDependOnBothEndsHaveTheCanonicalAverageOfBonds) {
  const double attraction = std::log(1.3 / 0.7);
  double sum = 0, expected = 0;
  SixBySix::for_each_set(5, [&](std::uint64_t set) {
    const std::uint64_t x = SixBySix::shifted(set, 1, 0), y = SixBySix::shifted(set, 0, 1);
    const int bonds = std::popcount(set & x) + std::popcount(set & y) + std::popcount(x & y);
    const double weight = std::exp(attraction * bonds);
    sum += weight;
    expected += weight * bonds / SixBySix::cells;
  });
  std::string text = hexagonal_hops() + configuration("bonds", "CO@a + CO@a.(1, 0, 0)", 6);
  const std::string part = "CO@a = 0.4";
  text.replace(text.find(part), part.size(), "CO@a = number 5");
  const auto tables = processes::compile(processes::read_model(text, "m.ini"), {}).tables;
  auto simulation = TypeParam::make(six_by_six(), processes::GroupModel(tables));
  const Estimate found = sampled(*simulation, "configurations_bonds", 10, 2, 30);
  expect_near("bonds", found.mean, expected / sum, found.error);
}

/// The energy of clusters_in_squares() on side x side sites, per site.
double energy_in_squares(std::uint64_t set, unsigned side) {
  const auto has = [&](unsigned x, unsigned y) { return static_cast<int>(set >> (side * (y % side) + x % side) & 1u); };
  double energy = 0;
  for (unsigned y = 0; y < side; ++y)
    for (unsigned x = 0; x < side; ++x) {
      const int a = has(x, y), b = has(x + 1, y), c = has(x, y + 1), d = has(x + 1, y + 1), count = a + b + c + d;
      energy +=
          0.05 * a * (b + c) - 0.02 * (a * d + b * c) + 0.03 * (count == 4 ? 4 : count == 3) - 0.04 * (count == 4);
    }
  return energy / (side * side);
}

/// Means of observables over 128 replicas and 10 times.
template <class Method>
std::map<std::string, Estimate> means_of(const std::string& text, int side, double relax, double apart) {
  auto simulation =
      Method::make(lattice(side, 128, 1),
                   processes::GroupModel(processes::compile(processes::read_model(text, "m.ini"), {}).tables));
  std::map<std::string, std::vector<double>> means;
  constexpr int samples = 10;
  for (int i = 0; i < samples; ++i) {
    simulation->advance(relax + apart * i);
    for (const Observable& one : simulation->measure()) {
      means[one.name].resize(one.values.size());
      for (std::size_t r = 0; r < one.values.size(); ++r) means[one.name][r] += one.values[r] / samples;
    }
  }
  std::map<std::string, Estimate> all;
  for (const auto& [name, mean] : means) all.emplace(name, mean);
  return all;
}

// Barriers max(0, dE, E + A dE) keep detailed balance. Grand canonical averages over all configurations of 4 x 4 sites.
TYPED_TEST(ModelFiles, EnergiesOfClustersHaveTheirGrandCanonicalAverages) {
  constexpr double beta = 1 / (8.6173324e-5 * 600);
  double sum = 0, coverage = 0, energy = 0;
  for (unsigned set = 0; set < 1u << 16; ++set) {
    const double its = energy_in_squares(set, 4), weight = std::exp(-beta * 16 * its) * std::pow(2, std::popcount(set));
    sum += weight;
    coverage += weight * std::popcount(set) / 16;
    energy += weight * its;
  }
  const auto found = means_of<TypeParam>(
      clusters_in_squares() + process("on", "2", "empty@a", "CO@a", "energy = max(0, dE, 0.02 + 0.3*dE)\n") +
          process("off", "1", "CO@a", "empty@a", "energy = max(0, dE, 0.02 + 0.7*dE)\n"),
      4, 5, 1);
  for (const auto& [name, expected] : {std::pair("coverage_CO", coverage / sum), std::pair("energy", energy / sum)})
    expect_near(name, found.at(name).mean, expected, found.at(name).error);
}

// Canonical averages over all configurations of seven molecules on 5 x 5 sites, by two kinds of rates.
TYPED_TEST(ModelFiles, HopsWithEnergiesOfClustersHaveTheCanonicalAverage) {
  constexpr double beta = 1 / (8.6173324e-5 * 600);
  double sum = 0, expected = 0;
  for (std::uint64_t set = (1u << 7) - 1; set < 1u << 25;) {
    const double its = energy_in_squares(set, 5), weight = std::exp(-beta * 25 * its);
    sum += weight;
    expected += weight * its;
    const std::uint64_t lowest = set & -set, next = set + lowest;  // the next one with as many bits
    set = next | ((set ^ next) >> 2) / lowest;
  }
  for (const std::string rate :
       {"energy = max(0, dE, 0.03 + dE/2)\n", "otf_rate = base_rate/(1 + exp(dE*eV*beta))\n"}) {
    const auto found = means_of<TypeParam>(
        clusters_in_squares() + "[Initial]\nCO@a = number 7\n" +
            process("hop", "3", "CO@a + empty@a.(1, 0, 0)", "empty@a + CO@a.(1, 0, 0)", "orientations = 4\n" + rate),
        5, 8, 1.5);
    expect_near("energy", found.at("energy").mean, expected / sum, found.at("energy").error);
  }
}

// Squares of 2 x 2 sites that arrive at random jam at a coverage of 0.7479 (J.-S. Wang, Colloids Surf. A 165, 325,
// 2000).
TYPED_TEST(ModelFiles, SquareMoleculesJam) {
  auto simulation = TypeParam::make(lattice(32, 64, 1), model_of<processes::ListedTableModel>(
                                                            "square_molecules.ini", {{"desorption", 0}, {"hop", 0}}));
  simulation->advance(60);
  std::vector<double> coverage = measured(*simulation, "coverage_molecule");
  const auto rest = measured(*simulation, "coverage_rest");
  for (std::size_t r = 0; r < coverage.size(); ++r) EXPECT_EQ(rest[r], 3 * coverage[r]);
  const Estimate found(coverage);
  expect_near("coverage", 4 * found.mean, 0.74794, 4 * found.error);
}

// Random dimers jam at a coverage of 0.879.
TYPED_TEST(ModelFiles, DimersJamTheHoneycombLattice) {
  auto simulation = TypeParam::make(lattice(16, 64, 1), model_of("honeycomb_dimers.ini", {}));
  simulation->advance(60);
  const auto on_a = measured(*simulation, "coverage_dimer_a");
  EXPECT_EQ(on_a, measured(*simulation, "coverage_dimer_b"));
  const Estimate found(on_a);
  expect_near("coverage", found.mean, 0.879, std::hypot(found.error, 0.0001));
}

}  // namespace
}  // namespace tessera::testing
