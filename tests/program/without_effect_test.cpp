// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/read_options.hpp"

#include <gmock/gmock.h>

#include <tessera/core/error.hpp>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using tessera::program::check_effects;
using tessera::program::OptionTable;
using tessera::program::Role;
using tessera::program::WithoutEffect;

/// Two options, of which phi is refused and steps is told when `now`.
struct TwoOptions {
  double phi = 1;
  double steps = 0;
  OptionTable table;
  bool now = true;

  TwoOptions() {
    table.add("phi", "X", "a number", Role::trajectory, phi);
    table.add("steps", "N", "another", Role::course, steps);
  }

  std::vector<std::string> check(const std::vector<std::string>& words, const std::string& input = "") {
    auto given = read_command_line(words, table);
    for (const auto& word : read_input_text(input, "a.ini", table)) given.push_back(word);
    for (const auto& word : given) set_option(table, word);
    return check_effects({{{"phi"}, now, "is for sos"}, {{"steps"}, now, "is late", WithoutEffect::Typed::reported}},
                         given, table);
  }
};

TEST(WithoutEffect, IsRefusedOrReportedOnTheCommandLine) {
  try {
    TwoOptions().check({"--phi", "1"});
    ADD_FAILURE();
  } catch (const tessera::InputError& error) {
    EXPECT_STREQ(error.what(), "--phi 1: is for sos");
  }
  EXPECT_THAT(TwoOptions().check({"--steps", "0"}), ElementsAre("--steps 0: is late"));
  EXPECT_THAT(TwoOptions().check({}), IsEmpty());
}

TEST(WithoutEffect, IsReportedForInputFilesUnlessDefault) {
  EXPECT_THAT(TwoOptions().check({}, "phi = 2\nsteps = 3\n"),
              ElementsAre("a.ini line 1: phi = 2: is for sos", "a.ini line 2: steps = 3: is late"));
  EXPECT_THAT(TwoOptions().check({}, "phi = 1.0\nsteps = 0\n"), IsEmpty());
}

TEST(WithoutEffect, IsNotReportedIfThereIsAnEffect) {
  TwoOptions sample;
  sample.now = false;
  EXPECT_THAT(sample.check({"--phi", "3", "--steps", "4"}), IsEmpty());
}

}  // namespace
