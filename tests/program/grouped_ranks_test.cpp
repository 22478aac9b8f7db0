// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>

#include <chrono>
#include <map>
#include <string>
#include <tessera/io/input_file.hpp>
#include <thread>

#include "tests/matchers.hpp"
#include "tests/program/runs_on_ranks.hpp"

/// Groups of ranks, which have replicas of their own and share out each of them.
namespace tessera::testing {
namespace {

const Words here = "--quiet"_words + on_host;

Words in_groups_of(int size) { return {"--ranks-per-replica", std::to_string(size)}; }

const Examples of_groups{
    {"kmc",
     {"kmc --size 64,96 --tile 8 --replicas 3 --measure-every-events 0.2 --field-every 2 --record-steps --average-from "
      "1 --structure-factor"_words,
      {{"--until-time", "4"}, {"--until-time", "5"}, {"--until-time", "6.25"}}}},
    {"kmc_islands",
     {"kmc --model epitaxy --size 96 --tile 8 --replicas 3 --field-every 0.01"_words,
      {{"--until-time", "0.01"}, {"--until-time", "0.012"}, {"--until-time", "0.015"}}}},
    {"kmc_by_events",
     {"kmc --model ising --size 96 --tile 8 --replicas 3 --until-time inf"_words,
      {{"--until-events-per-site", "0.2"}, {"--until-events-per-site", "0.5"}, {"--until-events-per-site", "0.7"}}}},
    {"kmc_absorbed",
     {{"kmc", "--processes", TESSERA_MODEL_FILES "/zgb.ini", "--set", "y=0.6", "--size", "96", "--tile", "8",
       "--replicas", "3", "--measure-every", "1", "--until-time", "inf"},
      {{"--until-events-per-site", "1000"}, {"--until-time", "20"}, {"--until-time", "25"}}}},
    {"kpz",
     {"kpz --size 128 --domain 16 --replicas 3 --measure-every 1 --average-from 5 --waiting-times 4,10 --field-every "
      "8"_words,
      {{"--steps", "20"}, {"--steps", "24"}, {"--steps", "32"}}}},
    {"disks",
     {"disks --particles 1600 --replicas 3 --equilibrate 500 --tune-acceptance 0.5 --sample-every 5 --measure-every 20 "
      "--field-every 250 --start random --packing-fraction 0.5"_words,
      {{"--sweeps", "450"}, {"--sweeps", "530"}, {"--sweeps", "560"}}}},
};

/// Ranks, and how many of them share out a replica; 0: no launcher.
struct Ranks {
  int all, of_replica;
};

class GroupsOfRanks : public ::testing::TestWithParam<std::string> {
 protected:
  void run(const std::string& file, const std::vector<Ranks>& ranks) {
    std::vector<Leg> legs;
    for (const auto [all, of_replica] : ranks)
      legs.push_back(all == 0 ? Leg{here, alone()} : Leg{in_groups_of(of_replica) + here, on_ranks(all)});
    run_to_stopping_times(folder, of_groups.at(GetParam()), file, legs);
  }

  const TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Examples, GroupsOfRanks, ::testing::ValuesIn(names_of(of_groups)),
                         [](const auto& one) { return one.param; });

TEST_P(GroupsOfRanks, ContinueInOtherGroups) {
  run("alone.h5", {{0, 0}, {0, 0}, {0, 0}});
  run("groups.h5", {{4, 2}, {3, 3}, {4, 2}});
  expect_same_content(folder / "groups.h5", folder / "alone.h5");
}

TEST(GroupsOfRanks, ArePrinted) {
  const Words run = "disks --particles 1600 --sweeps 1"_words + on_host;
  const std::map<std::string, Words> calls{
      {"4 ranks in 2 groups, each system divided into 1 x 2", {"--replicas", "2"}},  // chosen
      {"4 ranks in 2 groups, each system divided into 2 x 1",
       "--replicas 4 --ranks-per-replica 2 --rank-grid 2,1"_words},
      {"4 ranks, each system divided into 1 x 4", "--replicas 2 --ranks-per-replica 4"_words},
      {"4 ranks\n", {"--replicas", "5"}}};
  for (const auto& [said, words] : calls) {
    const TemporaryFolder folder;
    const auto result = complete_run(folder, run + words, on_ranks(4));
    EXPECT_THAT(result.err, HasSubstr(said));
    EXPECT_THAT(InputFile(folder / "disks.h5").text("/provenance/device") + "\n", HasSubstr(said));
  }
}

TEST(GroupsOfRanks, ThatCannotDivideASystemAreRefused) {
  const TemporaryFolder folder;
  const Words run = "kpz --size 64 --domain 32 --device-layer db --steps 1 --replicas 2"_words;
  const auto result = run_tessera(folder, run + in_groups_of(3) + here, on_ranks(3));
  EXPECT_EQ(result.status, 2) << result.err;
  const auto lines = own_lines(result.err);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  EXPECT_THAT(lines[0], HasSubstr("--ranks-per-replica 3: "));
  EXPECT_THAT(lines[0], HasSubstr("use 2 or 1 ranks, a larger --size or a smaller --domain"));
  EXPECT_TRUE(folder.names().empty());
}

/// On two groups.
const Method kpz{"kpz --size 128 --domain 16 --replicas 3 --measure-times 0 --fields never"_words,
                 {"--steps", "1e8"},
                 {"--steps"},
                 "/checkpoint/intervals"};
const Method disks{"disks --particles 1600 --replicas 3 --sample-every 20"_words,
                   {"--sweeps", "1e8"},
                   {"--sweeps"},
                   "/checkpoint/sweeps"};
const Method kmc{
    "kmc --size 72 --tile 8 --replicas 3"_words, {"--until-time", "1e9"}, {"--until-time"}, "/checkpoint/time"};

// Rank 1 is in the group of rank 0, rank 2 the head of the other one, and rank 3 in that.
TEST(ASignalToAnyRankOfGroups, StopsAllWithACheckpointThatCanBeContinued) {
  expect_no_change<double>(kmc, 0.5, 4, 3, in_groups_of(2));
  expect_no_change<std::uint64_t>(kpz, 20, 4, 1, in_groups_of(2));
  expect_no_change<std::int64_t>(disks, 100, 4, 2, in_groups_of(2));
}

TEST(ASignalToAnyRankOfGroups, CanRequestACheckpoint) {
  const TemporaryFolder folder;
  Process process(folder, kmc.call(in_groups_of(2) + "--checkpoint-every 0"_words), on_ranks(4));
  ASSERT_TRUE(process.runs_until_there_is(folder / ".run.h5.lock")) << process.wait().err;
  // As a rule before rank 3 knows the head of its group.
  EXPECT_TRUE(signal_rank(0, folder, SIGSTOP));
  EXPECT_TRUE(signal_rank(3, folder, SIGUSR1));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(signal_rank(0, folder, SIGCONT));
  EXPECT_TRUE(process.runs_until_there_is(folder / "run.h5"));
  ASSERT_TRUE(signal_rank(0, folder, SIGTERM));
  EXPECT_EQ(process.wait().status, 143);
}

/// A group that has reached its stopping time, while a rank of the other one is asleep, listens.
void expect_to_listen(int rank, int sleeper) {
  const TemporaryFolder folder;
  Process process(
      folder,
      "kmc --size 256 --replicas 2 --until-events-per-site 5 --until-time inf --checkpoint-every 0 --output "
      "run.h5"_words +
          here + in_groups_of(2),
      on_ranks(4));
  ASSERT_TRUE(process.runs_until_there_is(folder / ".run.h5.lock")) << process.wait().err;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until it computes
  EXPECT_TRUE(signal_rank(sleeper, folder, SIGSTOP));
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  EXPECT_TRUE(signal_rank(rank, folder, SIGTERM));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(signal_rank(sleeper, folder, SIGCONT));
  EXPECT_EQ(process.wait().status, 143);
}

TEST(ASignalToAnyRankOfGroups, ReachesAGroupThatWaitsForAnother) {
  expect_to_listen(3, 1);
  expect_to_listen(1, 3);
}

TEST(ARankOfAGroupThatIsKilled, EndsTheJobAndLeavesAFileThatOpens) {
  const TemporaryFolder folder;
  Process process(folder, kmc.call(in_groups_of(2) + "--checkpoint-every 0.2"_words), on_ranks(4));
  ASSERT_TRUE(process.runs_until_there_is(folder / "run.h5")) << process.wait().err;
  ASSERT_TRUE(signal_rank(3, folder, SIGKILL));
  EXPECT_NE(process.wait().status, 0);
  EXPECT_TRUE(none_is_left(folder));
  InputFile(folder / "run.h5").read_through();
}

TEST(AFullDisk, EndsTheJobOfGroupsWithOneMessage) {
  expect_one_message_of_a_full_disk("kmc --size 1024 --until-time 1e-9 --replicas 2"_words + in_groups_of(2) + here, 4);
}

}  // namespace
}  // namespace tessera::testing
