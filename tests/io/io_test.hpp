// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tessera/io/input_file.hpp"
#include "tessera/io/output_file.hpp"
#include "tests/program/temporary_folder.hpp"

namespace tessera::io::testing {

using tessera::testing::InFolder;
using tessera::testing::read_file;
using tessera::testing::TemporaryFolder;

inline Provenance example_provenance() {
  Provenance provenance;
  provenance.version = "0.1.0";
  provenance.git_revision = "0123abc";
  provenance.command_line = "tessera kmc --seed 7";
  provenance.input = "seed = 7\nphi = 1 # Flu\xc3\x9f\n";
  provenance.seed = "7";
  provenance.kokkos_version = "4.6.99";
  provenance.kokkos_configuration = "Serial";
  provenance.backend = "serial";
  provenance.device = "a processor";
  provenance.start = "2026-01-01T00:00:00+00:00";
  provenance.end = "2026-01-01T00:00:01+00:00";
  provenance.wall_seconds = 1.5;
  return provenance;
}

/// One time in all, or one per replica.
struct Times : std::vector<double> {
  Times(double time) : vector{time} {}                          // NOLINT: as a row has them
  Times(const std::vector<double>& of_all) : vector(of_all) {}  // NOLINT
};

/// Adds a row of an observable.
inline void add_row(OutputFile& file, const std::string& name, const std::string& unit, std::int64_t step,
                    const Times& times, const std::vector<double>& values, const std::vector<double>& errors = {}) {
  file.row({name, unit, values, errors}, step, times);
}

/// Adds a row of a field.
template <class Range>
void add_field(OutputFile& file, const std::string& name, const std::string& unit, std::int64_t step,
               const Times& times, const Range& data, const std::vector<std::size_t>& shape) {
  file.field(name, unit, step, times, data, shape);
}

/// Publishes with a checkpoint of one number.
inline void publish(OutputFile& file, std::int64_t progress = 0) {
  file.provenance(example_provenance());
  file.publish([&](CheckpointWriter& checkpoint) { checkpoint.scalar("progress", progress); });
}

/// Publishes with a row of a field, too.
inline void publish_heights(OutputFile& file, std::int64_t progress) {
  add_field(file, "height", "a", progress, 0.5, std::vector<double>{1, 2}, {1, 2});
  publish(file, progress);
}

inline std::int64_t progress_of(const std::filesystem::path& path) {
  return InputFile(path).checkpoint().scalar<std::int64_t>("progress");
}

inline std::size_t rows_of(const std::filesystem::path& path) {
  return InputFile(path).shape("/fields/height/value").at(0);
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Runs `action` in a child process and returns its wait status.
inline int in_child(const std::function<void()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      action();
    } catch (...) {
      ::_exit(99);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

/// Numbers that do not compress.
inline std::vector<std::int32_t> noise(std::size_t count) {
  std::vector<std::int32_t> values(count);
  std::uint32_t state = 1;
  for (auto& value : values) value = static_cast<std::int32_t>(state = state * 1664525u + 1013904223u);
  return values;
}

/// The message of the exception that `action` throws; fails the test if it throws none of this type.
template <class Exception, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Exception& exception) {
    const std::string message = exception.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << "a message is one line: " << message;
    return message;
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace tessera::io::testing
