// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <filesystem>
#include <string>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/process.hpp"

/// tessera kmc --start FILE.h5: states are those of the same names.
namespace tessera::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), with);
}
std::string model_file(const std::string& name) {
  return read_file(std::filesystem::path(TESSERA_MODEL_FILES) / (name + ".ini"));
}

class NamedStart : public InFolder {
 protected:
  void run(const std::string& output, const Words& more) const {
    complete_run(folder, "kmc --quiet --overwrite --output"_words + Words{output} + on_host + more);
  }
  /// The message that refuses a start from this file.
  std::string refusal(const Words& more, const std::string& from = "first.h5") const {
    const auto result =
        run_tessera(folder, "kmc --until-time 1 --output no.h5 --start"_words + Words{from} + on_host + more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
    return result.err;
  }
  std::vector<double> values(const std::string& file, const std::string& name) const {
    return InputFile(folder / file).read<double>("/observables/" + name + "/value");
  }
  /// Starts model.ini from the end of first.h5: second.h5 begins with the same values.
  void expect_the_same(const std::vector<std::string>& names, const Words& more) const {
    run("second.h5", "--processes model.ini --start first.h5 --until-time 1e-20"_words + more);
    for (const std::string& name : names) {
      EXPECT_EQ(values("second.h5", name).front(), values("first.h5", name).back()) << name;
      EXPECT_NE(values("first.h5", name).back(), 0) << name;
    }
  }
};

const std::vector<std::string> of_ruo2{"coverage_CO_bridge", "coverage_O_bridge", "coverage_CO_cus", "coverage_O_cus",
                                       "coverage_empty_cus"};

TEST_F(NamedStart, OfAModelWithMoreSpeciesAndSitesInAnotherOrderKeepsThem) {
  const std::string original = model_file("co_oxidation_ruo2");
  folder.write("model.ini", original);
  run("first.h5", "--processes model.ini --size 20 --until-time 3e-9"_words);
  const std::string with_x =
      replaced(replaced(original, "[Species empty]", "[Species X]\n\n[Species empty]"), "[Process ",
               "[Process X_ads]\nrate_constant = 1e-9\nconditions = empty@cus\nactions = X@cus\n\n[Process ");
  const auto begin = original.find("site "), next = original.find("site ", begin + 1);
  const std::string first_site = original.substr(begin, next - begin),
                    second_site = original.substr(next, original.find('\n', next) + 1 - next);
  const std::string exchanged = replaced(original, first_site + second_site, second_site + first_site);
  for (const std::string& other : {original, with_x, exchanged}) {
    folder.write("model.ini", other);
    expect_the_same(of_ruo2, "--size 20"_words);
    EXPECT_EQ(values("second.h5", "coverage_CO_bridge").size(), 2u);
  }
  std::filesystem::remove(folder / "first.h5");
  complete_run(folder, "kmc --restart second.h5 --until-time 1e-19 --quiet"_words);
}

TEST_F(NamedStart, OfStatesWithBitsForEachSiteKeepsThem) {
  const std::string original = model_file("oxygen_pd100");
  folder.write("model.ini", original);
  run("first.h5", "--processes model.ini --size 24 --until-time 1e-6"_words);
  const auto empty = original.find("[Species empty]"), oxygen = original.find("[Species O]"),
             end = original.find('[', oxygen + 1);
  folder.write("model.ini", original.substr(0, empty) + "[Species C]\n\n" + original.substr(oxygen, end - oxygen) +
                                original.substr(empty, oxygen - empty) + original.substr(end));
  for (const std::string method : {"tile", "waiting-time"})
    expect_the_same({"coverage_O", "energy"}, "--size 24 --method"_words + Words{method});
}

TEST_F(NamedStart, AllowsSpeciesThatNoProcessProduces) {
  const std::string lattice = square_lattice();
  folder.write("model.ini", lattice + process("up", "1", "empty@a", "CO@a"));
  run("first.h5", "--processes model.ini --size 16 --until-time 0.5"_words);
  folder.write("model.ini", lattice + process("down", "1", "CO@a", "empty@a"));
  expect_the_same({"coverage_CO"}, "--size 16"_words);
  EXPECT_THAT(InputFile(folder / "second.h5").text("/provenance/input"), HasSubstr("start-species = CO@a,empty@a\n"));
}

TEST_F(NamedStart, RefusesWhatHasNoCounterpartWithItsNumberOfCells) {
  const std::string up = process("up", "1", "empty@a", "CO@a"),
                    two_sites = replaced(square_lattice(), "site a = (0.5, 0.5, 0.5)",
                                         "site a = (0.5, 0.5, 0.5)\nsite b = (0, 0, 0)");
  folder.write("model.ini", two_sites + up + process("b_on", "1", "empty@b", "O@b"));
  run("first.h5", "--processes model.ini --size 16 --until-time 50"_words);
  const Words start = "--processes model.ini --size 16"_words;
  folder.write("model.ini", replaced(two_sites, "[Species O]", "[Species N]") + up);
  EXPECT_THAT(refusal(start), HasSubstr("--start first.h5: 256 of 256 cells hold O@b: must be a species for site b of "
                                        "each cell; valid are empty"));
  folder.write("model.ini", square_lattice() + up);
  EXPECT_THAT(refusal(start), HasSubstr("--start first.h5: 256 of 256 cells hold O@b: this model has no site b"));
  folder.write("model.ini", replaced(two_sites, "0.0 3.5 0.0", "0.0 4.2 0.0") + up);
  EXPECT_THAT(refusal(start),
              HasSubstr("its unit cell has sides of ratio 1 at 90 degrees, that of this model 1.2 at 90 degrees"));
  const std::string third = replaced(two_sites, "site b", "site c = (0.2, 0, 0)\nsite b") + up;
  folder.write("model.ini", third);
  expect_the_same({"coverage_CO_a", "coverage_O_b"}, "--size 16"_words);
  EXPECT_EQ(values("second.h5", "coverage_empty_c").front(), 1);
}

TEST_F(NamedStart, IsRefusedByModelsWithOtherStates) {
  for (const std::string model : {"hopping", "kawasaki", "sos", "epitaxy", "potts", "ising"}) {
    run(model + ".h5", "--size 32 --until-time 0.1 --model"_words + Words{model});
    for (const std::string other : {"hopping", "kawasaki", "sos", "epitaxy", "potts", "ising"}) {
      const auto kind = [](const std::string& name) {
        return name == "kawasaki" ? "hopping" : name == "epitaxy" ? "sos" : name;
      };
      const Words start = "--size 32 --model"_words + Words{other};
      if (kind(model) == kind(other))
        run("other.h5", start + "--until-time 0.1 --start"_words + Words{model + ".h5"});
      else
        EXPECT_THAT(refusal(start, model + ".h5"),
                    HasSubstr("is an output of --model " + model + ", which has no states of this model"));
    }
  }
  folder.write("model.ini", model_file("zgb"));
  EXPECT_THAT(refusal("--size 32 --processes model.ini"_words, "hopping.h5"),
              HasSubstr("is an output of --model hopping, which has no names of species"));
  run("zgb.h5", "--size 32 --processes model.ini --until-time 0.1"_words);
  for (const std::string other : {"sos", "potts"})
    EXPECT_THAT(refusal("--size 32 --model"_words + Words{other}, "zgb.h5"),
                HasSubstr("is an output of a model file, which has no states of this model"));
}

TEST_F(NamedStart, OfATextMayNameTheSites) {
  const std::string lattice =
      replaced(square_lattice(), "site a = (0.5, 0.5, 0.5)", "site a = (0.5, 0.5, 0.5)\nsite b = (0, 0, 0)");
  folder.write("model.ini", lattice + process("on", "1e-9", "empty@a", "CO@a"));
  const std::string row = "CO@b/empty@a O/empty CO@b/empty@a empty@a/empty@b\n";
  folder.write("s.txt", row + row + row + row);
  run("first.h5", "--processes model.ini --size 4 --start s.txt --until-time 1e-9"_words);
  EXPECT_EQ(values("first.h5", "coverage_CO_b").front(), 0.5);
  EXPECT_EQ(values("first.h5", "coverage_O_a").front(), 0.25);
  const Words start = "--processes model.ini --size 4"_words;
  folder.write("s.txt", "CO@b/O@b\n");
  EXPECT_THAT(refusal(start, "s.txt"), HasSubstr("'CO@b/O@b': has a site twice"));
  folder.write("s.txt", "CO@b/O@c\n");
  EXPECT_THAT(refusal(start, "s.txt"), HasSubstr("this model has no site c"));
}

TEST_F(NamedStart, OfSeveralKindsIsForReplicasInTurn) {
  const Words four = "--replicas 4 --until-time 1e-9 --starts"_words;
  run("first.h5", "--model ising --size 32"_words + four + Words{"random,ordered"});
  const std::vector<double> spins =
      InputFile(folder / "first.h5").read_row<double>("/observables/magnetisation/value", 0);
  ASSERT_EQ(spins.size(), 4u);
  // Six standard deviations.
  EXPECT_THAT(spins, ElementsAre(DoubleNear(0, 0.19), 1, DoubleNear(0, 0.19), 1));
  EXPECT_NE(spins[0], spins[2]);
  for (const std::string model : {"hopping", "kawasaki"}) {
    run("gas.h5", "--coverage 0.25 --size 32 --model"_words + Words{model} + four + Words{"ordered,random"});
    const auto bonds = InputFile(folder / "gas.h5").read_row<double>("/observables/bonds/value", 0);
    EXPECT_EQ(bonds[0], 0.25 * 2 - 1.0 / 32);
    EXPECT_NEAR(bonds[1], 2.0 / 16, 0.07);
    EXPECT_EQ(bonds[2], bonds[0]);
  }
  // Two lattices of the file for the replicas 0 and 2, the other file for the replicas 1 and 3.
  run("two.h5", "--model ising --size 32 --replicas 2 --magnetisation 0 --until-time 1e-9"_words);
  run("one.h5", "--model ising --size 32 --magnetisation -1 --until-time 1e-9"_words);
  run("second.h5", "--model ising --size 32"_words + four + Words{"two.h5,one.h5"});
  const auto states = [&](const std::string& file) {
    return InputFile(folder / file).read<std::int8_t>("/checkpoint/state");
  };
  const auto all = states("second.h5"), two = states("two.h5"), one = states("one.h5");
  const auto lattice = [](const std::vector<std::int8_t>& from, int r) {
    return std::vector<std::int8_t>(from.begin() + 1024 * r, from.begin() + 1024 * (r + 1));
  };
  for (const int r : {0, 2}) EXPECT_EQ(lattice(all, r), lattice(two, r / 2)) << r;
  for (const int r : {1, 3}) EXPECT_EQ(lattice(all, r), one) << r;
  std::filesystem::remove(folder / "two.h5");
  complete_run(folder, "kmc --restart second.h5 --until-time 2e-9 --quiet"_words);
  const Words ising = "--model ising --size 32"_words;
  EXPECT_THAT(refusal(ising + "--starts ordered,random"_words, "one.h5"),
              HasSubstr("--start and --starts cannot be combined"));
  for (const auto& [words, message] : std::vector<std::pair<Words, std::string>>{
           {"--starts ordered,random"_words, "--starts ordered,random: requires at least as many --replicas"},
           {"--starts ordered --replicas 2"_words, "--starts ordered: must be several, separated by commas"},
           {"--starts ordered,random --replicas 2 --magnetisation 0"_words, "has no effect: --starts gives the states"},
           {"--starts one.h5,none.h5 --replicas 2"_words, "--starts: none.h5: no such file"},
           {"--model sos --starts ordered,random --replicas 2"_words, "ordered: this model has no such state"}}) {
    const Words run = "kmc --size 32 --until-time 1 --output no.h5"_words + on_host;
    const auto refused = run_tessera(folder, run + (words[0] == "--model" ? words : "--model ising"_words + words));
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr(message));
  }
}

}  // namespace
}  // namespace tessera::testing
