// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <map>
#include <string>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/runs_on_ranks.hpp"

namespace tessera::testing {
namespace {

const Examples examples{
    {"kmc",
     {"kmc --size 32 --replicas 5 --measure-every 0.25 --field-every 4 --record-steps --average-from 2"_words,
      {{"--until-time", "4"}, {"--until-time", "7"}, {"--until-time", "10"}}}},
    {"kmc_by_events",
     {"kmc --size 32 --replicas 9 --until-time inf"_words,
      {{"--until-events-per-site", "0.4"}, {"--until-events-per-site", "1"}, {"--until-events-per-site", "1.3"}}}},
    {"kmc_ising",
     {"kmc --model ising --method waiting-time --size 16 --replicas 3 --measure-every-events 0.1"_words,
      {{"--until-time", "1"}, "--until-time 2 --change --coupling 0.6"_words, {"--until-time", "3"}}}},
    {"kpz",
     {"kpz --size 64 --domain 16 --replicas 5 --measure-every 1 --average-from 5 --waiting-times 4,10 --field-every "
      "8"_words,
      {{"--steps", "12"}, {"--steps", "20"}, {"--steps", "24"}}}},
    // Fewer replicas than ranks, which share out the lattice then.
    {"kpz_shared",
     {"kpz --size 128 --domain 16 --measure-every 1 --average-from 5 --waiting-times 4,10 --field-every 8 --structure-factor"_words,
      {{"--steps", "40"}, {"--steps", "48"}, {"--steps", "56"}}}},
    {"kpz_shared_by_more_than_replicas",
     {"kpz --size 128,256 --domain 32 --replicas 2 --device-layer cdb --q 0.3"_words,
      {{"--steps", "6"}, "--steps 9 --change --p 0.5"_words, {"--steps", "12"}}}},
    {"kmc_shared",
     {"kmc --size 64,96 --tile 8 --phi 1.5 --measure-every 0.1 --field-every 2 --record-steps --average-from 1 --structure-factor"_words,
      {{"--until-time", "4.5"}, {"--until-time", "5"}, {"--until-time", "6.25"}}}},
    {"kmc_shared_by_events",
     {"kmc --size 64 --tile 8 --step-control reject --replicas 2 --until-time inf"_words,
      {{"--until-events-per-site", "0.4"}, {"--until-events-per-site", "1"}, {"--until-events-per-site", "1.3"}}}},
    {"kmc_shared_ising",
     {"kmc --model ising --size 256 --measure-every 0.5"_words,
      {{"--until-time", "1"}, "--until-time 2 --change --coupling 0.6"_words, {"--until-time", "3"}}}},
    {"kmc_shared_with_energies_of_clusters",
     {Words{"kmc", "--processes", TESSERA_MODEL_FILES "/oxygen_pd100.ini"} +
          "--set T=800,p_O2gas=100 --size 48 --tile 8 --repair-halo 16 --measure-every 2e-11 --field-every 1e-10"_words,
      {{"--until-time", "1e-10"}, {"--until-time", "1.5e-10"}, {"--until-time", "2e-10"}}}},
    {"kmc_shared_with_rates_that_change",
     {Words{"kmc", "--processes", TESSERA_MODEL_FILES "/desorption.ini"} +
          "--set heating=20 --size 64,96 --tile 8 --measure-every-events 0.05 --field-every 1"_words,
      {{"--until-time", "3.5"}, {"--until-time", "4.1"}, {"--until-time", "8"}}}},
    {"kmc_in_space_shared",
     {"kmc --model hopping --attraction 0.4 --coverage 0.2 --lattice bcc --size 32,32,48 --method tile --measure-every "
      "0.1 --field-every 0.2"_words,
      {{"--until-time", "0.2"}, "--until-time 0.3 --change --attraction 0.2"_words, {"--until-time", "0.4"}}}},
    {"kmc_in_space_shared_with_tracked_particles",
     {Words{"kmc", "--processes", TESSERA_MODEL_FILES "/vacancies_fcc.ini"} +
          "--set vacancies=300 --replicas 2 --size 34,32,72 --method tile --track vacancy --measure-every 0.5"_words,
      {{"--until-time", "2"}, {"--until-time", "3"}, {"--until-time", "5"}}}},
    {"disks",
     {"disks --particles 400 --replicas 4 --equilibrate 500 --tune-acceptance 0.5 --sample-every 5 --measure-every 20 "
      "--field-every 200 --start random --packing-fraction 0.5"_words,
      {{"--sweeps", "530"}, {"--sweeps", "540"}, {"--sweeps", "600"}}}},
    {"disks_shared",
     {"disks --particles 1600 --equilibrate 500 --tune-acceptance 0.5 --sample-every 5 --measure-every 20 "
      "--field-every 250 --start random --packing-fraction 0.5"_words,
      {{"--sweeps", "450"}, {"--sweeps", "530"}, {"--sweeps", "560"}}}},
    {"disks_shared_by_more_than_replicas_with_two_threads",
     {"disks --particles 1000 --replicas 2 --aspect 2 --sample-every 5 --threads 2"_words,
      {{"--sweeps", "20"}, {"--sweeps", "30"}, {"--sweeps", "40"}}}},
};

class SpreadReplicas : public ::testing::TestWithParam<std::string> {
 protected:
  /// Runs to the stopping times one after the other, on so many ranks each; 0: without a launcher. The file has this
  /// name.
  void run(const std::string& file, const std::vector<int>& ranks) {
    const auto& example = examples.at(GetParam());
    const bool sequential = example.words.size() > 2 && example.words[1] == "--method";
    const Words where = Words{"--quiet"} + (sequential ? Words{} : on_host);
    std::vector<Leg> legs;
    for (const int number : ranks) legs.push_back({where, number == 0 ? alone() : on_ranks(number)});
    run_to_stopping_times(folder, example, file, legs);
  }

  const TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Examples, SpreadReplicas, ::testing::ValuesIn(names_of(examples)),
                         [](const auto& one) { return one.param; });

/// The file at the first stopping time, and where the run continues on other numbers of ranks.
TEST_P(SpreadReplicas, WriteTheFileOfOneRankAndContinueOnAnyNumber) {
  run("alone.h5", {0, 0, 0});
  run("3_0_2.h5", {3, 0, 2});
  expect_same_content(folder / "3_0_2.h5", folder / "alone.h5");
  if (GetParam() != "kmc" && GetParam() != "disks_shared" && GetParam() != "kmc_shared" && GetParam() != "kpz_shared" &&
      GetParam() != "kmc_in_space_shared")
    return;
  run("first.h5", {0});
  for (const int ranks : {1, 4}) {
    const std::string file = std::to_string(ranks) + ".h5";
    run(file, {ranks});
    expect_same_content(folder / file, folder / "first.h5");
  }
}

/// Each run of a system that ranks on this grid share out, with more replicas than ranks even, is that of one process.
TEST(ARankGrid, IsPrintedAndDoesNotChangeTheTrajectory) {
  const std::map<std::string, Words> runs{{"kpz", "kpz --size 128 --domain 16 --steps 10 --replicas 4"_words},
                                          {"disks", "disks --particles 1600 --sweeps 20 --sample-every 5"_words}};
  for (const auto& [name, words] : runs) {
    const TemporaryFolder folder;
    const Words where = on_host;
    complete_run(folder, words + where + "--output alone.h5 --quiet"_words, alone());
    for (const auto& [grid, shape] : std::map<std::string, std::string>{{"3,1", "3 x 1"}, {"1,3", "1 x 3"}}) {
      const auto result =
          complete_run(folder, words + where + Words{"--rank-grid", grid, "--output", grid + ".h5"}, on_ranks(3));
      EXPECT_THAT(result.err, HasSubstr("3 ranks, each system divided into " + shape));
      EXPECT_THAT(tessera::io::InputFile(folder / (grid + ".h5")).text("/provenance/device"),
                  HasSubstr("3 ranks, each system divided into " + shape));
      expect_same_content(folder / (grid + ".h5"), folder / "alone.h5");
    }
  }
}

TEST(ARankGrid, ThatIsChosenIsPrinted) {
  const TemporaryFolder folder;
  const auto result = complete_run(folder, "disks --particles 1600 --sweeps 1"_words + on_host, on_ranks(4));
  EXPECT_THAT(result.err, HasSubstr("4 ranks, each system divided into 1 x 4"));
}

TEST(ATransport, WithoutDevicesHasNoEffect) {
  const TemporaryFolder folder;
  const Words words = "disks --particles 1600 --sweeps 1"_words + on_host + "--transport"_words;
  const auto result = complete_run(folder, words + Words{"staged"}, on_ranks(2));
  EXPECT_THAT(result.err, HasSubstr("--transport staged: has no effect"));
}

const Words small_run = "kmc --size 16 --replicas 2 --until-time 1"_words + on_host;

TEST(Ranks, PrintOnceWhatOneProcessPrints) {
  const TemporaryFolder folder;
  const auto help = run_tessera(folder, {"kmc", "--help"});
  EXPECT_EQ(run_tessera(folder, {"kmc", "--help"}, on_ranks(2)).out, help.out);
  const auto json = complete_run(folder, small_run + "--json --quiet"_words, on_ranks(2));
  EXPECT_EQ(std::count(json.out.begin(), json.out.end(), '{'), 3) << json.out;  // the object, observables, units
  EXPECT_EQ(json.err, "");
  auto with_configuration = on_ranks(2);
  with_configuration.environment.push_back("KOKKOS_PRINT_CONFIGURATION=1");
  const auto quiet = run_tessera(folder, small_run + "--overwrite --quiet"_words, with_configuration);
  EXPECT_EQ(quiet.out, "") << "what Kokkos prints goes to standard error";
  EXPECT_THAT(quiet.err, HasSubstr("Kokkos Version"));
}

TEST(Ranks, AreNamedInTheProvenance) {
  const TemporaryFolder folder;
  complete_run(folder, small_run + Words{"--quiet"}, on_ranks(2));
  EXPECT_THAT(tessera::io::InputFile(folder / "kmc.h5").text("/provenance/device"), HasSubstr(", 2 ranks"));
  complete_run(folder, small_run + "--quiet --overwrite"_words);
  EXPECT_THAT(tessera::io::InputFile(folder / "kmc.h5").text("/provenance/device"), Not(HasSubstr("rank")));
}

/// Of systems that are shared out, in groups as well, and of replicas.
TEST(ADryRunOfRanks, PrintsAnInputFileAndWritesNothing) {
  for (const Words& words : {"disks --particles 1600 --sweeps 20 --field-every 10"_words,
                             "kpz --size 128 --domain 16 --steps 10 --replicas 2"_words,
                             "kmc --size 16 --replicas 5 --until-time 1"_words}) {
    const TemporaryFolder folder;
    const auto dry = complete_run(folder, words + "--dry-run"_words + on_host, on_ranks(4));
    EXPECT_THAT(folder.names(), ElementsAre());
    for (const std::string text : {", 4 ranks", "# memory of rank 0, which needs the most: ", "# file: at most ",
                                   "# cost: about ", "# nothing was written\n"})
      EXPECT_THAT(dry.out, HasSubstr(text));
    folder.write("dry.ini", dry.out);
    complete_run(folder, {words[0], "--config", "dry.ini", "--quiet"}, alone());
  }
}

}  // namespace
}  // namespace tessera::testing
