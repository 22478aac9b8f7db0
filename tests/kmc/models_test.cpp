// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <utility>
#include <vector>

#include "tests/kmc/hard_core_gas.hpp"
#include "tests/kmc/square_molecules.hpp"

namespace tessera::kmc {
using Spins = Neighbourhood<std::int8_t, 4>;

/// A model without parameters.
struct Blinking {
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  static constexpr const char* name = "blinking";
  static constexpr const char* title = "blinking";
  double rate(const Spins&) const { return 7; }
  double largest_rate() const { return 7; }
  State next(const Spins& n, Stream&) const { return n.centre == 0; }
};

namespace {

using Four = ModelList<Ising, Blinking, Potts, SolidOnSolid>;

TEST(ModelList, HasEachParameterOnceWhereTheFirstModelTakesIt) {
  std::vector<std::string> names;
  for (const ModelParameter& parameter : Four::parameters()) names.emplace_back(parameter.name);
  EXPECT_EQ(names, (std::vector<std::string>{"coupling", "magnetisation", "order", "phi"}));
  std::vector<std::string> models;
  for (const ModelEntry& model : Four::models) models.emplace_back(model.name);
  EXPECT_EQ(models, (std::vector<std::string>{"ising", "blinking", "potts", "sos"}));
  EXPECT_TRUE(Four::models[2].takes("coupling"));
  EXPECT_FALSE(Four::models[2].takes("magnetisation"));
  EXPECT_TRUE(Four::models[1].parameters.empty());
}

struct OtherCoupling : Blinking {
  static constexpr ModelParameter parameters[] = {{"coupling", "K", "J / (k_B T)", 0.5, -20, 20, "K"}};
};
struct Namesake : SolidOnSolid {
  using SolidOnSolid::SolidOnSolid;
};

TEST(ModelList, OfModelsThatShareANameOrDisagreeIsNone) {
  EXPECT_TRUE((detail::consistent(detail::entries<Ising, Potts, SolidOnSolid>)));
  EXPECT_FALSE((detail::consistent(detail::entries<Ising, OtherCoupling>)));
  EXPECT_FALSE((detail::consistent(detail::entries<Ising, SolidOnSolid, Namesake>)));
}

/// What visit_model() makes of a choice: the rate at this neighbourhood and the state at time 0.
template <class List>
std::pair<double, int> visited(const ChoiceFrom<List>& choice, const Spins& n) {
  return visit_model(choice, [&]<class M>(const M& model) {
    NeighbourhoodOf<M> own{n.centre, {n.around[0], n.around[1], n.around[2], n.around[3]}};
    return std::pair<double, int>(
        model.rate(own), static_cast<int>(initial_state(model, InitialCell{0, 0, 8, 8, 1, std::uint64_t{1} << 63})));
  });
}

TEST(ModelChoice, IsMadeWithItsParametersInTheirOrder) {
  const Spins n{1, {1, 1, 2, 1}};
  using Choice = ChoiceFrom<Four>;
  const auto with = [](const char* model, double coupling, double magnetisation, double order, double phi) {
    Choice choice(model);
    choice["coupling"] = coupling;
    choice["magnetisation"] = magnetisation;
    choice["order"] = order;
    choice["phi"] = phi;
    return choice;
  };
  EXPECT_EQ(visited(with("ising", 0.3, -1, 1, 2), {1, {1, 1, -1, 1}}), (std::pair(portable_exp(-0.6), -1)));
  EXPECT_EQ(visited(with("ising", 0.3, 1, 0, 2), {1, {1, 1, -1, 1}}), (std::pair(portable_exp(-0.6), 1)));
  EXPECT_EQ(visited(with("potts", 0.3, -1, 1, 2), n), (std::pair(2 * portable_exp(-0.3 * 3), 0)));
  EXPECT_EQ(visited(with("potts", 0.3, 1, -0.5, 2), n), (std::pair(2 * portable_exp(-0.3 * 3), 2)));
  EXPECT_EQ(visited(with("sos", 0.3, -1, 1, 2), n), (std::pair(portable_exp(-4), 0)));
  EXPECT_EQ(visited(with("blinking", 0.3, -1, 1, 2), n), (std::pair(7.0, 0)));
}

TEST(ModelChoice, IsByDefaultTheFirstModelWithTheValuesOfTheList) {
  const ChoiceFrom<Four> choice;
  EXPECT_EQ(choice.model().name, "ising");
  for (const ModelParameter& parameter : Four::parameters()) EXPECT_EQ(choice[parameter.name], parameter.initial);
  EXPECT_THROW(ChoiceFrom<Four>("heisenberg"), InputError);
  EXPECT_THROW(choice["temperature"], InputError);
}

TEST(Models, ThatShipCanBeMadeWithinTheirBoundsAndHaveRatesThere) {
  for (const ModelEntry& model : Models::models) {
    SCOPED_TRACE(std::string(model.name));
    ModelChoice choice(model.name);
    const auto check = [&] {
      visit_model(choice, [&]<class M>(const M& made) {
        NeighbourhoodOf<M> n{};
        n.centre = initial_state(made, InitialCell{0, 0, 8, 8, 1, 0});
        for (auto& state : n.around) state = n.centre;
        EXPECT_TRUE(std::isfinite(made.rate(n)) && made.rate(n) >= 0);
        EXPECT_EQ(mean_waiting_time(made, n), 1 / made.rate(n));
        EXPECT_TRUE(valid_state(made, n.centre));
        return 0;
      });
    };
    check();
    for (const ModelParameter& parameter : model.parameters) {
      EXPECT_TRUE(parameter.least <= parameter.initial && parameter.initial <= parameter.most) << parameter.name;
      for (const double bound : {parameter.least, parameter.most}) {
        choice[parameter.name] = bound;
        check();
      }
      choice[parameter.name] = parameter.initial;
    }
  }
}

// The models of docs/writing_a_model.md.
TEST(DocumentedModels, ParticlesHopAndAreConserved) {
  Parameters parameters;
  parameters.nx = parameters.ny = 32;
  WaitingTimeSimulation<HardCoreGas> gas(parameters, HardCoreGas());
  const double coverage = gas.measure().front().values.front();
  gas.advance(10);
  const auto observables = gas.measure();
  EXPECT_EQ(observables.front().name, "coverage");
  EXPECT_EQ(observables.front().values.front(), coverage);
  EXPECT_GT(gas.events().front(), 1000u);
}

// Squares of 2 x 2 cells jam at a coverage of 0.7476 (R. S. Nord, J. Stat. Comput. Simul. 39, 231, 1991). The standard
// deviation of one lattice is 0.005.
TEST(DocumentedModels, SquareMoleculesJam) {
  Parameters parameters;
  parameters.nx = parameters.ny = 64;
  WaitingTimeSimulation<SquareMolecules> molecules(parameters, SquareMolecules());
  molecules.advance(1000);
  EXPECT_TRUE(molecules.finished());
  EXPECT_NEAR(molecules.measure().front().values.front(), 0.7476, 0.03);
}

}  // namespace
}  // namespace tessera::kmc
