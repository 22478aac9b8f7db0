// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tessera/kmc/models.hpp>

#include "machine/backend.hpp"
#include "tests/matchers.hpp"
#include "tests/ordinary_user.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

/// A run of a fraction of a second, to which the tests add what is wrong.
Words shortest_run(const Words& more) {
  Words words = "kmc --size 32 --until-time 0.5"_words + on_host;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void expect_refused(const ProcessResult& result, const std::string& message) {
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr(message));
  EXPECT_EQ(result.out, "");
}

/// Runs in an empty folder; nothing may be there afterwards.
void expect_refused(const Words& words, const std::string& message) {
  const TemporaryFolder folder;
  SCOPED_TRACE(message);
  expect_refused(run_tessera(folder, words), message);
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(BadInput, ParameterOfAnotherModel) {
  using tessera::kmc::Models;
  for (const auto& parameter : Models::parameters()) {
    std::string owners;  // "a", "a or b", ...
    for (const auto& model : Models::models)
      if (model.takes(parameter.name)) owners += (owners.empty() ? "" : " or ") + std::string(model.name);
    const std::string option = std::string("--") + parameter.name;
    const auto other = std::find_if(std::begin(Models::models), std::end(Models::models),
                                    [&](const auto& model) { return !model.takes(parameter.name); });
    ASSERT_NE(other, std::end(Models::models)) << option;
    const std::string value = parameter.least > 0.5 ? "3" : "0.5";
    expect_refused(shortest_run({"--model", std::string(other->name), option, value}),
                   option + " " + value + ": has no effect; it requires --model " + owners + "\n");
  }
  for (const auto& model : Models::models) {
    Words words = shortest_run({"--model", std::string(model.name)});
    for (const auto& parameter : Models::parameters())
      if (model.takes(parameter.name))
        words.insert(words.end(), {std::string("--") + parameter.name, parameter.least > 0.5 ? "3" : "0.5"});
    const TemporaryFolder folder;
    const auto run = complete_run(folder, words);
    EXPECT_THAT(run.out, HasSubstr(" " + std::string(model.title) + ", "));
  }
}

TEST(BadInput, RunNeedsMoreMemoryThanIsFree) {
  std::string times = "0";
  for (int time = 1; time < 1000; ++time) times += "," + std::to_string(time);
  expect_refused({"kpz", "--size", "262144", "--steps", "1", "--fields", "never", "--waiting-times", times, "--backend",
                  host_backend},
                 " GiB of host memory, ");
}

TEST(BadInput, BackendUnknownOrAbsent) {
  expect_refused("kmc --until-time 1 --backend opencl"_words, "--backend opencl: is unknown; this build has ");
  using tessera::Backend;
  const auto built = tessera::built_backends();
  if (!tessera::is_gpu(built.back()))
    expect_refused("kmc --until-time 1 --backend gpu"_words, "--backend gpu: is not in this build, which has ");
  else if (tessera::program::gpu_devices().empty())
    expect_refused("kmc --until-time 1 --backend gpu"_words, "--backend gpu: no GPU found (");
  else
    EXPECT_EQ(tessera::program::choose_backend("gpu"), built.back());
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda, Backend::hip}) {
    if (std::find(built.begin(), built.end(), backend) != built.end()) continue;
    const std::string name = tessera::program::backend_name(backend);
    expect_refused({"kmc", "--until-time", "1", "--backend", name},
                   "--backend " + name + ": is not in this build, which has ");
  }
}

TEST(BadInput, OutputFolderIsReadOnly) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  tessera::testing::Process::Options options;
  options.prepare = [] {
    if (!tessera::testing::become_ordinary_user()) _exit(127);
  };
  expect_refused(run_tessera(folder, shortest_run({}), options), "kmc.h5");
  EXPECT_THAT(folder.names(), IsEmpty());
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST(BadInput, OutputExistsAndIsKept) {
  const TemporaryFolder folder;
  folder.write("run.h5", "precious");
  expect_refused(run_tessera(folder, shortest_run({"--output", "run.h5"})), "run.h5");
  EXPECT_EQ(read_file(folder / "run.h5"), "precious");
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("run.h5"));
  complete_run(folder, shortest_run("--output run.h5 --overwrite"_words));
  EXPECT_NE(read_file(folder / "run.h5"), "precious");
}

TEST(RunFailure, DiskIsFull) {
  const TemporaryFolder folder;
  tessera::testing::Process::Options options;
  options.largest_file = 20000;
  const auto result = run_tessera(folder, "kmc --size 256 --until-time 0.5 --quiet"_words, options);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_THAT(result.err, HasSubstr("kmc.h5"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(RunFailure, FullDiskKeepsTheEarlierFile) {
  const TemporaryFolder folder;
  complete_run(folder, shortest_run({}));
  const auto names = folder.names();
  const std::string content = read_file(folder / "kmc.h5");
  tessera::testing::Process::Options options;
  options.largest_file = static_cast<long>(content.size()) / 2;
  const auto result = run_tessera(folder, "kmc --restart kmc.h5 --until-time 1 --quiet"_words, options);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_EQ(folder.names(), names);
  EXPECT_EQ(read_file(folder / "kmc.h5"), content);
}

TEST(BadInput, MoreMemoryThanTheMachineHas) {
  Words words = "kmc --size 32768 --replicas 1000 --until-time 1"_words + on_host;
  expect_refused(words, " GiB of host memory, ");
  words.insert(words.end(), {"--method", "bkl"});
  expect_refused(words, " GiB of host memory, ");
}

}  // namespace
}  // namespace tessera::testing
