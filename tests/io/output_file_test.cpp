// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <cmath>
#include <optional>
#include <span>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;
using Shape = std::vector<std::size_t>;

class OutputFiles : public InFolder {};

TEST_F(OutputFiles, RootAttributesAndProvenanceReadBack) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_EQ(back.method(), "kmc");
  EXPECT_EQ(back.unsigned_attribute("/", "format_version"), 3u);
  EXPECT_EQ(back.text_attribute("/", "tessera_version"), "0.1.0");
  const Provenance wanted = example_provenance();
  EXPECT_EQ(back.text("/provenance/version"), wanted.version);
  EXPECT_EQ(back.text("/provenance/git_revision"), wanted.git_revision);
  EXPECT_EQ(back.text("/provenance/command_line"), wanted.command_line);
  EXPECT_EQ(back.text("/provenance/input"), wanted.input);
  EXPECT_EQ(back.text("/provenance/seed"), wanted.seed);
  EXPECT_EQ(back.text("/provenance/kokkos_version"), wanted.kokkos_version);
  EXPECT_EQ(back.text("/provenance/kokkos_configuration"), wanted.kokkos_configuration);
  EXPECT_EQ(back.text("/provenance/backend"), wanted.backend);
  EXPECT_EQ(back.text("/provenance/device"), wanted.device);
  EXPECT_EQ(back.text("/provenance/start"), wanted.start);
  EXPECT_EQ(back.text("/provenance/end"), wanted.end);
  EXPECT_EQ(back.text("/provenance/author"), "not given");
  EXPECT_THAT(back.read<double>("/provenance/wall_seconds"), ElementsAre(1.5));
  EXPECT_EQ(back.text_attribute("/provenance/wall_seconds", "unit"), "s");
  EXPECT_EQ(back.text_attribute("/h5md/creator", "name"), "Tessera");
}

TEST_F(OutputFiles, OneReplicaGivesOneDimensionalRows) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_row(file, "roughness", "a^2", 10, 0.5, Values{1.25});
  add_row(file, "pressure", "kT", 10, 0.5, Values{2.0}, Values{0.1});
  add_row(file, "roughness", "a^2", 20, 1.0, Values{2.5});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_THAT(back.read<std::int64_t>("/observables/roughness/step"), ElementsAre(10, 20));
  EXPECT_THAT(back.read<double>("/observables/roughness/time"), ElementsAre(0.5, 1.0));
  EXPECT_THAT(back.read<double>("/observables/roughness/value"), ElementsAre(1.25, 2.5));
  EXPECT_THAT(back.names("/observables/roughness"), ElementsAre("step", "time", "value"));
  EXPECT_EQ(back.text_attribute("/observables/roughness/value", "unit"), "a^2");
  EXPECT_THAT(back.read<double>("/observables/pressure/error"), ElementsAre(0.1));
  EXPECT_EQ(back.text_attribute("/observables/pressure/error", "unit"), "kT");
}

TEST_F(OutputFiles, ReplicasGiveValuesMeanAndStandardError) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_row(file, "roughness", "", 1, 0.5, Values{1, 2, 3, 6});
  add_row(file, "roughness", "", 2, 1.0, Values{4, 4, 4, 4});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_EQ(back.shape("/observables/roughness/value"), (Shape{2, 4}));
  EXPECT_THAT(back.read<double>("/observables/roughness/value"), ElementsAre(1, 2, 3, 6, 4, 4, 4, 4));
  EXPECT_THAT(back.read<double>("/observables/roughness/mean"), ElementsAre(3, 4));
  // Variance (4 + 1 + 0 + 9) / 3, over 4 replicas.
  const auto error = back.read<double>("/observables/roughness/error");
  ASSERT_EQ(error.size(), 2u);
  EXPECT_DOUBLE_EQ(error[0], std::sqrt(14.0 / 3.0 / 4.0));
  EXPECT_TRUE(std::isnan(error[1])) << "equal values have no scatter to tell an error";
  EXPECT_EQ(back.shape("/observables/roughness/time"), (Shape{2}));
  EXPECT_FALSE(back.has_attribute("/observables/roughness/value", "unit"));
}

TEST_F(OutputFiles, ACommonValueOfReplicasHasTheirMeanTime) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_row(file, "skewness", "", 1, Values{0.1, 0.1, 0.1}, Values{-0.2}, Values{0.01});
  add_row(file, "skewness", "", 2, Values{0.5, 0.75, 1.75}, Values{-0.3}, Values{0.02});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_THAT(back.names("/observables/skewness"), ElementsAre("error", "step", "time", "value"));
  EXPECT_THAT(back.read<double>("/observables/skewness/time"), ElementsAre(0.1, 1.0));
  EXPECT_THAT(back.read<double>("/observables/skewness/value"), ElementsAre(-0.2, -0.3));
  EXPECT_THAT(back.read<double>("/observables/skewness/error"), ElementsAre(0.01, 0.02));
}

TEST_F(OutputFiles, AveragesBelongToTheLastPublication) {
  std::optional file = OutputFile::create(folder / "run.h5", "kmc");
  file->time_unit("MCS");
  publish(*file);
  EXPECT_FALSE(InputFile(folder / "run.h5").has("/averages"));
  file->averages({2.5, 7, {{"energy", "J", -1.5, 0.25, 4, 0.5, {-1, -2}}, {"skewness", "", 0.5, 0.1, 3, 1}}});
  publish(*file);
  {
    const InputFile back(folder / "run.h5");
    EXPECT_THAT(back.read<double>("/averages/from"), ElementsAre(2.5));
    EXPECT_EQ(back.text_attribute("/averages/from", "unit"), "MCS");
    EXPECT_THAT(back.read<std::uint64_t>("/averages/rows"), ElementsAre(7u));
    EXPECT_THAT(back.names("/averages/observables"), ElementsAre("energy", "skewness"));
    EXPECT_THAT(back.read<double>("/averages/observables/energy/mean"), ElementsAre(-1.5));
    EXPECT_THAT(back.read<double>("/averages/observables/energy/error"), ElementsAre(0.25));
    EXPECT_THAT(back.read<double>("/averages/observables/energy/value"), ElementsAre(-1, -2));
    EXPECT_EQ(back.text_attribute("/averages/observables/energy/error", "unit"), "J");
    EXPECT_THAT(back.names("/averages/observables/skewness"),
                ElementsAre("autocorrelation_time", "autocorrelation_time_error", "error", "mean"));
    EXPECT_THAT(back.read<double>("/averages/observables/energy/autocorrelation_time"), ElementsAre(4));
    EXPECT_THAT(back.read<double>("/averages/observables/energy/autocorrelation_time_error"), ElementsAre(0.5));
    EXPECT_EQ(back.text_attribute("/averages/observables/energy/autocorrelation_time", "unit"), "MCS");
  }
  file->averages({3, 9, {{"energy", "J", -1.25, 0.5, 4, 0.5, {-1, -1.5}}}});
  publish(*file);
  const InputFile back(folder / "run.h5");
  EXPECT_THAT(back.read<double>("/averages/from"), ElementsAre(3));
  EXPECT_THAT(back.names("/averages/observables"), ElementsAre("energy"));
  EXPECT_THAT(back.read<double>("/averages/observables/energy/value"), ElementsAre(-1, -1.5));
  file.reset();
  auto continued = OutputFile::append(folder / "run.h5", "kmc");
  EXPECT_THAT(continued.continued().read<std::uint64_t>("/averages/rows"), ElementsAre(9u));
  publish(continued);
  EXPECT_FALSE(InputFile(folder / "run.h5").has("/averages"));
}

TEST_F(OutputFiles, RowsAreReadInPieces) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  for (int i = 0; i < 5; ++i) add_row(file, "x", "", i, i, Values{1.0 * i, 10.0 * i});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_THAT(back.read_rows<double>("/observables/x/value", 1, 3), ElementsAre(1, 10, 2, 20, 3, 30));
  EXPECT_THAT(back.read_rows<double>("/observables/x/time", 4, 1), ElementsAre(4));
  const auto message = [&](std::size_t first, std::size_t rows) {
    return message_of<InputError>([&] { back.read_rows<double>("/observables/x/value", first, rows); });
  };
  EXPECT_THAT(message(3, 3), HasSubstr("has no row 5"));
  EXPECT_THAT(message(7, 1), HasSubstr("has no row 7"));
}

TEST_F(OutputFiles, RowsThatAreManyAreInTheTemporaryFile) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  constexpr std::size_t replicas = 65536, rows = OutputFile::most_pending_bytes / (8 * replicas);
  for (std::size_t i = 0; i < rows; ++i) add_row(file, "x", "", 0, static_cast<double>(i), Values(replicas, 0.5 * i));
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) bytes += entry.file_size();
  EXPECT_GT(bytes, OutputFile::most_pending_bytes / 3);
  add_row(file, "x", "", 0, -1, Values(replicas, -1));
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_THAT(back.shape("/observables/x/value"), ElementsAre(rows + 1, replicas));
  const auto mean = back.read<double>("/observables/x/mean"), time = back.read<double>("/observables/x/time");
  for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(std::pair(mean[i], time[i]), std::pair(0.5 * i, 1.0 * i));
  EXPECT_EQ(std::pair(mean[rows], time[rows]), std::pair(-1.0, -1.0));
}

TEST_F(OutputFiles, TimesOfReplicasAreStoredSeparatelyOnceTheyDiffer) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_row(file, "roughness", "", 1, 0.5, Values{1, 2});
  publish(file);
  EXPECT_TRUE(InputFile(folder / "run.h5").has("/h5md"));
  add_row(file, "roughness", "", 2, Values{0.75, 0.8}, Values{3, 4});
  add_row(file, "roughness", "", 3, 1.0, Values{5, 6});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_EQ(back.shape("/observables/roughness/time"), (Shape{3, 2}));
  EXPECT_THAT(back.read<double>("/observables/roughness/time"), ElementsAre(0.5, 0.5, 0.75, 0.8, 1.0, 1.0));
  EXPECT_FALSE(back.has("/h5md")) << "H5MD has one time per row";
}

TEST_F(OutputFiles, AllTimesHaveOneUnit) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  const auto unit_of = [&](const std::string& object, const std::string& name = "unit") {
    const InputFile back(folder / "run.h5");
    return back.has_attribute(object, name) ? back.text_attribute(object, name) : "none";
  };
  const auto record = [&](const Values& times) {
    add_row(file, "roughness", "a^2", 1, times, Values{1, 2});
    add_field(file, "height", "a", 1, times, Values(2 * 6), {2, 3});
    file.particles("disks", "sigma", 1, times[0], {5, 5}, {{{1, 1}}, {{2, 2}}});
    publish(file);
  };
  record({1});
  EXPECT_EQ(unit_of("/observables/roughness/time"), "none");
  EXPECT_EQ(unit_of("/particles/disks_0", "time_unit"), "none");
  file.time_unit("1/k");
  for (const Values& times : {Values{2}, Values{3, 3.5}}) {
    record(times);
    for (const std::string dataset : {"/observables/roughness/time", "/fields/height/time"})
      EXPECT_EQ(unit_of(dataset), "1/k") << dataset;
    for (const std::string group : {"/particles/disks_0", "/particles/disks_1"})
      EXPECT_EQ(unit_of(group, "time_unit"), "1/k") << group;
    EXPECT_EQ(unit_of("/particles/disks_0/position/time"), "none") << "readers of H5MD would refuse it";
  }
}

TEST_F(OutputFiles, FieldsOfEveryTypeReadBack) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  const std::vector<std::int8_t> spins{1, -1, 1, -1, 1, 1};
  const std::vector<std::int32_t> heights{-70000, 2, 3, 4, 5, 70000};
  const std::vector<double> overlaps{0.5, -1e300, 3, 4, 5, 6};
  add_field(file, "spin", "", 5, 0.25, spins, {2, 3});
  add_field(file, "height", "a", 5, 0.25, std::span<const std::int32_t>(heights), {3, 2});
  add_field(file, "overlap", "", 5, 0.25, overlaps, {6});
  add_field(file, "height", "a", 6, 0.5, std::vector<std::int32_t>(6, 9), {3, 2});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_EQ(back.shape("/fields/spin/value"), (Shape{1, 2, 3}));
  EXPECT_EQ(back.read<std::int8_t>("/fields/spin/value"), spins);
  EXPECT_EQ(back.shape("/fields/height/value"), (Shape{2, 3, 2}));
  EXPECT_EQ(back.read_row<std::int32_t>("/fields/height/value", 0), heights);
  EXPECT_EQ(back.read_row<std::int32_t>("/fields/height/value", 1), std::vector<std::int32_t>(6, 9));
  EXPECT_EQ(back.read<double>("/fields/overlap/value"), overlaps);
  EXPECT_THAT(back.read<std::int64_t>("/fields/height/step"), ElementsAre(5, 6));
  EXPECT_THAT(back.read<double>("/fields/height/time"), ElementsAre(0.25, 0.5));
  EXPECT_EQ(back.text_attribute("/fields/height/value", "unit"), "a");
  EXPECT_THAT(message_of<InputError>([&] { back.read<double>("/fields/height/value"); }),
              HasSubstr("int32, not float64"));
  EXPECT_THAT(message_of<InputError>([&] { back.read_row<std::int32_t>("/fields/height/value", 2); }),
              HasSubstr("no row 2"));
}

TEST_F(OutputFiles, FieldsOfReplicasAndOfManyChunksReadBack) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  // 3 replicas of 700 x 500 int32 are 4.2 MB: several chunks, the last one partly filled.
  std::vector<std::int32_t> heights(3 * 700 * 500);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = static_cast<std::int32_t>(i * 2654435761u);
  add_field(file, "height", "a", 1, Values{1, 2, 3}, heights, {700, 500});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_EQ(back.shape("/fields/height/value"), (Shape{1, 3, 700, 500}));
  EXPECT_EQ(back.read<std::int32_t>("/fields/height/value"), heights);
  EXPECT_EQ(back.shape("/fields/height/time"), (Shape{1, 3}));
}

TEST_F(OutputFiles, FieldsAreCompressed) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_field(file, "height", "a", 1, 1.0, std::vector<std::int32_t>(1024 * 1024, 3), {1024, 1024});
  publish(file);
  EXPECT_LT(std::filesystem::file_size(folder / "run.h5"), 200000u);
}

TEST_F(OutputFiles, HistoriesAreAppended) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  file.history({"step_size", {"time", "step"}, {"1/k", ""}, {{1, 2}, {10, 20}}});
  publish(file);
  file.history({"step_size", {"step", "time"}, {"", "1/k"}, {{30}, {3}}});
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_THAT(back.read<double>("/history/step_size/time"), ElementsAre(1, 2, 3));
  EXPECT_THAT(back.read<double>("/history/step_size/step"), ElementsAre(10, 20, 30));
  EXPECT_EQ(back.text_attribute("/history/step_size/time", "unit"), "1/k");
}

TEST_F(OutputFiles, MistakesOfTheCallerThrowInvalidArgument) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  const Values one{1}, two{1, 2}, three{1, 2, 3};
  add_row(file, "energy", "J", 1, 0.5, two);
  add_field(file, "height", "a", 1, 0.5, three, {3});
  file.history({"step_size", {"time"}, {""}, {{1}}});
  EXPECT_THROW(add_row(file, "energy", "J", 2, 1.0, three), std::invalid_argument);
  EXPECT_THROW(add_row(file, "energy", "kT", 2, 1.0, two), std::invalid_argument);
  EXPECT_THROW(add_row(file, "energy", "J", 2, 1.0, two, two), std::invalid_argument);
  EXPECT_THROW(add_row(file, "energy", "J", 2, three, two), std::invalid_argument);
  EXPECT_THROW(add_row(file, "pressure", "J", 2, 1.0, two, one), std::invalid_argument);
  EXPECT_THROW(add_row(file, "", "J", 2, 1.0, one), std::invalid_argument);
  EXPECT_THROW(add_row(file, "a/b", "J", 2, 1.0, one), std::invalid_argument);
  EXPECT_THROW(add_row(file, "empty", "J", 2, 1.0, Values{}), std::invalid_argument);
  EXPECT_THROW(add_field(file, "height", "a", 1, 0.5, two, {2}), std::invalid_argument);
  EXPECT_THROW(add_field(file, "height", "a", 1, 0.5, std::vector<std::int32_t>{1, 2, 3}, {3}), std::invalid_argument);
  EXPECT_THROW(add_field(file, "other", "a", 1, 0.5, three, {2}), std::invalid_argument);
  EXPECT_THROW(file.history({"step_size", {"size"}, {""}, {{1}}}), std::invalid_argument);
  EXPECT_THROW(file.history({"other", {"a", "b"}, {"", ""}, {{1}, {1, 2}}}), std::invalid_argument);
  EXPECT_THROW(file.history({"other", {"a", "b"}, {"", ""}, {{1}}}), std::invalid_argument);
  EXPECT_THROW(file.publish([](CheckpointWriter&) {}), std::invalid_argument) << "no provenance yet";
  publish(file);
  EXPECT_EQ(InputFile(folder / "run.h5").shape("/observables/energy/value"), (Shape{1, 2}));
}

TEST_F(OutputFiles, MissingEntriesAreNamed) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  publish(file);
  const InputFile back(folder / "run.h5");
  EXPECT_FALSE(back.has("/observables/none/value"));
  EXPECT_THAT(message_of<InputError>([&] { back.read<double>("/observables/none/value"); }),
              ::testing::AllOf(HasSubstr("run.h5"), HasSubstr("/observables/none/value")));
  EXPECT_THAT(message_of<InputError>([&] { back.text("/provenance/wall_seconds"); }), HasSubstr("not a text"));
  EXPECT_THAT(message_of<InputError>([&] { back.require_method("kpz"); }), HasSubstr("'kmc', not 'kpz'"));
}

}  // namespace
}  // namespace tessera::io::testing
