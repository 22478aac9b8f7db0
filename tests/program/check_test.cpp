// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/check.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tessera/parallel/world.hpp>
#include <vector>

#include "options/json.hpp"

namespace tessera::program {
namespace {

using Words = std::vector<std::string>;

// All runs are equal on this machine: that is what the program's `tessera check` tests.
TEST(Check, FindsWhatDiffers) {
  const Words run{"kmc", "--size", "64", "--until-time", "1", "--tile", "32", "--method", "tile"};
  const std::vector<CheckedRun> runs{{"right", run, {}, {{"method", "waiting-time"}}},
                                     {"not the stored one", run, 1, {{"method", "waiting-time"}}},
                                     {"another model", run, {}, {{"phi", "2"}}},
                                     {"another seed", run, {}, {{"seed", "2"}}}};
  ::testing::internal::CaptureStdout();
  const int status = check(runs, {"--json"}, parallel::World());
  const Json all = Json::parse(::testing::internal::GetCapturedStdout());
  EXPECT_EQ(status, 1);
  EXPECT_FALSE(all["equal"]);
  for (const Json& row : all["runs"]) {
    const std::string name = row["run"], difference = row["difference"];
    if (name == "right" || (row["where"] == "reference") == (name != "not the stored one"))
      EXPECT_EQ(difference, "") << name;
    else
      EXPECT_TRUE(difference.starts_with("differs in ") || difference == "differs from the stored result") << name;
  }
}

}  // namespace
}  // namespace tessera::program
