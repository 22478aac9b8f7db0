// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <hdf5.h>
#include <sys/stat.h>
#include <cmath>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"
#include "tests/ordinary_user.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;
using Columns = std::vector<Values>;

/// One part of a run of `replicas` systems from `first` to `last`, in steps of one.
void simulate(OutputFile& file, int first, int last, std::size_t replicas) {
  for (int step = first; step < last; ++step) {
    Values values, times;
    std::vector<std::int32_t> heights;
    for (std::size_t r = 0; r < replicas; ++r) {
      values.push_back(step * 0.1 + static_cast<double>(r));
      times.push_back(step >= 7 ? step + 0.01 * static_cast<double>(r) : step);
      heights.insert(heights.end(), 12, static_cast<std::int32_t>(step + 100 * r));
    }
    add_row(file, "roughness", "a^2", step, times, values);
    file.row({.name = "step_size", .unit = "1/k", .values = values, .is_diagnostic = true}, step, times);
    file.row({.name = "wave", .unit = "", .values = values, .is_slow_mode = true}, step, times);
    if (step >= 4) add_row(file, "late", "", step, step, Values{1}, Values{0.5});
    if (step % 2 == 0) add_field(file, "height", "a", step, times, heights, {3, 4});
    file.history({"step_size", {"time", "accepted"}, {"1/k", ""}, {{1.0 * step, step + 0.5}, {1, 0}}});
  }
}

/// Every dataset below `group`, as path, shape and bytes.
void collect(const InputFile& file, const std::string& group, std::vector<std::string>& found) {
  for (const auto& name : file.names(group)) {
    const std::string path = group + "/" + name;
    try {
      std::string text = path + ":";
      for (const auto extent : file.shape(path)) text.append(" ").append(std::to_string(extent));
      const auto add = [&](auto values) {
        text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
      };
      switch (file.type(path)) {
        case ElementType::int32:
          add(file.read<std::int32_t>(path));
          break;
        case ElementType::int64:
          add(file.read<std::int64_t>(path));
          break;
        default:
          add(file.read<double>(path));
      }
      if (file.has_attribute(path, "unit")) text += file.text_attribute(path, "unit");
      found.push_back(text);
    } catch (const InputError&) {
      collect(file, path, found);
    }
  }
}

std::vector<std::string> content(const std::filesystem::path& path) {
  const InputFile file(path);
  std::vector<std::string> found;
  for (const char* group : {"/observables", "/diagnostics", "/slow_modes", "/fields", "/history"})
    collect(file, group, found);
  return found;
}

class Continuation : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Continuation, EqualsAnUninterruptedRun) {
  const TemporaryFolder folder;
  {
    auto file = OutputFile::create(folder / "whole.h5", "kmc");
    simulate(file, 0, 10, GetParam());
    publish(file, 10);
  }
  {
    auto file = OutputFile::create(folder / "parts.h5", "kmc");
    simulate(file, 0, 2, GetParam());
    publish(file, 2);
    simulate(file, 2, 3, GetParam());
    publish(file, 3);
    simulate(file, 3, 5, GetParam());  // lost: never published
  }
  for (const int first : {3, 6, 9}) {
    auto file = OutputFile::append(folder / "parts.h5", "kmc");
    simulate(file, first, std::min(first + 3, 10), GetParam());
    publish(file, first + 3);
  }
  const auto whole = content(folder / "whole.h5");
  EXPECT_EQ(whole.size(), 3 * (3u + (GetParam() > 1 ? 2u : 0u)) + 4u + 3u + 2u);
  EXPECT_EQ(content(folder / "parts.h5"), whole);
  EXPECT_EQ(InputFile(folder / "parts.h5").read<double>("/VTKHDF/Steps/Values"),
            InputFile(folder / "whole.h5").read<double>("/VTKHDF/Steps/Values"));
  EXPECT_EQ(InputFile(folder / "parts.h5").names("/provenance/restarts"), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(InputFile(folder / "parts.h5").text("/provenance/restarts/2/seed"), "7");
}

INSTANTIATE_TEST_SUITE_P(Replicas, Continuation, ::testing::Values(1, 3));

class ContinuedFiles : public InFolder {};

TEST_F(ContinuedFiles, CanBeWrittenToANewFile) {
  {
    auto file = OutputFile::create(folder / "first.h5", "kmc");
    simulate(file, 0, 5, 1);
    publish(file, 5);
  }
  const std::string before = read_file(folder / "first.h5");
  auto file = OutputFile::continue_from(folder / "first.h5", folder / "second.h5", "kmc");
  EXPECT_FALSE(std::filesystem::exists(folder / "second.h5"));
  simulate(file, 5, 10, 1);
  publish(file, 10);
  EXPECT_TRUE(read_file(folder / "first.h5") == before);
  EXPECT_EQ(InputFile(folder / "second.h5").shape("/observables/roughness/value"), (std::vector<std::size_t>{10}));
  EXPECT_THAT(
      message_of<InputError>([&] { OutputFile::continue_from(folder / "first.h5", folder / "second.h5", "kmc"); }),
      HasSubstr("exists"));
}

// An earlier version did not write the column.
TEST_F(ContinuedFiles, HaveNaNInEarlierRowsOfANewColumn) {
  const auto table = [](const std::vector<std::string>& names, double first) {
    return History{"samples", names, std::vector<std::string>(names.size()), Columns(names.size(), {first, first + 1})};
  };
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    file.history(table({"replica", "time"}, 1));
    publish(file, 1);
  }
  for (const double first : {3, 5}) {
    auto file = OutputFile::append(folder / "run.h5", "kmc");
    file.history(table({"replica", "time", "wave"}, first));
    publish(file, 2);
  }
  const InputFile file(folder / "run.h5");
  EXPECT_EQ(file.read<double>("/history/samples/time"), (Values{1, 2, 3, 4, 5, 6}));
  const Values wave = file.read<double>("/history/samples/wave");
  ASSERT_EQ(wave.size(), 6u);
  EXPECT_TRUE(std::isnan(wave[0]) && std::isnan(wave[1]));
  EXPECT_EQ(Values(wave.begin() + 2, wave.end()), (Values{3, 4, 5, 6}));
}

TEST_F(ContinuedFiles, EqualRunsWriteEqualBytes) {
  for (const char* name : {"a.h5", "b.h5"}) {
    auto file = OutputFile::create(folder / name, "kmc");
    simulate(file, 0, 3, 2);
    publish(file);
    ::usleep(name[0] == 'a' ? 1100000 : 0);  // a modification time in the file would differ
  }
  EXPECT_TRUE(read_file(folder / "a.h5") == read_file(folder / "b.h5"));
}

TEST_F(ContinuedFiles, RefuseAnotherLayout) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    simulate(file, 0, 5, 3);
    publish(file, 5);
  }
  const std::string before = read_file(folder / "run.h5");
  {
    auto file = OutputFile::append(folder / "run.h5", "kmc");
    const auto message = [](auto&& action) { return message_of<InputError>(action); };
    EXPECT_THAT(
        message([&] {
          add_row(file, "roughness", "a^2", 5, 5, Values{1, 2});
        }),
        HasSubstr("/observables/roughness: the column value is float64, 2 replicas, unit a^2 but was float64, 3 rep"));
    EXPECT_THAT(message([&] {
                  add_row(file, "roughness", "b^2", 5, 5, Values{1, 2, 3});
                }),
                HasSubstr("unit b^2 but was float64, 3 replicas, unit a^2"));
    EXPECT_THAT(message([&] { add_row(file, "late", "", 5, 5, Values{1}); }),
                HasSubstr("error is missing but was float64, no unit in"));
    EXPECT_THAT(message([&] {
                  add_field(file, "height", "a", 5, 5, std::vector<std::int32_t>(36), {4, 3});
                }),
                AllOf(HasSubstr("4 x 3"), HasSubstr("3 x 4")));
    EXPECT_THAT(message([&] {
                  add_field(file, "height", "a", 5, 5, std::vector<std::int8_t>(36), {3, 4});
                }),
                HasSubstr("int8"));
    EXPECT_THAT(message([&] {
                  file.history({"step_size", {"time"}, {"1/k"}, {{1}}});
                }),
                HasSubstr("column accepted is missing"));
  }
  EXPECT_TRUE(read_file(folder / "run.h5") == before);
}

TEST_F(ContinuedFiles, RefuseAFileWithoutWritePermission) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    publish(file);
  }
  ::chmod((folder / "run.h5").c_str(), 0444);
  const int status = testing::in_child([&] {
    if (!tessera::testing::become_ordinary_user()) ::_exit(98);
    const std::string message = message_of<InputError>([&] { OutputFile::append(folder / "run.h5", "kmc"); });
    ::_exit(message.find("Permission denied") != std::string::npos ? 0 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(ContinuedFiles, KeepTheirPermissions) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    publish(file);
  }
  ::chmod((folder / "run.h5").c_str(), 0640);
  auto file = OutputFile::append(folder / "run.h5", "kmc");
  publish(file);
  EXPECT_EQ(std::filesystem::status(folder / "run.h5").permissions(), std::filesystem::perms(0640));
}

}  // namespace
}  // namespace tessera::io::testing
