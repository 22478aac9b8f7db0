// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

// Runs in which nothing can happen any more: poisoned, jammed, full and empty lattices.
namespace tessera::testing {
namespace {

using Tree = boost::property_tree::ptree;

/// Molecules of CO fill a lattice, and leave it at the rate `off`.
std::string filling() {
  return square_lattice() + "[Parameter off]\nvalue = 0\nadjustable = True\n" + process("up", "1", "empty@a", "CO@a") +
         process("down", "off", "CO@a", "empty@a");
}

class Absorbed : public ::testing::Test {
 protected:
  /// Its summary as JSON; the run must end with status 0.
  Tree summary(const Words& words) {
    const auto result = complete_run(folder, words + "--json --progress never"_words);
    messages = result.err;
    return result.status == 0 ? parsed(result.out) : Tree();
  }
  Tree run(const Words& words, const std::string& file = "a.h5") {
    return summary(words + Words{"--overwrite", "--output", file});
  }
  Tree restart(const Words& more = {}) { return summary("kmc --restart a.h5"_words + more); }
  std::vector<double> rows(const std::string& file = "a.h5") const {
    return InputFile(folder / file).read<double>("/observables/events/time");
  }
  std::string text(const Words& words) {
    const auto result = complete_run(folder, words + Words{"--overwrite"});
    return result.out;
  }

  const TemporaryFolder folder;
  std::string messages;
  const Words all = "kmc --size 16"_words + on_host;
  const Words full = all + "--processes m.ini"_words;
};

TEST_F(Absorbed, ARunToAnEventEndsAtTheLastPossibleEvent) {
  folder.write("m.ini", filling());
  double by_tiles = 0;
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    SCOPED_TRACE(method);
    const Words by = full + Words{"--method", method, "--until-events-per-site", "4"};
    const Tree tree = run(by + "--measure-every 0.5"_words);
    EXPECT_EQ(tree.get<std::string>("ended_by"), "absorbed");
    EXPECT_TRUE(tree.get<bool>("finished"));
    EXPECT_EQ(tree.get<double>("observables.events"), 256);
    EXPECT_EQ(tree.get<double>("fraction"), 0.25);
    const double end = tree.get<double>("time");
    EXPECT_GT(end, 3);
    EXPECT_LT(end, 40);
    EXPECT_EQ(tree.get<double>("absorbed_at"), end);
    EXPECT_EQ(tree.get<int>("absorbed_replicas"), 1);
    const std::vector<double> times = rows();
    ASSERT_EQ(times.size(), static_cast<std::size_t>(std::ceil(2 * end)) + 1);
    for (std::size_t i = 0; i + 1 < times.size(); ++i) EXPECT_EQ(times[i], 0.5 * static_cast<double>(i));
    EXPECT_EQ(times.back(), end);
    if (method == "waiting-time") {
      EXPECT_EQ(end, by_tiles);
    }
    by_tiles = end;
    // Nothing is left to do, and nothing is written.
    EXPECT_EQ(restart().get<std::string>("ended_by"), "absorbed");
    EXPECT_THAT(messages, HasSubstr("a.h5 has already ended"));
    EXPECT_EQ(rows(), times);
    const std::string dry = text(by + "--measure-every 0.5 --dry-run"_words);
    EXPECT_THAT(dry, HasSubstr("with " + std::to_string(times.size()) + " measurements"));
    EXPECT_THAT(dry, HasSubstr("no event is possible any more after time "));
    EXPECT_THAT(text(by), HasSubstr("; 25 % of the run is done\n"));
  }
}

TEST_F(Absorbed, ALatticeWithoutAnyEventHasOneRow) {
  for (const Words& model : {"--model kawasaki --coverage 1"_words, "--model hopping --coverage 0"_words})
    for (const std::string method : {"tile", "waiting-time", "bkl"}) {
      SCOPED_TRACE(model[1] + " " + method);
      const Words by = all + model + Words{"--method", method, "--measure-every", "0.1"};
      const Tree tree = run(by + "--until-events-per-site 1"_words);
      EXPECT_EQ(tree.get<std::string>("ended_by"), "absorbed");
      EXPECT_EQ(tree.get<double>("time"), 0);
      EXPECT_EQ(tree.get<double>("fraction"), 0);
      EXPECT_EQ(messages, "");
      EXPECT_THAT(rows(), ElementsAre(0));
      EXPECT_THAT(text(by + "--until-events-per-site 1 --dry-run"_words), HasSubstr("with 1 measurement,"));
      const Tree to_time = run(by + "--until-time 0.5"_words);
      EXPECT_EQ(to_time.get<std::string>("ended_by"), "stopping-time");
      EXPECT_EQ(to_time.get<double>("time"), 0.5);
      EXPECT_EQ(to_time.get<double>("absorbed_at"), 0);
      EXPECT_EQ(rows().size(), 6u);
    }
}

// Also while rates change for ever.
TEST_F(Absorbed, ALatticeThatIsEmptyEndsWhileTheTemperatureRises) {
  folder.write("m.ini", square_lattice() + "[Initial]\nCO@a = 1\n" +
                            process("off", "1e13*exp(-1.2*eV/(kboltzmann*(300 + 5*time)))", "CO@a", "empty@a"));
  double by_tiles = 0;
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    SCOPED_TRACE(method);
    const Words by = full + Words{"--method", method};
    const Tree tree = run(by + "--until-events-per-site 3"_words);
    EXPECT_EQ(tree.get<std::string>("ended_by"), "absorbed");
    EXPECT_EQ(tree.get<double>("observables.events"), 256);
    const double end = tree.get<double>("time");
    EXPECT_GT(end, 20);
    EXPECT_LT(end, 40);
    EXPECT_EQ(tree.get<double>("absorbed_at"), end);
    if (method == "waiting-time") {
      EXPECT_EQ(end, by_tiles);
    }
    by_tiles = end;
    const Tree to_time = run(by + "--until-time 60"_words);
    EXPECT_EQ(to_time.get<double>("time"), 60);
    if (method != "bkl") {
      EXPECT_EQ(to_time.get<double>("absorbed_at"), end);
    }
    EXPECT_EQ(restart("--until-time 70"_words).get<double>("absorbed_at"), to_time.get<double>("absorbed_at"));
  }
}

TEST_F(Absorbed, BuiltInAndExampleModelsEnd) {
  for (const Words& model : {"zgb.ini y=0.6 32"_words, "island_growth.ini D=100 32"_words}) {
    const Words by =
        Words{"kmc", "--processes", TESSERA_MODEL_FILES "/" + model[0], "--set", model[1], "--size", model[2]} +
        "--until-events-per-site 1e6"_words + on_host;
    const Tree tree = run(by);
    EXPECT_EQ(tree.get<std::string>("ended_by"), "absorbed");
    EXPECT_LT(tree.get<double>("time"), 1000);
    EXPECT_EQ(run(by + "--method waiting-time"_words).get<double>("time"), tree.get<double>("time"));
  }
}

TEST_F(Absorbed, ARunToATimeContinuesAndAveragesTheAbsorbedState) {
  folder.write("m.ini", filling());
  const Words by = full + "--measure-every 1 --average-from 30"_words;
  const Tree in_time = run(by + "--until-time 100 --until-events-per-site 4"_words);
  EXPECT_EQ(in_time.get<std::string>("ended_by"), "stopping-time");
  EXPECT_EQ(in_time.get<double>("time"), 100);
  EXPECT_LT(in_time.get<double>("absorbed_at"), 30);
  EXPECT_EQ(in_time.get<int>("averages.rows"), 70);
  EXPECT_EQ(in_time.get<double>("averages.observables.coverage_CO"), 1);
}

// The state in which it ended is not a measurement of what came before, here and in a call that only averages again.
TEST_F(Absorbed, ARunToAnEventDoesNotAverageTheAbsorbedState) {
  folder.write("m.ini", filling());
  const Words by = full + "--measure-every 0.0625 --average-from 0.5 --until-events-per-site 4"_words;
  const Tree tree = run(by);
  const std::vector<double> times = rows();
  const auto before = std::ranges::count_if(times, [&](double time) { return time > 0.5 && time < times.back(); });
  EXPECT_EQ(tree.get<long>("averages.rows"), before);
  const Tree again = restart();
  EXPECT_EQ(again.get_child("averages"), tree.get_child("averages"));
}

TEST_F(Absorbed, ReplicasEndOneByOneAndTheirStatisticsAreFinite) {
  folder.write("m.ini", filling());
  const Words by = full + "--replicas 4 --measure-every 1"_words;
  const Tree tree = run(by + "--until-events-per-site 4"_words);
  EXPECT_EQ(tree.get<int>("absorbed_replicas"), 4);
  for (const auto& [name, value] : tree.get_child("observables"))
    EXPECT_LT(value.data() == "null" ? 0 : std::abs(std::stod(value.data())), 1e6) << name;
  const std::vector<double> ends = InputFile(folder / "a.h5").read<double>("/checkpoint/time");
  EXPECT_EQ(tree.get<double>("time"), *std::ranges::min_element(ends));
  EXPECT_EQ(tree.get<double>("absorbed_at"), *std::ranges::max_element(ends));
  EXPECT_EQ(InputFile(folder / "a.h5").read<double>("/checkpoint/absorbed_at"), ends);
  EXPECT_THAT(text(by + "--until-events-per-site 4"_words),
              HasSubstr(" in 4 of 4 replicas; 25 % of the run is done\n"));
}

TEST_F(Absorbed, ARestartContinuesToALaterTime) {
  folder.write("m.ini", filling());
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    SCOPED_TRACE(method);
    const Words by = full + Words{"--method", method, "--measure-every", "1"};
    const double end = run(by + "--until-events-per-site 4"_words).get<double>("time");
    const Tree later = restart({"--until-time", "60"});
    EXPECT_EQ(later.get<std::string>("ended_by"), "stopping-time");
    EXPECT_EQ(later.get<double>("time"), 60);
    EXPECT_EQ(later.get<double>("absorbed_at"), end);
    EXPECT_EQ(rows().size(), 62u) << "0, 1, ..., 60 and the end of the first call";
    run(by + "--until-time 60"_words, "whole.h5");
    std::vector<double> regular = rows();
    std::erase(regular, end);
    EXPECT_EQ(regular, rows("whole.h5"));
  }
}

TEST_F(Absorbed, ContinuesAfterAChangeOfRates) {
  folder.write("m.ini", filling());
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    SCOPED_TRACE(method);
    const double end = run(full + Words{"--method", method, "--until-events-per-site", "4"}).get<double>("time");
    const Tree changed = restart("--change --set off=1"_words);
    EXPECT_EQ(changed.get<std::string>("ended_by"), "stopping-time");
    EXPECT_EQ(changed.get<double>("observables.events"), 1024);
    EXPECT_GT(changed.get<double>("time"), end);
    EXPECT_EQ(changed.count("absorbed_at"), 0u);
    EXPECT_EQ(InputFile(folder / "a.h5").read<double>("/provenance/restarts/1/changed_at").at(0), end);
  }
}

TEST_F(Absorbed, RefusesAChangeWithoutPossibleEvents) {
  folder.write("m.ini", filling() + "[Parameter other]\nvalue = 1\nadjustable = True\n");
  run(full + "--until-events-per-site 4"_words);
  const auto refused = run_tessera(folder, "kmc --restart a.h5 --change --set other=2"_words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--change: the run in a.h5 has no possible event at time "));
}

}  // namespace
}  // namespace tessera::testing
