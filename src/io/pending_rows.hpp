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

/// Appends rows of `time` to a group; `times` contains rows x replicas numbers. The dataset is [rows] while all
/// replicas have equal times, and becomes [rows, replicas] at the first row in which they differ. Throws Failure.
void append_times(hid_t group, std::size_t replicas, std::size_t rows, const std::vector<double>& times);

/// Expands a single time to one per replica. Throws std::invalid_argument for any number other than 1 and `replicas`.
std::vector<double> spread_times(const std::string& what, std::span<const double> times, std::size_t replicas);

/// Throws for a row that differs from earlier ones: InputError if those are of the continued file, else
/// std::invalid_argument.
[[noreturn]] void refuse_row(const std::string& difference, bool continued);

/// Rows of a dataset until the next publication.
struct PendingColumn {
  std::string unit = {};
  hdf5::Shape row = {};  ///< shape of a row
  std::vector<double> data = {};
};
using PendingColumns = std::map<std::string, PendingColumn>;

/// Rows of observables of one group of the file until the next publication.
class PendingObservables {
 public:
  explicit PendingObservables(std::string group) : group_(std::move(group)) {}

  /// Reads the number of replicas and the unit of each observable of a continued file.
  void learn(const InputFile& file);

  /// See OutputFile::row().
  void add(const std::string& name, const std::string& unit, std::int64_t step, std::span<const double> times,
           std::span<const double> values, std::span<const double> errors);

  /// Appends all pending rows to the group, and clears them. Throws Failure.
  void flush(hid_t file);

 private:
  struct Series {
    std::string unit;
    std::size_t replicas = 1;
    bool has_errors = false;
    bool continued = false;
    std::vector<std::int64_t> steps = {};
    std::vector<double> times = {};
    PendingColumns columns = {};
  };

  std::string group_;
  std::map<std::string, Series> series_;
};

/// Rows of history tables until the next publication.
class PendingHistories {
 public:
  void learn(const InputFile& file);

  /// See OutputFile::history().
  void add(const History& table);

  /// Appends all pending rows to `/history`, and clears them. Throws Failure.
  void flush(hid_t file);

 private:
  struct Table {
    bool continued = false;
    PendingColumns columns = {};
  };
  std::map<std::string, Table> tables_;
};

}  // namespace tessera::io
