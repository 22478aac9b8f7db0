// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>
#include <unistd.h>

#include <sstream>
#include <tessera/core/version.hpp>
#include <tessera/io/input_file.hpp>

#include "machine/backend.hpp"
#include "machine/stop_signal.hpp"
#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

const Words short_run = "kmc --size 32 --until-time 2 --measure-every 0.5"_words + on_host;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Program : public InFolder {};

TEST_F(Program, HelpFitsAScreen) {
  const auto result = complete_run(folder, {"kmc", "--help"});
  EXPECT_LE(line_count(result.out), 50u);
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_THAT(result.out, HasSubstr("--until-events-per-site"));
  complete_run(folder, {"--help"});
}

TEST_F(Program, HelpListsOnlyTheOptionsOfTheChosenModel) {
  const auto help = [&](const Words& words) { return run_tessera(folder, words).out; };
  const std::string option_of_ising = "\n  --coupling K ", of_epitaxy = "\n  --flux F ";
  EXPECT_THAT(help({"kmc", "--help"}), AllOf(Not(HasSubstr(option_of_ising)), HasSubstr("\n  ising ")));
  EXPECT_THAT(help("kmc --model ising --help"_words), AllOf(HasSubstr(option_of_ising), Not(HasSubstr(of_epitaxy))));
  EXPECT_THAT(help("kmc --help all"_words), AllOf(HasSubstr(option_of_ising), HasSubstr(of_epitaxy)));
  EXPECT_THAT(help({"kmc", "--help"}), Not(HasSubstr("\n  --relax X ")));
  EXPECT_THAT(help("kmc --step-control repair --help"_words), HasSubstr("\n  --relax X "));
  EXPECT_THAT(help("kmc --step-control reject --help"_words), Not(HasSubstr("\n  --relax X ")));
  for (const std::string method : {"kmc", "kpz", "disks"})
    EXPECT_THAT(help({method, "--help"}), HasSubstr(std::string("\n  --change                      ") +
                                                    (method == "disks" ? "has no effect here\n" : "with")));
  EXPECT_THAT(help({"kmc", "--help"}), HasSubstr("--set sets its parameters"));
  const auto refused = run_tessera(folder, "kmc --model isinh --help"_words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--model isinh: must be one of sos|ising"));
}

TEST_F(Program, PrintsItsVersion) {
  const auto result = complete_run(folder, {"--version"});
  EXPECT_THAT(result.out, HasSubstr(tessera::version()));
}

TEST_F(Program, InfoListsTheBackends) {
  const auto result = complete_run(folder, {"info"});
  for (const auto backend : tessera::built_backends()) {
    EXPECT_THAT(result.out, HasSubstr("\n  " + tessera::program::backend_name(backend)));
  }
  EXPECT_EQ(result.err, "");
}

TEST_F(Program, WritesRowsFieldsAndProvenance) {
  const auto result = complete_run(folder, short_run);
  EXPECT_THAT(folder.names(), ElementsAre("kmc.h5"));
  EXPECT_THAT(result.out, HasSubstr("kmc.h5"));
  const InputFile file(folder / "kmc.h5");
  EXPECT_THAT(file.read<double>("/observables/roughness/time"), ElementsAre(0, 0.5, 1, 1.5, 2));
  EXPECT_EQ(file.shape("/fields/height/value"), (std::vector<std::size_t>{1, 32, 32}));
  EXPECT_EQ(file.text("/provenance/version"), tessera::version());
  EXPECT_EQ(file.text("/provenance/git_revision"), tessera::git_revision());
  EXPECT_THAT(file.text("/provenance/command_line"), HasSubstr(" kmc --size 32 --until-time 2 "));
  EXPECT_THAT(file.text("/provenance/input"), HasSubstr("\nsize = 32,32\n"));
  EXPECT_EQ(file.text("/provenance/seed"), "1");
  EXPECT_EQ(file.text("/provenance/backend"), host_backend);
  EXPECT_NE(file.text("/provenance/device"), "");
  EXPECT_EQ(file.text("/provenance/kokkos_version"), tessera::program::kokkos_version());
  EXPECT_THAT(file.text("/provenance/kokkos_configuration"),
              HasSubstr(std::string(host_backend) == "serial" ? "KOKKOS_ENABLE_SERIAL" : "KOKKOS_ENABLE_OPENMP"));
  EXPECT_THAT(file.text("/provenance/start"), ::testing::MatchesRegex("....-..-..T..:..:..Z"));
  EXPECT_THAT(file.text("/provenance/end"), ::testing::MatchesRegex("....-..-..T..:..:..Z"));
  EXPECT_GT(file.read<double>("/provenance/wall_seconds").at(0), 0);
}

TEST_F(Program, CommandLineOverridesTheInputFileWhichNamesTheOutput) {
  folder.write("growth.ini", std::string("size = 32\nuntil-time = 1 # short\nseed = 5\nquiet = true\nbackend = ") +
                                 host_backend + "\n");
  const auto result = complete_run(folder, "kmc --config growth.ini --seed 6"_words);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(folder.names(), ElementsAre("growth.h5", "growth.ini"));
  EXPECT_EQ(InputFile(folder / "growth.h5").text("/provenance/seed"), "6");
}

TEST_F(Program, JsonContainsOnlyTheSummary) {
  const auto result = complete_run(folder, with(short_run, {"--json", "--replicas", "3", "--output", "a b.h5"}));
  const auto tree = parsed(result.out);
  EXPECT_EQ(tree.get<std::string>("method"), "kmc");
  EXPECT_EQ(tree.get<std::string>("algorithm"), "tile");
  EXPECT_EQ(tree.get<std::string>("backend"), host_backend);
  EXPECT_EQ(tree.get<int>("seed"), 1);
  EXPECT_EQ(tree.get<double>("time"), 2);
  EXPECT_GT(tree.get<double>("wall_seconds"), 0);
  EXPECT_GT(tree.get<double>("rate"), 0);
  EXPECT_EQ(tree.get<std::string>("rate_unit"), "events/s");
  EXPECT_EQ(tree.get<std::string>("output"), "a b.h5");
  EXPECT_TRUE(tree.get<bool>("finished"));
  const InputFile file(folder / "a b.h5");
  EXPECT_EQ(tree.get<double>("observables.roughness"), file.read<double>("/observables/roughness/mean").back());
  EXPECT_EQ(tree.get<double>("observables.roughness_error"), file.read<double>("/observables/roughness/error").back());
  EXPECT_EQ(tree.count("observables"), 1u);
}

TEST_F(Program, StartReportNamesMachineAndSystem) {
  const auto start_of = [&](const Words& more) {
    const auto result = complete_run(folder, with(short_run, with({"--overwrite"}, more)));
    return result;
  };
  const auto told = start_of("--json --replicas 2"_words);
  std::istringstream lines(told.err);
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_THAT(first, ::testing::StartsWith(std::string("tessera ") + tessera::version() + " ("));
  EXPECT_THAT(first, HasSubstr(std::string(": ") + host_backend));
  EXPECT_THAT(second, ::testing::StartsWith("kmc (tile): solid-on-solid, phi = 1, 32 x 32, 2 replicas, seed 1; "));
  EXPECT_THAT(second, ::testing::EndsWith("iB, to time 2/k_2"));
  EXPECT_TRUE(parsed(told.out).get<bool>("finished"));
  EXPECT_THAT(start_of({"--until-events-per-site", "3"}).err, HasSubstr("to time 2/k_2 or 3072 events\n"));
  EXPECT_EQ(start_of({"--progress", "never"}).err, "");
}

TEST_F(Program, QuietPrintsNothing) {
  const auto result = complete_run(folder, with(short_run, {"--quiet"}));
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Program, ClosedStandardOutputIsHarmless) {
  Process::Options options;
  options.standard_output = false;
  complete_run(folder, with(short_run, {"--json"}), options);
  EXPECT_THAT(folder.names(), ElementsAre("kmc.h5"));
}

TEST_F(Program, KokkosWarningsAreNotInTheOutput) {
  Process::Options options;
  options.environment = {"OMP_NUM_THREADS=3"};
  for (const auto backend : tessera::built_backends()) {
    if (tessera::is_gpu(backend) && tessera::program::choose_backend("") != backend) continue;
    const auto result = complete_run(folder,
                                     {"kmc", "--size", "32", "--until-time", "1", "--overwrite", "--json", "--progress",
                                      "never", "--backend", tessera::program::backend_name(backend)},
                                     options);
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(Program, ReportsOptionsWithoutEffect) {
  const auto told = [&](const Words& words) {
    const auto result = complete_run(folder, with(words, "--progress never --overwrite"_words));
    return result.err;
  };
  EXPECT_EQ(told("kpz --size 256 --steps 3 --waiting-times 1,10"_words + on_host),
            "tessera: warning: --waiting-times 1,10: the run ends before the last of these times, when its "
            "autocorrelations begin\n");
  EXPECT_EQ(told("kpz --size 256 --steps 3 --measure-times 1,10"_words + on_host),
            "tessera: warning: --measure-times 1,10: the run ends before the last of these times\n");
  EXPECT_EQ(told(with(short_run, {"--device", "3"})),
            "tessera: warning: --device 3: has no effect; it requires --backend gpu\n");
  EXPECT_EQ(told("kmc --size 32 --until-time 1 --method bkl --threads 2"_words),
            "tessera: warning: --threads 2: has no effect: the run uses one core\n");
  EXPECT_EQ(told("kmc --size 32 --until-time 1 --measure-every 2"_words + on_host),
            "tessera: warning: --measure-every 2: is longer than the run\n");
  EXPECT_EQ(told("disks --particles 64 --sweeps 10 --equilibrate 10"_words + on_host),
            "tessera: warning: --equilibrate 10: the run ends before its first sample at sweep 210\n");
  EXPECT_EQ(told(with(short_run, "--device 3 --quiet"_words)), "");
  folder.write("growth.ini", "model = ising\nphi = 3\ncoupling = 0.4\nuntil-time = 0.1\nsize = 16\n");
  EXPECT_EQ(told("kmc --config growth.ini"_words + on_host),
            "tessera: warning: growth.ini line 2: phi = 3: has no effect; it requires --model sos\n");
}

TEST_F(Program, RecordedInputGivesTheSameRunWithoutMessages) {
  const Words ising = "--model ising --coupling 0.3"_words;
  complete_run(folder, with(short_run, ising));
  folder.write("again.ini", InputFile(folder / "kmc.h5").text("/provenance/input"));
  for (const Words& words : {"--config again.ini --output again.h5"_words, "--restart kmc.h5"_words}) {
    const auto result = complete_run(folder, with("kmc --json --progress never"_words, words));
    EXPECT_THAT(result.err, ::testing::Not(HasSubstr("effect")));
  }
  EXPECT_EQ(InputFile(folder / "again.h5").read<double>("/observables/energy/value"),
            InputFile(folder / "kmc.h5").read<double>("/observables/energy/value"));
}

TEST_F(Program, EqualRunsWriteEqualFiles) {
  for (const Words& run :
       {"kmc --size 512 --phi 3 --until-events-per-site 1 --record-steps"_words, "kpz --size 1024 --steps 20"_words,
        "disks --particles 4096 --sweeps 20 --replicas 2"_words}) {
    for (const char* name : {"a.h5", "b.h5"})
      complete_run(folder, with(run, {"--overwrite", "--quiet", "--output", name}));
    expect_same_content(folder / "a.h5", folder / "b.h5");
  }
}

TEST_F(Program, SequentialMethodHasTheTrajectoryOfTheTileMethod) {
  complete_run(folder, with(short_run, {"--output", "tile.h5"}));
  complete_run(folder, with(short_run, "--method waiting-time --output seq.h5"_words));
  for (const std::string dataset : {"/observables/roughness/value", "/checkpoint/waiting_time"}) {
    EXPECT_EQ(InputFile(folder / "tile.h5").read<double>(dataset), InputFile(folder / "seq.h5").read<double>(dataset));
  }
}

TEST_F(Program, LatticesThatNoTileDividesRunByWaitingTimes) {
  folder.write("far.ini",
               square_lattice() +
                   "[Parameter T]\nvalue = 500\n\n[Cluster pair]\nsites = CO@a + CO@a.(1,0,0)\nenergy = 0.1\n\n" +
                   process("up", "1", "empty@a", "CO@a", "energy = max(0, dE)\n"));
  for (const Words& run : {"--size 6,8"_words, "--size 10,11"_words, "--size 3 --processes far.ini"_words}) {
    const Words words = "kmc --until-time 1 --replicas 2 --quiet --overwrite --output"_words;
    complete_run(folder, words + Words{"chosen.h5"} + run);
    complete_run(folder, words + "given.h5 --method waiting-time"_words + run);
    EXPECT_EQ(InputFile(folder / "chosen.h5").read<double>("/checkpoint/waiting_time"),
              InputFile(folder / "given.h5").read<double>("/checkpoint/waiting_time"));
    complete_run(folder, "kmc --restart chosen.h5 --until-time 2 --quiet"_words);
  }
  const auto refused = run_tessera(folder, "kmc --size 6,8 --until-time 1 --record-steps"_words);
  EXPECT_THAT(refused.err, HasSubstr("no possible tile divides both sides"));
  EXPECT_THAT(refused.err, HasSubstr("or --method waiting-time"));
}

TEST_F(Program, RestartedRejectionFreeMethodEqualsTheUninterruptedRun) {
  const Words bkl = "kmc --size 32 --measure-every 0.5 --method bkl --quiet"_words;
  complete_run(folder, with(bkl, "--output whole.h5 --until-time 4"_words));
  complete_run(folder, with(bkl, "--output part.h5 --until-time 2"_words));
  const auto result = complete_run(folder, "kmc --restart part.h5 --until-time 4 --json"_words);
  EXPECT_EQ(parsed(result.out).get<std::string>("algorithm"), "bkl");
  EXPECT_EQ(parsed(result.out).get<double>("time"), 4);
  for (const std::string dataset : {"/observables/height_mean/value", "/observables/roughness/value"}) {
    EXPECT_EQ(InputFile(folder / "part.h5").read<double>(dataset),
              InputFile(folder / "whole.h5").read<double>(dataset));
  }
}

TEST_F(Program, UnfinishedRunExplainsHowToContinue) {
  const auto result =
      run_tessera(folder, {"kmc", "--size", "32", "--until-time", "1e9", "--wall-limit", wall_limit_after(3),
                           "--progress", "always", "--json", "--backend", host_backend});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(line_count(result.err.substr(result.err.rfind('\r'))), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr("continue the unfinished run with --restart kmc.h5"));
  EXPECT_THAT(result.err, HasSubstr("\r")) << "the line of a terminal is written over";
  EXPECT_THAT(result.err, HasSubstr(" events/s "));
  const auto tree = parsed(result.out);
  EXPECT_FALSE(tree.get<bool>("finished"));
  EXPECT_EQ(tree.get<std::string>("ended_by"), "wall-limit");
  EXPECT_GT(tree.get<double>("time"), 0);
}

TEST_F(Program, TooShortWallLimitIsAFailure) {
  const auto result = run_tessera(folder, with(short_run, "--wall-limit 1e-6 --quiet"_words));
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("the wall-time limit is near before anything was computed"));
}

TEST_F(Program, TwoSignalsInQuickSuccessionAreOneRequest) {
  Process process(folder, "kmc --size 32 --until-time 1e9 --quiet --checkpoint-every 0.05"_words + on_host);
  ASSERT_TRUE(process.runs_until_there_is(folder / "kmc.h5"));
  process.signal(SIGTERM);
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().status, 143);
  EXPECT_GT(InputFile(folder / "kmc.h5").read<double>("/checkpoint/time").at(0), 0);
}

TEST(StopSignalDeathTest, LaterSecondRequestEndsTheProgramAtOnce) {
  const auto ignore_twice_then_die = [] {
    tessera::program::install_signal_handlers();
    raise(SIGINT);
    raise(SIGTERM);
    if (tessera::program::stop_signal() != SIGINT) _exit(1);
    sleep(3);
    raise(SIGTERM);
    _exit(0);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ignore_twice_then_die(), ::testing::ExitedWithCode(143), "");
}

}  // namespace
}  // namespace tessera::testing
