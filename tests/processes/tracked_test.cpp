// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <type_traits>
#include <vector>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"
#include "simulations/kmc_space.hpp"
#include "tests/io/memory_archive.hpp"

/// Displacements of the particles of a species, in the plane and in space, one event after the other.
namespace tessera::processes::tracking {
namespace {

using io::MemoryArchive;
using kmc::Parameters;
using Simulation = std::unique_ptr<SimulationInterface>;

constexpr kmc::Method methods[] = {kmc::Method::bkl, kmc::Method::waiting_time};

/// A model with species A and V on the sites of a unit cell.
std::string lattice(int dimension, const std::string& cell, const std::string& sites, const std::string& initial) {
  return "[Meta]\nmodel_dimension = " + std::to_string(dimension) +
         "\ntime_unit = 1/k_0\n[SpeciesList]\ndefault_species = A\n[Species A]\n[Species V]\n[Lattice]\ncell_size = " +
         cell + "\n[Layer l]\n" + sites + "[Initial]\n" + initial + "\n";
}
/// V and A of two sites exchange places with rate 1.
std::string exchange(const std::string& name, const std::string& from, const std::string& to, int orientations) {
  return "[Process " + name + "]\nrate_constant = 1\norientations = " + std::to_string(orientations) +
         "\nconditions = V@" + from + " + A@" + to + "\nactions = A@" + from + " + V@" + to + "\n";
}
std::string square(const std::string& initial) {
  return lattice(2, "1 0 0  0 1 0  0 0 1", "site s = (0, 0, 0)\n", initial) + exchange("jump", "s", "s.(1, 0, 0)", 4);
}

Parameters box(int nx, int ny, int nz, int replicas = 1) {
  Parameters p;
  p.nx = nx;
  p.ny = ny;
  p.nz = nz;
  p.replicas = replicas;
  return p;
}

/// With these species tracked.
Simulation simulation_of(const std::string& text, Parameters p, kmc::Method method,
                         const std::vector<std::string>& track) {
  const Tables tables = compile(read_model(text, "m.ini"), {}, {}, 0.1, 0, {p.nx, p.ny, p.nz}).tables;
  p.method = method;
  p.tracked = tracked_species(tables, track);
  if (p.nz > 0) return kmc::space::make_sequential(tables, p);
  return visit_table_model(tables, [&]<class M>(std::type_identity<M>) -> Simulation {
    const M model(tables, UsedOn::host);
    if (method == kmc::Method::bkl) return kmc::make_bkl(p, model);
    return kmc::make_waiting_time(p, model);
  });
}

/// Values of replica 0 by name.
std::map<std::string, double> measured(SimulationInterface& simulation) {
  std::map<std::string, double> all;
  for (const Observable& one : simulation.measure()) all[one.name] = one.values[0];
  return all;
}

/// The correlation factor of atoms that exchange places with one vacancy in a periodic box of sites, square or simple
/// cubic: f = (1 + c) / (1 - c), where c is the mean cosine of the angle between a jump of an atom and its next one.
double correlation_factor(const Parameters& p) {
  const int n = p.nx, nz = std::max(1, p.nz);
  const auto at = [&](int x, int y, int z) {
    return static_cast<std::size_t>(((z + nz) % nz * n + (y + n) % n) * n + (x + n) % n);
  };
  // Mean cosine of the next jump with the x axis, by the place of the vacancy; the atom is at the origin.
  std::vector<double> cosine(static_cast<std::size_t>(n * n * nz), 0.0);
  constexpr int steps[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const int neighbours = p.nz > 0 ? 6 : 4;
  for (int iteration = 0; iteration < 2000; ++iteration)
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          if (at(x, y, z) == 0) continue;
          double sum = 0;
          for (int k = 0; k < neighbours; ++k) {
            const auto& [dx, dy, dz] = steps[k];  // the atom jumps to where the vacancy was
            sum += at(x + dx, y + dy, z + dz) == 0 ? -dx : cosine[at(x + dx, y + dy, z + dz)];
          }
          cosine[at(x, y, z)] = sum / neighbours;
        }
  const double c = cosine[at(-1, 0, 0)];  // after a jump along x the vacancy is behind the atom
  return (1 + c) / (1 - c);
}

TEST(TrackedParticles, HaveTheCorrelationFactorOfTheirBox) {
  EXPECT_NEAR(correlation_factor(box(14, 14, 14)), 0.65311,
              2e-3);  // .653109 in an infinite crystal (G. E. Murch, 1984)
  EXPECT_NEAR(correlation_factor(box(32, 32, 0)), 1 / (std::numbers::pi - 1), 2e-3);  // G. L. Montet, 1973
  const std::string one = "V@s = number 1";
  const std::string cubic = lattice(3, "1 1 1", "site s = (0, 0, 0)\n", one) + exchange("jump", "s", "s.(1, 0, 0)", 48);
  for (const auto& [text, p] : {std::pair(cubic, box(4, 4, 4)), {square(one), box(6, 6, 0)}}) {
    const double expected = correlation_factor(p), atoms = p.nx * p.ny * std::max(1, p.nz) - 1;
    for (const kmc::Method method : methods) {
      const Simulation simulation = simulation_of(text, p, method, {"A", "V"});
      std::vector<double> ratios;
      std::map<std::string, double> before;
      for (int i = 1; i <= 4000; ++i) {
        simulation->advance(50.0 * i);
        std::map<std::string, double> now = measured(*simulation);
        if (i % 100 != 0) continue;
        const auto growth = [&](const std::string& name) { return now.at(name) - before[name]; };
        const double hops = growth("squared_hops_A");
        EXPECT_NEAR(hops * atoms, growth("events_jump"), 1e-6);
        EXPECT_NEAR(growth("squared_hops_V"), hops * atoms, 1e-6);
        ratios.push_back((growth("squared_displacement_A") + 2 * growth("successive_displacements_A")) / hops);
        before = now;
      }
      const auto [f, error] = analysis::mean_with_scatter(ratios);
      EXPECT_LT(error, 0.022);
      EXPECT_NEAR(f, expected, 4 * error);
    }
  }
}

/// Sites a and b of a honeycomb; a jump has the length 1 / sqrt(3).
std::string honeycomb(const std::string& initial) {
  return lattice(2, "1 0 0  0.5 0.8660254037844386 0  0 0 1",
                 "site a = (0, 0, 0)\nsite b = (0.3333333333333333, 0.3333333333333333, 0.7)\n", initial) +
         exchange("ab", "a", "b", 3) + exchange("ba", "b", "a", 3);
}

// Of the three jumps, each with the rate 1: <r^2> = t = 4 D t.
TEST(TrackedParticles, AloneHaveTheDiffusionCoefficientOfARandomWalk) {
  for (const kmc::Method method : methods) {
    const Simulation simulation = simulation_of(honeycomb("V@a = number 1"), box(6, 8, 0, 256), method, {"V"});
    simulation->advance(40);
    std::vector<double> values;
    for (const Observable& one : simulation->measure())
      if (one.name == "squared_displacement_V") values = one.values;
    for (const analysis::FunctionOfMeans& one : simulation->functions_of_averages())
      if (one.name == "diffusion_V")
        for (double& value : values) value = one.value({&(value /= 40), 1});
    const auto [mean, error] = analysis::mean_with_scatter(values);
    EXPECT_LT(error, 0.022);
    EXPECT_NEAR(mean, 0.25, 4 * error);
  }
}

/// Everything that a run leaves in its checkpoint.
MemoryArchive saved(const Simulation& simulation) {
  MemoryArchive archive;
  simulation->save(archive);
  return archive;
}

TEST(TrackedParticles, InThePlaneContinueFromACheckpoint) {
  for (const std::string& text : {square("V@s = number 20"), honeycomb("V@a = number 20")})
    for (const kmc::Method method : methods) {
      const auto begun = [&] { return simulation_of(text, box(12, 10, 0, 2), method, {"V", "A"}); };
      const Simulation whole = begun(), first = begun(), second = begun();
      for (const double time : {20.0, 50.0, 80.0}) {
        whole->advance(time);
        whole->measure();
      }
      first->advance(20);
      first->measure();
      int calls = 0;
      EXPECT_FALSE(first->advance(50, [&] { return ++calls < 3; }));
      second->load(saved(first));
      for (const double time : {50.0, 80.0}) {
        second->advance(time);
        second->measure();
      }
      EXPECT_EQ(saved(second), saved(whole));
      EXPECT_GT(whole->work(), 5'000);
    }
}

}  // namespace
}  // namespace tessera::processes::tracking
