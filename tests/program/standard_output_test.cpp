// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <unistd.h>

#include <string>

#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

using ::testing::StartsWith;

Process::Options in(const Words& environment) {
  Process::Options options;
  options.environment = environment;
  return options;
}

/// A short run with these variables besides those of the test.
ProcessResult run_with(const TemporaryFolder& folder, const Words& environment, const Words& more = {}) {
  return run_tessera(folder, "kpz --size 16 --steps 2 --overwrite"_words + on_host + more, in(environment));
}

TEST(StandardOutput, BelongsToTheProgram) {
  const TemporaryFolder folder;
  const Words loud{"KOKKOS_PRINT_CONFIGURATION=1", "KOKKOS_TOOLS_LIBS=" LOUD_TOOL};
  const auto json = run_with(folder, loud, {"--json"});
  EXPECT_EQ(json.status, 0);
  EXPECT_THAT(json.out, StartsWith("{\n"));
  EXPECT_TRUE(json.out.ends_with("\n}\n")) << json.out;
  for (const char* printed : {"Kokkos Version", "tool: begin", "tool: end", "tool: at exit"})
    EXPECT_THAT(json.err, HasSubstr(printed));
  EXPECT_EQ(run_with(folder, loud, {"--quiet"}).out, "");
  EXPECT_THAT(run_with(folder, loud, {"--dry-run", "--json"}).out, StartsWith("{\n"));
  const auto info = run_tessera(folder, {"info"}, in(loud));
  EXPECT_THAT(info.out, StartsWith("tessera "));
  EXPECT_THAT(info.out, ::testing::Not(HasSubstr("tool: ")));
}

TEST(StandardOutput, NamesTheSystemUnlessStandardErrorDoes) {
  const TemporaryFolder folder;
  const auto times_told = [&](const Words& more, bool together) {
    Process::Options options;
    if (together) options.prepare = [] { dup2(STDERR_FILENO, STDOUT_FILENO); };
    const auto result = run_tessera(folder, "kpz --size 16 --steps 2 --overwrite"_words + on_host + more, options);
    std::size_t times = 0;
    for (const std::string& text : {result.out, result.err})
      for (std::size_t at = text.find("kpz (DTrDB): "); at != text.npos; at = text.find("kpz (DTrDB): ", at + 1))
        ++times;
    return times;
  };
  EXPECT_EQ(times_told({}, false), 2u);
  EXPECT_EQ(times_told({}, true), 1u);
  EXPECT_EQ(times_told({"--progress", "never"}, true), 1u);
}

TEST(KokkosEnvironment, ValidValuesAreAccepted) {
  const TemporaryFolder folder;
  for (const char* variable : {"KOKKOS_DEVICE_ID=3", "KOKKOS_DISABLE_WARNINGS=No", "KOKKOS_PRINT_CONFIGURATION=TRUE",
                               "KOKKOS_MAP_DEVICE_ID_BY=mpi_rank", "KOKKOS_TOOLS_LIBS="})
    EXPECT_EQ(run_with(folder, {variable}).status, 0) << variable;
}

}  // namespace
}  // namespace tessera::testing
