// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>

#include <tessera/io/input_file.hpp>

#include "machine/backend.hpp"
#include "tests/matchers.hpp"
#include "tests/program/dataset_bytes.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

// p = q has the steady state of sequential dynamics; other domains were not measured.
TEST(KpzBias, IsReportedOnTheTerminalInTheSummaryAndInTheFile) {
  const TemporaryFolder folder;
  const auto run = [&](const Words& more, const std::string& steps = "64") {
    const Words words = "kpz --fields never --progress never --overwrite --json"_words;
    const auto result = complete_run(folder, words + Words{"--backend", host_backend, "--steps", steps} + more);
    return result;
  };
  const auto one_deviates = [](const std::string& name, const std::string& growth, const std::string& steady) {
    return "tessera: warning: " + name + " deviates from the exact process by " + growth +
           " in growth from time 64 on, by " + steady + " in the steady state (docs/kpz_exact.md)\n";
  };
  const std::string unknown = "an unknown amount";
  const auto deviates = [&](const std::string& growth, const std::string& steady, const std::string& of_velocity,
                            const std::string& in_steady_state) {
    return one_deviates("roughness", growth, steady) + one_deviates("velocity", of_velocity, in_steady_state);
  };
  const Words cell = "--thread-cell 1,1"_words;
  EXPECT_EQ(run(cell + "--size 64"_words).err, deviates("-2.00(9) %", "-1.9(1) %", "0.27(4) %", "0.20(6) %"));
  EXPECT_EQ(run({"--size", "256"}).err, deviates("-0.9(1) %", unknown, "0.05(4) %", unknown));
  EXPECT_EQ(run(cell + "--size 16,32 --block-layer dt"_words).err,
            deviates("-2.28(9) %", "-1.92(6) %", "0.25(5) %", "-0.58(3) %"));
  EXPECT_EQ(run(cell + "--size 64 --domain 16"_words).err, deviates(unknown, unknown, unknown, unknown));
  EXPECT_EQ(run({"--size", "256"}, "63").err, "");
  EXPECT_EQ(run("--size 64 --quiet"_words).err, "");
  const std::string bias = R"({
  "roughness": {
    "growth_percent": -0.9,
    "growth_percent_error": 0.1,
    "growth_from_time": 64,
    "steady_percent": null,
    "steady_percent_error": null,
    "source": "docs/kpz_exact.md"
  },
  "velocity": {
    "growth_percent": 0.05,
    "growth_percent_error": 0.04,
    "growth_from_time": 64,
    "steady_percent": null,
    "steady_percent_error": null,
    "source": "docs/kpz_exact.md"
  }
})";
  EXPECT_THAT(run("--size 256 --output kpz.h5"_words).out, HasSubstr("\"growth_percent\": -0.9,"));
  EXPECT_EQ(InputFile(folder / "kpz.h5").text("/provenance/known_bias"), bias);
  for (const Words& exact : {"--p 0.5 --q 0.5"_words, "--method sequential"_words}) {
    const auto result = run("--size 64 --output exact.h5"_words + exact);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, Not(HasSubstr("known_bias")));
    EXPECT_FALSE(InputFile(folder / "exact.h5").has("/provenance/known_bias"));
  }
}

/// Backends of this build that compute on the host.
Words host_backends() {
  Words names;
  for (const auto backend : built_backends())
    if (!is_gpu(backend)) names.push_back(program::backend_name(backend));
  return names;
}

const Words course =
    "--seed 11 --quiet --replicas 2 --measure-times 1,4,7,30,60,90,1e9 --waiting-times 2,5,40 --fields end"_words;

/// The kinds of run: schemes, and the sequential method.
class KpzRestart : public ::testing::TestWithParam<Words> {};
INSTANTIATE_TEST_SUITE_P(Methods, KpzRestart,
                         ::testing::Values("--device-layer dtr --block-layer db"_words,
                                           "--device-layer cdb --block-layer dt"_words, "--method sequential"_words));

TEST_P(KpzRestart, OnAlternatingBackendsEqualsTheUninterruptedRun) {
  const TemporaryFolder folder;
  const bool sequential = GetParam()[0] == "--method";
  const Words run = "kpz --size 64,128"_words + course + GetParam();
  const Words backends = sequential ? Words{host_backend} : host_backends();
  complete_run(folder, run + Words{"--steps", "90", "--backend", backends.front(), "--output", "whole.h5"});
  complete_run(folder, run + Words{"--steps", "30", "--backend", backends.back(), "--output", "parts.h5"});
  for (const std::string stopping_time : {"60", "90"}) {
    const auto& backend = backends[stopping_time == "60" ? 0 : backends.size() - 1];
    complete_run(folder, {"kpz", "--restart", "parts.h5", "--steps", stopping_time, "--quiet", "--backend", backend});
  }
  // The heights at the earlier stopping times are in the one file alone.
  const InputFile whole(folder / "whole.h5"), parts(folder / "parts.h5");
  for (const auto& name : whole.names("/observables")) {
    const std::string value = "/observables/" + name + "/value";
    EXPECT_EQ(dataset_bytes(whole, value), dataset_bytes(parts, value)) << name;
  }
  for (const auto& name : whole.names("/checkpoint"))
    if (name != "input" && name != "contents" && name != "next_field") {
      EXPECT_EQ(dataset_bytes(whole, "/checkpoint/" + name), dataset_bytes(parts, "/checkpoint/" + name)) << name;
    }
}

TEST(KpzMeasurements, AreAtAllWaitingTimesAndEvenlySpacedBetween) {
  const TemporaryFolder folder;
  const std::string file = "kpz.h5";
  const auto measured = [&](const std::string& waiting, const std::string& steps) {
    complete_run(folder, {"kpz", "--size", "16", "--steps", steps, "--waiting-times", waiting, "--fields", "never",
                          "--method", "sequential", "--quiet", "--output", file, "--overwrite"});
    return InputFile(folder / file).read<double>("/observables/roughness/time");
  };
  using ::testing::ElementsAre;
  using ::testing::IsSupersetOf;
  EXPECT_THAT(measured("4,12", "24"), ElementsAre(0, 1, 2, 3, 4, 6, 8, 12, 16, 24));
  EXPECT_THAT(measured("10", "20"), ElementsAre(0, 1, 2, 3, 4, 5, 7, 10, 14, 19, 20));
  EXPECT_THAT(measured("10,100", "300"), IsSupersetOf({10, 14, 19, 27, 37, 52, 72, 100, 139, 193, 268}));
  EXPECT_THAT(measured("0,0.5,1,5,7.5,1000", "3000"), IsSupersetOf({0.0, 0.5, 1.0, 5.0, 7.5, 1000.0}));
  EXPECT_THAT(measured("1e8,100000001", "2"), ElementsAre(0, 1, 2));  // close ones are not the ratio beyond them
  const auto times = measured("30,70,500", "3000");
  EXPECT_THAT(times, IsSupersetOf({30, 70, 500}));
  for (std::size_t i = 6; i + 2 < times.size(); ++i) {  // the last one is the end of the run
    EXPECT_GT(times[i + 1], 1.2 * times[i]);
    EXPECT_LT(times[i + 1], 1.7 * times[i]);
  }
}

TEST(KpzSummary, NamesSchemeUnitAndObservables) {
  const TemporaryFolder folder;
  const auto result =
      complete_run(folder, "kpz --size 64 --steps 10 --waiting-times 4,50 --json --replicas 2"_words + on_host);
  const auto tree = parsed(result.out);
  EXPECT_EQ(tree.get<std::string>("method"), "kpz");
  EXPECT_EQ(tree.get<std::string>("algorithm"), "DTrDB");
  EXPECT_EQ(tree.get<std::string>("rate_unit"), "attempts/s");
  EXPECT_EQ(tree.get<double>("time"), 10);
  for (const std::string name : {"height_mean", "roughness", "moment_3", "moment_4", "skewness", "kurtosis", "velocity",
                                 "acceptance", "height_autocorrelation_4", "slope_autocorrelation_4"}) {
    EXPECT_EQ(tree.get_child("observables").count(name), 1u) << name;
    EXPECT_EQ(tree.get_child("observables").count(name + "_error"), 1u) << name;
  }
  EXPECT_EQ(tree.get_child("observables").size(), 20u);
  EXPECT_GT(tree.get<double>("observables.acceptance"), 0.1);

  const InputFile file(folder / "kpz.h5");
  EXPECT_EQ(file.read<double>("/observables/roughness/time"), (std::vector<double>{0, 1, 2, 3, 4, 6, 8, 10}));
  EXPECT_EQ(file.read<double>("/observables/height_autocorrelation_4/time"), (std::vector<double>{4, 6, 8, 10}));
  EXPECT_EQ(file.shape("/fields/height/value"), (std::vector<std::size_t>{1, 2, 64, 64}));
  EXPECT_EQ(file.read<double>("/history/beta_eff/time"), (std::vector<double>{2, 3, 4, 6, 8, 10}));
  EXPECT_EQ(file.read<double>("/history/lambda_eff_height_4/time_before"), (std::vector<double>{4, 6, 8}));
}

}  // namespace
}  // namespace tessera::testing
