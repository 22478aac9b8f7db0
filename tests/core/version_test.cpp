// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <tessera/core/version.hpp>

namespace {

TEST(Version, HasThreeNumbers) { EXPECT_THAT(tessera::version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+")); }

TEST(Version, HasItsGitRevision) {
  EXPECT_THAT(tessera::git_revision(), ::testing::MatchesRegex("unknown|[0-9a-f]{40}(-modified)?"));
}

}  // namespace
