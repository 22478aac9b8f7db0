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
#include "tessera/core/observable.hpp"
#include "tessera/io/input_file.hpp"
#include "tessera/io/output_file.hpp"

namespace tessera::io {

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
  void add(const Observable& row, std::int64_t step, std::span<const double> times);

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
    std::size_t rows = 0;  ///< of the continued file
    PendingColumns columns = {};
  };
  std::map<std::string, Table> tables_;
};

/// Types and shapes of the fields of a file; adds rows.
class Fields {
 public:
  /// Reads the types and shapes of the fields of a continued file.
  void learn(const InputFile& file);

  /// Checks a row against earlier rows: throws std::invalid_argument, or InputError if the continued file differs.
  void check(const FieldRow& row);

  /// Writes a checked row to `/fields`. Throws Failure.
  void append(hid_t file, const FieldRow& row) const;

 private:
  struct Layout {
    ElementType type;
    std::string unit;
    std::size_t replicas;
    std::vector<std::size_t> shape;
    bool continued;
  };
  std::map<std::string, Layout> layouts_;
};

}  // namespace tessera::io
