// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

/// tessera disks --start FILE.
namespace tessera::testing {
namespace {

using Disks = std::vector<std::array<double, 2>>;

class DisksStart : public ::testing::Test {
 protected:
  static Words words(const std::string& output) {
    return {"disks",         "--seed", "5",        "--backend", host_backend, "--overwrite",
            "--field-every", "10",     "--output", output,      "--quiet"};
  }
  static Words system(const std::string& particles = "300", const std::string& packing_fraction = "0.7") {
    return {"--particles", particles, "--packing-fraction", packing_fraction};
  }
  void run(const std::string& output, const Words& more) const {
    complete_run(folder, words(output) + system() + more);
  }
  std::string refusal(const Words& more, const Words& of = system()) const {
    const auto result = run_tessera(folder, words("refused.h5") + of + more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "refused.h5"));
    return result.err;
  }
  /// The disks of a row in an order of their own; each snapshot has another one.
  Disks disks(const std::string& file, std::size_t row, const std::string& group = "disks") const {
    const auto numbers =
        InputFile(folder.path() / file).read_row<double>("/particles/" + group + "/position/value", row);
    Disks all;
    for (std::size_t i = 0; i < numbers.size(); i += 3) all.push_back({numbers[i], numbers[i + 1]});
    std::ranges::sort(all);
    return all;
  }
  /// Writes a snapshot as extended XYZ, in another unit of length.
  void write_xyz(const std::string& name, const Disks& of, const std::string& from, double diameter) const {
    const auto edges = InputFile(folder.path() / from).read_row<double>("/particles/disks/box/edges/value", 0);
    std::ofstream file(folder.path() / name);
    file.precision(std::numeric_limits<double>::max_digits10);
    file << of.size() << "\nLattice=\"" << diameter * edges[0] << " 0 0 0 " << diameter * edges[4]
         << " 0 0 0 1\" Properties=pos:R:3:radius:R:1\n";
    for (const auto& [x, y] : of) file << diameter * x << ' ' << diameter * y << " 0 " << diameter / 2 << '\n';
  }

  TemporaryFolder folder;
};

TEST_F(DisksStart, ReadsASnapshotToTheLastBit) {
  run("first.h5", {"--sweeps", "200"});
  run("last.h5", "--sweeps 10 --start first.h5"_words);
  EXPECT_EQ(disks("last.h5", 0), disks("first.h5", 20));
  EXPECT_NE(disks("last.h5", 1), disks("first.h5", 20));
  run("early.h5", "--sweeps 10 --start first.h5 --start-row 3"_words);
  EXPECT_EQ(disks("early.h5", 0), disks("first.h5", 3));
  run("late.h5", "--sweeps 10 --start first.h5 --start-row -2"_words);
  EXPECT_EQ(disks("late.h5", 0), disks("first.h5", 19));
  for (const double diameter : {1.0, 4.0}) {
    write_xyz("first.xyz", disks("first.h5", 20), "first.h5", diameter);
    run("xyz.h5", "--sweeps 10 --start first.xyz"_words);
    EXPECT_EQ(disks("xyz.h5", 0), disks("first.h5", 20));
  }
  // A restart needs the file no more.
  std::filesystem::remove(folder.path() / "first.h5");
  complete_run(folder, "disks --restart last.h5 --sweeps 20 --quiet"_words);
}

TEST_F(DisksStart, IsOneConfigurationForAllReplicasOrOneForEach) {
  run("two.h5", "--sweeps 50 --replicas 2"_words);
  run("both.h5", "--sweeps 1 --replicas 2 --start two.h5"_words);
  EXPECT_EQ(disks("both.h5", 0, "disks_1"), disks("two.h5", 5, "disks_1"));
  EXPECT_NE(disks("both.h5", 0, "disks_0"), disks("both.h5", 0, "disks_1"));
  run("one.h5", "--sweeps 1 --start two.h5"_words);
  EXPECT_EQ(disks("one.h5", 0), disks("two.h5", 5, "disks_0"));
  run("three.h5", "--sweeps 1 --replicas 3 --start one.h5 --start-row 0"_words);
  for (const char* group : {"disks_0", "disks_1", "disks_2"})
    EXPECT_EQ(disks("three.h5", 0, group), disks("one.h5", 0));
  EXPECT_THAT(refusal("--replicas 3 --start two.h5"_words),
              HasSubstr("--start two.h5: has disks for 2 replicas; it must have disks for one replica"));
}

TEST_F(DisksStart, IsTheSameInTheSequentialMethod) {
  run("first.h5", "--method sequential --sweeps 20"_words);
  run("second.h5", "--method sequential --sweeps 10 --start first.h5"_words);
  EXPECT_EQ(disks("second.h5", 0), disks("first.h5", 2));
}

TEST_F(DisksStart, WithAnotherBoxOrNumberIsRefusedWithARemedy) {
  run("first.h5", {"--sweeps", "20"});
  EXPECT_THAT(refusal({"--start", "first.h5"}, system("300", "0.69")),
              HasSubstr("; use --particles 300 --packing-fraction 0.7\n"));
  EXPECT_THAT(refusal({"--start", "first.h5"}, system("301")), HasSubstr("has 300 disks in a box of 18.3"));
  EXPECT_THAT(refusal("--start first.h5 --aspect 1.5"_words),
              HasSubstr("; use --particles 300 --packing-fraction 0.7 --aspect 1\n"));
  EXPECT_THAT(refusal("--start first.h5 --start-row 3"_words),
              HasSubstr("--start first.h5: has 3 snapshots, and no row 3"));
  EXPECT_THAT(refusal({"--start-row", "3"}), HasSubstr("--start-row 3: has no effect; it requires --start FILE"));
  Disks of = disks("first.h5", 2);
  of[7] = {of[5][0] + 0.5, of[5][1]};
  write_xyz("overlap.xyz", of, "first.h5", 1);
  EXPECT_THAT(refusal({"--start", "overlap.xyz"}),
              AllOf(HasSubstr("--start overlap.xyz: disks 6 at ("), HasSubstr("and 8 at ("),
                    HasSubstr("overlap: they are 0.5 diameters apart, in lines 8 and 10\n")));
  const auto kmc = complete_run(folder, "kmc --size 8 --until-time 1 --output kmc.h5 --quiet"_words);
  EXPECT_THAT(refusal({"--start", "kmc.h5"}),
              HasSubstr("--start kmc.h5: has no /particles; use an output file of tessera disks"));
}

}  // namespace
}  // namespace tessera::testing
