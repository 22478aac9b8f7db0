// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/docs/documents.hpp"
#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

// The program checks all of its input before it looks at the memory that there is, and then at the place of the output:
// if that is what it complains about, every key and every value is right.
TEST(Inputs, KeysAndValuesAreAccepted) {
  const TemporaryFolder folder;
  ASSERT_GE(input_files().size(), 10u);
  for (const std::string& file : input_files()) {
    const auto result = run_tessera(folder, {method_of(file), "--config", (source_folder() / file).string(), "--output",
                                             "no_such_folder/output.h5"});
    EXPECT_EQ(result.status, 2) << file;
    EXPECT_THAT(result.err, AnyOf(HasSubstr("no_such_folder"), HasSubstr("GiB are available"))) << file;
  }
}

TEST(Inputs, ModelFilesRun) {
  const TemporaryFolder folder;
  ASSERT_GE(model_files().size(), 3u);
  for (const std::string& file : model_files()) {
    complete_run(folder, {"kmc", "--processes", (source_folder() / file).string(), "--size", "32",
                          "--until-events-per-site", "0.1", "--overwrite", "--quiet"});
  }
}

}  // namespace
}  // namespace tessera::testing
