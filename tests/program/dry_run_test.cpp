// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <filesystem>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

const Words kmc = "kmc --size 64 --until-time 2 --measure-every 0.5"_words + on_host;
const Words kpz = "kpz --size 256 --steps 10 --replicas 2"_words + on_host;
const Words disks = "disks --particles 200 --sweeps 50 --field-every 10"_words + on_host;

class DryRun : public InFolder {};

TEST_F(DryRun, PrintsAnInputFileAndWritesNothing) {
  for (const Words& call : {kmc, kpz, disks}) {
    const TemporaryFolder own;
    const auto dry = complete_run(own, call + Words{"--dry-run"});
    EXPECT_THAT(own.names(), ElementsAre());
    EXPECT_EQ(dry.err, "");
    for (const std::string word : {"# memory: ", "# file: at most ", "# cost: about ", "# nothing was written\n"})
      EXPECT_THAT(dry.out, HasSubstr(word));
    own.write("dry.ini", dry.out);
    const Words quiet = "--quiet"_words + on_host;
    ASSERT_EQ(run_tessera(own, Words{call[0], "--config", "dry.ini"} + quiet).status, 0) << dry.out;
    complete_run(own, call + Words{"--quiet"});
    const auto input = [&](const std::string& file) { return InputFile(own / file).text("/provenance/input"); };
    const auto trajectory = [](const std::string& text) { return text.substr(0, text.find("\ncheckpoint-every")); };
    EXPECT_EQ(trajectory(input("dry.h5")), trajectory(input(call[0] + ".h5")));
    EXPECT_THAT(dry.out, HasSubstr(trajectory(input("dry.h5"))));
  }
}

TEST_F(DryRun, PredictsTheLargestFileSize) {
  for (const Words& call : {kmc, kpz, disks}) {
    const TemporaryFolder own;
    const auto dry = complete_run(own, call + "--dry-run --json"_words);
    const auto tree = parsed(dry.out);
    EXPECT_GT(tree.get<double>("seconds"), 0);
    EXPECT_GT(tree.get<double>("host_memory") + tree.get<double>("device_memory"), 0);
    EXPECT_GT(tree.get<double>("row_memory"), 0);
    EXPECT_LT(tree.get<double>("row_memory"), tree.get<double>("file_bytes"));
    complete_run(own, call + Words{"--quiet"});
    const auto bytes = static_cast<double>(std::filesystem::file_size(own / (call[0] + ".h5")));
    EXPECT_GE(tree.get<double>("file_bytes"), bytes) << call[0];
    EXPECT_LE(tree.get<double>("file_bytes"), 8 * bytes) << call[0];
  }
}

// A sample takes about 10 s of a core.
TEST_F(DryRun, EstimatesLongSamplesFromAPart) {
  const auto dry = complete_run(
      folder,
      "disks --particles 80000 --q-max 10 --sample-every 1 --equilibrate 0 --sweeps 3 --threads 1 --dry-run "
      "--json"_words +
          on_host);
  const auto tree = parsed(dry.out);
  EXPECT_GT(tree.get<double>("seconds"), 4 * tree.get<double>("estimate_seconds"));
}

TEST_F(DryRun, OfARestartDoesNotChangeTheFile) {
  complete_run(folder, kmc + Words{"--quiet"});
  const auto before = read_file(folder / "kmc.h5");
  const auto dry = complete_run(folder, "kmc --restart kmc.h5 --until-time 9 --dry-run"_words);
  EXPECT_THAT(dry.out, HasSubstr("\nuntil-time = 9\n"));
  EXPECT_THAT(dry.out, HasSubstr("19 measurements"));
  EXPECT_TRUE(read_file(folder / "kmc.h5") == before);
  EXPECT_THAT(folder.names(), ElementsAre("kmc.h5"));
}

}  // namespace
}  // namespace tessera::testing
