// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/read_options.hpp"

#include <gmock/gmock.h>

#include <tessera/io/output_file.hpp>

#include "tests/complaint.hpp"
#include "tests/program/temporary_folder.hpp"

namespace {

using tessera::complaint;
using tessera::program::OptionTable;
using tessera::program::Role;

TEST(ReadOptions, AnOverriddenWrongValueInAnInputFileIsAnError) {
  const tessera::testing::TemporaryFolder folder;
  folder.write("run.ini", "threads = 2\n");
  folder.write("wrong.ini", "threads = two\n");
  OptionTable table;
  tessera::program::RunOptions run;
  run.add_options(table);
  const auto read = [&](const std::string& name) {
    read_options({"--config", (folder / name).string(), "--threads", "1"}, "kmc", table, run);
  };
  EXPECT_THAT(complaint([&] { read("wrong.ini"); }),
              ::testing::HasSubstr("wrong.ini line 1: threads = two: must be a whole number"));
  read("run.ini");
  EXPECT_EQ(run.threads, 1);
}

TEST(Restart, FromAnOlderFileUsesTheDefaultOfANewOption) {
  const tessera::testing::TemporaryFolder folder;
  const std::string file = (folder / "old.h5").string();
  {
    auto old = tessera::io::OutputFile::create(file, "kmc");
    old.provenance({});
    old.publish([](tessera::io::CheckpointWriter& checkpoint) { checkpoint.text("input", "phi = 2\n"); });
  }
  double phi = 1, order = 0.5;
  OptionTable table;
  table.add("phi", "X", "there then", Role::trajectory, phi);
  table.add("order", "M", "there now", Role::trajectory, order);
  tessera::program::RunOptions run;
  run.add_options(table);
  read_options({"--restart", file, "--order", "0.5"}, "kmc", table, run);
  EXPECT_EQ(phi, 2);
  EXPECT_EQ(order, 0.5);
  EXPECT_THAT(complaint([&] {
                read_options({"--restart", file, "--order", "1"}, "kmc", table, run);
              }),
              ::testing::HasSubstr("has order = 0.5, which a restart cannot change"));
  EXPECT_EQ(complaint([&] {
              read_options({"--restart", file, "--change"}, "kmc", table, run);
            }),
            "--change: has no effect: a restart of kmc cannot change its parameters");
}

}  // namespace
