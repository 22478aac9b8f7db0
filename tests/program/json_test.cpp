// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/json.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "run/summary.hpp"
#include "tests/program/parsed_json.hpp"

namespace {

using tessera::program::Json;
using tessera::program::json_summary;
using tessera::program::text_of;
using tessera::program::text_summary;
using tessera::testing::parsed;

TEST(Json, NumbersKeepAllTheirDigits) {
  const auto tree = parsed(
      text_of(Json{{"third", 1.0 / 3}, {"tiny", 5e-324}, {"largest", std::numeric_limits<std::uint64_t>::max()}}));
  EXPECT_EQ(tree.get<double>("third"), 1.0 / 3);
  EXPECT_EQ(std::strtod(tree.get<std::string>("tiny").c_str(), nullptr), 5e-324);
  EXPECT_EQ(tree.get<std::string>("largest"), "18446744073709551615");
}

TEST(Json, WholeNumbersHaveNoPoint) {
  EXPECT_EQ(text_of(Json{{"x", 4.0}, {"y", {-3.0, 0.5}}, {"z", 1e300}}, -1), "{\"x\":4,\"y\":[-3,0.5],\"z\":1e+300}");
}

TEST(Json, NotANumberIsNull) {
  const Json object{{"nan", std::numeric_limits<double>::quiet_NaN()},
                    {"infinity", std::numeric_limits<double>::infinity()}};
  EXPECT_EQ(text_of(object), "{\n  \"nan\": null,\n  \"infinity\": null\n}");
  EXPECT_EQ(text_of(object, -1), "{\"nan\":null,\"infinity\":null}");
}

TEST(Json, TextsMayContainAllBytes) {
  const std::string text = "a \"quoted\" \\ path\n\t\x01 \xcf\x86";
  EXPECT_EQ(parsed(text_of(Json{{"text", text}})).get<std::string>("text"), text);
  EXPECT_EQ(text_of(Json("\xff \xc0\xaf")), "\"\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(Summary, GivesMeansOverReplicasWithTheirErrors) {
  tessera::program::Summary summary;
  summary.method = "kmc";
  summary.rate = std::numeric_limits<double>::quiet_NaN();
  summary.observables = {{"roughness", "", {1, 2, 6}}, {"energy", "", {-2}}, {"steps", "", {4}, {}, true}};
  EXPECT_EQ(text_summary(summary).find("steps"), std::string::npos);
  const auto tree = parsed(json_summary(summary));
  EXPECT_EQ(tree.get<double>("observables.energy"), -2);
  EXPECT_EQ(tree.get<double>("observables.steps"), 4);
  EXPECT_EQ(tree.get_child("observables").count("energy_error"), 0u);
  EXPECT_DOUBLE_EQ(tree.get<double>("observables.roughness_error"), std::sqrt((4 + 1 + 9) / 2.0 / 3.0));
  EXPECT_EQ(tree.get<std::string>("rate"), "null");
}

TEST(Summary, GivesErrorsOfCommonValuesAndAverages) {
  tessera::program::Summary summary;
  summary.times = {4, 4, 4};
  summary.time = 4;
  summary.time_unit = "1/k";
  EXPECT_THAT(text_summary(summary), ::testing::HasSubstr("\ntime 4/k, "));
  summary.observables = {{"roughness", "nm^2", {1, 2, 6}}, {"skewness", "", {-0.25}, {0.125}}, {"events", "", {7}}};
  const auto without = parsed(json_summary(summary));
  EXPECT_EQ(without.get<double>("observables.skewness"), -0.25);
  EXPECT_EQ(without.get<double>("observables.skewness_error"), 0.125);
  EXPECT_EQ(without.count("averages"), 0u);
  EXPECT_EQ(text_summary(summary).find("means over"), std::string::npos);

  // What is not known of a replica is not of their mean.
  summary.observables[0].values[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(text_summary(summary).find("  roughness nan nm^2\n"), std::string::npos);
  EXPECT_EQ(parsed(json_summary(summary)).get<std::string>("observables.roughness"), "null");

  summary.averages = {
      100, 64, {{"skewness", "", -0.5, 0.0625, 0, 0}, {"roughness", "nm^2", 3.5, 0.5, 2, 0.15, {3, 4}}}};
  const auto tree = parsed(json_summary(summary));
  EXPECT_EQ(tree.get<double>("averages.from"), 100);
  EXPECT_EQ(tree.get<int>("averages.rows"), 64);
  EXPECT_EQ(tree.get<double>("averages.observables.roughness"), 3.5);
  EXPECT_EQ(tree.get<double>("averages.observables.skewness_error"), 0.0625);
  EXPECT_EQ(tree.get<double>("averages.observables.roughness_tau"), 2);
  EXPECT_EQ(tree.get<double>("averages.observables.roughness_tau_error"), 0.15);
  EXPECT_EQ(tree.get_child("averages.observables").size(), 8u);
  EXPECT_NE(text_summary(summary).find("means over 64 measurements after time 100/k\n"
                                       "  roughness 3.5(5) nm^2, tau 2.00(15)\n"
                                       "  skewness -0.50(6)\n"),
            std::string::npos);

  summary.averages.observables[0].error = std::numeric_limits<double>::quiet_NaN();  // of a single measurement
  EXPECT_NE(text_summary(summary).find("  skewness -0.5\noutput"), std::string::npos);
  EXPECT_EQ(parsed(json_summary(summary)).get<std::string>("averages.observables.skewness_error"), "null");

  summary.times = {4, 5, 6};
  summary.ending = tessera::program::Ending::stop_signal;
  EXPECT_EQ(parsed(json_summary(summary)).get_child("observables").count("skewness_error"), 0u);
}

TEST(Summary, OmitsErrorsOfReplicasStoppedAtDifferentTimes) {
  tessera::program::Summary summary;
  summary.time = 4;
  summary.time_unit = "s";
  summary.times = {4, 3, 5};
  summary.observables = {{"roughness", "", {1, 2, 6}}};
  summary.ending = tessera::program::Ending::stop_signal;
  const auto stopped = parsed(json_summary(summary));
  EXPECT_EQ(stopped.get<double>("observables.roughness"), 3);
  EXPECT_EQ(stopped.get_child("observables").count("roughness_error"), 0u);
  EXPECT_EQ(stopped.get<double>("earliest_time"), 3);
  EXPECT_EQ(stopped.get<double>("latest_time"), 5);
  EXPECT_NE(text_summary(summary).find("  roughness 3\n"), std::string::npos);
  EXPECT_NE(text_summary(summary).find("stopped at different times, from 3 s to 5 s, therefore without errors"),
            std::string::npos);

  summary.ending = tessera::program::Ending::stopping_time;  // each after as many events
  auto tree = parsed(json_summary(summary));
  EXPECT_EQ(tree.get_child("observables").count("roughness_error"), 1u);
  EXPECT_EQ(tree.count("latest_time"), 0u);
  EXPECT_NE(text_summary(summary).find("  roughness 3.0(15)\n"), std::string::npos);
  summary.ending = tessera::program::Ending::wall_limit;
  summary.times = {4, 4, 4};
  tree = parsed(json_summary(summary));
  EXPECT_EQ(tree.get_child("observables").count("roughness_error"), 1u);
  EXPECT_EQ(tree.count("latest_time"), 0u);
}

}  // namespace
