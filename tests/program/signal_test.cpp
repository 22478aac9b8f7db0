// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <tessera/io/input_file.hpp>
#include <thread>

#include "machine/stop_signal.hpp"
#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

const Words run_without_stopping_time = "kmc --size 32 --field-every 1"_words + on_host;
const Words endless_run = run_without_stopping_time + "--until-time 1e9"_words;

/// The lock of the output is there once signals are handled.
bool listens(Process& process, const TemporaryFolder& folder) {
  return process.runs_until_there_is(folder / ".kmc.h5.lock");
}

double time_reached(const TemporaryFolder& folder) {
  return InputFile(folder / "kmc.h5").read<double>("/checkpoint/time").at(0);
}

ino_t number_of(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// The sample takes about 10 s of a core.
TEST(Signals, StopARunInALongSample) {
  const TemporaryFolder folder;
  const Words sampling =
      "disks --particles 80000 --q-max 10 --sample-every 1 --equilibrate 0 --sweeps 3 --quiet --threads 1"_words +
      on_host;
  Process process(folder, sampling);
  ASSERT_TRUE(process.runs_until_there_is(folder / ".disks.h5.lock"));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  process.signal(SIGTERM);
  const auto result = process.wait();
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.err;
  const InputFile file(folder / "disks.h5");
  EXPECT_EQ(file.read<std::int64_t>("/checkpoint/sweeps"), std::vector<std::int64_t>{1});
  EXPECT_TRUE(file.has("/checkpoint/sample_due"));
  EXPECT_EQ(file.read<double>("/observables/samples/value"), std::vector<double>{0});
  complete_run(folder, "disks --restart disks.h5 --dry-run"_words);
}

TEST(Signals, HangupAndCpuTimeLimitStopTheRunWithACheckpoint) {
  for (const int number : {SIGHUP, SIGXCPU}) {
    const TemporaryFolder folder;
    Process process(folder, endless_run + Words{"--quiet"});
    ASSERT_TRUE(listens(process, folder));
    process.signal(number);
    const auto result = process.wait();
    EXPECT_EQ(result.status, 128 + number) << result.err;
    EXPECT_THAT(folder.names(), ElementsAre("kmc.h5"));
    const double reached = time_reached(folder);
    const auto more =
        complete_run(folder, {"kmc", "--restart", "kmc.h5", "--until-time", std::to_string(reached + 1), "--quiet"});
    EXPECT_EQ(more.err, "");
  }
}

TEST(Signals, AnIgnoredHangupStaysIgnored) {
  const TemporaryFolder folder;
  Process::Options options;
  options.prepare = [] { ::signal(SIGHUP, SIG_IGN); };  // as nohup does
  Process process(folder, endless_run + Words{"--quiet"}, options);
  ASSERT_TRUE(listens(process, folder));
  process.signal(SIGHUP);
  process.signal(SIGUSR1);
  EXPECT_TRUE(process.runs_until_there_is(folder / "kmc.h5"));
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().status, 128 + SIGTERM);
}

TEST(Signals, RequestACheckpointWithoutStopping) {
  const TemporaryFolder folder;
  Process process(folder, endless_run + Words{"--quiet"});
  ASSERT_TRUE(listens(process, folder));
  double before = -1;
  for (int round = 0; round < 3; ++round) {
    const auto file = number_of(folder / "kmc.h5");
    process.signal(SIGUSR1);
    while (process.running() && number_of(folder / "kmc.h5") == file)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_TRUE(process.running()) << process.wait().status;
    EXPECT_GE(time_reached(folder), before);
    before = time_reached(folder);
  }
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().status, 143);
  EXPECT_GE(time_reached(folder), before);
}

// The program waits for its input file, before it has read the options.
TEST(Signals, RequestACheckpointFromTheFirstMomentOn) {
  const TemporaryFolder folder;
  const auto pipe = folder / "run.ini";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Process process(folder, "kmc --config run.ini --quiet"_words + on_host);
  const int input = open(pipe.c_str(), O_WRONLY);
  ASSERT_GE(input, 0);
  process.signal(SIGUSR1);
  const std::string text = "size = 32\nuntil-time = 1\n";
  EXPECT_EQ(write(input, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(input);
  const auto result = process.wait();
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(SignalsDeathTest, RepeatedCpuTimeSignalsAreOneRequest) {
  const auto be_told_twice = [] {
    tessera::program::install_signal_handlers();
    raise(SIGXCPU);
    sleep(3);
    raise(SIGXCPU);
    raise(SIGHUP);
    _exit(tessera::program::stop_signal() == SIGXCPU ? 0 : 1);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(be_told_twice(), ::testing::ExitedWithCode(0), "");
}

TEST(Streams, ClosedStreamsDoNotDamageTheOutput) {
  const TemporaryFolder folder;
  Process::Options options;
  options.prepare = [] {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(number);
  };
  // Long enough for several lines of progress while the file that holds the fields is open.
  const auto result =
      run_tessera(folder, endless_run + Words{"--progress", "always", "--wall-limit", wall_limit_after(3)}, options);
  EXPECT_EQ(result.status, 3);
  EXPECT_GT(time_reached(folder), 0);
}

TEST(Streams, AFailingStandardOutputDoesNotChangeTheExitStatus) {
  const TemporaryFolder folder;
  Process::Options options;
  options.prepare = [] { dup2(open("/dev/null", O_RDONLY), STDOUT_FILENO); };  // cannot be written to
  const auto stopped = run_tessera(folder, endless_run + Words{"--wall-limit", wall_limit_after(1)}, options);
  EXPECT_EQ(stopped.status, 3) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("standard output is incomplete: "));
  const auto done = run_tessera(
      folder, run_without_stopping_time + "--until-time 1 --json --progress never --output done.h5"_words, options);
  EXPECT_EQ(done.status, 1) << "what was asked for is not there";
  EXPECT_THAT(done.err, HasSubstr("standard output is incomplete: "));
  EXPECT_EQ(line_count(done.err), 1u) << done.err;
}

}  // namespace
}  // namespace tessera::testing
