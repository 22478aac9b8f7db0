// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>

#if defined(__linux__)
#include <link.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <tessera/io/input_file.hpp>
#include <thread>

#include "tests/matchers.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// Sweeps of the program, which a Python makes.
class Sweep : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null") != 0)
      GTEST_SKIP() << "this machine has no Python 3.9 or newer";
    setenv("TESSERA_PLOT", "true", 1);  // pictures are tested in Python
  }
};

const Words sweep = "sweep kmc --measure-every 0.5"_words + on_host;
const Words short_sweep = sweep + "--size 16;32,16 --phi 0:1:2 --until-time 1"_words;
const Words endless_sweep = sweep + "--size 32 --phi 0,1,2 --until-time 1e9 --jobs 2"_words;

std::vector<double> roughness(const std::filesystem::path& file) {
  return InputFile(file).read<double>("/observables/roughness/value");
}

std::filesystem::path output(const TemporaryFolder& folder, const std::string& point) {
  return folder / "kmc_sweep/points" / (point + ".h5");
}

#if defined(__linux__)
/// The dynamic loader of this program, which is that of `tessera`; empty of a static one.
std::string dynamic_loader() {
  std::string path;
  const auto look = [](dl_phdr_info* info, std::size_t, void* to) {
    for (int i = 0; i < info->dlpi_phnum; ++i)
      if (const auto& header = info->dlpi_phdr[i]; header.p_type == PT_INTERP)
        *static_cast<std::string*>(to) = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    return 1;  // the first one is the program
  };
  dl_iterate_phdr(look, &path);
  return path;
}

TEST_F(Sweep, StartedThroughTheLoaderStartsPointsLikewise) {
  if (dynamic_loader().empty()) GTEST_SKIP() << "a static program";
  const TemporaryFolder folder;
  Process::Options options;
  options.launcher = {dynamic_loader()};
  const auto result = complete_run(folder, short_sweep, options);
  EXPECT_THAT(result.out, HasSubstr("4 of 4 points finished"));
}
#endif

TEST_F(Sweep, PointsAreSingleRunsInOneTable) {
  const TemporaryFolder folder;
  const auto result = complete_run(folder, short_sweep);
  EXPECT_THAT(folder.names(), ElementsAre("kmc_sweep"));
  EXPECT_THAT(result.out, HasSubstr("4 of 4 points finished"));
  EXPECT_THAT(result.out, HasSubstr("point_seed: each point has its own seed, derived from --seed 1"));
  EXPECT_THAT(result.err, HasSubstr("4 points: size (2) x phi (2)"));

  std::istringstream csv(read_file(folder / "kmc_sweep/table.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_TRUE(line.starts_with("size,phi,point,finished,time,point_seed,height_mean,height_mean_error,")) << line;
  std::vector<std::string> begins, seeds;
  for (std::size_t found; std::getline(csv, line);) {
    begins.push_back(line.substr(0, found = line.find(",1,1,")));
    seeds.push_back(line.substr(found + 5, line.find(',', found + 5) - found - 5));
  }
  EXPECT_EQ(std::set<std::string>(seeds.begin(), seeds.end()).size(), 4u);
  EXPECT_THAT(begins, ElementsAre("16,0,size=16_phi=0", "16,1,size=16_phi=1", "\"32,16\",0,\"size=32,16_phi=0\"",
                                  "\"32,16\",1,\"size=32,16_phi=1\""));
  const Words single{"kmc",          "--size",   "32,16",     "--phi",      "1",
                     "--until-time", "1",        "--backend", host_backend, "--measure-every",
                     "0.5",          "--output", "single.h5", "--seed",     seeds.back()};
  complete_run(folder, single);
  EXPECT_EQ(roughness(output(folder, "size=32,16_phi=1")), roughness(folder / "single.h5"));
}

TEST_F(Sweep, ZippedPointsKeepTheirSeedsIfOthersAreAdded) {
  const TemporaryFolder folder;
  const Words call = sweep + "--size 16;32 --model epitaxy --zip diffusion,bond-energy --until-time"_words;
  const auto begun = complete_run(folder, call + "0.2 --diffusion 100,1000 --bond-energy 3,2"_words);
  EXPECT_THAT(begun.err, HasSubstr("4 points: size (2) x diffusion with bond-energy (2)"));
  const auto more = complete_run(folder, call + "0.2 --diffusion 100,500,1000 --bond-energy 3,2,2"_words);
  EXPECT_THAT(more.err, HasSubstr("6 points: size (2) x diffusion with bond-energy (3)"));
  EXPECT_THAT(more.err, HasSubstr("4 done before"));
  const auto later = run_tessera(folder, call + "0.4 --diffusion 100,500,1000 --bond-energy 3,2,2"_words);
  EXPECT_EQ(later.status, 0) << later.err;  // each point goes on with its seed
  for (const auto& [words, message] : std::vector<std::pair<Words, std::string>>{
           {"--diffusion 100,500,1000 --bond-energy 2,2,3"_words, "use these values, zipped as before, and any"},
           {"--diffusion 100,500,1000 --bond-energy 3,2,2 --same-seed"_words, "a sweep with same-seed = false"},
           {"--diffusion 100,500,1000 --bond-energy 3,2"_words, "diffusion has 3 values and bond-energy has 2"}}) {
    const auto refused = run_tessera(folder, call + Words{"0.2"} + words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr(message));
    EXPECT_EQ(line_count(refused.err), 1u) << refused.err;
  }
}

TEST_F(Sweep, AbsorbedPointsAreFinished) {
  const TemporaryFolder folder;
  const Words points =
      "sweep kmc --model hopping --coverage 0,1 --size 16 --until-events-per-site 1 --measure-every 1"_words + on_host;
  const auto result = complete_run(folder, points);
  EXPECT_THAT(result.out, HasSubstr("2 of 2 points finished"));
}

TEST_F(Sweep, FromAnInputFileIsTheSameAndNamesTheFolder) {
  const TemporaryFolder folder;
  folder.write("surfaces.ini", std::string("size = 16;32,16\nphi = 0:1:2\nuntil-time = 1\nmeasure-every = 0.5\n") +
                                   "backend = " + host_backend + "\n");
  const auto result = complete_run(folder, "sweep kmc --config surfaces.ini --phi 1,2 --json"_words);
  const auto tree = parsed(result.out);
  EXPECT_EQ(tree.get<std::string>("folder"), "surfaces");
  EXPECT_EQ(tree.get<int>("points"), 4);
  EXPECT_EQ(tree.get<int>("finished"), 4);
  EXPECT_TRUE(std::filesystem::exists(folder / "surfaces/points/size=32,16_phi=2.h5"));
}

TEST_F(Sweep, RepeatedCallRunsOnlyMissingPoints) {
  const TemporaryFolder folder;
  complete_run(folder, short_sweep);
  const auto table = read_file(folder / "kmc_sweep/table.csv");
  const auto kept = output(folder, "size=16_phi=0"), removed = output(folder, "size=16_phi=1");
  const auto before = std::filesystem::last_write_time(kept);
  std::filesystem::remove(removed);
  const auto again = complete_run(folder, short_sweep);
  EXPECT_THAT(again.err, HasSubstr("3 done before"));
  EXPECT_EQ(std::filesystem::last_write_time(kept), before);
  EXPECT_TRUE(std::filesystem::exists(removed));
  complete_run(folder, "sweep --table kmc_sweep"_words);
}

TEST_F(Sweep, ContinuesAfterAStop) {
  const TemporaryFolder folder;
  const Words call = sweep + "--size 128 --phi 0,1,2 --jobs 2 --checkpoint-every 0.05 --same-seed"_words;
  Process process(folder, call + "--until-time 1e9"_words);
  ASSERT_TRUE(process.runs_until_there_is(output(folder, "phi=0")));
  ASSERT_TRUE(process.runs_until_there_is(output(folder, "phi=1")));
  process.signal(SIGTERM);
  const auto stopped = process.wait();
  EXPECT_EQ(stopped.status, 128 + SIGTERM) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("the same call continues it"));
  EXPECT_THAT(stopped.err, Not(HasSubstr("failed")));
  EXPECT_FALSE(std::filesystem::exists(output(folder, "phi=2"))) << "two at a time";
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kmc_sweep/points"))
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr(".lock"))) << "no run is left";
  double reached = 0;
  for (const std::string point : {"phi=0", "phi=1"})
    reached = std::max(reached, InputFile(output(folder, point)).read<double>("/checkpoint/time").at(0));
  const std::string stopping_time = std::to_string(static_cast<long>(reached) + 2);
  complete_run(folder, call + Words{"--until-time", stopping_time});
  const Words whole{"kmc",         "--size",          "128", "--phi",     "1",          "--until-time",
                    stopping_time, "--measure-every", "0.5", "--backend", host_backend, "--output",
                    "whole.h5"};
  complete_run(folder, whole);
  EXPECT_EQ(roughness(output(folder, "phi=1")), roughness(folder / "whole.h5"));
}

TEST_F(Sweep, EndsAtTheWallLimitWithCheckpoints) {
  const TemporaryFolder folder;
  const auto result = run_tessera(folder, endless_sweep + Words{"--wall-limit", wall_limit_after(3), "--quiet"});
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_GT(InputFile(output(folder, "phi=0")).read<double>("/checkpoint/time").at(0), 0);
  const std::string csv = read_file(folder / "kmc_sweep/table.csv");
  EXPECT_THAT(csv, HasSubstr("0,phi=0,0,"));
  EXPECT_THAT(csv, HasSubstr("2,phi=2,0,,")) << "a point that has not begun";
}

TEST_F(Sweep, KillingItEndsItsRuns) {
  const TemporaryFolder folder;
  Process process(folder, endless_sweep + "--quiet --checkpoint-every 0.05"_words);
  ASSERT_TRUE(process.runs_until_there_is(output(folder, "phi=1")));
  process.signal(SIGKILL);
  process.wait();
  const auto lock = folder / "kmc_sweep/points/.phi=1.h5.lock";
  for (int i = 0; i < 3000 && std::filesystem::exists(lock); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(std::filesystem::exists(lock));
}

TEST_F(Sweep, RunsIgnoreTheLauncherOfTheSweep) {
  if (!std::filesystem::exists("/proc/self/environ")) GTEST_SKIP() << "no /proc";
  const TemporaryFolder folder;
  Process::Options options;
  options.environment = {"PMI_RANK=0", "OMPI_COMM_WORLD_SIZE=4", "SLURM_STEP_NUM_TASKS=1", "TESSERA_KEPT=yes"};
  Process process(folder, endless_sweep + "--quiet --checkpoint-every 0.05"_words, options);
  ASSERT_TRUE(process.runs_until_there_is(output(folder, "phi=0")));
  std::istringstream lock(read_file(folder / "kmc_sweep/points/.phi=0.h5.lock"));  // "process 123 on host"
  std::string word, id;
  lock >> word >> id;
  std::string environment = read_file("/proc/" + id + "/environ");
  std::ranges::replace(environment, '\0', '\n');
  process.signal(SIGTERM);
  process.wait();
  EXPECT_THAT(environment, HasSubstr("TESSERA_KEPT=yes"));
  for (const std::string variable : {"PMI_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"})
    EXPECT_THAT(environment, Not(HasSubstr(variable)));
}

TEST_F(Sweep, OfAnArrayJobIsTheSameSweep) {
  const TemporaryFolder folder, array;
  complete_run(folder, short_sweep);
  complete_run(array.path(), short_sweep + "--index 1 --of 3"_words);
  EXPECT_FALSE(std::filesystem::exists(output(array, "size=16_phi=0")));
  EXPECT_TRUE(std::filesystem::exists(output(array, "size=16_phi=1")));
  complete_run(array.path(), short_sweep + "--index 0 --of 3"_words);
  complete_run(array.path(), short_sweep + "--index 2 --of 3"_words);
  EXPECT_EQ(read_file(array / "kmc_sweep/table.csv"), read_file(folder / "kmc_sweep/table.csv"));
}

TEST_F(Sweep, APointThatFailsDoesNotEndTheOthers) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "kmc_sweep");
  complete_run(folder, short_sweep);
  folder.write("kmc_sweep/points/size=16_phi=0.h5", "no output of a run");
  for (const std::string point : {"size=16_phi=0", "size=16_phi=1"})
    std::filesystem::remove(folder / "kmc_sweep/points" / (point + ".json"));
  std::filesystem::remove(output(folder, "size=16_phi=1"));
  const auto result = run_tessera(folder, short_sweep + "--progress never --jobs 1"_words);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr("failed: size = 16, phi = 0: "));
  EXPECT_TRUE(std::filesystem::exists(output(folder, "size=16_phi=1")));
  EXPECT_THAT(result.out, HasSubstr("3 of 4 points finished"));
}

TEST_F(Sweep, MayBeExtendedAndRefusesAnotherInItsFolder) {
  const TemporaryFolder folder;
  const Words call = sweep + "--size 16 --until-time 1 --phi"_words;
  complete_run(folder, call + Words{"0,2"});
  const auto more = complete_run(folder, call + Words{"0,1,2"});
  EXPECT_THAT(more.err, HasSubstr("2 done before"));
  const auto refusal = [&](const Words& words) {
    const auto result = run_tessera(folder, words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
    return result.err;
  };
  EXPECT_THAT(refusal(call + Words{"0,3"}), HasSubstr("has a sweep with phi = 0,1,2; use these values"));
  EXPECT_THAT(refusal(call + "0,1,2 --seed 2"_words), HasSubstr("has a sweep with seed = 1; use the same value"));
  EXPECT_THAT(refusal(call + "0,1,2 --seed 1,2"_words), HasSubstr("seed = 1"));
  EXPECT_THAT(refusal("sweep kpz --p 0.5,1 --steps 1 --folder kmc_sweep"_words), HasSubstr("has a sweep of kmc"));
  folder.write("file", "");
  EXPECT_THAT(refusal(call + "0,1 --folder ."_words), HasSubstr("is not empty and not a sweep"));
  EXPECT_THAT(refusal(call + "0,1 --folder file"_words), HasSubstr("is a file"));
}

TEST_F(Sweep, IsNotExtendedAfterAnInputHasChanged) {
  const TemporaryFolder folder;
  std::string start;
  for (int i = 0; i < 256; ++i) start += i % 16 == 15 ? "0\n" : "0 ";
  const std::string model = read_file(TESSERA_MODEL_FILES "/zgb.ini");
  folder.write("start.txt", start);
  folder.write("rates.ini", model.substr(0, model.find("[Lattice]")));
  folder.write("model.ini", "include = rates.ini\n" + model.substr(model.find("[Lattice]")));
  const Words common = "--size 16 --until-time 0.1 --progress never"_words;
  const Words started = "sweep kmc --model sos --start start.txt --phi"_words + on_host + common;
  const Words several =
      "sweep kmc --model sos --folder several --replicas 2 --starts start.txt,start.txt --phi"_words + on_host + common;
  const Words modelled = "sweep kmc --processes model.ini --folder models --set"_words + on_host + common;
  const auto call = [&](Words words, const std::string& values) {
    words.insert(words.end() - static_cast<std::ptrdiff_t>(common.size() + on_host.size()), values);
    return run_tessera(folder, words);
  };
  EXPECT_EQ(call(started, "0,1").status, 0);
  EXPECT_EQ(call(started, "0,1,2").status, 0);
  EXPECT_EQ(call(several, "0,1").status, 0);
  EXPECT_EQ(call(modelled, "y=0.4,0.5").status, 0);
  EXPECT_EQ(call(modelled, "y=0.4,0.5,0.6").status, 0);
  folder.write("start.txt", "1" + start.substr(1));
  folder.write("rates.ini", model.substr(0, model.find("[Lattice]")) + "\n[Parameter other]\nvalue = 1\n");
  for (const auto& [result, message] : {std::pair{call(started, "0,1,2,3"), "start.txt has changed since this sweep"},
                                        std::pair{call(several, "0,1,2"), "start.txt has changed since this sweep"},
                                        std::pair{call(modelled, "y=0.4,0.5,0.6,0.7"), "use the same value"}}) {
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
  }
  folder.write("start.txt", start);
  EXPECT_EQ(call(started, "0,1,2,3").status, 0);
}

TEST_F(Sweep, ADryRunPrintsAnInputFileAndWritesNothing) {
  const TemporaryFolder folder;
  const auto dry = complete_run(folder, short_sweep + Words{"--dry-run"});
  EXPECT_THAT(folder.names(), ElementsAre());
  for (const std::string text :
       {"# 4 points: size (2) x phi (2)", "\nphi = 0,1\n", "\nsize = 16;32,16\n", "# cost: about "})
    EXPECT_THAT(dry.out, HasSubstr(text));
  folder.write("dry.ini", dry.out);
  complete_run(folder, "sweep kmc --config dry.ini --quiet"_words);
  EXPECT_EQ(
      read_file(folder / "dry/sweep.ini"),
      dry.out.substr(dry.out.find("# tessera sweep"), dry.out.find("# memory") - dry.out.find("# tessera sweep")));
}

TEST_F(Sweep, BadInputWritesNothing) {
  const TemporaryFolder folder;
  const auto refusal = [&](const Words& words) {
    const auto result = run_tessera(folder, words);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
    EXPECT_THAT(folder.names(), ElementsAre());
    return result.err;
  };
  EXPECT_THAT(refusal({"sweep"}), HasSubstr("no method given"));
  EXPECT_THAT(refusal({"sweep", "kmcc"}), HasSubstr("did you mean 'kmc'?"));
  EXPECT_THAT(refusal("sweep kmc --until-time 1"_words), HasSubstr("no option has several values"));
  EXPECT_THAT(refusal("sweep kmc --phi 1,2"_words), HasSubstr("no stopping time given"));
  EXPECT_THAT(refusal(short_sweep + "--output a.h5"_words), HasSubstr("--output a.h5: is not available in a sweep"));
  EXPECT_THAT(refusal(short_sweep + "--index 2 --of 2"_words), HasSubstr("--index 2: must lie in [0, 1]"));
  EXPECT_THAT(refusal(sweep + "--until-time 1 --size 16;1"_words), HasSubstr("'1': must be at least 2"));
  EXPECT_THAT(refusal(sweep + "--until-time 1 --seed 1,2 --coupling 1"_words),
              HasSubstr("--coupling 1: has no effect"));
  EXPECT_THAT(refusal(sweep + "--until-time 1 --model sos,ising --phi 1,2"_words),
              HasSubstr("(at the point model = ising"));
  EXPECT_THAT(refusal(sweep + "--until-time 1 --seed 1:4:4 --replicas 3"_words),
              HasSubstr("use seeds that are 3 apart, --seed 1:10:4"));
  std::string times = "1";
  for (int time = 2; time < 60; ++time) times += "," + std::to_string(1000 * time);
  EXPECT_THAT(
      refusal({"sweep", "kpz", "--backend", host_backend, "--steps", "60000", "--measure-times", "log;" + times}),
      HasSubstr("the file names of a point contain its values"));
  for (const std::string name : {"a\n", " a", "a #b"})
    EXPECT_THAT(refusal(short_sweep + Words{"--folder", name}),
                HasSubstr("must be one line without leading or trailing"));
  EXPECT_THAT(refusal("sweep --table nowhere"_words), HasSubstr("is not the folder of a sweep"));
}

TEST(SweepWithoutPython, NamesWhatIsMissing) {
  const TemporaryFolder folder;
  Process::Options options;
  const auto refusal = [&] {
    const auto result = run_tessera(folder, short_sweep, options);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
    EXPECT_THAT(folder.names(), ElementsAre());
    return result.err;
  };
  options.unset = {"PATH", "TESSERA_PYTHON"};
  options.environment = {"PATH=/nowhere"};
  EXPECT_THAT(refusal(), HasSubstr("requires Python 3.9 or newer, but python3 cannot be started: No such file"));
  options.environment = {"TESSERA_PYTHON=/nowhere/python3"};
  EXPECT_THAT(refusal(), HasSubstr("/nowhere/python3 cannot be started"));
}

}  // namespace
}  // namespace tessera::testing
