// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

#include "sweep/grid.hpp"
#include "sweep/machine_share.hpp"
#include "sweep/sweep_progress.hpp"
#include "sweep/table.hpp"
#include "sweep/values.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using namespace tessera::program;
using tessera::Backend;
using tessera::InputError;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Options of every kind, bound to variables of their own.
struct Options {
  Options() {
    table.add("phi", "X", "", Role::trajectory, phi);
    table.add("particles", "N", "", Role::trajectory, particles);
    table.add(pair_option("size", "NX[,NY]", "", "whole numbers", nx, ny));
    table.add("start", "lattice|FILE", "", Role::trajectory, start);
    table.add("until-time", "TIME", "", Role::course, until_time);
    table.add("checkpoint-every", "WALL", "", Role::course, wall);
    table.add("threads", "N", "", Role::machine, threads);
  }
  std::vector<std::string> values(const std::string& option, const std::string& text) const {
    return values_of(*table.find(option), text);
  }
  std::string refusal(const std::vector<GivenWord>& words) const {
    try {
      read_grid("kmc", words, table);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  OptionTable table;
  double phi = 1, until_time = 1;
  int particles = 1, nx = 64, ny = 64, threads = 0;
  std::string start = "lattice";
  WallSeconds wall;
};

GivenWord word(const std::string& key, const std::string& value) {
  return {key, value, "--" + key + " " + value, true};
}

TEST(SweepValues, AreListsAndRangesWithBothEnds) {
  const Options options;
  EXPECT_THAT(options.values("phi", "0,1.5, 2"), ElementsAre("0", "1.5", "2"));
  EXPECT_THAT(options.values("phi", "0.3:0.7:9"),
              ElementsAre("0.3", "0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.65", "0.7"));
  EXPECT_THAT(options.values("phi", "1:0:3,5"), ElementsAre("1", "0.5", "0", "5"));
  EXPECT_THAT(options.values("particles", "64:1024:5:log"), ElementsAre("64", "128", "256", "512", "1024"));
  EXPECT_THAT(options.values("start", "a:b,lattice"), ElementsAre("a:b", "lattice"))
      << "names of files may have colons";
}

TEST(SweepValues, WithCommasAreSeparatedBySemicolons) {
  const Options options;
  EXPECT_THAT(options.values("size", "64,128"), ElementsAre("64,128"));
  EXPECT_THAT(options.values("size", "64;64,128;32:128:3:log"), ElementsAre("64", "64,128", "32", "64", "128"));
  EXPECT_THAT(options.values("phi", "1;2"), ElementsAre("1", "2"));
}

TEST(SweepValues, ThatAreNoneAreRefused) {
  const Options options;
  for (const std::string text :
       {"1:2", "1:2:3:4", "1:2:1", "1:2:2.5", "a:b:3", "0:1:3:log", "1,,2", "1,", "1:inf:3", "1:2:100001"})
    EXPECT_THROW(options.values("phi", text), InputError) << text;
}

TEST(SweepValues, VaryWhatIsComputedNotWhere) {
  const Options options;
  for (const std::string name : {"phi", "size", "until-time"}) EXPECT_TRUE(can_vary(*options.table.find(name))) << name;
  for (const std::string name : {"threads", "checkpoint-every"})
    EXPECT_FALSE(can_vary(*options.table.find(name))) << name;
}

TEST(SweepGrid, HasEveryValueWithEveryOtherInTheOrderOfTheOptions) {
  const Options options;
  const Grid grid =
      read_grid("kmc", {word("size", "64;32,16"), word("phi", "0,0.50"), word("until-time", "7")}, options.table);
  ASSERT_EQ(grid.size(), 4u);
  EXPECT_EQ(grid.name_of(0), "phi=0_size=64");
  EXPECT_EQ(grid.name_of(1), "phi=0_size=32,16");
  EXPECT_EQ(grid.name_of(3), "phi=0.5_size=32,16");
  EXPECT_EQ(grid.title_of(2), "phi = 0.5, size = 64");
  EXPECT_THAT(grid.values_at(3), ElementsAre("0.5", "32,16"));
  const auto words = grid.words_at(2);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0].key + words[0].value, "until-time7");
}

TEST(SweepGrid, IsRefusedWhereItIsNone) {
  const Options options;
  EXPECT_THAT(options.refusal({word("phi", "1"), word("size", "64,128")}), HasSubstr("no option has several values"));
  EXPECT_EQ(options.refusal({word("phi", "1,1.0")}), "--phi 1,1.0: the value 1 stands twice");
  EXPECT_EQ(options.refusal({word("particles", "1:2:3")}), "--particles 1:2:3: '1.5': must be a whole number");
  EXPECT_THAT(options.refusal({word("phi", "0:1:1000"), word("particles", "1:1000:1000")}), HasSubstr("100000 points"));
  EXPECT_THAT(options.refusal({word("start", "a/b,a-b")}), HasSubstr("same name"));
}

Point point_on(Backend backend, std::size_t bytes = 1) {
  Point point;
  point.backend = backend;
  point.memory = {bytes, bytes};
  return point;
}

TEST(MachineShare, IsACoreARunOrMoreIfThereAreFewRuns) {
  const auto share = [](int points, int jobs, int threads, const Machine& machine) {
    return share_machine(machine, std::vector<Point>(static_cast<std::size_t>(points), point_on(Backend::openmp, 10)),
                         jobs, threads, {});
  };
  const Machine machine{8, 0, 1000};
  EXPECT_EQ(share(20, 0, 0, machine).jobs, 8);
  EXPECT_EQ(share(20, 0, 0, machine).threads, 1);
  EXPECT_EQ(share(3, 0, 0, machine).jobs, 3);
  EXPECT_EQ(share(3, 0, 0, machine).threads, 2);
  EXPECT_EQ(share(20, 0, 4, machine).jobs, 2);
  EXPECT_EQ(share(20, 2, 0, machine).threads, 4);
  EXPECT_EQ(share(20, 16, 1, machine).jobs, 16) << "as asked for";
  EXPECT_EQ(share(20, 0, 0, {8, 0, 65}).jobs, 3) << "that have room for 20 bytes each";
  EXPECT_EQ(share(20, 0, 0, {8, 0, 5}).jobs, 1);
}

TEST(MachineShare, IsADeviceARun) {
  const std::vector<Point> points(9, point_on(Backend::cuda));
  const Machine machine{64, 4, {}};
  EXPECT_EQ(share_machine(machine, points, 0, 0, {}).jobs, 4);
  EXPECT_THAT(share_machine(machine, points, 0, 0, {}).devices, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(share_machine(machine, points, 0, 0, {2, 3}).jobs, 2);
  EXPECT_EQ(share_machine(machine, points, 8, 0, {2, 3}).jobs, 8);
  EXPECT_THROW(share_machine(machine, points, 0, 0, {4}), InputError);
}

TEST(SweepTable, HasErrorsOfTheLastDigits) {
  EXPECT_EQ(with_error(6.9451, 0.0294), "6.945(29)");
  EXPECT_EQ(with_error(6.9451, 0.0394), "6.95(4)");
  EXPECT_EQ(with_error(-2.225, 0.5432), "-2.2(5)");
  EXPECT_EQ(with_error(40.2, 1.84), "40.2(18)");
  EXPECT_EQ(with_error(1234567, 4321), "1.23457e+06 +- 4.3e+03");
  EXPECT_EQ(with_error(0.5, none), "0.5");
  EXPECT_EQ(with_error(0.5, 0), "0.5");
  EXPECT_EQ(with_error(none, none), "-");
}

TEST(SweepTable, IsALineAPointWithWhatThereIs) {
  Table table;
  table.method = "kmc";
  table.inputs = {"phi", "size"};
  Record record;
  record.finished = true;
  record.time = 5;
  table.rows = {{"a", {"0", "64,32"}, record, true}, {"b", {"1", "64"}, std::nullopt, false}};
  table.observables = {{"roughness", "layers^2", {0.5, none}, {0.25, none}}};
  table.averages = {{"energy", "", {2, none}, {none, none}}};
  EXPECT_EQ(csv_of(table),
            "phi,size,point,finished,time,roughness,roughness_error,roughness_unit,average_energy,average_energy_error,"
            "average_energy_unit\n"
            "0,\"64,32\",a,1,5,0.5,0.25,layers^2,2,,\n"
            "1,64,b,0,,,,layers^2,,,\n");
}

TEST(SweepProgress, IsOneLineForAll) {
  EXPECT_EQ(describe({2, 4, 1, 20, 5}, 12), "2 of 12 points done, 4 running, 1 failed, 22 s left");
  EXPECT_EQ(describe({0, 1, 0, 0, 5}, 1), "0 of 1 point done, 1 running");
}

}  // namespace
