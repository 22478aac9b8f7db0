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

/// The tables in one group of the file, such as `/observables`, whose columns grow by rows. All rows of a table have
/// the same columns: other rows throw InputError in a continued file, else std::invalid_argument. Rows are in memory
/// until the next publication, but for those of fields.
class GrowingTables {
 public:
  explicit GrowingTables(std::string group) : group_(std::move(group)) {}

  /// Reads the columns of the tables of a continued file.
  void learn(const InputFile& file);

  void add(const Observable& row, std::int64_t step, std::span<const double> times);  ///< see OutputFile::row()
  void add(const History& rows);                                                      ///< see OutputFile::history()
  void check(const FieldRow& row);                                                    ///< requires the same columns

  /// Writes a checked row. Throws Failure.
  void append(hid_t file, const FieldRow& row) const;
  /// Appends all pending rows, and clears them. Throws Failure.
  void flush(hid_t file);

 private:
  struct Column {
    ElementType type = ElementType::float64;
    std::string unit = {};
    std::size_t replicas = 1;
    hdf5::Shape shape = {};  ///< of a row of one replica

    bool operator==(const Column&) const = default;
    hdf5::Shape row() const { return replicas == 1 ? shape : hdf5::of_several(replicas, shape); }
    std::string text() const;
  };
  using Columns = std::map<std::string, Column>;
  struct Table {
    Columns columns = {};
    bool continued = false;
    std::size_t rows = 0;  ///< of the continued file
    std::vector<std::int64_t> steps = {};
    std::vector<double> times = {};
    std::map<std::string, std::vector<double>> pending = {};
  };

  static Columns columns_of(const std::string& unit, std::size_t replicas, bool has_errors);
  std::string path_of(const std::string& name) const { return "/" + group_ + "/" + name; }
  Table& table_of(const std::string& name, const Columns& columns);

  std::string group_;
  std::map<std::string, Table> tables_;
};

}  // namespace tessera::io
