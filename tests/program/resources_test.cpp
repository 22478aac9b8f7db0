// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <sys/resource.h>

#include "machine/machine.hpp"
#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

TEST(Resources, IgnoresVariablesThatChooseAnHdf5Driver) {
  const Words run = "kmc --size 16 --until-time 1 --quiet"_words + on_host;
  for (const std::string variable : {"HDF5_DRIVER=nonsense", "HDF5_DRIVER=core", "HDF5_VOL_CONNECTOR=nonsense"}) {
    const TemporaryFolder folder;
    Process::Options options;
    options.environment = {variable};
    for (const Words& words : {run, "kmc --restart kmc.h5 --until-time 2 --quiet"_words}) {
      const auto result = complete_run(folder, words, options);
      EXPECT_EQ(result.err, "");
    }
  }
}

#if !defined(TESSERA_SANITIZED) && !defined(KOKKOS_ENABLE_CUDA)  // these take terabytes of address space
TEST(Resources, ALimitOfTheAddressSpaceLimitsTheRun) {
  const TemporaryFolder folder;
  Process::Options options;
  options.prepare = [] {
    const rlimit limit{rlim_t{1} << 30, rlim_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
  };
  // Needs 1.7 GiB.
  const Words run = "kmc --size 6144 --until-time 1 --threads 1"_words + on_host;
  const auto result = run_tessera(folder, run, options);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              ::testing::MatchesRegex("tessera: the run needs [0-9.]+ GiB of host memory, but .*[0-9.]+ GiB.*"
                                      "use a smaller system or fewer replicas\n"));
}
#endif

#if defined(KOKKOS_ENABLE_OPENMP)

/// A short run of two threads with these variables besides those of the test.
ProcessResult run_two_threads(const Words& environment, const Words& more = {"--threads", "2"}) {
  const TemporaryFolder folder;
  Process::Options options;
  options.environment = environment;
  return run_tessera(folder, "kmc --size 256 --until-time 0.01 --json --backend openmp"_words + more, options);
}

TEST(Resources, UnusableThreadsAreNotStarted) {
  const TemporaryFolder folder;
  const auto shown = [&](const Words& words) {
    const Words run = "kmc --until-time 0.1 --backend openmp --threads 3 --dry-run"_words;
    return run_tessera(folder, run + words).out;
  };
  EXPECT_THAT(shown({"--size", "20"}), HasSubstr(": openmp, 1 thread (faster than 3 here), "));
  EXPECT_THAT(shown("--size 20 --replicas 2"_words), HasSubstr(": openmp, 2 threads (faster than 3 here), "));
  EXPECT_THAT(shown("--size 20 --tile 10"_words), HasSubstr(": openmp, 3 threads, "));
  EXPECT_THAT(shown("--size 20 --record-steps"_words), HasSubstr(": openmp, 3 threads, "));
  EXPECT_THAT(shown({"--size", "256"}), HasSubstr(": openmp, 3 threads, "));
}

TEST(Resources, NumberOfThreadsIsCheckedBeforeTheyStart) {
  const auto too_many = run_two_threads({"OMP_NUM_THREADS=100000"}, {});
  EXPECT_EQ(too_many.status, 2);
  EXPECT_THAT(too_many.err, HasSubstr("environment variable OMP_NUM_THREADS=100000: must lie in [1, 512]"));
  EXPECT_EQ(run_two_threads({"OMP_NUM_THREADS=100000"}, {"--threads", "1"}).status, 0);
  const auto limited = run_two_threads({"OMP_THREAD_LIMIT=1"});
  EXPECT_EQ(limited.status, 2);
  EXPECT_THAT(limited.err, HasSubstr("--threads 2: OMP_THREAD_LIMIT allows at most 1"));
  const auto crowded = run_two_threads({}, {"--threads", "512"});
  EXPECT_EQ(crowded.status, 0);
  const bool told = crowded.err.starts_with("tessera: warning: --threads 512: is more than the cores available");
  EXPECT_EQ(told, tessera::program::available_cores() < 512) << crowded.err;
  const auto dynamic = run_two_threads({"OMP_DYNAMIC=true"}, {"--threads", "64"});
  EXPECT_EQ(dynamic.status, 0) << dynamic.err;
}

#endif

}  // namespace
}  // namespace tessera::testing
