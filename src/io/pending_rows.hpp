// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5_dataset.hpp"
#include "tessera/core/history.hpp"
#include "tessera/io/input_file.hpp"

namespace tessera::io {

/// Appends `time` rows to a group: `times` holds rows x replicas numbers. The dataset is [rows] as long as the replicas
/// agree in every row, and becomes [rows, replicas] at the first row in which they do not. Throws Failure.
void append_times(hid_t group, std::size_t replicas, std::size_t rows, const std::vector<double>& times);

/// One time per replica out of one per replica or one in all; std::invalid_argument for any other number.
std::vector<double> spread_times(const std::string& what, std::span<const double> times, std::size_t replicas);

/// The rows of observables that wait for the next publication, of one group of the file.
class PendingObservables {
 public:
  explicit PendingObservables(std::string group) : group_(std::move(group)) {}

  /// Learns number of replicas and unit of each observable that a continued file holds.
  void learn(const InputFile& file);

  /// See OutputFile::row().
  void add(const std::string& name, const std::string& unit, std::int64_t step, std::span<const double> times,
           std::span<const double> values, std::span<const double> errors);

  /// Appends everything that waits to the group, and forgets it. Throws Failure.
  void flush(hid_t file);

 private:
  struct Series {
    std::string unit;
    std::size_t replicas = 1;
    bool has_errors = false;
    bool continued = false;
    std::vector<std::int64_t> steps;
    std::vector<double> times, values, errors;
  };
  static void append(hid_t group, const Series& series);

  /// Keeps the rows of a continued file that are of each replica under another name, for those of all together.
  void set_aside(const std::string& name);

  std::string group_;
  std::map<std::string, Series> series_;
  std::vector<std::string> set_aside_;  ///< names that are still to be changed in the file
};

/// The rows of history tables that wait for the next publication.
class PendingHistories {
 public:
  void learn(const InputFile& file);

  /// See OutputFile::history().
  void add(const History& table);

  /// Appends everything that waits to `/history`, and forgets it. Throws Failure.
  void flush(hid_t file);

 private:
  struct Column {
    std::string unit;
    std::vector<double> data;
  };
  struct Table {
    bool continued = false;
    std::map<std::string, Column> columns;
  };
  std::map<std::string, Table> tables_;
};

}  // namespace tessera::io
