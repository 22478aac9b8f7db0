// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tessera/io/input_file.hpp>

#include "options/text.hpp"
#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/dataset_bytes.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

using ::testing::Gt;
using ::testing::Lt;

/// A model with a parameter, a comment and everything that a line of an input file has a meaning for.
std::string adsorption() {
  return square_lattice() + "# k; a comment\n" + process("up", "k", "empty@a", "CO@a") +
         process("down", "1", "CO@a", "empty@a", "tof_count = {'CO': 1}\n");
}

const Words model_run = "kmc --processes m.ini --size 64 --quiet"_words + on_host;

double measured(const std::filesystem::path& file, const std::string& name) {
  return InputFile(file).read<double>("/observables/" + name + "/value").back();
}

class Processes : public InFolder {};

TEST_F(Processes, UseTheValuesOfSet) {
  folder.write("m.ini", adsorption());
  complete_run(folder, model_run + "--until-time 10 --output a.h5"_words);
  complete_run(folder, model_run + "--until-time 10 --set k=0.25 --output b.h5"_words);
  // Six standard deviations.
  EXPECT_NEAR(measured(folder / "a.h5", "coverage_CO"), 2.5 / 3.5, 0.043);
  EXPECT_NEAR(measured(folder / "b.h5", "coverage_CO"), 0.2, 0.038);
  EXPECT_EQ(measured(folder / "b.h5", "coverage_CO") + measured(folder / "b.h5", "coverage_empty"), 1);
  EXPECT_EQ(measured(folder / "b.h5", "events") - 2 * measured(folder / "b.h5", "turnover_CO"),
            4096 * measured(folder / "b.h5", "coverage_CO"));
}

TEST_F(Processes, HaveRatesOfEventsAndTurnoversPerUnitCell) {
  folder.write("m.ini", adsorption());
  ASSERT_EQ(run_tessera(folder, model_run + "--until-time 4 --measure-every 0.125 --average-from 0 --output a.h5"_words)
                .status,
            0);
  const InputFile file(folder / "a.h5");
  for (const std::string name : {"events_up", "events_down", "turnover_CO"}) {
    const auto count = file.read<double>("/observables/" + name + "/value");
    ASSERT_GT(count.back(), 1000);
    EXPECT_NEAR(file.read<double>("/averages/observables/" + name + "_rate/mean").at(0), count.back() / 4 / 4096, 1e-12)
        << name;
  }
}

TEST_F(Processes, HaveTimesInTheUnitOfTheFile) {
  const Words call =
      "kmc --processes m.ini --size 16 --until-time 4 --measure-every 0.0625 --average-from 2"_words + on_host;
  for (const auto& [unit, time, rate] : {std::tuple("1/lam", "4/lam", "lam"), {"none", "4", ""}, {"h", "4 h", "1/h"}}) {
    std::string text = adsorption();
    folder.write("m.ini", text.insert(text.find("model_name"), "time_unit = " + std::string(unit) + "\n"));
    for (const std::string method : {"tile", "waiting-time", "bkl"}) {
      const Words run = call + Words{"--method", method};
      EXPECT_THAT(run_tessera(folder, run + "--dry-run --output dry.h5"_words).out,
                  HasSubstr(std::string(", to time ") + time + "\n"));
      const auto summary = complete_run(folder, run + "--overwrite"_words).out;
      EXPECT_THAT(summary, AllOf(HasSubstr(std::string("\ntime ") + time + ", "),
                                 HasSubstr(std::string(" after time 2") + (time + 1) + "\n")));
      EXPECT_THAT(summary, ::testing::ContainsRegex("\n  turnover_CO_rate [^\n]*[0-9]" +
                                                    (*rate == 0 ? std::string() : " " + std::string(rate)) + "\n"));
      const InputFile file(folder / "kmc.h5");
      const std::string times = unit == std::string("none") ? "" : unit;
      EXPECT_EQ(file.unit("/observables/events/time"), times);
      EXPECT_EQ(file.unit("/averages/from"), times);
      EXPECT_EQ(file.unit("/averages/observables/events_up_rate/mean"), rate);
    }
  }
}

/// Many pairs of slow processes that change CO to CO by way of O, besides those of adsorption().
std::string many_pairs() {
  std::string text = adsorption();
  for (int i = 10; i < 30; ++i)
    text += process("on" + std::to_string(i), "0.02", "empty@a", "O@a") +
            process("off" + std::to_string(i), "0.02", "O@a", "empty@a");
  return text + process("hop", "20", "CO@a + empty@a.(1, 0, 0)", "empty@a + CO@a.(1, 0, 0)", "orientations = 4\n");
}

// Their numbers and balances; the rarest ones together, and without their rates.
TEST_F(Processes, AreListedByTheirNumbersOfEvents) {
  folder.write("m.ini", many_pairs());
  const Words call =
      "kmc --processes m.ini --size 64 --until-time 4 --measure-every 0.125 --average-from 0"_words + on_host;
  const auto text = complete_run(folder, call);
  EXPECT_THAT(text.out, ::testing::ContainsRegex("\nevents of processes +number +fraction +balance\n"
                                                 "  hop +[0-9.e+]+ +[0-9.]+ %\n"
                                                 "  up, down +[0-9.e+]+ +[0-9.]+ % +[0-9.e-]+\n"
                                                 "  on[12][0-9], off[12][0-9] +[0-9]+ +[0-9.]+ % +[0-9.e-]+\n"));
  EXPECT_THAT(text.out, ::testing::ContainsRegex("\n  6 others +[0-9.]+ +[0-9.]+ %\n"));
  for (const std::string shown : {"\n  events_hop_rate ", "\n  events_down_rate "})
    EXPECT_THAT(text.out, HasSubstr(shown));
  EXPECT_THAT(text.out, Not(HasSubstr("\n  events_hop ")));
  std::size_t rates = 0;
  for (int i = 10; i < 30; ++i)
    rates += text.out.find("\n  events_on" + std::to_string(i) + "_rate ") == std::string::npos ? 0 : 1;
  EXPECT_EQ(rates, 14u);
  const auto json = run_tessera(folder, call + "--json --overwrite"_words);
  const auto number = [&](const std::string& process, const std::string& key) {
    const auto at =
        json.out.find("\"" + key + "\": ", json.out.find("\"" + process + "\": {", json.out.find("\"processes\"")));
    return std::stod(json.out.substr(at + key.size() + 4));
  };
  const auto counted = [&](const std::string& process) { return measured(folder / "kmc.h5", "events_" + process); };
  const double up = counted("up"), down = counted("down");
  EXPECT_EQ(number("up", "events"), up + down);
  EXPECT_NEAR(number("up", "balance"), (up - down) / (up + down), 1e-9);
  EXPECT_NEAR(number("hop", "fraction"), counted("hop") / measured(folder / "kmc.h5", "events"), 1e-9);
  EXPECT_THAT(
      InputFile(folder / "kmc.h5").text("/provenance/model"),
      AllOf(HasSubstr("\"process down: CO@a -> empty@a, rate 1, reverse of up, 1 for turnover_CO\""),
            HasSubstr("\"process hop: CO@a + empty@a.(1,0) -> empty@a + CO@a.(1,0), rate 20, 4 orientations\"")));
}

TEST_F(Processes, KeepTheFactorsOfScaledProcessesInARestart) {
  folder.write("m.ini", many_pairs());
  const Words scaled = "--scale-processes hop=0.1 --scale-processes up=0.5"_words;
  const Words part = model_run + scaled + "--until-time 1 --output part.h5"_words;
  complete_run(folder, part);
  complete_run(folder, model_run + scaled + "--until-time 2 --output whole.h5"_words);
  complete_run(folder, model_run + "--until-time 2 --output fast.h5"_words);
  EXPECT_GT(measured(folder / "fast.h5", "events_hop"), 5 * measured(folder / "whole.h5", "events_hop"));
  EXPECT_THAT(InputFile(folder / "part.h5").text("/provenance/input"),
              HasSubstr("\nscale-processes = hop=0.1,up=0.5\n"));
  EXPECT_THAT(InputFile(folder / "part.h5").text("/provenance/model"),
              HasSubstr(", rate 1, multiplied by 0.5, reverse of up"));
  const auto refused = run_tessera(folder, "kmc --restart part.h5 --scale-processes hop=1"_words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("--scale-processes hop=1: the run in part.h5 has scale-processes = hop=0.1,up=0.5"));
  Words restart = "kmc --restart part.h5 --until-time 2"_words + on_host;
  const auto result = complete_run(folder, restart);
  EXPECT_THAT(result.out + result.err, HasSubstr("test, rates scaled: hop by 0.1, up by 0.5, 64 x 64"));
  EXPECT_EQ(dataset_bytes(InputFile(folder / "part.h5"), "/checkpoint/stream"),
            dataset_bytes(InputFile(folder / "whole.h5"), "/checkpoint/stream"));
}

TEST_F(Processes, OfChainsAreRunInRows) {
  folder.write("m.ini", adsorption());
  const auto with = [&](const std::string& size) {
    return run_tessera(folder, {"kmc", "--processes", "m.ini", "--size", size, "--until-time", "0.1", "--quiet"});
  };
  for (const std::string one : {"64,1", "1,64"})
    EXPECT_THAT(with(one).err, HasSubstr("--size " + one +
                                         ": both sides must be larger than 1; rows without processes along y are "
                                         "independent chains: use --size 64,16 for 16 of them"));
  EXPECT_EQ(with("64,16").status, 0);
}

// The output has the model and the values: a restart needs no file.
TEST_F(Processes, ContinueWithoutTheirFile) {
  folder.write("m.ini", adsorption());
  const Words set = model_run + "--set k=0.5 --measure-every 0.25"_words;
  complete_run(folder, set + "--until-time 2 --output whole.h5"_words);
  complete_run(folder, set + "--until-time 1 --output part.h5"_words);
  std::filesystem::remove(folder / "m.ini");
  const Words restart = "kmc --restart part.h5 --until-time 2 --quiet"_words;
  complete_run(folder, restart);
  for (const std::string dataset :
       {"/observables/coverage_CO/value", "/observables/turnover_CO/value", "/observables/events_up/value",
        "/checkpoint/state", "/checkpoint/waiting_time", "/checkpoint/stream"})
    EXPECT_EQ(dataset_bytes(InputFile(folder / "part.h5"), dataset),
              dataset_bytes(InputFile(folder / "whole.h5"), dataset))
        << dataset;
  const std::string input = InputFile(folder / "part.h5").text("/provenance/input");
  EXPECT_THAT(input, HasSubstr("\nset = k=0.5\n"));
  EXPECT_THAT(InputFile(folder / "part.h5").text("/provenance/model"),
              HasSubstr("\"process up: empty@a -> CO@a, rate 0.5, reverse of down\""));
  for (const std::string of_models : {"\nmodel = ", "\nphi = ", "\ncoverage = "})
    EXPECT_THAT(input, Not(HasSubstr(of_models)));
  const auto refused = run_tessera(folder, "kmc --restart part.h5 --set k=1"_words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("--set k=1: the run in part.h5 has set = k=0.5, which a restart changes only with --change"));
}

TEST_F(Processes, ContinueWithAnEquivalentFileAndRefuseAnotherWithItsLine) {
  folder.write("m.ini", adsorption());
  complete_run(folder, model_run + "--until-time 1 --output part.h5"_words);
  const auto restarted = [&](const std::string& text, const std::string& stopping_time) {
    folder.write("m.ini", text);
    return run_tessera(
        folder, {"kmc", "--restart", "part.h5", "--processes", "m.ini", "--until-time", stopping_time, "--quiet"});
  };
  std::string same = "# another comment\n" + adsorption() + "\n; and a last one\n";
  same.replace(same.find("#ffffff"), 7, "#000000");
  same.replace(same.find("rate_constant = k"), 17, "rate_constant:  k");
  const auto went_on = restarted(same, "2");
  EXPECT_EQ(went_on.status, 0) << went_on.err;
  EXPECT_THAT(InputFile(folder / "part.h5").text("/checkpoint/input"), HasSubstr("another comment"));
  EXPECT_EQ(restarted(adsorption(), "3").status, 0) << "and with the file of the beginning";
  std::string other = adsorption();
  other.replace(other.find("rate_constant = k"), 17, "rate_constant = 2*k");
  const auto refused = restarted(other, "4");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "tessera: --processes m.ini: the run in part.h5 has 'rate_constant = k' where m.ini line 29 has "
            "'rate_constant = 2*k', which a restart cannot change\n");
  const std::string process = tessera::process("more", "1", "CO@a", "empty@a");
  EXPECT_THAT(restarted(adsorption() + process, "4").err,
              HasSubstr("has nothing where m.ini line 39 has '[Process more]'"));
  EXPECT_THAT(restarted(adsorption().substr(0, adsorption().find("[Process down]")), "4").err,
              HasSubstr("has '[Process down]' where m.ini ends"));
}

TEST_F(Processes, KeepTheirValuesInARestart) {
  const std::string two = adsorption() + "[Parameter j]\nvalue = 1\nadjustable = True\n";
  folder.write("m.ini", two);
  folder.write("k.ini", "set = k=0.5\nset = j=7\n");
  const Words call = model_run + "--config k.ini --set j=2 --until-time 1 --output a.h5"_words;
  complete_run(folder, call);
  EXPECT_THAT(InputFile(folder / "a.h5").text("/provenance/input"), HasSubstr("\nset = j=2,k=0.5\n"));
  const Words restart = "kmc --restart a.h5 --progress never"_words + on_host;
  complete_run(folder, restart + "--set j=2 --until-time 2"_words);
  const auto changed = complete_run(folder, restart + "--change --set j=3 --until-time 3"_words);
  EXPECT_THAT(changed.err, HasSubstr("tessera: set is j=3,k=0.5 from time 2 on, and was j=2,k=0.5\n"));
}

// The output has the text of all files, whose names are relative to each other, not to the working directory.
TEST_F(Processes, ContinueWithoutIncludedFiles) {
  std::filesystem::create_directory(folder / "models");
  folder.write("models/lattice.ini", square_lattice());
  folder.write("models/m.ini", "include = lattice.ini\n" + adsorption().substr(square_lattice().size()));
  Words apart = model_run;
  apart[2] = "models/m.ini";
  complete_run(folder, apart + "--until-time 1 --output part.h5"_words);
  std::filesystem::remove_all(folder / "models");
  complete_run(folder, "kmc --restart part.h5 --until-time 2 --quiet"_words);
  folder.write("m.ini", adsorption());
  complete_run(folder, model_run + "--until-time 2 --output whole.h5"_words);
  EXPECT_EQ(dataset_bytes(InputFile(folder / "part.h5"), "/checkpoint/stream"),
            dataset_bytes(InputFile(folder / "whole.h5"), "/checkpoint/stream"));
}

// Times of 100 events per site at 450 and 650 K are 0.028 and 4e-7 s; the surface is full after 1e-9 s and 1.5 events.
TEST_F(Processes, AreMeasuredAtIntervalsOfEvents) {
  for (const char* temperature : {"T=450", "T=650"}) {
    SCOPED_TRACE(temperature);
    const Words all{"kmc",
                    "--processes",
                    TESSERA_MODEL_FILES "/co_oxidation_ruo2.ini",
                    "--set",
                    temperature,
                    "--size",
                    "16",
                    "--until-events-per-site",
                    "100",
                    "--quiet",
                    "--overwrite"};
    const auto content = [&](const Words& more) {
      complete_run(folder, all + more + "--output a.h5"_words);
      const InputFile file(folder / "a.h5");
      return std::pair(file.read<double>("/observables/events/time"), file.read<double>("/observables/events/value"));
    };
    const Words by_events = "--measure-every-events 2"_words;
    const auto rows = content(by_events + "--method waiting-time"_words);
    const auto& times = rows.first;
    EXPECT_THAT(times, SizeIs(AllOf(Gt(15), Lt(80))));
    EXPECT_EQ(content({"--measure-every", tessera::program::write_value(times.at(1)), "--method", "waiting-time"}),
              rows);
    EXPECT_EQ(content(by_events + on_host), rows);
    EXPECT_EQ(content(by_events + "--tile 8 --step-control reject"_words + on_host), rows);
  }
}

TEST_F(Processes, ArePrintedByADryRunAsAnInputFile) {
  folder.write("m.ini", adsorption());
  const Words call = model_run + "--until-time 1 --set k=0.5"_words;
  const auto dry = complete_run(folder, call + Words{"--dry-run"});
  for (const std::string line : {"# species empty: #ffffff\n# site a: empty, CO\n", "# parameter k = 0.5, adjustable\n",
                                 "# process up: empty@a -> CO@a, rate 0.5, reverse of down\n",
                                 "# process down: CO@a -> empty@a, rate 1, reverse of up, 1 for turnover_CO\n",
                                 "# 2 states of a unit cell, 2 neighbourhoods, 3 outcomes: tables of "})
    EXPECT_THAT(dry.out, HasSubstr(line));
  EXPECT_THAT(run_tessera(folder, call + Words{"--help"}).out,
              HasSubstr("\nAdjustable parameters, for --set:\n  k = 0.5\nObservables:\n  coverage_empty"));
  folder.write("dry.ini", dry.out);
  std::filesystem::remove(folder / "m.ini");
  complete_run(folder, "kmc --config dry.ini --quiet"_words + on_host);
  folder.write("m.ini", adsorption());
  complete_run(folder, call);
  EXPECT_EQ(dataset_bytes(InputFile(folder / "dry.h5"), "/checkpoint/stream"),
            dataset_bytes(InputFile(folder / "kmc.h5"), "/checkpoint/stream"));
}

TEST_F(Processes, AreSweptOverAParameter) {
  if (std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null") != 0)
    GTEST_SKIP() << "this machine has no Python 3.9 or newer";
  setenv("TESSERA_PLOT", "true", 1);  // pictures are tested in Python
  folder.write("m.ini", adsorption());
  const Words sweep =
      "sweep kmc --processes m.ini --set k=0.5:2:2 --size 32 --until-time 1 --same-seed"_words + on_host;
  auto result = run_tessera(folder, sweep);
  ASSERT_EQ(result.status, 0) << result.err;
  ASSERT_EQ(run_tessera(folder, model_run + "--size 32 --until-time 1 --set k=2"_words).status, 2);
  Words alone = model_run + "--until-time 1 --set k=2"_words;
  alone[4] = "32";
  complete_run(folder, alone);
  EXPECT_EQ(measured(folder / "kmc_sweep/points/k=2.h5", "coverage_CO"), measured(folder / "kmc.h5", "coverage_CO"));
  result = run_tessera(folder, sweep);  // goes on: all is there
  EXPECT_EQ(result.status, 0) << result.err;
  // Fixed values and ranges in any order, several --set, and several model files.
  folder.write("n.ini", adsorption() + "[Parameter j]\nvalue = 1\nadjustable = True\n");
  folder.write("o.ini", "# another one\n" + zgb() + "[Parameter j]\nvalue = 1\nadjustable = True\n");
  const Words grid =
      "sweep kmc --processes n.ini --processes ./o.ini --set k=0.5,j=1:2:2 --size 32 --until-time 1 --folder "
      "several"_words +
      on_host;
  result = run_tessera(folder, grid);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("4 points: processes (2) x j (2)"));
  for (const std::string name :
       {"processes=n.ini_j=1", "processes=n.ini_j=2", "processes=o.ini_j=1", "processes=o.ini_j=2"})
    EXPECT_THAT(InputFile(folder / "several/points" / (name + ".h5")).text("/provenance/input"),
                HasSubstr("\nset = j=" + name.substr(name.size() - 1) + ",k=0.5\n"));
  EXPECT_THAT(tessera::testing::read_file(folder / "several/table.csv"), HasSubstr("\nn.ini,1,processes=n.ini_j=1,1,"));
  result = run_tessera(folder, "sweep --table several"_words);
  EXPECT_THAT(result.out, HasSubstr("\n  o.ini      2  ")) << result.err;
  result = run_tessera(folder, grid);
  EXPECT_THAT(result.err, HasSubstr("4 done before"));
  folder.write("n.ini", adsorption() + "[Parameter j]\nvalue = 2\nadjustable = True\n");
  result = run_tessera(folder, grid);
  EXPECT_THAT(result.err, HasSubstr("--folder several: has a sweep with processes = n.ini;o.ini; use these values"));
}

TEST_F(Processes, InXmlRunAndContinue) {
  const auto with_rate = [](const std::string& rate) {
    const std::string at = " coord_layer='sc' coord_name='a' coord_offset='0 0 0'/>";
    return "<?xml version='1.0'?>\n<kmc version='(0, 3)'><species_list default_species='empty'><species name='empty'/>"
           "<species name='CO'/></species_list>\n<lattice cell_size='1 1 1'><layer name='sc'>"
           "<site type='a' pos='0.5 0.5 0.5'/></layer></lattice>\n"
           "<process_list><process name='up' rate_constant='" +
           rate + "'><condition species='empty'" + at + "<action species='CO'" + at +
           "</process></process_list></kmc>\n";
  };
  const auto run_to = [&](const Words& start, const std::string& time) {
    return run_tessera(folder, Words{"kmc"} + start +
                                   Words{"--processes", "m.xml", "--until-time", time, "--output", "a.h5", "--quiet"});
  };
  folder.write("m.xml", with_rate("0.5"));
  ASSERT_EQ(run_to({"--size", "64"}, "1").status, 0);
  EXPECT_NEAR(measured(folder / "a.h5", "coverage_CO"), 1 - std::exp(-0.5), 0.046);  // six standard deviations
  EXPECT_EQ(run_to({"--restart", "a.h5"}, "2").status, 0);
  folder.write("m.xml", with_rate("2"));
  EXPECT_THAT(run_to({"--restart", "a.h5"}, "3").err,
              HasSubstr("has 'rate_constant = 0.5' where m.xml line 4 has 'rate_constant = 2'"));
}

TEST_F(Processes, StartFromAListOfSpeciesAndContinueWithoutIt) {
  std::string text = adsorption() + process("away", "1e-9", "O@a", "empty@a");
  text.replace(text.find("site a = (0.5, 0.5, 0.5)"), 24, "site a = (0.5, 0.5, 0.5)\nsite b = (0, 0, 0)");
  folder.write("m.ini", text + process("b_on", "1e-9", "empty@b", "CO@b"));
  std::string names = "# CO on b above, O on a below\n";
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) names += std::string(y < 3 ? "empty/CO" : "O/empty") + (x < 7 ? ", " : "\n");
  folder.write("s.txt", names);
  const Words run_8{"kmc",   "--processes", "m.ini", "--size",  "8",           "--start",
                    "s.txt", "--output",    "a.h5",  "--quiet", "--until-time"};
  const auto started = run_tessera(folder, run_8 + Words{"1e-6"});
  ASSERT_EQ(started.status, 0) << started.err;
  const auto first = [&](const std::string& name) {
    return InputFile(folder / "a.h5").read<double>("/observables/coverage_" + name + "/value").front();
  };
  EXPECT_EQ(first("CO_b"), 0.375);
  EXPECT_EQ(first("O_a"), 0.625);
  EXPECT_EQ(first("empty_a"), 0.375);
  std::filesystem::remove(folder / "s.txt");
  const auto went_on = run_tessera(folder, {"kmc", "--restart", "a.h5", "--until-time", "2e-6", "--quiet"});
  EXPECT_EQ(went_on.status, 0) << went_on.err;
  EXPECT_EQ(measured(folder / "a.h5", "coverage_O_a"), 0.625);
  folder.write("s.txt", "CO/NO O/CO\n");
  const Words two{"kmc", "--processes", "m.ini", "--size", "4", "--start", "s.txt", "--until-time", "1"};
  EXPECT_THAT(run_tessera(folder, two).err,
              HasSubstr("line 1: 'CO/NO': must be a species for site b of each cell; valid are empty, CO"));
  folder.write("s.txt", "CO\n");
  EXPECT_THAT(run_tessera(folder, two).err, HasSubstr("'CO': must be a species for site b of each cell; valid are "));
  folder.write("s.txt", "CO/CO/CO\n");
  EXPECT_THAT(run_tessera(folder, two).err, HasSubstr("'CO/CO/CO': has more species than a unit cell has sites"));
}

TEST_F(Processes, WithoutAnyEventNameTheMissingSpecies) {
  std::string text = square_lattice();
  for (int i = 0; i < 48; ++i) text += process("p" + std::to_string(i), "1", i % 2 == 0 ? "CO@a" : "O@a", "empty@a");
  Words loud = model_run + Words{"--until-time", "1"};
  loud.erase(std::find(loud.begin(), loud.end(), "--quiet"));
  const auto told = [&](const std::string& model) {
    folder.write("m.ini", model);
    const std::string all = run_tessera(folder, loud + Words{"--overwrite"}).err;
    const auto begin = all.find("tessera: warning: ");
    return begin == std::string::npos ? "" : all.substr(begin, all.find('\n', begin) - begin);
  };
  EXPECT_EQ(told(text),
            "tessera: warning: --processes m.ini: no process can happen: at time 0 no site holds CO@a or O@a, which "
            "processes need; give sites these species by [Initial] or --start");
  EXPECT_EQ(
      told(text + process("up", "1", "empty@a", "CO@a")),
      "tessera: warning: --processes m.ini: processes p1 (line 32), p3 (line 42), p5 (line 52), p7 (line 62), p9 "
      "(line 72), p11 (line 82) and 18 others can never happen: no process produces the species of their conditions");
  EXPECT_EQ(told(text + "[Initial]\nCO@a = 0.5\nO@a = number 3\n"), "");
}

TEST_F(Processes, OfMoreThanAMegabyteRunAndContinue) {
  std::string text = adsorption(), rate = "0.01";
  for (int i = 0; i < 800; ++i) rate += " + 0";
  for (int i = 0; i < 400; ++i)
    text += process("process_" + std::to_string(i), rate, i % 2 == 0 ? "empty@a" : "CO@a",
                    i % 2 == 0 ? "CO@a" : "empty@a", "tof_count = {'gas_" + std::to_string(i % 38) + "': 1}\n");
  ASSERT_GT(text.size(), 1u << 20);
  folder.write("m.ini", text);
  complete_run(folder, model_run + "--until-time 1 --output a.h5"_words);
  complete_run(folder, "kmc --restart a.h5 --until-time 2 --quiet"_words);
  double turnovers = 0, events = 0;
  for (int i = 0; i < 38; ++i) turnovers += measured(folder / "a.h5", "turnover_gas_" + std::to_string(i));
  for (int i = 0; i < 400; ++i) events += measured(folder / "a.h5", "events_process_" + std::to_string(i));
  EXPECT_EQ(turnovers, events);
  EXPECT_NEAR(events, 2 * 2 * 4096, 6 * 128);  // a rate of 2 per site, whatever it holds
}

TEST_F(Processes, ThatCanNeverHappenAreReported) {
  folder.write("m.ini", adsorption() + process("never", "1", "O@a", "empty@a"));
  Words loud = model_run + "--until-time 1"_words;
  loud.erase(std::find(loud.begin(), loud.end(), "--quiet"));
  const auto result = complete_run(folder, loud);
  EXPECT_THAT(
      result.err,
      HasSubstr("tessera: warning: --processes m.ini: process never (line 39) can never happen: no process produces "
                "the species of its conditions\n"));
  folder.write("m.ini", adsorption());
  EXPECT_THAT(run_tessera(folder, loud + Words{"--overwrite"}).err, Not(HasSubstr("can never happen")));
  folder.write("m.ini", adsorption() + "[Parameter j]\nvalue = 1\nunit = K\n");
  EXPECT_THAT(run_tessera(folder, loud + Words{"--overwrite"}).err,
              HasSubstr("tessera: warning: --processes m.ini: unknown keys are ignored: unit (line 41)\n"));
}

}  // namespace
}  // namespace tessera::testing
