// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tessera/io/output_file.hpp>
#include <tessera/kmc/models.hpp>

#include "machine/backend.hpp"
#include "tests/matchers.hpp"
#include "tests/ordinary_user.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

/// A run of a fraction of a second, to which the tests add what is wrong.
Words shortest_run(const Words& more) {
  Words words = "kmc --size 32 --until-time 0.5"_words + on_host;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void expect_refused(const ProcessResult& result, const std::string& message) {
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr(message));
  EXPECT_EQ(result.out, "");
}

/// Runs in an empty folder; nothing may be there afterwards.
void expect_refused(const Words& words, const std::string& message) {
  const TemporaryFolder folder;
  SCOPED_TRACE(message);
  expect_refused(run_tessera(folder, words), message);
  EXPECT_THAT(folder.names(), IsEmpty());
}

/// Like that with an input file.
void expect_input_refused(const std::string& input, const std::string& message) {
  const TemporaryFolder folder;
  SCOPED_TRACE(message);
  folder.write("run.ini", input);
  expect_refused(run_tessera(folder, "kmc --config run.ini"_words), message);
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("run.ini"));
}

TEST(BadInput, CommandIsMissingOrUnknown) {
  expect_refused(Words{}, "tessera --help");
  expect_refused(Words{"kcm"}, "unknown method 'kcm'; did you mean 'kmc'?");
  expect_refused("info --size"_words, "takes no options");
}

TEST(BadInput, UnknownKeyIsRefusedWithTheNearest) {
  expect_refused(shortest_run({"--coupeling", "1"}), "unknown option '--coupeling'; did you mean '--coupling'?");
  expect_input_refused("size = 32\n\nuntil-tiem = 1\n",
                       "run.ini line 3: unknown key 'until-tiem'; did you mean 'until-time'?");
}

TEST(BadInput, ValueOfWrongType) {
  expect_refused(shortest_run({"--phi", "steep"}), "--phi steep: must be a number");
  expect_refused(shortest_run("--model ising --coupling 0.3+0.001*time"_words),
                 "--coupling 0.3+0.001*time: must be a number; rates that change with time require a model from a file");
  expect_refused(shortest_run({"--tile", "7.5"}), "--tile 7.5: must be a whole number");
  expect_refused(shortest_run({"--seed", "-3"}), "--seed -3: must be a whole number, 0 or more");
  expect_refused("kmc --until-time 1 --size 32x32"_words, "--size 32x32: must be NX or NX,NY");
  expect_refused("kmc --until-time 1 --size 32,"_words, "--size 32,: must be NX or NX,NY");
  expect_refused(shortest_run({"--wall-limit", "1h"}), "--wall-limit 1h: must be seconds or [D-]HH:MM:SS");
  expect_refused(shortest_run({"--progress", "loud"}), "must be one of auto|always|never");
  expect_input_refused("size = 32\nreplicas = many\n", "run.ini line 2: replicas = many: must be a whole number");
}

TEST(BadInput, ValueOutOfRange) {
  expect_refused("kmc --size 0 --until-time 1"_words, "--size");
  expect_refused("kmc --size -16 --until-time 1"_words, "--size");
  expect_refused(shortest_run({"--phi", "1e9"}), "--phi 1e9: must lie in");
  expect_refused(shortest_run({"--replicas", "0"}), "--replicas 0");
  expect_refused(shortest_run({"--shrink", "1.5"}), "--shrink 1.5");
  expect_refused(shortest_run({"--measure-every", "-1"}), "--measure-every -1");
  expect_refused(shortest_run({"--measure-every-events", "inf"}),
                 "--measure-every-events inf: must be a finite number of events per site, 0 or more");
  expect_refused(shortest_run("--measure-every-events 2 --measure-every 0.1"_words),
                 "--measure-every-events 2: cannot be combined with --measure-every");
  expect_refused(shortest_run({"--field-every", "inf"}), "--field-every inf");
  expect_refused(shortest_run({"--threads", "-1"}), "--threads -1");
  expect_refused(shortest_run({"--threads", "513"}), "--threads 513: must lie in [1, 512]");
  const Words kpz = "kpz --size 16 --steps 1 --device-layer db --async-interval"_words;
  for (const std::string interval : {"-inf", "-1", "inf", "0.1"})
    expect_refused(kpz + Words{interval}, "--async-interval " + interval + ": must be a multiple of 1/8, at most 1024");
  expect_refused(shortest_run({"--device", "-1"}), "--device -1: must be 0 or more");
  expect_input_refused("size = 32\nuntil-time = -4 # backwards\n", "run.ini line 2: until-time = -4: must be positive");
}

TEST(BadInput, SeveralValuesOutsideASweep) {
  const std::string hint = "; for several values use tessera sweep kmc";
  expect_refused(shortest_run({"--phi", "0,1,2"}), "--phi 0,1,2: must be a number" + hint);
  expect_refused(shortest_run({"--seed", "1:3:3"}), "--seed 1:3:3: must be a whole number, 0 or more" + hint);
  expect_input_refused("size = 32;64\nuntil-time = 4\n", hint);
}

TEST(BadInput, NumbersTooLargeToComputeWith) {
  for (const std::string value : {"1073741823", "2147483640", "2147483647", "-2147483648"})
    for (const std::string& key : "--tile --halo --repair-halo --repair-rounds --replicas --size"_words)
      expect_refused({"kmc", "--until-time", "5", key, value}, key + " " + value);
  expect_refused(shortest_run({"--grow-first", "1e6"}), "--grow-first 1e6: must lie in");
}

TEST(BadInput, RunWithoutStoppingTime) { expect_refused("kmc --size 32"_words, "use --until-time"); }

TEST(BadInput, InfinitelyManyMeasurements) {
  expect_refused(shortest_run({"--measure-every", "1e-12"}),
                 "--measure-every 1e-12: would give 5e+11 rows until time 0.5; use at least 5e-11");
  expect_refused(shortest_run({"--field-every", "1e-300"}), "--field-every 1e-300: would give");
  expect_refused("kpz --size 16 --steps 1 --measure-every 1e-12"_words, "use at least 1e-10");
  expect_refused("kpz --size 16 --steps 1 --field-every 1e-12"_words, "use at least 1e-10");
  expect_refused("disks --sweeps 1e12 --measure-every 1"_words, "use at least 100");
  expect_refused("disks --field-every 0.5"_words, "--field-every 0.5: must be a whole number of sweeps");
}

TEST(BadInput, TooFewMeasurementsToAverage) {
  expect_refused(shortest_run("--average-from 0 --measure-every 0.5"_words),
                 "--average-from 0: leaves 1 measurement of 1 replica, but an average needs at least 32");
  expect_refused(shortest_run("--average-from 1 --measure-every 0.01"_words),
                 "--average-from 1: must be before the end of the run, at time 0.5");
  const Words kpz = "kpz --size 16 --steps 100 --measure-times log --average-from"_words;
  expect_refused(kpz + Words{"50"}, "leaves 3 measurements of 1 replica");
  expect_refused(kpz + Words{"-1"}, "--average-from -1: must be a time");
  expect_input_refused("until-time = 2\nmeasure-every = 1\naverage-from = 1\n",
                       "run.ini line 3: average-from = 1: leaves 1 measurement of 1 replica");
}

TEST(BadInput, OptionOfAnotherMethod) {
  const std::string none = ": has no effect; it requires --";
  expect_refused(shortest_run("--model ising --phi 3"_words), "--phi 3" + none + "model sos");
  expect_refused(shortest_run({"--coupling", "0.4"}), "--coupling 0.4" + none + "model ising");
  expect_refused("kmc --until-time 1 --method bkl --tile 16"_words, "--tile 16" + none + "method tile");
  expect_refused(shortest_run("--step-control reject --relax 0.9"_words), "--relax 0.9" + none + "method tile with");
  expect_refused("kpz --size 16 --steps 1 --method sequential --domain 8"_words, "--domain 8" + none + "method domain");
  expect_refused("disks --method sequential --moves-per-cell 2"_words, "--moves-per-cell 2" + none + "method mpmc");
}

TEST(BadInput, ParameterOfAnotherModel) {
  using tessera::kmc::Models;
  for (const auto& parameter : Models::parameters()) {
    std::string owners;  // "a", "a or b", ...
    for (const auto& model : Models::models)
      if (model.takes(parameter.name)) owners += (owners.empty() ? "" : " or ") + std::string(model.name);
    const std::string option = std::string("--") + parameter.name;
    const auto other = std::find_if(std::begin(Models::models), std::end(Models::models),
                                    [&](const auto& model) { return !model.takes(parameter.name); });
    ASSERT_NE(other, std::end(Models::models)) << option;
    const std::string value = parameter.least > 0.5 ? "3" : "0.5";
    expect_refused(shortest_run({"--model", std::string(other->name), option, value}),
                   option + " " + value + ": has no effect; it requires --model " + owners + "\n");
  }
  for (const auto& model : Models::models) {
    Words words = shortest_run({"--model", std::string(model.name)});
    for (const auto& parameter : Models::parameters())
      if (model.takes(parameter.name))
        words.insert(words.end(), {std::string("--") + parameter.name, parameter.least > 0.5 ? "3" : "0.5"});
    const TemporaryFolder folder;
    const auto run = complete_run(folder, words);
    EXPECT_THAT(run.out, HasSubstr(" " + std::string(model.title) + ", "));
  }
}

TEST(BadInput, RunNeedsMoreMemoryThanIsFree) {
  std::string times = "0";
  for (int time = 1; time < 1000; ++time) times += "," + std::to_string(time);
  expect_refused({"kpz", "--size", "262144", "--steps", "1", "--fields", "never", "--waiting-times", times, "--backend",
                  host_backend},
                 " GiB of host memory, ");
}

TEST(BadInput, SizeAndTileDoNotFit) {
  expect_refused("kmc --size 40 --tile 16 --until-time 1"_words, "multiples of the tile, 16");
  expect_refused("kmc --size 16,48 --tile 32 --until-time 1"_words, "larger than the lattice");
}

TEST(BadInput, TemperatureIsNotPositive) {
  const TemporaryFolder folder;
  folder.write("m.ini",
               square_lattice() +
                   "[Parameter T]\nvalue = 500\nadjustable = True\n\n[Parameter E]\nvalue = 0\nadjustable = True\n\n" +
                   process("up", "1", "empty@a", "CO@a", "energy = 0.1 + E\n"));
  for (const std::string temperature : {"0", "-5", "-1e-300", "300 - 1000*time"})
    expect_refused(run_tessera(folder, shortest_run({"--processes", "m.ini", "--set", "T=" + temperature})),
                   ": must be positive, because rates contain 1/T");
}

TEST(BadInput, NeighboursAreTheSameSiteOfASmallLattice) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& more, const std::string& message) {
    folder.write("m.ini", square_lattice() + process("up", "1", "empty@a", "CO@a") + more);
    expect_refused(run_tessera(folder, shortest_run({"--processes", "m.ini"})),
                   "m.ini line " + message + ": on this lattice a site is its own neighbour; use a larger --size");
  };
  expect("[Clusters far]\nmembers = CO@a\nneighbours = a + a.(64,0,0)\n", "34: neighbours of far");
  expect("[Clusters far]\nmembers = CO@a\nneighbours = a + a.(1,0,0), a + a.(0,-32,0)\n", "34: neighbours of far");
}

TEST(BadInput, OptionGivenTwice) {
  expect_refused(shortest_run("--phi 1 --phi 2"_words), "--phi: is given twice");
  expect_input_refused("phi = 1\nphi = 2\n", "run.ini line 2: phi: is already given in line 1");
}

TEST(BadInput, InputFileCannotBeRead) {
  expect_refused("kmc --config missing.ini"_words, "--config missing.ini: no such file");
  expect_refused("kmc --config ."_words, "--config .: is a directory");
  expect_input_refused(std::string("\x7f"
                                   "ELF\0\1\2",
                                   7),
                       "is not an input file");
  expect_input_refused("config = other.ini\n", "run.ini line 1: config: is only valid on the command line");
}

TEST(BadInput, BackendUnknownOrAbsent) {
  expect_refused("kmc --until-time 1 --backend opencl"_words, "--backend opencl: is unknown; this build has ");
  using tessera::Backend;
  const auto built = tessera::built_backends();
  const bool has_cuda = std::find(built.begin(), built.end(), Backend::cuda) != built.end();
  expect_refused("kmc --until-time 1 --backend gpu"_words,
                 has_cuda ? "--backend gpu: is unknown; this build has" : "; GPUs require one with cuda");
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda}) {
    if (std::find(built.begin(), built.end(), backend) != built.end()) continue;
    const std::string name = tessera::program::backend_name(backend);
    expect_refused({"kmc", "--until-time", "1", "--backend", name},
                   "--backend " + name + ": is not in this build, which has ");
  }
}

TEST(BadInput, OutputCannotBeWritten) {
  expect_refused(shortest_run({"--output", "missing/run.h5"}), "missing");
  expect_refused(shortest_run({"--output", "."}), "directory");
  expect_refused(shortest_run({"--output", "/dev/null"}), "/dev/null");
}

TEST(BadInput, OutputFolderIsReadOnly) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  tessera::testing::Process::Options options;
  options.prepare = [] {
    if (!tessera::testing::become_ordinary_user()) _exit(127);
  };
  expect_refused(run_tessera(folder, shortest_run({}), options), "kmc.h5");
  EXPECT_THAT(folder.names(), IsEmpty());
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST(BadInput, OutputExistsAndIsKept) {
  const TemporaryFolder folder;
  folder.write("run.h5", "precious");
  expect_refused(run_tessera(folder, shortest_run({"--output", "run.h5"})), "run.h5");
  EXPECT_EQ(read_file(folder / "run.h5"), "precious");
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("run.h5"));
  complete_run(folder, shortest_run("--output run.h5 --overwrite"_words));
  EXPECT_NE(read_file(folder / "run.h5"), "precious");
}

class BadRestart : public ::testing::Test {
 protected:
  void SetUp() override {
    complete_run(folder, shortest_run({"--output", "run.h5"}));
    content = read_file(folder / "run.h5");
    names = folder.names();
  }
  void expect_restart_refused(const std::string& file, const Words& more, const std::string& message) {
    SCOPED_TRACE(message);
    Words words{"kmc", "--restart", file};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(run_tessera(folder, words), message);
    EXPECT_EQ(read_file(folder / "run.h5"), content);
    EXPECT_EQ(folder.names(), names);
  }

  TemporaryFolder folder;
  std::string content;
  Words names;
};

TEST_F(BadRestart, FileIsMissing) { expect_restart_refused("missing.h5", {}, "missing.h5"); }

TEST_F(BadRestart, FileIsTruncated) {
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, content.size() / 2, content.size() - 1}) {
    folder.write("cut.h5", content.substr(0, length));
    names = folder.names();
    expect_restart_refused("cut.h5", {}, "cut.h5");
  }
}

TEST_F(BadRestart, FileIsNoHdf5File) {
  folder.write("text.h5", "size = 32\n");
  names = folder.names();
  expect_restart_refused("text.h5", {}, "text.h5");
}

TEST_F(BadRestart, FileIsOfAnotherMethod) {
  {
    auto other = tessera::io::OutputFile::create(folder / "other.h5", "disks");
    other.provenance({});
    other.publish([](tessera::io::CheckpointWriter& checkpoint) { checkpoint.text("input", "size = 32\n"); });
  }
  names = folder.names();
  expect_restart_refused("other.h5", {}, "disks");
}

TEST_F(BadRestart, OptionWouldChangeTheTrajectory) {
  expect_restart_refused("run.h5", {"--seed", "2"}, "--seed 2: the run in run.h5 has seed = 1");
  expect_restart_refused("run.h5", {"--size", "64"}, "--size 64: the run in run.h5 has size = 32,32");
  expect_restart_refused("run.h5", {"--phi", "2"}, "--phi 2: the run in run.h5 has phi = 1");
  expect_restart_refused("run.h5", {"--model", "ising"}, "--model ising");
  expect_restart_refused("run.h5", {"--replicas", "2"}, "--replicas 2");
  expect_restart_refused("run.h5", {"--measure-every", "2"}, "--measure-every 2");
}

TEST_F(BadRestart, OptionIsUnknown) { expect_restart_refused("run.h5", {"--sizes", "32"}, "'--size'"); }

TEST(RunFailure, DiskIsFull) {
  const TemporaryFolder folder;
  tessera::testing::Process::Options options;
  options.largest_file = 20000;
  const auto result = run_tessera(folder, "kmc --size 256 --until-time 0.5 --quiet"_words, options);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr("kmc.h5"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(RunFailure, FullDiskKeepsTheEarlierFile) {
  const TemporaryFolder folder;
  complete_run(folder, shortest_run({}));
  const auto names = folder.names();
  const std::string content = read_file(folder / "kmc.h5");
  tessera::testing::Process::Options options;
  options.largest_file = static_cast<long>(content.size()) / 2;
  const auto result = run_tessera(folder, "kmc --restart kmc.h5 --until-time 1 --quiet"_words, options);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_EQ(folder.names(), names);
  EXPECT_EQ(read_file(folder / "kmc.h5"), content);
}

TEST(BadInput, MoreMemoryThanTheMachineHas) {
  Words words = "kmc --size 32768 --replicas 1000 --until-time 1"_words + on_host;
  expect_refused(words, " GiB of host memory, ");
  words.insert(words.end(), {"--method", "bkl"});
  expect_refused(words, " GiB of host memory, ");
}

}  // namespace
}  // namespace tessera::testing
