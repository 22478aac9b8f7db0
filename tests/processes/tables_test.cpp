// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/tables.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "options/text.hpp"
#include "processes/compile.hpp"
#include "tests/complaint.hpp"
#include "tests/processes/interpreter.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

/// A configuration of side x side cells as states of the tables, with its name for each site.
class Cells {
 public:
  Cells(const ModelFile& model, const CompiledModel& compiled, int its_side)
      : states(static_cast<std::size_t>(its_side * its_side)), side(its_side), model_(model), compiled_(compiled) {}

  std::vector<std::int64_t> states;

  void draw(std::mt19937& random) {
    for (std::int64_t& state : states) {
      state = 0;
      for (const Digit& digit : compiled_.digits) state += digit.state(digit.species[random() % digit.species.size()]);
    }
  }

  Interpreter::Configuration configuration() const {
    Interpreter::Configuration result;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (std::size_t site = 0; site < model_.sites.size(); ++site) {
          const Digit& digit = compiled_.digits[site];
          result[Interpreter::site(model_.sites[site].name, x, y)] =
              model_.species[digit.species[digit.of(states[cell(x, y)])]];
        }
    return result;
  }

  /// What the tables say happens to it, at which rate.
  std::map<Interpreter::Configuration, double> rates() const {
    std::map<Interpreter::Configuration, double> result;
    const Tables& tables = compiled_.tables;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (const std::size_t number : numbers(x, y)) {
          if (tables.rate[number] == 0) continue;
          double before = 0;
          for (const Outcome* outcome = &tables.outcomes[tables.first[number]];; ++outcome) {
            const double upto = static_cast<double>(outcome->threshold) / 0x1.0p64;
            result[after(x, y, *outcome).configuration()] += (upto - before) * tables.rate[number];
            before = upto;
            if (outcome->threshold == ~std::uint64_t{0}) break;
          }
        }
    return result;
  }

 private:
  std::size_t cell(int x, int y) const {
    return static_cast<std::size_t>(side * ((y + 2 * side) % side) + (x + 2 * side) % side);
  }

  /// The numbers of the neighbourhood of a cell in all groups.
  std::vector<std::size_t> numbers(int x, int y) const {
    const Tables& tables = compiled_.tables;
    std::vector<std::size_t> all;
    if (tables.reads == 0) {
      std::size_t& number = all.emplace_back();
      for (std::size_t k = 0; k < most_cells; ++k)
        number += static_cast<std::size_t>(states[cell(x + offsets[k][0], y + offsets[k][1])] * tables.strides[k]);
    }
    for (const TableSum& its : tables.sums) {
      std::uint64_t sum = 0;
      for (std::size_t i = its.first_entry; i < its.end_entry; ++i) {
        const TableEntry& entry = tables.entries[i];
        const auto value = static_cast<std::uint64_t>(states[cell(x + entry.dx, y + entry.dy)] >> entry.shift);
        sum += tables.weights[entry.weights + (value & entry.mask)];
      }
      for (std::size_t i = its.first_joint; i < its.end_joint; ++i) {
        const JointTables& joint = tables.joints[i];
        std::uint64_t words[2] = {0, 0};
        for (std::size_t j = joint.first_bit; j < joint.end_bit; ++j) {
          const JointBit& bit = tables.bits[j];
          const auto value = static_cast<std::uint64_t>(states[cell(x + bit.dx, y + bit.dy)] >> bit.shift) & bit.mask;
          for (int word = 0; word < 2; ++word)
            if ((bit.values >> value & 1u) != 0) words[word] |= bit.places[word];
        }
        for (std::size_t j = joint.first_field; j < joint.end_field; ++j)
          sum += tables.weights[tables.fields[j].index(words)];
      }
      for (std::size_t i = its.first_group; i < its.end_group; ++i) all.push_back(tables.groups[i].number(sum));
    }
    return all;
  }

  Cells after(int x, int y, const Outcome& outcome) const {
    const Tables& tables = compiled_.tables;
    Cells then(*this);
    if (tables.of_pairs()) {
      const auto event = outcome.pair();
      const auto k = static_cast<std::size_t>(event.direction) + 1;
      if (event.changes_centre) then.states[cell(x, y)] = event.centre;
      if (event.changes_beside) then.states[cell(x + offsets[k][0], y + offsets[k][1])] = event.beside;
      return then;
    }
    const OutcomeList& list = tables.lists[outcome.change];
    const auto* const change = &tables.changes[list.changes];
    for (int i = 0; i < list.changed; ++i)
      then.states[cell(x + change[i].at.dx, y + change[i].at.dy)] += change[i].difference;
    // Cells that are not listed have the numbers that they had.
    std::set<std::size_t> concerned;
    for (int i = 0; i < list.count; ++i) {
      const auto [dx, dy] = tables.concerned[list.concerned + static_cast<std::size_t>(i)];
      EXPECT_TRUE(concerned.insert(cell(x + dx, y + dy)).second);
    }
    for (int j = 0; j < side * side; ++j) {
      const bool is_concerned = concerned.contains(static_cast<std::size_t>(j));
      EXPECT_TRUE(is_concerned || then.numbers(j % side, j / side) == numbers(j % side, j / side));
    }
    return then;
  }

  static constexpr int offsets[most_cells][2] = {{0, 0},   {-1, 0}, {1, 0},  {0, -1}, {0, 1},  {1, -1}, {-1, 1},
                                                 {-1, -1}, {1, 1},  {-2, 0}, {2, 0},  {0, -2}, {0, 2}};
  int side;
  const ModelFile& model_;
  const CompiledModel& compiled_;
};

void expect_the_rates_of_the_interpreter(const std::string& text) {
  const ModelFile model = read_model(text, "m.ini");
  const CompiledModel compiled = compile(model, {});
  const int side = compiled.tables.reads > 0 ? 9 : 6;  // in which the cells of a list differ
  const Interpreter interpreter(text, side, side);
  Cells cells(model, compiled, side);
  std::mt19937 random(1);
  std::size_t transitions = 0;
  for (std::size_t i = 0; i < (compiled.tables.reads > 0 ? 6 / model.sites.size() : 40); ++i) {
    cells.draw(random);
    const auto expected = interpreter.rates(cells.configuration()), found = cells.rates();
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [then, rate] : expected) {
      ASSERT_TRUE(found.contains(then));
      EXPECT_NEAR(found.at(then), rate, 1e-12 * (rate + 100));
    }
    transitions += expected.size();
  }
  EXPECT_GT(transitions, 200u);
}

TEST(Tables, HaveTheRatesOfADirectInterpreter) {
  expect_the_rates_of_the_interpreter(zgb());
  expect_the_rates_of_the_interpreter(two_sites());
  expect_the_rates_of_the_interpreter(eight_neighbours());
  expect_the_rates_of_the_interpreter(third_neighbours());
  expect_the_rates_of_the_interpreter(far_pairs());
}

// Of processes that reach further, and of cells with many states, there are several groups.
TEST(Tables, OfGroupsHaveTheRatesOfADirectInterpreter) {
  for (const std::string& text :
       {hexagonal_hops(), hexagonal_desorption(), fourth_neighbours(), far_hops(), many_sites(2), many_sites(3),
        far_conditions(), zgb() + far_conditions(false), square_clusters()}) {
    const CompiledModel compiled = compile(read_model(text, "m.ini"), {});
    EXPECT_GT(compiled.tables.reads, 0);
    EXPECT_LT(compiled.tables.rate.size(), 500'000u);
    expect_the_rates_of_the_interpreter(text);
  }
}

// Their values of dE are far more than those of the numbers of first and second neighbours and of trios.
TEST(Tables, OfEnergiesWithManyDigitsAreSmall) {
  const std::string text = square_lattice() + "[Parameter T]\nvalue = 500\n" + cluster("site", "CO@a", "-0.53216789") +
                           cluster("pair", "CO@a + CO@a.(1, 0, 0)", "0.0312377", 4) +
                           cluster("O", "O@a + CO@a.(1, 0, 0)", "-0.0212347", 4) +
                           cluster("second", "CO@a + CO@a.(1, 1, 0)", "0.0624754", 4) +
                           cluster("trio", "CO@a + CO@a.(1, 0, 0) + CO@a.(-1, 0, 0)", "0.0123457", 4) +
                           process("on", "0.7", "empty@a", "CO@a", "energy = max(0, dE, 0.02 + 0.3*dE)\n") +
                           process("off", "0.9", "CO@a", "empty@a", "energy = max(0, dE, 0.55 + 0.7*dE)\n") +
                           process("O_on", "0.4", "empty@a", "O@a", "energy = max(0, dE, 0.5*dE)\n") +
                           process("hop", "1.5", "CO@a + empty@a.(1, 0, 0)", "empty@a + CO@a.(1, 0, 0)",
                                   "orientations = 4\nenergy = max(0, dE, 0.03 + 0.5*dE)\n");
  EXPECT_LT(compile(read_model(text, "m.ini"), {}).tables.rate.size(), 40'000u);
  expect_the_rates_of_the_interpreter(text);
}

// Patterns of so many sites that the indices of the joint tables need more than two words.
TEST(Tables, OfManyClustersHaveTheRatesOfADirectInterpreter) {
  std::string text = square_lattice() + "[Parameter T]\nvalue = 500\n";
  int number = 0;
  for (const std::string third : {"2, 0", "0, 1", "1, 1", "2, 1", "0, 2", "1, 2", "2, 2"})
    for (const std::string first : {"CO", "O", "CO or O"})
      text +=
          cluster("c" + std::to_string(++number), first + "@a + CO@a.(1, 0, 0) + O@a.(" + third + ", 0)", "0.01", 4);
  text += process("on", "0.7", "empty@a", "CO@a", "energy = max(0, dE, 0.0 + 0.5*dE)\n") +
          process("O_on", "0.4", "empty@a", "O@a", "energy = max(0, dE, 0.0 + 0.5*dE)\n");
  EXPECT_GT(compile(read_model(text, "m.ini"), {}).tables.joints.size(), 1u);
  expect_the_rates_of_the_interpreter(text);
}

// 121 species, of which 61 can occur on each of two sites.
TEST(Tables, OfManySpeciesHaveTheRatesOfADirectInterpreter) {
  std::string text = square_lattice() + "site b = (0, 0, 0)\n";
  for (const std::string site : {"a", "b"})
    for (int i = 0; i < 60; ++i) {
      const std::string name = site + std::to_string(i), rate = std::to_string(i + 1);
      text += "[Species " + name + "]\n" + process("on_" + name, rate, "empty@" + site, name + "@" + site);
    }
  text += process("change", "70", "a59@a + b58 or b59@b.(1, 0, 0)", "a0@a + b0@b.(1, 0, 0)") +
          process("off", "80", "a57 or a58 or a59@a", "empty@a", "orientations = 4\n");
  EXPECT_EQ(compile(read_model(text, "m.ini"), {}).digits[1].species.size(), 61u);
  expect_the_rates_of_the_interpreter(text);
}

// Nine states. If each process belonged to the first cell of its conditions there would be 9^7 neighbourhoods.
TEST(Tables, CombineProcessesInCellsWithCommonNeighbours) {
  const std::string diagonal = two_sites() +
                               process("diagonal", "0.7", "CO@a + O@b.(1, 1, 0)", "O@a + CO@b.(1, 1, 0)") +
                               process("back", "0.9", "CO@a + empty@b.(1, -1, 0)", "empty@a + CO@b.(1, -1, 0)");
  expect_the_rates_of_the_interpreter(diagonal);
  EXPECT_EQ(compile(read_model(diagonal, "m.ini"), {}).tables.rate.size(), 9u * 9 * 9 * 9);
}

TEST(Tables, AllowConditionsOnAllNeighbours) {
  expect_the_rates_of_the_interpreter(
      square_lattice() + process("a", "1.5", "empty@a", "CO@a") +
      process("b", "0.7", "CO@a + empty@a.(1, 0, 0) + CO@a.(-1, 0, 0) + empty@a.(0, 1, 0) + CO@a.(0, -1, 0)",
              "empty@a + CO@a.(1, 0, 0)") +
      // It belongs to a cell that none of its conditions is on.
      process("c", "0.3", "empty@a.(1, 0, 0) + CO@a.(0, 1, 0)", "CO@a.(1, 0, 0)") +
      process("d", "0.9", "CO@a + CO@a.(0, -1, 0)", "empty@a.(0, -1, 0)", "orientations = 4"));
}

TEST(Tables, HaveTheFewestPossibleNeighbours) {
  const auto neighbours = [](const std::string& text) {
    return compile(read_model(text, "m.ini"), {}).tables.neighbours;
  };
  EXPECT_EQ(neighbours(zgb()), 4);
  EXPECT_EQ(neighbours(two_sites()), 4);
  EXPECT_EQ(neighbours(eight_neighbours()), 8);
  EXPECT_EQ(neighbours(third_neighbours()), 12);
  EXPECT_EQ(neighbours(far_pairs()), 12);
  EXPECT_EQ(neighbours(zgb() + process("p", "1", "CO@a + O@a.(1,1,0)", "O@a + O@a.(1,1,0)")), 4);
  EXPECT_EQ(neighbours(zgb() + process("p", "1", "CO@a + O@a.(1,1,0)", "O@a + CO@a.(1,1,0)")), 8);
  const std::string never = "CO@a + O@a.(1,1,0)";  // no process brings O
  EXPECT_EQ(neighbours(square_lattice() + process("up", "1", "empty@a", "CO@a") +
                       process("p", "1", never, "empty@a + empty@a.(1,1,0)")),
            4);
}

// What kmcos writes as one process for each configuration of the neighbours is one process with bystanders here.
TEST(Tables, AreTheSameWithAndWithoutBystanders) {
  const std::string lattice = square_lattice() + process("up", "3", "empty@a", "CO@a");
  std::string listed = lattice;
  const char* const places[] = {"a.(-1, 0, 0)", "a.(1, 0, 0)", "a.(0, -1, 0)", "a.(0, 1, 0)"};
  for (unsigned which = 0; which < 16; ++which) {
    std::string conditions = "CO@a";
    int occupied = 0;
    for (unsigned k = 0; k < 4; ++k) {
      conditions += std::string(which >> k & 1u ? " + CO@" : " + empty@") + places[k];
      occupied += static_cast<int>(which >> k & 1u);
    }
    listed +=
        process("down" + std::to_string(which), "2*exp(-0.5*" + std::to_string(occupied) + ")", conditions, "empty@a");
  }
  std::string bystanders;
  for (const char* place : places)
    bystanders += std::string(bystanders.empty() ? "" : " + ") + "['CO']@" + place + "|nn";
  const std::string one = lattice + process("down", "2", "CO@a", "empty@a",
                                            "otf_rate = base_rate*exp(-0.5*nr_CO_nn)\nbystanders = " + bystanders);
  const CompiledModel a = compile(read_model(listed, "m.ini"), {}), b = compile(read_model(one, "m.ini"), {});
  EXPECT_EQ(a.tables.rate, b.tables.rate);
  EXPECT_EQ(a.tables.strides, b.tables.strides);
}

TEST(Tables, OmitUnusedConditionsAndUnreachableSpecies) {
  const CompiledModel chain =
      compile(read_model(square_lattice() + process("a", "1", "empty@a", "CO@a") +
                             process("hop", "1", "CO@a + empty@a.(1,0,0)", "empty@a + CO@a.(1,0,0)") +
                             process("never", "1", "O@a + CO@a.(0,1,0)", "empty@a + empty@a.(0,1,0)"),
                         "m.ini"),
              {});
  EXPECT_EQ(chain.tables.states, 2);
  EXPECT_EQ(chain.tables.strides, (std::array<std::int32_t, most_cells>{1, 0, 2}));
  EXPECT_EQ(chain.tables.rate.size(), 4u);
  EXPECT_FALSE(chain.processes[2].possible);
  EXPECT_EQ(chain.tables.observables, (std::vector<std::string>{"coverage_empty", "coverage_CO"}));
}

// Each process needs what one of those after it brings.
TEST(Tables, IncludeSpeciesThatSeveralProcessesProduceInTurn) {
  const CompiledModel model =
      compile(read_model(square_lattice() + process("last", "1", "O@a", "empty@a") +
                             process("then", "1", "CO@a", "O@a") + process("first", "1", "empty@a", "CO@a"),
                         "m.ini"),
              {});
  EXPECT_EQ(model.tables.states, 3);
  EXPECT_EQ(model.tables.rate, (std::vector<double>{1, 1, 1}));
}

/// `count` processes; number i has tof_counts[i % their number].
std::string many(int count, const std::vector<std::string>& tof_counts) {
  std::string text = square_lattice();
  for (int i = 0; i < count; ++i)
    text += process("p" + std::to_string(i), "1", i % 2 == 0 ? "empty@a" : "CO@a", i % 2 == 0 ? "CO@a" : "empty@a",
                    "tof_count = {" + tof_counts[static_cast<std::size_t>(i) % tof_counts.size()] + "}");
  return text;
}

TEST(Tables, CountEachProcessAndSumTurnovers) {
  using Weights = std::vector<std::pair<int, double>>;
  const CompiledModel compiled = compile(read_model(many(40, {"'up': 1, 'net': 2", "'net': -1", ""}), "m.ini"), {});
  std::map<std::string, Weights> weights;
  for (const auto& one : compiled.tables.counted) weights[one.name] = one.weights;
  EXPECT_EQ(weights.size(), 42u);
  Weights up, net;
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(weights.at("events_p" + std::to_string(i)), (Weights{{i, 1}}));
    if (i % 3 == 0) up.emplace_back(i, 1);
    if (i % 3 < 2) net.emplace_back(i, i % 3 == 0 ? 2 : -1);
  }
  std::string text = many(4, {""});
  for (const char* name : {"p0", "p2"})
    text.insert(text.find("[Process " + std::string(name) + "]\n") + 13, "step = even\n");
  for (const auto& one : compile(read_model(text, "m.ini"), {}).tables.counted) weights[one.name] = one.weights;
  EXPECT_EQ(weights.at("events_even"), (Weights{{0, 1}, {2, 1}}));
  text.replace(text.find("step = even"), 11, "step = p1");
  EXPECT_THAT(complaint([&] { compile(read_model(text, "m.ini"), {}); }),
              ::testing::StartsWith("m.ini line 27: events_p1: would be the name of two observables"));
  EXPECT_EQ(weights.at("turnover_up"), up);
  EXPECT_EQ(weights.at("turnover_net"), net);
}

// By --scale-processes: of all neighbourhoods, so that rates with bystanders change, too.
TEST(Tables, ScaleProcessesInBothDirections) {
  const std::string text = square_lattice() + process("up", "3", "empty@a", "CO@a") +
                           process("hop", "1", "CO@a + empty@a.(1,0,0)", "empty@a + CO@a.(1,0,0)",
                                   "orientations = 4\notf_rate = base_rate + nr_CO_n\n"
                                   "bystanders = ['CO']@a.(-1,0,0)|n") +
                           process("down", "2", "CO@a", "empty@a");
  const ModelFile model = read_model(text, "m.ini");
  const auto rates = [&](const Scales& scales) { return compile(model, {}, scales).tables.rate; };
  const auto scaled = [&](double hop, double pair) {
    std::vector<double> all = rates({});
    const std::vector<double> without =
        compile(
            read_model(text.substr(0, text.find("[Process hop")) + text.substr(text.find("[Process down")), "m.ini"),
            {})
            .tables.rate;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double alone = without[i % without.size()];
      all[i] = pair * alone + hop * (all[i] - alone);
    }
    return all;
  };
  EXPECT_THAT(rates({{"hop", 0.25}}), ::testing::Pointwise(::testing::DoubleNear(1e-12), scaled(0.25, 1)));
  EXPECT_THAT(rates({{"down", 0.5}}), ::testing::Pointwise(::testing::DoubleNear(1e-12), scaled(1, 0.5)));
  EXPECT_THAT(rates({{"up", 3}}), ::testing::Pointwise(::testing::DoubleNear(1e-12), scaled(1, 3)));
  EXPECT_EQ(rates({{"up", 0.5}}), rates({{"down", 0.5}}));
  EXPECT_EQ(rates({{"hop", 1}}), rates({}));
  EXPECT_THAT(description(model, compile(model, {}, {{"up", 0.5}})),
              AllOf(::testing::HasSubstr("process down: CO@a -> empty@a, rate 2, multiplied by 0.5, reverse of up\n"),
                    ::testing::HasSubstr("rate 1 with a factor that depends on 1 bystanders, 4 orientations\n")));
  const auto about = [&](const Scales& scales) { return complaint([&] { compile(model, {}, scales); }); };
  EXPECT_EQ(about({{"hip", 0.5}}),
            "--scale-processes hip=0.5: the model has no process 'hip'; its processes are up, hop and down");
  for (const double wrong : {0.0, -0.5})
    EXPECT_EQ(about({{"hop", wrong}}),
              "--scale-processes hop=" + program::write_value(wrong) +
                  ": the factor of the rates must be larger than 0; 0.1 makes the process ten times slower");
  EXPECT_EQ(
      about({{"up", 0.5}, {"down", 0.25}}),
      "--scale-processes up=0.5: process up is also that of 'down'; a factor is that of a process and its reverse");
  EXPECT_EQ(rates({{"[du]*", 0.25}}), rates({{"down", 0.25}}));
}

TEST(Tables, AreRefusedIfImpossible) {
  const auto about = [](const std::string& text) { return complaint([&] { compile(read_model(text, "m.ini"), {}); }); };
  const auto about_process = [&](const std::string& rate, const std::string& conditions, const std::string& actions,
                                 const std::string& more = "") {
    return about(square_lattice() + process("p", rate, conditions, actions, more));
  };
  EXPECT_EQ(about_process("-1", "CO@a", "empty@a"),
            "m.ini line 28: rate_constant of p: is -1; it must be finite and not negative");
  EXPECT_EQ(about_process("1/0", "CO@a", "empty@a"),
            "m.ini line 28: rate_constant of p: is inf; it must be finite and not negative");
  EXPECT_EQ(
      about(square_lattice() + process("a", "1e308", "empty@a", "CO@a") + process("b", "1e308", "empty@a", "O@a")),
      "m.ini line 1: the rates of all processes of a unit cell add up to infinity");
  EXPECT_EQ(
      about_process("1", "CO@a", "empty@a", "otf_rate = base_rate*nr_O_nn\nbystanders = ['CO']@a.(1,0,0)|nn"),
      "m.ini line 31: otf_rate of p: 'base_rate*nr_O_nn': 'nr_O_nn' is not defined; known are parameters, base_rate, "
      "nr_CO_nn, time, pi, c, h, hbar, eV, kboltzmann, kB, k_B, umass, amu, angstrom, bar, atm, beta and m_MOLECULE");
  EXPECT_EQ(about(square_lattice() + process("up", "1", "empty@a", "CO@a") +
                  process("p", "1", "CO@a", "empty@a",
                          "otf_rate = base_rate - 2*nr_CO_nn\nbystanders = ['CO']@a.(1,0,0)|nn")),
            "m.ini line 36: otf_rate of p: is -1, nr_CO_nn = 1; it must be finite and not negative");
  const std::string up = process("p", "1", "empty@a", "CO@a", "energy = max(0, dE)\n");
  EXPECT_EQ(about(square_lattice() + up),
            "m.ini line 31: energy of p: 'beta' is 1/(kboltzmann*T), but [Parameter T] is not defined");
  const std::string at_500 = square_lattice() + "[Parameter T]\nvalue = 500\n";
  EXPECT_THAT(about(at_500 + process("p", "1", "empty@a", "CO@a", "energy = max(0, DE)\n")),
              ::testing::StartsWith("m.ini line 33: energy of p: 'max(0, DE)': 'DE' is not defined; known are "
                                    "parameters, base_rate, dE, time, pi, "));
  EXPECT_EQ(about(at_500 + cluster("c", "CO@a", "1/0") + up),
            "m.ini line 31: energy of c: is inf eV; use less than 1e6");
  std::string row = "CO@a";
  for (int dx = 1; dx < 17; ++dx) row += " + CO@a.(" + std::to_string(dx) + ", 0, 0)";
  EXPECT_EQ(about(at_500 + cluster("c", row, "0.1") + up), "m.ini line 29: c: has 17 sites, more than 16");
  EXPECT_EQ(about(at_500 + cluster("c", "CO@a", "0.1*time") + up),
            "m.ini line 31: energy of c: changes with time; only rates, and parameters for them, may depend on time");
  EXPECT_EQ(about(at_500 + "[Parameter dE]\nvalue = 1\n" + up),
            "m.ini line 35: energy of p: dE is also the name of a parameter in line 30; rename the parameter");
  EXPECT_EQ(about(at_500 + cluster("c", "CO@a", "-0.1") + cluster("d", "O@a", "0.1234567891") + up),
            "m.ini line 36: energies of clusters must be multiples of 1e-9 eV, or of a third of it; use fewer digits");
  std::string pairs;  // of 17 different energies: 3^17 values
  for (int i = 0; i < 17; ++i)
    pairs += cluster("c" + std::to_string(i),
                     "CO@a + CO@a.(" + std::to_string(i % 4 + 1) + "," + std::to_string(i / 4 - 2) + ",0)",
                     "0.0" + std::to_string(1234567 + 7654321LL * i * i % 8000000));
  EXPECT_EQ(about(at_500 + pairs + up),
            "m.ini line 114: [Process p]: the tables would have 2.583e+08 entries, more than 1e+08; use fewer "
            "conditions, or fewer flags of bystanders, or energies with fewer digits");
  EXPECT_EQ(
      about(zgb() + process("p", "1", "CO@a + O@a.(2,0,0) + O@a.(0,9,0)", "empty@a")),
      "m.ini line 50: [Process p]: depends on the unit cells (0,0), (2,0), (0,9); use only cells within a square of "
      "9 x 9, of which those in the middle 5 x 5 change");
  EXPECT_EQ(about(square_lattice() + process("p", "1", "empty@a", "CO@a") +
                  configuration("c", "CO@a + O@a.(2,0,0) + O@a.(0,3,0)")),
            "m.ini line 32: [Configuration c]: depends on the unit cells (0,0), (2,0), (0,3); use only cells within a "
            "square of 3 x 3");
  std::string text = square_lattice();
  for (int i = 0; i < 64; ++i)
    text += "site s" + std::to_string(i) + " = (0." + std::to_string(100 + i) + ", 0.1, 0)\n";
  for (int i = 0; i < 64; ++i)
    text += process("p" + std::to_string(i), "1", "empty@s" + std::to_string(i), "CO@s" + std::to_string(i));
  EXPECT_EQ(
      about(text),
      "m.ini line 25: the states of a unit cell need 64 bits, more than 63: 1 on each of 64 sites with 2 species; use "
      "a smaller unit cell, or sites on which fewer species can occur");
  text = square_lattice();
  for (int i = 0; i < 64; ++i)
    text += "[Species s" + std::to_string(i) + "]\n" +
            process("p" + std::to_string(i), "1", "empty@a", "s" + std::to_string(i) + "@a");
  text += process("far", "1", "s1@a + s1@a.(3,0,0)", "empty@a + empty@a.(3,0,0)");
  EXPECT_EQ(about(text), "m.ini line 25: site a: 65 species can occur on it, more than 64");
}

/// A cell of 31 sites, of which the first is for CO, and the others are for so many of 8 species each.
std::string large_cell(std::size_t on_each) {
  std::string text = square_lattice(), rest;
  for (std::size_t i = 0; i < 30; ++i)
    text += "site s" + std::to_string(i) + " = (0.1, 0.0" + std::to_string(i) + ", 0)\n";
  for (std::size_t i = 0; i < 8; ++i) rest += "[Species A" + std::to_string(i) + "]\n";
  for (std::size_t i = 0; i < 30 * on_each; ++i) {
    const std::string at = "@s" + std::to_string(i / on_each), species = std::to_string((i / on_each + i) % 8);
    rest += process("p" + std::to_string(i), "1", "empty" + at, "A" + species + at);
  }
  return text + rest + process("last", "1", "empty@a", "CO@a");
}

// A site takes bits for the species that can occur on it, not for all of the file.
TEST(Tables, HaveBitsForTheSpeciesThatCanOccurOnEachSite) {
  const CompiledModel compiled = compile(read_model(large_cell(3), "m.ini"), {});
  EXPECT_EQ(compiled.digits.size(), 31u);
  EXPECT_EQ(compiled.digits.back().weight, std::int64_t{1} << 59);
  EXPECT_EQ(complaint([] { compile(read_model(large_cell(8), "m.ini"), {}); }),
            "m.ini line 25: the states of a unit cell need 121 bits, more than 63: 4 on each of 30 sites with 9 to 16 "
            "species and 1 on each of 1 site with 2 species; use a smaller unit cell, or sites on which fewer species "
            "can occur");
}

// Each name of an observable, and of a rate, is that of one; the lines are those of sites, processes and
// configurations.
TEST(Tables, HaveObservablesOfDifferentNames) {
  const auto about = [](const std::string& text) { return complaint([&] { compile(read_model(text, "m.ini"), {}); }); };
  const auto with = [&](const std::string& more, const std::string& name = "p") {
    return about(square_lattice() + process(name, "1", "empty@a", "CO@a") + more);
  };
  EXPECT_EQ(with(""), "");
  std::string text =
      square_lattice() + "[Species CO_b]\n" + process("p", "1", "empty@b_c + empty@c", "CO@b_c + CO_b@c");
  text.replace(text.find("site a"), 6, "site c = (0, 0, 0)\nsite b_c");
  EXPECT_EQ(about(text),
            "m.ini line 26: coverage_CO_b_c: would be the name of two observables, the other one by line 25; use other "
            "names");
  const auto counted = [](const std::string& turnover) { return "tof_count = {'" + turnover + "': 1}"; };
  EXPECT_EQ(with(process("p_rate", "1", "CO@a", "empty@a")),
            "m.ini line 32: events_p_rate: would be the name of two observables, the other one by line 27; use other "
            "names");
  EXPECT_EQ(
      with(process("q", "1", "CO@a", "empty@a", counted("CO")) +
           process("r", "1", "CO@a", "empty@a", counted("CO_rate"))),
      "m.ini line 37: turnover_CO_rate: would be the name of two observables, the other one by line 32; use other "
      "names");
  EXPECT_EQ(with(process("q", "1", "CO@a", "empty@a", counted("p"))), "");
  const std::string other = "[Layer sc]\nsite  a = (0, 0, 0)\n";
  text = square_lattice() + process("p", "1", "empty@a", "CO@a");
  text.replace(text.find("[Layer sc]\n"), 11, other);
  EXPECT_EQ(about(text), "m.ini line 26: site a: is already given in line 25");
}

TEST(Tables, CountBystandersByName) {
  const auto about = [](const std::string& parameter, const std::string& bystanders) {
    return complaint([&] {
      compile(read_model(square_lattice() + "[Species CO_b]\n" + "[Parameter " + parameter + "]\nvalue = 1\n" +
                             process("p", "1", "empty@a", "CO@a",
                                     "otf_rate = base_rate*2**nr_CO_b_c\nbystanders = " + bystanders),
                         "m.ini"),
              {});
    });
  };
  EXPECT_EQ(about("q", "['CO']@a.(1,0,0)|b_c + ['CO']@a.(-1,0,0)|b_c"), "");
  EXPECT_EQ(about("q", "['CO']@a.(1,0,0)|b_c + ['CO_b']@a.(-1,0,0)|c"),
            "m.ini line 34: otf_rate of p: nr_CO_b_c is the number of CO with the flag b_c and of CO_b with the flag "
            "c; rename a flag");
  for (const std::string parameter : {"nr_CO_b_c", "base_rate"})
    EXPECT_EQ(about(parameter, "['CO']@a.(1,0,0)|b_c"),
              "m.ini line 34: otf_rate of p: " + parameter +
                  " is also the name of a parameter in line 29; rename the parameter");
}

/// A number of species on a site that change into each other at rates that depend on those on all cells around them.
std::string crowded(int species, const std::string& rate = "base_rate*exp(-0.1*nr_s1_near)") {
  std::string text = "[Species s0]\n[Layer sc]\nsite a = (0, 0, 0)\n", all;
  for (int i = 1; i < species; ++i) text += "[Species s" + std::to_string(i) + "]\n";
  for (int i = 0; i < species; ++i) all += (i == 0 ? "'s" : ", 's") + std::to_string(i) + "'";
  std::string bystanders;
  for (const char* at : {"1, 0", "-1, 0", "0, 1", "0, -1", "1, 1", "1, -1", "-1, 1", "-1, -1"})
    bystanders += std::string(bystanders.empty() ? "[" : " + [") + all + "]@a.(" + at + ", 0)|near";
  for (int i = 0; i < species; ++i)
    text +=
        process("p" + std::to_string(i), "1", "s" + std::to_string(i) + "@a",
                "s" + std::to_string((i + 1) % species) + "@a", "otf_rate = " + rate + "\nbystanders = " + bystanders);
  return text;
}

// Two million neighbourhoods; those with the same outcomes share them.
TEST(Tables, OfFiveSpeciesWithEightBystandersAreSmall) {
  const Tables tables = compile(read_model(crowded(5), "m.ini"), {}).tables;
  EXPECT_EQ(tables.rate.size(), 1'953'125u);
  EXPECT_EQ(tables.outcomes.size(), 6u);
  EXPECT_LT(tables.bytes(), 40'000'000u);
}

TEST(Tables, AreRefusedAtOnceIfTheyWouldTakeLong) {
  const auto about = [](const std::string& text) { return complaint([&] { compile(read_model(text, "m.ini"), {}); }); };
  std::string flags, rate = "base_rate";
  for (int i = 0; i < 27; ++i) {
    const std::string flag = "f" + std::to_string(i);
    flags += (i == 0 ? "" : " + ") + bystanders(flag, {{i % 7 - 3, i < 21 ? i / 7 - 3 : 1}});
    rate += "*1.1**nr_CO_" + flag;
  }
  EXPECT_EQ(
      about(square_lattice() + process("p", "1", "empty@a", "CO@a", "otf_rate = " + rate + "\nbystanders = " + flags)),
      "m.ini line 27: [Process p]: the tables would have 2.684e+08 entries, more than 1e+08; use fewer conditions, "
      "or fewer flags of bystanders");
  EXPECT_THAT(about(crowded(5, std::string(500'000, '+') + "1")),
              ::testing::AllOf(::testing::HasSubstr("otf_rate of p0: has more than "),
                               ::testing::HasSubstr(" different values; use fewer bystanders or flags")));
}

TEST(Tables, HaveTheInitialFractionsOfSpecies) {
  const std::string rest = process("p", "1", "CO@a", "empty@a");
  const CompiledModel model =
      compile(read_model(square_lattice() + "[Initial]\nCO@a = k/5\nO@a = 0.25\n" + rest, "m.ini"), {});
  ASSERT_EQ(model.tables.start.size(), 3u);
  EXPECT_EQ(model.tables.start[0].below, 0.5);
  EXPECT_EQ(model.tables.start[1].below, 0.75);
  EXPECT_GT(model.tables.start[2].below, 1);
  EXPECT_EQ(complaint([&] {
              compile(read_model(square_lattice() + "[Initial]\nCO@a = 0.7\nO@a = 0.5\n" + rest, "m.ini"), {});
            }),
            "m.ini line 29: O@a: is 0.5; the parts of a site must not be negative, and their sum must be at most 1");
}

}  // namespace
}  // namespace tessera::processes
