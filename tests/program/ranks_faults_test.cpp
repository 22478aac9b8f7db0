// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstddef>
#include <deque>
#include <iterator>
#include <string>
#include <tessera/io/input_file.hpp>

#include "io/checksum.hpp"
#include "tests/matchers.hpp"
#include "tests/program/runs_on_ranks.hpp"

namespace tessera::testing {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

const Method methods[] = {
    {"kmc --size 32 --replicas 3"_words, {"--until-time", "1e9"}, {"--until-time"}, "/checkpoint/time"},
    {"kpz --size 64 --domain 16 --replicas 3 --measure-times 0 --fields never"_words,
     {"--steps", "1e8"},
     {"--steps"},
     "/checkpoint/intervals"},
    {"disks --particles 400 --replicas 3 --sample-every 20"_words,
     {"--sweeps", "1e8"},
     {"--sweeps"},
     "/checkpoint/sweeps"},
    // One system, which the ranks share out.
    {"kpz --size 128 --domain 16 --measure-times 0 --fields never"_words,
     {"--steps", "1e8"},
     {"--steps"},
     "/checkpoint/intervals"},
    {"disks --particles 1600 --sample-every 20"_words, {"--sweeps", "1e8"}, {"--sweeps"}, "/checkpoint/sweeps"},
    {"kmc --size 72 --tile 8"_words, {"--until-time", "1e9"}, {"--until-time"}, "/checkpoint/time"},
};

// Each rank, with spread replicas and with a system that is shared out.
TEST(ASignalToAnyRank, ChangesNoTrajectoryOfKmc) { expect_no_change<double>(methods[0], 1, 3, 0); }
TEST(ASignalToAnyRank, ChangesNoTrajectoryOfKpz) { expect_no_change<std::uint64_t>(methods[1], 20, 3, 2); }
TEST(ASignalToAnyRank, ChangesNoTrajectory) { expect_no_change<std::int64_t>(methods[2], 100, 3, 1); }
TEST(ASignalToAnyRank, ChangesNoTrajectoryOfASharedLattice) { expect_no_change<std::uint64_t>(methods[3], 20, 3, 1); }
TEST(ASignalToAnyRank, ChangesNoTrajectoryOfASharedLatticeOfKmc) { expect_no_change<double>(methods[5], 1, 3, 0); }
TEST(ASignalToAnyRank, ChangesNoTrajectoryOfASharedBox) { expect_no_change<std::int64_t>(methods[4], 100, 3, 2); }

TEST(ASignalForACheckpoint, WorksOnAnyRank) {
  const TemporaryFolder folder;
  Process process(folder, methods[0].call("--checkpoint-every 0"_words), on_ranks(2));
  ASSERT_TRUE(process.runs_until_there_is(folder / ".run.h5.lock")) << process.wait().err;
  // All ranks listen to signals before there is a lock.
  ASSERT_TRUE(signal_rank(1, folder, SIGUSR1));
  EXPECT_TRUE(process.runs_until_there_is(folder / "run.h5"));
  ASSERT_TRUE(signal_rank(0, folder, SIGTERM));
  EXPECT_EQ(process.wait().status, 143);
}

TEST(ARankThatIsKilled, EndsTheJobAndLeavesAFileThatOpens) {
  for (const int rank : {0, 1}) {
    const TemporaryFolder folder;
    Process process(folder, methods[0].call("--checkpoint-every 0.1"_words), on_ranks(2));
    ASSERT_TRUE(process.runs_until_there_is(folder / "run.h5")) << process.wait().err;
    ASSERT_TRUE(signal_rank(rank, folder, SIGKILL));
    EXPECT_NE(process.wait().status, 0);
    EXPECT_TRUE(none_is_left(folder));
    InputFile(folder / "run.h5").read_through();
    complete_run(folder, "kmc --restart run.h5 --until-time 1e-3 --quiet"_words);
  }
}

TEST(AFullDiskAtRankZero, EndsTheJobOfASharedSystemWithOneMessage) {
  const Words runs[] = {
      "kpz --size 8192 --steps 1 --waiting-times 0,0.5 --fields never"_words,
      "disks --particles 4000000 --sweeps 1"_words,
      "kmc --size 1536 --until-time 1e-9"_words,
  };
  for (const Words& run : runs) expect_one_message_of_a_full_disk(run + "--quiet"_words + on_host, 3);
}

TEST(ASystemThatRanksCannotShareOut, IsRefusedInOneLineWithAPossibleNumber) {
  const Words runs[] = {
      "kpz --size 64 --domain 32 --device-layer db --steps 1"_words,
      "disks --particles 150 --packing-fraction 0.5 --sweeps 1"_words,
  };
  for (const Words& run : runs) {
    const TemporaryFolder folder;
    const auto result = run_tessera(folder, run + "--quiet"_words + on_host, on_ranks(3));
    EXPECT_EQ(result.status, 2) << result.err;
    const auto lines = own_lines(result.err);
    ASSERT_EQ(lines.size(), 1u) << result.err;
    EXPECT_THAT(lines[0], HasSubstr(" cannot be divided among 3 ranks; use 2 or 1 ranks"));
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(AFullDiskAtRankZero, EndsTheJobWithOneMessage) {
  const TemporaryFolder folder;
  auto options = on_ranks(2);
  options.largest_file = 24 << 20;  // MPI has files of its own, which are smaller
  const auto result =
      run_tessera(folder, "kmc --size 1024 --replicas 2 --until-time 1e-9 --quiet"_words + on_host, options);
  EXPECT_EQ(result.status, 1) << result.err;
  const auto lines = own_lines(result.err);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  EXPECT_THAT(lines[0], HasSubstr("kmc.h5"));
  EXPECT_TRUE(folder.names().empty()) << "nothing is left of a file that could not be written";
  EXPECT_TRUE(none_is_left(folder));
}

struct BadInput {
  int ranks;
  Words words;
  std::string message;
};

TEST(ABadInput, IsReportedOnceByAllRanks) {
  const BadInput inputs[] = {
      {2, "kmc --size 33,34 --tile 32 --until-time 1"_words,
       "--tile 32: must divide both sides of the lattice, 33 and 34"},
      {2, {"kcm"}, "kcm"},
      {2, "sweep kmc --phi 0,1 --until-time 1"_words, "without mpirun or srun"},
      {2, {}, "no command given"},
      {3, "kmc --method bkl --replicas 2 --until-time 1"_words, "use at most 2 ranks"},
      {2, "kmc --method waiting-time --until-time 1"_words, "use at most 1 rank"},
      {2, "kmc --size 64 --tile 64 --until-time 1"_words, "use at most 1 rank"},  // a single tile
      {3, "kmc --size 32 --tile 8 --until-time 1"_words + on_host, "use 1 rank, a larger --size"},
      {4, "kmc --ranks-per-replica 3 --replicas 2 --until-time 1"_words, "; use 2 or 4"},
      {4, "kpz --ranks-per-replica 1 --replicas 2 --steps 1"_words, "; use 2 or 4"},
      {2, "kpz --ranks-per-replica 0 --steps 1"_words,
       "--ranks-per-replica 0: must be auto or a positive whole number of ranks"},
      {4, "disks --replicas 2 --start nowhere.txt --sweeps 1"_words, "no such file"},
      {2, "kmc --rank-grid 3,1 --until-time 1"_words, "--rank-grid 3,1: is a grid of 3 ranks, but the run has 2"},
      {2, "kpz --method sequential --steps 1 --size 16"_words, "use at most 1 rank"},
      {2, "disks --start nowhere.txt --sweeps 1"_words, "no such file"},
      {2, "disks --method sequential --sweeps 1"_words, "use at most 1 rank"},
      {2, "disks --rank-grid 0,2 --sweeps 1"_words, "--rank-grid 0,2: must be auto, or two positive whole numbers"},
      {2, "disks --rank-grid 2,2 --sweeps 1"_words, "--rank-grid 2,2: is a grid of 4 ranks, but the run has 2"},
      {2, "disks --rank-grid 2,1 --particles 64 --sweeps 1"_words, "--rank-grid 2,1: divides "},
      {2, "disks --particles 4e9 --sweeps 1"_words, "too large for 2 ranks, with room for"},
      {2, "disks --particles 1e8 --packing-fraction 0.05 --replicas 4 --sweeps 1"_words,
       "cells in each of 2 replicas is too large for one process"},
      {2, "kpz --method sequential --rank-grid 2,1 --steps 1"_words,
       "--rank-grid 2,1: a replica of this run cannot be divided"},
      {2, "disks --transport pigeons --sweeps 1"_words, "--transport pigeons: must be one of"},
      {2, "kmc --restart nowhere.h5"_words, "nowhere.h5"},
  };
  // Some at once: a launcher whose ranks have failed waits for a while.
  struct Call {
    explicit Call(const BadInput& input) : process(folder, input.words, on_ranks(input.ranks)) {}
    const TemporaryFolder folder;
    Process process;
  };
  for (auto input = std::begin(inputs); input != std::end(inputs);) {
    std::deque<Call> calls;
    for (auto next = input; calls.size() < 6 && next != std::end(inputs); ++next) calls.emplace_back(*next);
    for (Call& call : calls) {
      const auto result = call.process.wait();
      EXPECT_EQ(result.status, 2) << result.err;
      const auto lines = own_lines(result.err);
      ASSERT_EQ(lines.size(), 1u) << result.err;
      EXPECT_THAT(lines[0], HasSubstr((input++)->message));
      EXPECT_TRUE(call.folder.names().empty());
      EXPECT_TRUE(none_is_left(call.folder));
    }
  }
}

/// Puts the last replica of a checkpoint of kmc to an impossible time, and a checksum to that.
void put_back_before_the_beginning(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "/checkpoint/time", H5P_DEFAULT);
  double times[2];
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times);
  times[1] = -1;
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times);
  const std::uint64_t sum = tessera::io::entry_checksum("time", "float64", {2}, times, sizeof(times));
  const hid_t attribute = H5Aopen(dataset, "checksum", H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_UINT64, &sum);
  H5Aclose(attribute);
  H5Dclose(dataset);
  H5Fclose(file);
}

TEST(ABadInput, ThatOneRankOrGroupFindsEndsAll) {
  const TemporaryFolder folder;
  const Words rest = "--quiet"_words + on_host;
  const Words run = "kmc --size 64 --tile 8 --replicas 2 --until-time 1"_words;
  complete_run(folder, run + rest);
  put_back_before_the_beginning(folder / "kmc.h5");
  const auto before = tessera::testing::file_content(folder / "kmc.h5");
  for (const int of_replica : {1, 2}) {
    const auto result =
        run_tessera(folder, "kmc --restart kmc.h5 --until-time 2"_words + rest, on_ranks(2 * of_replica));
    EXPECT_EQ(result.status, 2) << result.err;
    const auto lines = own_lines(result.err);
    ASSERT_EQ(lines.size(), 1u) << result.err;
    EXPECT_THAT(lines[0], HasSubstr("rank " + std::to_string(of_replica) + ", whose replica 0 is replica 1: "));
    EXPECT_THAT(folder.names(), ElementsAre("kmc.h5"));
    EXPECT_EQ(tessera::testing::file_content(folder / "kmc.h5"), before);
    EXPECT_TRUE(none_is_left(folder));
  }
}

TEST(ABadInput, IncludesCommandLinesThatDifferBetweenRanks) {
  const TemporaryFolder folder;
  const auto options = on_ranks(1);
  const Words run = "kmc --size 16 --replicas 2 --until-time 1"_words + on_host + "--seed"_words;
  const Words other{":", options.launcher[options.launcher.size() - 2], "1", TESSERA_PROGRAM};
  const auto result = run_tessera(folder, run + Words{"1"} + other + run + Words{"2"}, options);
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_THAT(own_lines(result.err), ElementsAre(HasSubstr("rank 1 has a different command line from rank 0")));
  EXPECT_TRUE(folder.names().empty());
  complete_run(folder, run + Words{"1"} + other + run + Words{"1"}, options);
}

TEST(ABadInput, IsReportedOnceIfEachRankFindsIt) {
  const TemporaryFolder folder;
  std::string points;
  for (int i = 0; i < 16; ++i) points += "0 0\n";
  folder.write("all_at_once.txt", points);
  const auto result = run_tessera(
      folder, "disks --particles 16 --replicas 2 --start all_at_once.txt --sweeps 10 --packing-fraction 0.1"_words,
      on_ranks(2));
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_EQ(own_lines(result.err).size(), 1u) << result.err;
}

}  // namespace
}  // namespace tessera::testing
