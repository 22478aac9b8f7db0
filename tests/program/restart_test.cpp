// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <hdf5.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <tessera/io/input_file.hpp>
#include <thread>

#include "machine/backend.hpp"
#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/dataset_bytes.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// A run with rows, fields and a history of the steps, but for its stopping time.
const Words recorded_run =
    "kmc --size 64,96 --phi 0.5 --seed 11 --quiet --replicas 2 --measure-every 2.5 --field-every 10 "
    "--record-steps --structure-factor"_words +
    on_host;
const Words short_recorded_run = recorded_run + "--until-time 10"_words;
/// Has to be stopped, however fast the machine.
const Words endless_recorded_run = recorded_run + "--until-time 1e9 --output parts.h5"_words;

constexpr bool with_steps = true;

/// A run that is stopped somewhere; where it stands decides how far it and the uninterrupted run then go.
class Restart : public ::testing::Test {
 protected:
  /// Starts a run that checkpoints often, and ends it with the signal once it has written its file.
  int stop_with(int signal) {
    Process process(folder, endless_recorded_run + "--checkpoint-every 0.05"_words);
    EXPECT_TRUE(process.runs_until_there_is(folder / "parts.h5"));
    process.signal(signal);
    return process.wait().status;
  }

  double time_reached() const { return InputFile(folder / "parts.h5").read<double>("/checkpoint/time").at(0); }

  /// Ten units of time after where the run stands.
  void set_stopping_time() { stopping_time = {"--until-time", std::to_string(time_reached() + 10)}; }

  void run_whole() { complete_run(folder, recorded_run + stopping_time + "--output whole.h5"_words); }

  /// Goes on to the stopping time.
  void finish() { complete_run(folder, "kmc --restart parts.h5 --quiet"_words + on_host + stopping_time); }

  TemporaryFolder folder;
  Words stopping_time;
};

TEST_F(Restart, AfterSigtermEqualsTheUninterruptedRun) {
  ASSERT_EQ(stop_with(SIGTERM), 143);
  EXPECT_EQ(InputFile(folder / "parts.h5").text("/provenance/seed"), "11");
  EXPECT_EQ(folder.names(), (Words{"parts.h5"}));
  set_stopping_time();
  finish();
  run_whole();
  expect_same_content(folder / "whole.h5", folder / "parts.h5", with_steps);
}

TEST_F(Restart, AfterSigintOnAnotherBackendWithOtherTilesHasTheSameTrajectory) {
  ASSERT_EQ(stop_with(SIGINT), 130);
  set_stopping_time();
  run_whole();
  for (const auto backend : tessera::built_backends()) {
    const std::string name = tessera::program::backend_name(backend);
    if (tessera::is_gpu(backend) && tessera::program::choose_backend("") != backend) continue;
    const std::string output = name + ".h5";
    complete_run(folder, Words{"kmc", "--restart", "parts.h5", "--output", output, "--quiet", "--backend", name,
                               "--tile", "8", "--step-control", "reject"} +
                             stopping_time);
    const InputFile whole(folder / "whole.h5");
    const InputFile other(folder / output);
    for (const std::string dataset :
         {"/observables/height_mean/value", "/observables/roughness/value", "/observables/events/step",
          "/fields/height/value", "/checkpoint/state", "/checkpoint/waiting_time", "/checkpoint/stream"}) {
      EXPECT_EQ(dataset_bytes(whole, dataset), dataset_bytes(other, dataset)) << dataset << " on " << name;
    }
  }
}

TEST_F(Restart, AfterBeingKilledContinuesFromTheLastCheckpoint) {
  ASSERT_EQ(stop_with(SIGKILL), 1000 + SIGKILL);
  set_stopping_time();
  finish();
  run_whole();
  expect_same_content(folder / "whole.h5", folder / "parts.h5", with_steps);
  EXPECT_EQ(folder.names(), ("parts.h5 whole.h5"_words));
}

TEST_F(Restart, AfterTheWallLimitContinues) {
  const Words limited{"--wall-limit", wall_limit_after(1)};
  ASSERT_EQ(run_tessera(folder, endless_recorded_run + limited).status, 3);
  const double first = time_reached();
  EXPECT_GT(first, 0);
  const auto result = run_tessera(folder, "kmc --restart parts.h5 --quiet"_words + on_host + limited);
  ASSERT_EQ(result.status, 3) << result.err;
  EXPECT_GT(time_reached(), first);
  set_stopping_time();
  finish();
  run_whole();
  expect_same_content(folder / "whole.h5", folder / "parts.h5", with_steps);
}

// As by cp: the file stays, with what another run has written.
TEST(ForeignFile, AtTheOutputPathEndsTheRunAndIsKept) {
  const TemporaryFolder folder;
  const Words run = "kmc --size 32 --until-time"_words;
  const Words quiet = "--quiet"_words + on_host + "--output"_words;
  complete_run(folder, run + "10 --seed 2"_words + quiet + Words{"other.h5"});
  Process process(folder, run + "1e9 --checkpoint-every 0.05"_words + quiet + Words{"run.h5"});
  ASSERT_TRUE(process.runs_until_there_is(folder / "run.h5"));
  // A publication that has just been put in between goes over the first copy.
  do {
    std::ofstream(folder / "run.h5", std::ios::binary) << read_file(folder / "other.h5");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  } while (process.running());
  const auto result = process.wait();
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("run.h5': another program has changed"));
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_EQ(read_file(folder / "run.h5"), read_file(folder / "other.h5"));
  EXPECT_EQ(folder.names(), ("other.h5 run.h5"_words));
}

/// Of the tile method the parts of the step control and the counted events of processes, among others.
TEST(RestartOfAFile, ThatLacksACheckpointEntryIsRefused) {
  for (const Words& run : {"kmc --processes m.ini --size 16 --replicas 2 --until-time"_words,
                           "kpz --size 16 --waiting-times 1 --steps"_words,
                           "disks --particles 32 --packing-fraction 0.3 --sample-every 10 --sweeps"_words}) {
    const TemporaryFolder folder;
    folder.write("m.ini", square_lattice() + process("up", "1", "empty@a", "CO@a", "tof_count = {'CO': 1}\n"));
    const Words quiet = "--quiet"_words + on_host;
    complete_run(folder, run + "2 --output whole.h5"_words + quiet);
    for (const std::string& name : InputFile(folder / "whole.h5").names("/checkpoint")) {
      if (name == "window_end") continue;  // absent in files of earlier versions, which restart, too
      std::filesystem::copy_file(folder / "whole.h5", folder / "part.h5",
                                 std::filesystem::copy_options::overwrite_existing);
      const hid_t file = H5Fopen((folder / "part.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      H5Ldelete(file, ("checkpoint/" + name).c_str(), H5P_DEFAULT);
      H5Fclose(file);
      const auto result = run_tessera(folder, Words{run[0], "--restart", "part.h5", run.back(), "4"} + quiet);
      EXPECT_EQ(result.status, 2) << run[0] << " without " << name;
      EXPECT_THAT(result.err, HasSubstr(name)) << run[0];
      EXPECT_EQ(line_count(result.err), 1u) << result.err;
    }
  }
}

class FinishedRun : public ::testing::Test {
 protected:
  void SetUp() override { complete_run(folder, short_recorded_run + "--output run.h5"_words); }

  TemporaryFolder folder;
};

TEST_F(FinishedRun, RestartedReportsItAndChangesNothing) {
  const std::string content = read_file(folder / "run.h5");
  const auto result = complete_run(folder, "kmc --restart run.h5"_words);
  EXPECT_THAT(result.err, HasSubstr("run.h5 has already reached its stopping time\n"));
  for (const auto& [words, message] : std::vector<std::pair<Words, std::string>>{
           {{"--until-time", "5"}, "reached its stopping time, time 5/k_2: it is at time 10, after "},
           {{"--until-events-per-site", "0.5"},
            "reached its stopping time, time 10/k_2 or 6144 events: it is at time 10, after "}}) {
    const auto earlier = complete_run(folder, "kmc --restart run.h5"_words + words);
    EXPECT_THAT(earlier.err, HasSubstr(message));
  }
  EXPECT_EQ(read_file(folder / "run.h5"), content);
}

TEST_F(FinishedRun, RestartedWithAnotherOutputWritesItThere) {
  const std::string content = read_file(folder / "run.h5");
  const auto result = complete_run(folder, "kmc --restart run.h5 --output other.h5"_words);
  EXPECT_THAT(result.out, HasSubstr("output in other.h5"));
  expect_same_content(folder / "run.h5", folder / "other.h5", with_steps);
  EXPECT_EQ(read_file(folder / "run.h5"), content);
}

TEST_F(FinishedRun, RestartedAcceptsTheInputFileOfTheFirstCall) {
  folder.write("run.ini", InputFile(folder / "run.h5").text("/provenance/input"));
  complete_run(folder, "kmc --config run.ini --restart run.h5"_words);
}

TEST_F(FinishedRun, RestartedWithALaterStoppingTimeEqualsTheLongerRun) {
  const Words later = "--until-time 20"_words;
  complete_run(folder, recorded_run + later + "--output whole.h5"_words);
  complete_run(folder, "kmc --restart run.h5 --quiet"_words + on_host + later);
  expect_same_content(folder / "whole.h5", folder / "run.h5", with_steps);
}

TEST_F(FinishedRun, RecordedInputGivesTheSameRun) {
  folder.write("again.ini", InputFile(folder / "run.h5").text("/provenance/input"));
  complete_run(folder, "kmc --config again.ini --output again.h5 --quiet"_words);
  expect_same_content(folder / "run.h5", folder / "again.h5", with_steps);
  EXPECT_EQ(InputFile(folder / "again.h5").text("/provenance/backend"), host_backend);
}

}  // namespace
}  // namespace tessera::testing
