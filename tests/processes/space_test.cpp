// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/kmc/space/methods.hpp>
#include <vector>

#include "processes/compile.hpp"
#include "processes/space_model.hpp"
#include "simulations/kmc_space.hpp"
#include "tests/complaint.hpp"
#include "tests/io/memory_archive.hpp"

/// Models from files in three dimensions.
namespace tessera::processes {
namespace {

using io::MemoryArchive;
using kmc::Parameters;
using ::testing::HasSubstr;

/// Beginning of a model with vacancies V among atoms A and B, on the sites of a unit cell.
std::string crystal(const std::string& cell, const std::string& sites) {
  return "[Meta]\nmodel_dimension = 3\ntime_unit = 1/k_0\n[SpeciesList]\ndefault_species = A\n[Species A]\n[Species "
         "B]\n[Species V]\n[Parameter T]\nvalue = 1000\n[Lattice]\ncell_size = " +
         cell + "\n[Layer l]\n" + sites;
}
const std::string sc = crystal("1 1 1", "site s = (0, 0, 0)\n"),
                  fcc = crystal("0.5 0.5 0  0 0.5 0.5  0.5 0 0.5", "site s = (0, 0, 0)\n"),
                  bcc = crystal("1 1 1", "site c = (0, 0, 0)\nsite m = (0.5, 0.5, 0.5)\n");

/// A vacancy exchanges places with a neighbour in direction `by`.
std::string jumps(const std::string& by, const std::string& atoms = "A", const std::string& more = "") {
  return "[Process jump_" + atoms + "]\nrate_constant = 1\norientations = 48\nconditions = V@s + " + atoms + "@s." +
         by + "\nactions = " + atoms + "@s + V@s." + by + "\n" + more;
}

/// One vacancy, and a number of atoms B in its cubic cells of two sites, with the energies of neighbours of both kinds.
std::string alloy(int atoms_b) {
  std::string text = bcc + "[Initial]\nV@c = number 1\n[Initial of_b]\nB@m = number " + std::to_string(atoms_b) + "\n";
  for (const std::string atom : {"A", "B"})
    for (const auto& [from, to] : {std::pair("c", "m"), {"m", "c"}})
      text += "[Process " + atom + "_to_" + from + "]\nrate_constant = " + (atom == "A" ? "1" : "2") +
              "\norientations = 48\nconditions = V@" + from + " + " + atom + "@" + to + "\nactions = " + atom + "@" +
              from + " + V@" + to + "\nenergy = 0.05 + 0.5*dE\n";
  int number = 0;
  const auto cluster = [&](const std::string& sites, const char* energy) {
    text += "[Cluster n" + std::to_string(++number) + "]\norientations = 48\nsites = " + sites +
            "\nenergy = " + energy + "\n";
  };
  cluster("A@c + B@m", "0.06");
  cluster("B@c + A@m", "0.06");
  cluster("B@c + B@m", "-0.02");
  for (const std::string site : {"c", "m"}) cluster("A@" + site + " + B@" + site + ".(1, 0, 0)", "0.04");
  cluster("V@c + B@m", "-0.04");
  cluster("V@m + B@c", "-0.04");
  return text;
}
/// The energy of a pair of neighbours, and of second neighbours, in eV.
double energy_of_pair(char a, char b) {
  if ((a == 'A' && b == 'B') || (a == 'B' && b == 'A')) return 0.06;
  if (a == 'B' && b == 'B') return -0.02;
  return (a == 'V' && b == 'B') || (a == 'B' && b == 'V') ? -0.04 : 0;
}
double energy_of_second(char a, char b) { return (a == 'A' && b == 'B') || (a == 'B' && b == 'A') ? 0.04 : 0; }
const double beta = 1.602176565e-19 / (1.3806488e-23 * 1000);  ///< 1/eV, at 1000 K

/// A crystal of n^3 cubic cells of two sites, periodic: site i of cell (x, y, z) at (2 x + i, 2 y + i, 2 z + i).
struct Crystal {
  int n;
  std::vector<char> atoms = std::vector<char>(static_cast<std::size_t>(2 * n * n * n), 'A');

  std::size_t at(int x, int y, int z) const {
    const auto wrapped = [&](int i) { return (i % (2 * n) + 2 * n) % (2 * n); };
    const int i = wrapped(x) % 2;
    return static_cast<std::size_t>(((wrapped(z) / 2 * n + wrapped(y) / 2) * n + wrapped(x) / 2) * 2 + i);
  }
  template <class Use>
  void each_site(const Use& use) const {
    for (int z = 0; z < 2 * n; ++z)
      for (int y = z % 2; y < 2 * n; y += 2)
        for (int x = z % 2; x < 2 * n; x += 2) use(x, y, z);
  }
  template <class Use>
  static void each_neighbour(const Use& use) {
    for (const int x : {-1, 1})
      for (const int y : {-1, 1})
        for (const int z : {-1, 1}) use(x, y, z);
  }
  double energy() const {
    double sum = 0;
    each_site([&](int x, int y, int z) {
      const char its = atoms[at(x, y, z)];
      each_neighbour(
          [&](int dx, int dy, int dz) { sum += energy_of_pair(its, atoms[at(x + dx, y + dy, z + dz)]) / 2; });
      sum += energy_of_second(its, atoms[at(x + 2, y, z)]) + energy_of_second(its, atoms[at(x, y + 2, z)]) +
             energy_of_second(its, atoms[at(x, y, z + 2)]);
    });
    return sum;
  }
};

Tables tables_of(const std::string& text, int n) {
  return compile(read_model(text, "m.ini"), {}, {}, 0.1, 0, {n, n, n}).tables;
}
SpaceModel model_of(const std::string& text, int n) { return SpaceModel(tables_of(text, n), n, n * n); }
Parameters box(int n, double until) {
  Parameters p;
  p.nx = p.ny = p.nz = n;
  p.until_time = until;
  return p;
}

using Simulation = std::unique_ptr<SimulationInterface>;
constexpr kmc::Method methods[] = {kmc::Method::waiting_time, kmc::Method::bkl};
/// Compiled for the program, and optimized.
Simulation simulation_of(const Tables& tables, Parameters p, kmc::Method method) {
  p.method = method;
  return kmc::space::make_sequential(tables, p);
}

TEST(ModelsInSpace, HaveTheOrientationsOfACube) {
  const auto copies = [](const std::string& text) {
    const ModelFile model = read_model(text, "m.ini");
    return oriented(model, model.processes[0]).size();
  };
  EXPECT_EQ(copies(sc + jumps("(1, 0, 0)")), 6u);
  EXPECT_EQ(copies(sc + jumps("(1, 1, 0)")), 12u);
  EXPECT_EQ(copies(sc + jumps("(0, 0, 2)")), 6u);
  EXPECT_EQ(copies(sc + jumps("(1, 2, 3)")), 48u);
  EXPECT_EQ(copies(fcc + jumps("(1, 0, 0)")), 12u);
  EXPECT_EQ(copies(fcc + jumps("(1, -1, 1)")), 6u);  // second neighbours
  EXPECT_EQ(copies(alloy(1)), 8u);
  std::string rotated = sc + jumps("(1, 2, 3)");
  rotated.replace(rotated.find("48"), 2, "24");
  EXPECT_EQ(copies(rotated), 24u);
  rotated.replace(rotated.find("= 24"), 4, "= 4");
  EXPECT_EQ(copies(rotated), 4u);
  const std::string long_cell = crystal("1 1 2", "site s = (0, 0, 0)\n") + jumps("(1, 0, 0)");
  EXPECT_THAT(complaint([&] { copies(long_cell); }), HasSubstr("is not rotated onto another site"));
}

/// The sum of all rates of random crystals is that of the energies of whole crystals before and after each jump.
TEST(ModelsInSpace, HaveTheRatesOfEnergiesOfWholeCrystals) {
  const int n = 8;
  const SpaceModel model = model_of(alloy(1), n);
  std::mt19937 random(3);
  for (int sample = 0; sample < 4; ++sample) {
    Crystal crystal{n};
    for (char& atom : crystal.atoms) atom = random() % 3 == 0 ? 'B' : 'A';
    for (int vacancy = 0; vacancy < 3; ++vacancy) crystal.atoms[random() % crystal.atoms.size()] = 'V';
    double expected = 0;
    const double before = crystal.energy();
    crystal.each_site([&](int x, int y, int z) {
      if (crystal.atoms[crystal.at(x, y, z)] != 'V') return;
      Crystal::each_neighbour([&](int dx, int dy, int dz) {
        Crystal after = crystal;
        std::swap(after.atoms[after.at(x, y, z)], after.atoms[after.at(x + dx, y + dy, z + dz)]);
        const char atom = after.atoms[after.at(x, y, z)];
        if (atom == 'V') return;
        expected += (atom == 'A' ? 1 : 2) * std::exp(-beta * (0.05 + 0.5 * (after.energy() - before)));
      });
    });
    std::vector<std::uint8_t> states;
    const std::map<char, int> digit{{'A', 0}, {'B', 1}, {'V', 2}};
    for (std::size_t cell = 0; 2 * cell < crystal.atoms.size(); ++cell)
      states.push_back(
          static_cast<std::uint8_t>(digit.at(crystal.atoms[2 * cell]) + 4 * digit.at(crystal.atoms[2 * cell + 1])));
    double found = 0;
    const kmc::space::Box all(n, n, n, 1);
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(model.kept_sums()));
    for (std::uint32_t cell = 0; cell < states.size(); ++cell) {
      model.sum_up(kmc::space::Around<SpaceModel, std::vector<std::uint8_t>>(states, all, cell), sums.data());
      found += model.rate(kmc::KeptSums{sums.data()});
    }
    EXPECT_NEAR(found, expected, 1e-9 * expected);
    const auto measured = kmc::space::observables_of(
        model, {kmc::space::sums_of(Kokkos::DefaultHostExecutionSpace(), model, all, states.data())}, n * n * n);
    EXPECT_NEAR(measured.back().values[0], crystal.energy() / (n * n * n), 1e-12) << measured.back().name;
  }
}

/// Mean of an observable and its standard error, from blocks.
analysis::Estimate mean_of(SimulationInterface& simulation, const std::string& name, double every, int samples) {
  constexpr int blocks = 20;
  std::vector<double> means(blocks, 0.0);
  for (int i = -samples / 20; i < samples; ++i) {
    simulation.advance(simulation.time() + every);
    if (i < 0) continue;
    for (const Observable& one : simulation.measure())
      if (one.name == name) means[static_cast<std::size_t>(i * blocks / samples)] += one.values[0] * blocks / samples;
  }
  return analysis::mean_with_scatter(means);
}

/// One vacancy and two atoms B in 4^3 cells have the mean energy of the canonical ensemble.
TEST(ModelsInSpace, HaveTheCanonicalEnergy) {
  const int n = 4;
  double sum = 0, weighted = 0;
  Crystal crystal{n};
  const std::size_t sites = crystal.atoms.size();
  crystal.atoms[0] = 'V';  // all other places follow by translation, half of them from the other site
  for (std::size_t i = 1; i < sites; ++i)
    for (std::size_t k = i + 1; k < sites; ++k) {
      crystal.atoms[i] = crystal.atoms[k] = 'B';
      const double energy = crystal.energy(), weight = std::exp(-beta * energy);
      sum += weight;
      weighted += weight * energy;
      crystal.atoms[i] = crystal.atoms[k] = 'A';
    }
  const double expected = weighted / sum / (n * n * n);
  const Tables tables = tables_of(alloy(2), n);
  for (const kmc::Method method : methods) {
    const auto [mean, error] = mean_of(*simulation_of(tables, box(n, HUGE_VAL), method), "energy", 10, 4000);
    EXPECT_LT(error, 0.022 * std::abs(expected));
    EXPECT_NEAR(mean, expected, 4 * error);
  }
}

/// Everything that a run leaves in its checkpoint.
MemoryArchive saved(const Simulation& simulation) {
  MemoryArchive archive;
  simulation->save(archive);
  return archive;
}

TEST(ModelsInSpace, StopsAndRestartsDoNotChangeTheTrajectory) {
  const Tables tables = tables_of(alloy(20), 6);
  Parameters p = box(6, 4000);
  p.replicas = 2;
  p.tracked = tracked_species(tables, {"V", "B"});
  for (const kmc::Method method : methods) {
    const auto begun = [&] { return simulation_of(tables, p, method); };
    const Simulation whole = begun(), first = begun(), second = begun();
    for (const double time : {1000.0, 2500.0, 4000.0}) {
      whole->advance(time);
      whole->measure();
    }
    first->advance(1000);
    first->measure();
    int calls = 0;
    EXPECT_FALSE(first->advance(2500, [&] { return ++calls < 3; }));
    second->load(saved(first));
    for (const double time : {2500.0, 4000.0}) {
      second->advance(time);
      second->measure();
    }
    EXPECT_EQ(saved(second), saved(whole));
    EXPECT_GT(whole->work(), 20'000);
  }
}

TEST(ModelsInSpace, WithoutAPossibleEventEnd) {
  // Two vacancies that vanish together, once they meet.
  const std::string text = sc + jumps("(1, 0, 0)") +
                           "[Process vanish]\nrate_constant = 1e3\norientations = 24\nconditions = V@s + V@s.(1, 0, "
                           "0)\nactions = A@s + A@s.(1, 0, 0)\n[Initial]\nV@s = number 2\n";
  const Tables tables = tables_of(text, 4);
  Parameters p = box(4, HUGE_VAL);
  p.until_events_per_site = 1e9;
  for (const kmc::Method method : methods) {
    const Simulation endless = simulation_of(tables, p, method);
    EXPECT_TRUE(endless->advance(HUGE_VAL));
    EXPECT_TRUE(endless->finished());
    EXPECT_LT(endless->absorbed()[0], 1e6);
    for (const Observable& one : endless->measure()) EXPECT_TRUE(one.name != "coverage_V" || one.values[0] == 0);
    EXPECT_LT(endless->time(), 1e6);
    Parameters with_end = p;
    with_end.until_time = 1e7;
    const Simulation ending = simulation_of(tables, with_end, method);
    EXPECT_TRUE(ending->advance(1e7));
    EXPECT_EQ(ending->time(), 1e7);
  }
}

TEST(ModelsInSpace, BeginInRegions) {
  const std::string text = sc + jumps("(1, 0, 0)") +
                           "[Initial]\nwhere = z >= 4 and x + y < 5\nB@s = 1\n[Initial other]\nwhere = z < 2 or (x == "
                           "y and z == 3)\nV@s = 0.25\n";
  const int n = 8;
  const SpaceModel model = model_of(text, n);
  int vacancies = 0, region = 0;
  for (int site = 0; site < n * n * n; ++site) {
    const int x = site % n, y = site / n % n, z = site / n / n;
    const int state = model.initial_at(static_cast<std::uint32_t>(site), 7);
    EXPECT_EQ(state == 1, z >= 4 && x + y < 5);
    const bool in_region = z < 2 || (x == y && z == 3);
    region += in_region ? 1 : 0;
    vacancies += state == 2 ? 1 : 0;
    EXPECT_TRUE(state != 2 || in_region);
  }
  EXPECT_EQ(vacancies, region / 4);
}

TEST(ModelsInSpace, AreRefusedWhereTheyAreNotDefined) {
  const auto about = [](const std::string& text) { return complaint([&] { model_of(text, 8); }); };
  const std::string vacancy = "[Initial]\nV@s = number 1\n";
  std::string flat = sc + jumps("(1, 0, 0)");
  flat.replace(flat.find("model_dimension = 3"), 19, "model_dimension = 2");
  EXPECT_THAT(about(flat), HasSubstr("orientations = 48: must be 1, 2, 3, 4 or 6"));
  flat.replace(flat.find("(1, 0, 0)"), 9, "(0, 0, 1)");
  EXPECT_THAT(about(flat), HasSubstr("dz must be 0"));
  EXPECT_THAT(about(sc + jumps("(0, 0, 9)") + vacancy), HasSubstr("use only cells within a cube of 9 x 9 x 9"));
  EXPECT_THAT(about(crystal("1 1 -1", "site s = (0, 0, 0)\n") + jumps("(1, 0, 0)")),
              HasSubstr("its volume is not positive"));
  EXPECT_THAT(about(sc + jumps("(1, 0, 0)") + "[Clusters of_b]\nmembers = B@s\nneighbours = s + s.(1, 0, 0)\n"),
              HasSubstr("requires a lattice in two dimensions"));
  std::string sites;
  for (int i = 0; i < 5; ++i) sites += "site s" + std::to_string(i) + " = (0, 0, " + std::to_string(i / 5.0) + ")\n";
  std::string large = crystal("1 1 1", sites) + "[Initial]\n";
  for (int i = 0; i < 5; ++i) large += "B@s" + std::to_string(i) + " = 0.1\nV@s" + std::to_string(i) + " = 0.1\n";
  EXPECT_THAT(about(large + "[Process p]\nrate_constant = 1\nconditions = V@s0\nactions = A@s0\n"),
              HasSubstr("need 10 bits, more than 8 in three dimensions"));
}

}  // namespace
}  // namespace tessera::processes
