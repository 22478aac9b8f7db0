// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/model_file.hpp"

#include <gmock/gmock.h>

#include <string>

#include "processes/compile.hpp"
#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

TEST(ModelFile, IsReadLikeKmcos) {
  std::string lattice = square_lattice();
  lattice.replace(lattice.find("(0.5, 0.5, 0.5)"), 15, "(0.5, np.float64(0.25), 0.125)");  // as with NumPy 2
  const ModelFile model = read_model(
      lattice + "; a comment\n" +
          process("react", "k*\n  2", "CO@a + O or empty@a.(0, np.int64(-1), 0).sc", "empty@a + empty@a.(0,-1)",
                  "enabled: False\ntof_count = {'CO2': 1, \"CO\": -.5,}\norientations = 4\n") +
          process("desorb", "k", "CO@a", "empty@a",
                  "otf_rate = base_rate*nr_CO_1nn\nbystanders = ['CO','O']@a.(1,0,0)|1nn"),
      "m.ini");
  EXPECT_EQ(model.name, "test");
  EXPECT_EQ(model.species, (std::vector<std::string>{"empty", "CO", "O"}));
  ASSERT_EQ(model.sites.size(), 1u);
  EXPECT_EQ(model.sites[0].name, "a");
  EXPECT_THAT(model.sites[0].position, ::testing::ElementsAre(0.5, 0.25, 0.125));
  EXPECT_EQ(model.sites[0].species, 0u);
  EXPECT_EQ(model.cell[0][0], 3.5);
  EXPECT_EQ(model.cell[1][1], 3.5);
  EXPECT_EQ(model.cell[2][2], 10);
  ASSERT_EQ(model.parameters.size(), 1u);
  EXPECT_TRUE(model.parameters[0].adjustable);
  ASSERT_EQ(model.processes.size(), 2u);
  const Process& react = model.processes[0];
  EXPECT_EQ(react.rate_constant.text, "k* 2");
  EXPECT_EQ(react.conditions, (std::vector<Condition>{{{0, 0, 0}, 2}, {{0, -1, 0}, 5}}));
  EXPECT_EQ(react.actions, (std::vector<Action>{{{0, 0, 0}, 0}, {{0, -1, 0}, 0}}));
  EXPECT_FALSE(react.enabled);
  EXPECT_EQ(react.tof_count, (TurnoverCounts{{"CO2", 1}, {"CO", -0.5}}));
  EXPECT_EQ(react.orientations, 4);
  EXPECT_EQ(model.processes[1].bystanders, (std::vector<Bystander>{{{1, 0, 0}, 6, "1nn"}}));
  EXPECT_EQ(model.processes[1].otf_rate.text, "base_rate*nr_CO_1nn");
}

std::string about(const std::string& text) {
  return complaint([&] { read_model(text, "m.ini"); });
}
std::string about_process(const std::string& conditions, const std::string& actions, const std::string& more = "") {
  return about(square_lattice() + process("p", "k", conditions, actions, more));
}

TEST(ModelFile, ReportsWrongProcessesWithLineAndRemedy) {
  EXPECT_EQ(about_process("NO@a", "CO@a"),
            "m.ini line 29: species 'NO' is not defined; valid species are empty, CO and O");
  EXPECT_EQ(about_process("CO@b", "CO@a"), "m.ini line 29: site 'b' is not defined; valid sites are a");
  EXPECT_EQ(about_process("CO@a + O@a", "CO@a"), "m.ini line 29: 'O@a': this site is already given");
  EXPECT_EQ(about_process("CO@a + CO@a", "CO@a"), "m.ini line 29: 'CO@a': this site is already given");
  EXPECT_EQ(about_process("CO@a", "CO@a + O@a.(1,0,0)"),
            "m.ini line 30: actions of p: O@a: this site has no condition; add its species before the process to "
            "`conditions`");
  EXPECT_EQ(about_process("CO@a", "CO@a + O@a"), "m.ini line 30: 'O@a': this site is already given");
  EXPECT_EQ(about_process("$CO@a", "CO@a"),
            "m.ini line 29: '$CO': only `actions` of a process create (^) or remove ($) sites");
  EXPECT_EQ(
      about_process("CO@a.(0,0,1)", "CO@a"),
      "m.ini line 29: 'a.(0,0,1)': dz must be 0, because the lattice has two dimensions; define sites above or below "
      "as sites of the unit cell, or of another layer, or model_dimension = 3");
  EXPECT_EQ(about_process("CO@a.(0.5,0,0)", "CO@a"),
            "m.ini line 29: 'a.(0.5,0,0)': must have an offset (dx, dy, 0) in whole numbers of unit cells");
  EXPECT_EQ(about_process("CO@a.(0,0,0).top", "CO@a"), "m.ini line 29: 'a.(0,0,0).top': must be site.(dx, dy, 0).sc");
  EXPECT_EQ(about_process("CO", "CO@a"), "m.ini line 29: 'CO': must be Species@site or Species@site.(dx, dy, 0)");
  EXPECT_EQ(about_process("CO@a", "O@a", "enabled = maybe"), "m.ini line 31: enabled = maybe: must be True or False");
  EXPECT_EQ(about_process("CO@a", "O@a", "orientations = 5"),
            "m.ini line 31: orientations = 5: must be 1, 2, 3, 4 or 6 (rotations by 360 degrees divided by it), or 8 "
            "or 12 (4 or 6, "
            "and mirrored)");
  EXPECT_EQ(about_process("CO@a", "O@a", "rate = 3"),
            "m.ini line 31: 'rate' is not a key of [Process p]; valid keys are rate_constant, otf_rate, energy, "
            "conditions, actions, "
            "bystanders, enabled, tof_count, orientations and step");
  EXPECT_EQ(about_process("CO@a", "O@a", "bystanders = ['CO']@a|x"),
            "m.ini line 31: bystanders of p: a.(0, 0, 0): this site already has a condition");
  EXPECT_EQ(about_process("CO@a", "O@a", "bystanders = ['CO']@a.(1,0,0)"),
            "m.ini line 31: '['CO']@a.(1,0,0)': must be ['Species', ...]@site.(dx, dy, 0)|flag");
  for (const std::string counts : {"CO2", "{'CO2'}", "{'CO2': x}", "{'CO2': 1, 'CO2': 2}", "{'CO2': 1"})
    EXPECT_EQ(about_process("CO@a", "O@a", "tof_count = " + counts),
              "m.ini line 31: tof_count = " + counts +
                  ": must be {'NAME': 1, ...}, with what an event adds to each turnover");
  EXPECT_EQ(about(square_lattice() + "[Process p]\nrate_constant = 1\nconditions = CO@a\n"),
            "m.ini line 27: [Process p]: needs `actions = ...`");
}

TEST(ModelFile, RefusesCommentsBehindValues) {
  const std::string own = "': a comment needs a line of its own";
  for (const std::string& comment : {std::string("; per second"), std::string("# per second"), std::string("#")}) {
    EXPECT_EQ(about_process("CO@a", "O@a", "enabled = True " + comment), "m.ini line 31: '" + comment + own);
    EXPECT_EQ(about("[Meta] " + comment + "\n"), "m.ini line 1: '" + comment + own);
    std::string text = square_lattice();
    text.insert(text.find("\nadjustable"), "\t" + comment);
    EXPECT_EQ(about(text), "m.ini line 17: '" + comment + own);
    text = square_lattice();
    text.insert(text.find("#ffffff") + 7, " " + comment);
    EXPECT_EQ(about(text), "m.ini line 9: '" + comment + own);
  }
  std::string text = square_lattice();
  text.replace(text.find("default_species; tag"), 20, "upper row");
  EXPECT_EQ(about(text),
            "m.ini line 25: species 'upper row' is not defined; valid species are empty, CO and O; a comment needs a "
            "line of its own");
  text = square_lattice() + process("p", "k", "empty@a", "CO@a");
  text.insert(text.find("\nmodel_dimension"), "\nauthor = A # B ; C");
  EXPECT_EQ(read_model(text, "m.ini").processes.size(), 1u);
}

TEST(ModelFile, RefusesAProcessWhoseActionsChangeNothing) {
  EXPECT_EQ(about_process("CO@a + O@a.(1,0,0)", "O@a.(1,0,0) + CO@a"),
            "m.ini line 30: actions of p: change nothing; must name a species other than that of the condition, on one "
            "site at least");
  for (const auto& [conditions, actions] :
       {std::pair("CO or O@a", "CO@a"), std::pair("CO@a + O@a.(1,0,0)", "CO@a + CO@a.(1,0,0)")})
    EXPECT_EQ(read_model(square_lattice() + process("p", "k", conditions, actions), "m.ini").processes.size(), 1u);
}

TEST(ModelFile, ReportsIgnoredKeys) {
  const ModelFile model = read_model(
      square_lattice() + "[Parameter T]\nvalue = 1\nunit = K\n" + process("p", "k", "CO@a", "empty@a", "colour = red"),
      "m.ini");
  EXPECT_EQ(model.ignored, (std::vector<std::string>{"unit (line 29)", "colour (line 34)"}));
}

TEST(ModelFile, HasAUnitOfTimeOrSeconds) {
  const auto with = [](const std::string& key) {
    std::string text = square_lattice() + process("p", "k", "CO@a", "empty@a");
    return text.insert(text.find("model_name"), key + "\n");
  };
  EXPECT_EQ(read_model(with(""), "m.ini").time_unit, "s");
  for (const std::string unit : {"1/lam", "ms", "1/k_0"})
    EXPECT_EQ(read_model(with("time_unit = " + unit), "m.ini").time_unit, unit);
  EXPECT_EQ(read_model(with("time_unit = none"), "m.ini").time_unit, "");
  for (const std::string wrong : {"", "1/", "1/2", "2 s", "1/k/t"})
    EXPECT_EQ(about(with("time_unit = " + wrong)), "m.ini line 2: time_unit = " + wrong +
                                                       ": must be a unit such as s, one over that of the rates such "
                                                       "as 1/k_0, or none");
  EXPECT_EQ(about(with("time_units = s")),
            "m.ini line 2: 'time_units' is not a key of [Meta]; valid keys are model_name, model_dimension, "
            "time_unit, author, email and debug");
}

TEST(ModelFile, ReportsWrongSectionsWithLineAndRemedy) {
  EXPECT_EQ(about(square_lattice()),
            "m.ini line 24: no process defined; add [Process NAME] with rate_constant, conditions and actions");
  EXPECT_EQ(about("k = 3\n"), "m.ini line 1: k: a section such as [Meta] must come first");
  EXPECT_EQ(about("[Meta\n"), "m.ini line 1: '[Meta': must end with ']'");
  EXPECT_EQ(about("[Meta]\nnothing\n"), "m.ini line 2: 'nothing': must be `key = value` or [SECTION]");
  EXPECT_EQ(about("[Meta]\na = 1\na = 2\n"), "m.ini line 3: a: is already given in line 2");
  EXPECT_EQ(about("[Meta]\n[Meta]\n"), "m.ini line 2: [Meta]: is already given in line 1");
  EXPECT_EQ(about("[Process]\n"), "m.ini line 1: [Process]: has no name; must be [Process NAME]");
  EXPECT_THAT(about("[Prozess x]\n"),
              ::testing::HasSubstr("m.ini line 1: [Prozess] is not a section; valid sections are [Meta]"));
  EXPECT_THAT(about("[Meta]\n#@ for i in range(4):\n"), ::testing::HasSubstr("m.ini line 2: lines that begin with #@"));
  EXPECT_EQ(
      about(std::string("[Lattice]\ndefault_layer = third\n[Layer first]\n[Layer second]\n[Species a]\n[Species b]")),
      "m.ini line 2: default_layer = third: must be first or second");
  std::string text = square_lattice();
  text.replace(text.find("site a ="), 8, "site a/b =");
  for (const std::string& named : {std::string("[Species a/b]\n"), text, square_lattice() + "[Process a/b]\n",
                                   square_lattice() + process("p", "k", "CO@a", "O@a", "tof_count = {'a/b': 1}")})
    EXPECT_THAT(about(named),
                ::testing::EndsWith("'a/b': names of observables are made of it; it must not contain '/'"));
  text = square_lattice();
  text.replace(text.find("model_dimension = 2"), 19, "model_dimension = 4");
  EXPECT_EQ(about(text), "m.ini line 3: model_dimension = 4: must be 1, 2 or 3");
  for (const std::string cell : {"1 2", "1 0 0 2 0 0 0 0 1", "a b c", ""})
    EXPECT_EQ(about("[Species a]\n[Species b]\n[Lattice]\ncell_size = " + cell + "\n"),
              "m.ini line 4: cell_size: must be three lengths, or x, y and z of three sides, the second "
              "counterclockwise from the first");
}

TEST(ModelFile, HasTheSitesOfAllLayersWhichEventsCreateAndRemove) {
  const auto layered = [](const std::string& more = "") {
    return square_lattice() + "[Layer top]\nsite a = (0.5, 0.5, 0.9)\nsite b = (0, 0, 0.9); CO\n" +
           process("grow", "1", "CO@a", "$CO@a + ^O@a.(0,0,0).top + ^empty@b.(0,0,0).top") +
           process("hop", "2", "O@a.(0,0,0).top + empty@b.(1,0,0).top", "empty@a.(0,0,0).top + O@b.(1,0,0).top") +
           process("back", "3", "O@a.(0,0,0).top", "$O@a.(0,0,0).top + $empty@b.(0,0,0).top + ^empty@a.(0,0,0).sc") +
           process("up", "4", "empty@a", "CO@a") + more;
  };
  std::string text = square_lattice();
  text.replace(text.find("site a = "), 6, "site a_sc");
  text +=
      "site a_top = (0.5, 0.5, 0.9); null_species\nsite b_top = (0, 0, 0.9); null_species\n[Species null_species]\n" +
      process("grow", "1", "CO@a_sc + null_species@a_top + null_species@b_top",
              "null_species@a_sc + O@a_top + empty@b_top") +
      process("hop", "2", "O@a_top + empty@b_top.(1,0,0)", "empty@a_top + O@b_top.(1,0,0)") +
      process("back", "3", "O@a_top + empty@b_top + null_species@a_sc",
              "null_species@a_top + null_species@b_top + empty@a_sc") +
      process("up", "4", "empty@a_sc", "CO@a_sc");
  const auto of = [](const std::string& one) {
    const ModelFile model = read_model(one, "m.ini");
    return description(model, compile(model, {}));
  };
  EXPECT_EQ(of(layered()), of(text));
  EXPECT_THAT(about(layered(process("p", "1", "CO@b", "O@b"))), ::testing::HasSubstr("site 'b_sc' is not defined"));
  EXPECT_THAT(about(layered(process("p", "1", "CO@a.(0,0,0).low", "O@a"))),
              ::testing::HasSubstr("must be site.(dx, dy, 0).sc or top"));
  // Without such events sites of all layers exist from the start.
  const ModelFile both = read_model(square_lattice() + "[Layer top]\nsite b = (0, 0, 0.9); CO\n" +
                                        process("p", "1", "CO@b.(0,0,0).top + empty@a", "O@b.(0,0,0).top + empty@a"),
                                    "m.ini");
  EXPECT_EQ(both.sites[1].species, 1u);
  EXPECT_EQ(both.species.size(), 3u);
}

}  // namespace
}  // namespace tessera::processes
