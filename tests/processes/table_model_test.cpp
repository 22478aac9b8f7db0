// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/table_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tessera/kmc/memory.hpp>
#include <tessera/kmc/state/clock.hpp>

#include "processes/compile.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/held_memory.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/processes/interpreter.hpp"
#include "tests/processes/models.hpp"
#include "tests/view_bytes.hpp"

namespace tessera::kmc {
namespace {

template <class Model = processes::TableModel>
Model table_model(const std::string& text) {
  return Model(processes::compile(processes::read_model(text, "m.ini"), {}, {}, 0.1, 0, {30, 20}).tables);
}

/// A model whose rates are a and b, and a function of b and of neighbours.
std::string two_rates(const std::string& a, const std::string& b) {
  return square_lattice() + "[Parameter a]\nvalue = " + a + "\nadjustable = True\n[Parameter b]\nvalue = " + b +
         "\nadjustable = True\n" + process("up", "a", "empty@a", "CO@a") +
         process("hop", "b", "CO@a + empty@a.(1,0,0)", "empty@a + CO@a.(1,0,0)", "orientations = 4\n") +
         process("off", "b", "CO@a", "empty@a",
                 "otf_rate = base_rate*2**nr_CO_n\nbystanders = ['CO']@a.(1,0,0)|n + ['CO']@a.(0,1,0)|n\n");
}

/// Expects equal rates, and equal events for equal streams, in all neighbourhoods of two states.
void expect_the_same(const processes::ChangingTableModel& one, const processes::ChangingTableModel& other) {
  EXPECT_EQ(one.largest_rate(), other.largest_rate());
  for (int number = 0; number < 32; ++number) {
    processes::ChangingTableModel::Around n{static_cast<std::int8_t>(number & 1), {}};
    for (int k = 0; k < 4; ++k) n.around[k] = static_cast<std::int8_t>(number >> (k + 1) & 1);
    ASSERT_EQ(one.rate(n), other.rate(n)) << number;
    ASSERT_EQ(mean_waiting_time(one, n), mean_waiting_time(other, n)) << number;
    if (one.rate(n) == 0 || one.rejects()) continue;
    Stream stream(stream_start(5, static_cast<std::uint64_t>(number))), same = stream;
    for (int i = 0; i < 20; ++i) {
      const auto event = one.event(n, stream), expected = other.event(n, same);
      ASSERT_EQ(event.direction, expected.direction) << number;
      ASSERT_EQ(event.group, expected.group) << number;
      ASSERT_EQ(event.changes_centre, expected.changes_centre) << number;
      ASSERT_EQ(event.centre, expected.centre) << number;
      ASSERT_EQ(event.changes_beside, expected.changes_beside) << number;
    }
  }
}

// Also while the tables of other windows are in use, and where rates are 0 at first.
TEST(TableModels, HaveTheBoundsOfWindows) {
  using processes::compile, processes::read_model;
  const auto tables = compile(read_model(two_rates("table(1: 0, 2: 3)", "exp(-time)"), "m.ini"), {}).tables;
  const processes::ChangingTableModel model(tables);
  std::map<std::int64_t, processes::ChangingTableModel> at;
  for (const std::int64_t window : {0, 7, 40, 25}) at.emplace(window, model.at_window(window));
  for (const std::int64_t window : {7, 3}) at.insert_or_assign(window, at.at(40).at_window(window));
  EXPECT_TRUE(model.rejects());
  for (const auto& [window, its] : at) {
    const std::vector<double> bounds = tables.changing->bounds(window).rates;  // of the processes in their order
    ASSERT_GE(bounds.size(), 5u);
    const auto same = compile(read_model(two_rates("1", "1"), "m.ini"), {{"a", bounds[0]}, {"b", bounds[1]}}).tables;
    if (bounds[0] > 0) expect_the_same(its, processes::ChangingTableModel(same));
  }
  EXPECT_EQ(model.window_end(0), tables.changing->end(0));
  EXPECT_EQ(table_model<processes::ChangingTableModel>(zgb()).window_end(0), HUGE_VAL);
  EXPECT_THROW(processes::TableModel{tables}, InputError);
  EXPECT_NO_THROW(visit_table_model(tables, [&]<class M>(std::type_identity<M>) { return M(tables).largest_rate(); }));
  const auto ends = compile(read_model(two_rates("5 - time", "1"), "m.ini"), {}).tables;
  const processes::ChangingTableModel negative(ends);
  EXPECT_THROW(for (std::int64_t i = 0; i < 1000; ++i) negative.window_end(i), RunError);
}

// Of a lattice without and with the rates of a later window.
TEST(TableModels, OfGroupsHaveTheSumOfRates) {
  using processes::compile, processes::read_model, processes::GroupModel;
  const auto tables =
      compile(read_model(many_sites(3) + process("burn", "exp(-time)", "CO@t + O@f", "empty@t + empty@f"), "m.ini"), {})
          .tables;
  const GroupModel model(tables), later = model.at_window(20);
  const double begin = tables.changing->begin(20);
  double bound = 0;  // the largest rate in the window, nearly
  for (const double one : tables.changing->bounds(20).rates)
    if (std::abs(one - std::exp(-begin)) < 2e-6) bound = one;
  EXPECT_GT(bound, 0);
  const auto constant =
      compile(read_model(many_sites(3) + process("burn", std::to_string(bound), "CO@t + O@f", "empty@t + empty@f"),
                         "m.ini"),
              {})
          .tables;
  EXPECT_GT(tables.groups.size(), 1u);
  std::vector<std::int32_t> states(64);
  for (std::size_t i = 0; i < states.size(); ++i)
    for (std::size_t site = 0; site < tables.digits.size(); ++site)
      states[i] +=
          static_cast<std::int32_t>(hash(i, site) % 3 * static_cast<std::uint64_t>(tables.digits[site].weight));
  for (int cell = 0; cell < 64; ++cell) {
    const GroupModel::Around n{states.data(), cell % 8, cell / 8, 8, 8, 8};
    EXPECT_TRUE(model.valid(n(0, 0)));
    double rate = 0;
    for (const processes::TableSum& its : tables.sums) {
      std::uint64_t sum = 0;
      for (std::size_t i = its.first_entry; i < its.end_entry; ++i) {
        const processes::TableEntry& entry = tables.entries[i];
        sum +=
            tables.weights[entry.weights + (static_cast<unsigned>(n(entry.dx, entry.dy) >> entry.shift) & entry.mask)];
      }
      for (std::size_t i = its.first_group; i < its.end_group; ++i) rate += tables.rate[tables.groups[i].number(sum)];
    }
    const auto rate_of = [&](const GroupModel& one) {
      std::vector<std::uint64_t> sums(static_cast<std::size_t>(one.kept_sums()));
      one.sum_up(n, sums.data());
      return one.rate(KeptSums{sums.data()});
    };
    EXPECT_EQ(rate_of(model), rate);
    EXPECT_NEAR(rate_of(later), rate_of(GroupModel(constant)), 1e-5);
  }
}

template <class Space>
class TableModel : public ::testing::Test {};
TYPED_TEST_SUITE(TableModel, testing::ParallelSpaces, testing::ExecutionSpaceNames);

/// By tiles with both step controls, and as a single tile.
template <class Space, class Model = processes::TableModel>
void expect_sequential_trajectory(const std::string& text, std::uint64_t events) {
  const auto model = table_model<Model>(text);
  const Parameters p = up_to_event(lattice(48, 80, 17), events);
  const auto expected = sequential(p, model);
  ASSERT_EQ(expected.events[0], events);
  Work work;
  for (const EventOrder order : distinct<Space>()) {
    const int halo = std::max(4, reach_of(model).narrowest_halo());
    expect_trajectory<Space>(tiled(p, 16, halo), model, order, expected, work);
    expect_trajectory<Space>(tiled(p, 8, std::max(5, halo), StepControl::reject), model, order, expected, work);
  }
  EXPECT_GT(work.repaired, 0u);
  EXPECT_GT(work.rejected, 0u);
  const Parameters whole = tiled(up_to_event(lattice(24, 24, 3), events / 10), 24, 0);
  const auto small = sequential(whole, model);
  for (const EventOrder order : distinct<Space>()) expect_trajectory<Space>(whole, model, order, small, work);
}

TYPED_TEST(TableModel, EqualsTheSequentialTrajectoryToTheLastBit) {
  expect_sequential_trajectory<TypeParam>(zgb("3"), 30'000);
  expect_sequential_trajectory<TypeParam>(two_sites(), 30'000);
  expect_sequential_trajectory<TypeParam, processes::ListedTableModel>(eight_neighbours(), 20'000);
  expect_sequential_trajectory<TypeParam, processes::FarTableModel>(third_neighbours(), 20'000);
  expect_sequential_trajectory<TypeParam, processes::FarTableModel>(far_pairs(), 20'000);
}

TYPED_TEST(TableModel, EqualsTheSequentialTrajectoryOfGroupsOfProcesses) {
  using processes::GroupModel, processes::FarGroupModel;
  expect_sequential_trajectory<TypeParam, GroupModel>(hexagonal_hops("1 + 0.5*sin(9*time)"), 10'000);
  expect_sequential_trajectory<TypeParam, GroupModel>(hexagonal_desorption(), 10'000);
  expect_sequential_trajectory<TypeParam, GroupModel>(many_sites(3), 10'000);
  expect_sequential_trajectory<TypeParam, GroupModel>(square_clusters(), 5'000);
  expect_sequential_trajectory<TypeParam, FarGroupModel>(zgb("1e6") + far_conditions(false), 10'000);
}

// Rates over many orders of magnitude: reactions follow adsorptions at once.
TYPED_TEST(TableModel, EqualsTheSequentialTrajectoryOfFastReactions) {
  expect_sequential_trajectory<TypeParam>(zgb("2000"), 3'000);
  expect_sequential_trajectory<TypeParam>(zgb("1e10"), 3'000);
  expect_sequential_trajectory<TypeParam, processes::FarTableModel>(far_pairs("1e10"), 3'000);
}

// With reactions of a rate of 1e14 an epoch of the clock is 1.9e-5: both methods pass 1000, with restarts on the way.
TYPED_TEST(TableModel, EqualsTheSequentialTrajectoryOverManyEpochs) {
  const processes::TableModel model = table_model(zgb("1e14"));
  const double until = 1000 * RateWindow<processes::TableModel>(model).epoch;
  for (const Parameters& p : {tiled(lattice(32, 32), 16, 4), tiled(lattice(24, 24), 24, 0)}) {
    auto simulation = tile_method<TypeParam>(p, model);
    for (int i = 1; i <= 5; ++i) {
      simulation->advance(until * i / 7.3);
      io::MemoryArchive archive;
      simulation->save(archive);
      simulation = tile_method<TypeParam>(p, model);
      simulation->load(archive);
    }
    simulation->advance(until);
    EXPECT_EQ(snapshot<processes::TableModel>(*simulation), sequential(p, model, until));
    EXPECT_EQ(simulation->times()[0], until);
    EXPECT_GT(simulation->events()[0], 10u);
  }
}

/// What is measured, by name.
std::map<std::string, double> measured_by(const auto& simulation) {
  std::map<std::string, double> measured;
  for (const Observable& observable : simulation->measure()) measured[observable.name] = observable.values[0];
  return measured;
}

TYPED_TEST(TableModel, MeasuresCoveragesAndTurnovers) {
  auto simulation = tile_method<TypeParam>(lattice(32, 32, 1), table_model(two_sites()));
  simulation->advance(2);
  const auto measured = measured_by(simulation);
  std::map<std::string, double> counted;
  for (const auto state : simulation->states()) {
    const char* const species[] = {"empty", "CO", "O"};  // the digits of the state: b, then a
    counted[std::string("coverage_") + species[state % 3] + "_b"] += 1.0 / 1024;
    counted[std::string("coverage_") + species[state / 3] + "_a"] += 1.0 / 1024;
  }
  EXPECT_EQ(counted.size(), 6u);
  for (const auto& [name, value] : counted) EXPECT_EQ(measured.at(name), value) << name;
  auto sequential = make_waiting_time(lattice(32, 32, 1), table_model(two_sites()));
  sequential->advance(2);
  for (const Observable& observable : sequential->measure())
    EXPECT_EQ(measured.at(observable.name), observable.values[0]) << observable.name;
  EXPECT_GT(measured.at("turnover_CO2"), 100);
  EXPECT_LT(measured.at("turnover_CO2"), measured.at("events") / 2);
}

// Also where tiles run again, and where steps are rejected.
TYPED_TEST(TableModel, CountsEventsOfManyProcesses) {
  const auto model = table_model(two_sites());
  auto sequential = make_waiting_time(lattice(32, 32, 1), model);
  sequential->advance(3);
  const auto expected = measured_by(sequential);
  double events = 0;
  for (const auto& [name, number] : expected)
    if (name.starts_with("events_")) {
      EXPECT_GT(number, 0) << name;
      events += number;
    }
  EXPECT_EQ(groups_of(model), 19);
  EXPECT_EQ(events, expected.at("events"));
  for (const StepControl control : {StepControl::repair, StepControl::reject}) {
    const Parameters p = tiled(lattice(32, 32, 1), 8, 5, control);
    auto simulation = tile_method<TypeParam>(p, model);
    simulation->advance(3);
    const auto found = measured_by(simulation);
    for (const auto& [name, number] : expected) EXPECT_EQ(found.at(name), number) << name;
    EXPECT_GT(found.at(control == StepControl::repair ? "repaired_tiles" : "rejected_steps"), 0);
    testing::expect_bytes_of_views(
        tile_method_bytes<processes::TableModel>(p, lanes_per_tile<TypeParam>, groups_of(model)),
        [&] { return tile_method<TypeParam>(p, model); });
  }
}

TYPED_TEST(TableModel, TakesTheMemoryThatItForetells) {
  const auto model = table_model<processes::GroupModel>(square_clusters());
  EXPECT_GT(kept_sums_of(model), 1);
  const Parameters p = tiled(lattice(48, 48, 1), 16, 7);
  const int groups = groups_of(model), sums = kept_sums_of(model);
  testing::expect_bytes_of_views(tile_method_bytes<processes::GroupModel>(p, lanes_per_tile<TypeParam>, groups, sums),
                                 [&] { return tile_method<TypeParam>(p, model); });
  Parameters one_core = p;
  one_core.method = Method::waiting_time;
  const std::size_t before = testing::held;
  const auto simulation = make_waiting_time(one_core, model);
  EXPECT_NEAR(static_cast<double>(testing::held - before),
              static_cast<double>(sequential_bytes<processes::GroupModel>(one_core, sums)), 4000);
}

/// Expects the numbers of configurations, per unit cell, of an interpreter of the file.
template <class Space, class Model = processes::TableModel>
void expect_configurations(const std::string& text, const std::vector<std::string>& sites,
                           const std::vector<std::string>& names) {
  auto simulation = tile_method<Space>(lattice(32, 32, 1), table_model<Model>(text));
  simulation->advance(1.5);
  const auto measured = measured_by(simulation);
  Interpreter::Configuration now;
  const auto states = simulation->states();
  for (int i = 0; i < 1024; ++i) {
    int state = states[static_cast<std::size_t>(i)];
    for (const std::string& site : sites) {
      const char* const species[] = {"empty", "CO", "O"};
      now[Interpreter::site(site, i % 32, i / 32)] = species[state % 3];
      state /= 3;
    }
  }
  const Interpreter interpreter(text, 32, 32);
  for (const std::string& name : names) {
    const std::size_t places = interpreter.places(name, now);
    EXPECT_GT(places, 0u) << name;
    EXPECT_EQ(measured.at("configurations_" + name), static_cast<double>(places) / 1024) << name;
  }
}

TYPED_TEST(TableModel, CountsConfigurations) {
  // Those of zgb() have two and four orientations, of which a pair of one species has half.
  expect_configurations<TypeParam>(
      zgb("3") + configuration("pair", "O@a + O@a.(1, 0, 0)", 4) + configuration("mixed", "O@a + CO@a.(1, 0, 0)", 4) +
          configuration("diagonal", "CO@a + CO@a.(1, -1, 0)", 2) + configuration("far", "O@a + O@a.(2, 0, 0)", 4) +
          configuration("alone",
                        "CO@a + empty or O@a.(1, 0, 0) + empty or O@a.(0, 1, 0) + empty or O@a.(-1, 0, 0) + "
                        "empty or O@a.(0, -1, 0) + empty or O@a.(-1, 1, 0)",
                        4) +
          configuration("square", "O@a + O@a.(1, 0, 0) + O@a.(0, 1, 0) + O@a.(1, 1, 0)", 4),
      {"a"}, {"pair", "mixed", "diagonal", "far", "alone", "square"});
  expect_configurations<TypeParam>(two_sites() + configuration("in_cell", "CO@b + empty@a") +
                                       configuration("corner", "CO@a + O@b.(1, 1, 0) + empty@b.(1, 0, 0)"),
                                   {"b", "a"}, {"in_cell", "corner"});
  expect_configurations<TypeParam, processes::ListedTableModel>(
      eight_neighbours() + configuration("pair", "O@a + O@a.(1, 1, 0)", 4), {"a"}, {"pair"});
}

// CO on both sites of a cell and, in x, in the next cell; sites b and b along y are no neighbours.
TYPED_TEST(TableModel, FindsClusters) {
  const std::string text = two_sites() +
                           "[Clusters CO]\nmembers = CO@a + CO or O@b\n"
                           "neighbours = a + b, a + b.(1, 0, 0), a + a.(0, 1, 0)\nmin_size = 3\n";
  auto simulation = tile_method<TypeParam>(lattice(32, 32, 1), table_model(text));
  simulation->advance(1.5);
  const auto states = simulation->states();
  const auto occupied = [&](int site, int x, int y) {
    const int state = states[static_cast<std::size_t>((y & 31) * 32 + (x & 31))];
    return site == 0 ? state % 3 != 0 : state / 3 == 1;  // b is the first digit; empty, CO, O
  };
  std::map<int, int> sizes;
  std::set<std::array<int, 3>> seen;
  const auto fill = [&](const auto& self, int site, int x, int y) {
    if (!occupied(site, x, y) || !seen.insert({site, x & 31, y & 31}).second) return 0;
    if (site == 0) return 1 + self(self, 1, x, y) + self(self, 1, x - 1, y);
    return 1 + self(self, 0, x, y) + self(self, 0, x + 1, y) + self(self, 1, x, y + 1) + self(self, 1, x, y - 1);
  };
  for (int i = 0; i < 2048; ++i)
    if (const int size = fill(fill, i % 2, i / 2 % 32, i / 64); size > 0) ++sizes[size];
  double counted = 0;
  for (const auto& [size, number] : sizes) counted += size >= 3 ? number : 0;
  EXPECT_GT(counted, 10);
  EXPECT_GT(sizes.size(), 5u);
  EXPECT_EQ(measured_by(simulation).at("cluster_density_CO"), counted / 1024);
  static_cast<void>(simulation->fields());
  const auto tables = simulation->drain_histories();
  const auto table = std::ranges::find(tables, "cluster_sizes_CO", &History::name);
  ASSERT_NE(table, tables.end());
  std::map<int, int> found;
  for (std::size_t row = 0; row < table->columns[0].size(); ++row)
    found[static_cast<int>(table->columns[2][row])] = static_cast<int>(table->columns[3][row]);
  EXPECT_EQ(found, sizes);
}

TYPED_TEST(TableModel, CountsEventsOfProcessesThatChangeManyCells) {
  auto simulation =
      tile_method<TypeParam>(lattice(32, 32, 1), table_model<processes::ListedTableModel>(eight_neighbours()));
  simulation->advance(2);
  const auto measured = measured_by(simulation);
  EXPECT_GT(measured.at("events_clear"), 5);
  EXPECT_EQ(measured.at("turnover_CO2"), measured.at("events_react"));
  double events = 0;
  for (const std::string process :
       {"CO_adsorption", "CO_desorption", "O2_adsorption", "react", "jump", "turn", "clear"})
    events += measured.at("events_" + process);
  EXPECT_EQ(measured.at("events"), events);
}

TYPED_TEST(TableModel, CountsEventsOfProcessesThatDependOnCellsTwoAway) {
  auto simulation = tile_method<TypeParam>(lattice(32, 32, 1), table_model<processes::FarTableModel>(far_pairs()));
  simulation->advance(2);
  const auto measured = measured_by(simulation);
  const auto events = [&](const std::string& process) { return measured.at("events_" + process); };
  EXPECT_GT(events("hop"), 100);
  EXPECT_GT(events("exchange"), 100);
  EXPECT_EQ(1024 * measured.at("coverage_CO"), events("up") - events("down") - events("react"));
  EXPECT_EQ(1024 * measured.at("coverage_O"), events("O_on") - events("leave") - events("react"));
  EXPECT_EQ(measured.at("turnover_CO2"), events("react"));
}

// What is on the lattice is what the processes have brought there and taken away.
TYPED_TEST(TableModel, CountsEventsOfEachProcess) {
  auto simulation = tile_method<TypeParam>(lattice(32, 32, 1), table_model(zgb()));
  simulation->advance(2);
  const auto measured = measured_by(simulation);
  const auto events = [&](const std::string& process) { return measured.at("events_" + process); };
  EXPECT_EQ(1024 * measured.at("coverage_CO"), events("CO_adsorption") - events("CO_desorption") - events("reaction"));
  EXPECT_EQ(1024 * measured.at("coverage_O"), 2 * events("O2_adsorption") - events("reaction"));
  EXPECT_EQ(measured.at("events"),
            events("CO_adsorption") + events("CO_desorption") + events("O2_adsorption") + events("reaction"));
  EXPECT_EQ(measured.at("turnover_CO2"), events("reaction"));
  EXPECT_GT(events("CO_desorption"), 0);
  auto sequential = make_waiting_time(lattice(32, 32, 1), table_model(zgb()));
  sequential->advance(2);
  for (const auto& [name, value] : measured_by(sequential)) EXPECT_EQ(value, measured.at(name)) << name;
}

TEST(TableModelStart, RoundsFractionsToTheNearestNumbersOfSites) {
  const std::string parts = "[Initial]\nCO@b = 0.3\nO@b = 0.2\nCO@a = 0.3\n";
  std::string text = two_sites();
  text.insert(text.find("[Process"), parts);
  const processes::TableModel model = table_model(text);
  int on_b[3] = {}, on_a[3] = {}, both = 0;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 30; ++x) {
      const int state = model.initial({x, y, 30, 20, 5, 0});
      ++on_b[state % 3];
      ++on_a[state / 3];
      both += state % 3 == 1 && state / 3 == 1;
    }
  EXPECT_EQ(on_b[1], 180);
  EXPECT_EQ(on_b[2], 120);
  EXPECT_EQ(on_a[1], 180);
  EXPECT_EQ(on_a[2], 0);
  EXPECT_NEAR(both, 0.09 * 600, 30);  // four standard deviations: the sites have orders of their own
}

TEST(TableModelStart, PlacesGroupsOfSitesAndNumbersInRegions) {
  const auto counts = [](const std::string& sections, const auto& in_region) {
    std::string text = two_sites();
    text.insert(text.find("[Process"), sections);
    const processes::TableModel model = table_model(text);
    std::vector<int> numbers(9);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 30; ++x)
        if (in_region(x, y)) ++numbers[static_cast<std::size_t>(model.initial({x, y, 30, 20, 5, 0}))];
    return numbers;
  };
  const auto all = [](int, int) { return true; };
  const auto corner = [](int x, int y) { return x >= 10 && y < 5; };
  const auto outside = [&](int x, int y) { return !corner(x, y); };
  const std::string pairs = "[Initial]\nCO@b + O@a = number 60\nCO@b = 0.1\n";
  using Counts = std::vector<int>;  // by the species on b, and 3 times that on a
  EXPECT_EQ(counts(pairs, all), (Counts{480, 60, 0, 0, 0, 0, 0, 60, 0}));
  const std::string where = "[Initial corner]\nwhere = x >= 10 and y < 5\nO@b = number 20\n";
  EXPECT_EQ(counts(where, all), (Counts{580, 0, 20, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts(where, outside)[0], 500);
  // The later section has the sites that it names, in its region.
  const Counts of_both = counts(pairs + where, corner);
  EXPECT_EQ(of_both[2] + of_both[5] + of_both[8], 20);
  EXPECT_EQ(of_both[1] + of_both[4] + of_both[7], 0);
  EXPECT_EQ(counts(pairs + where, outside), counts(pairs, outside));
  // In a rectangle, those whose place in a random order of its cells is among the first.
  const auto placed = [&](int x, int y) {
    const int number = y * 20 + x - 10;
    return corner(x, y) && permuted(static_cast<std::uint64_t>(number), 100, hash(5, 0)) < 20;
  };
  EXPECT_EQ(counts(where, placed), (Counts{0, 0, 20, 0, 0, 0, 0, 0, 0}));
  const std::string rows = "[Initial]\nwhere = x % 3 == 1 or y > 17\nO@b = number 20\nCO@b = 0.5\n";
  EXPECT_EQ(counts(rows, [](int x, int y) { return x % 3 == 1 || y > 17; }), (Counts{100, 120, 20, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts(rows, [](int x, int y) { return x % 3 != 1 && y <= 17; })[0], 360);
  // Six standard deviations, of 24.5 cells and of 3.5 in two differences.
  const Counts by_chance = counts("[Initial]\nCO@a = probability 0.5\n", all);
  EXPECT_NEAR(by_chance[3], 300, 74);
  EXPECT_NE(by_chance[3], 300);
}

}  // namespace
}  // namespace tessera::kmc
