// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/point.hpp"
#include "sweep/record.hpp"
#include "sweep/sweep_folder.hpp"

namespace tessera::program {

/// What the points of a sweep gave, in the order of the grid.
struct Table {
  struct Row {
    std::string point;
    std::vector<std::string> inputs;
    std::optional<Record> record;  ///< nothing of a point that has not run yet
    bool finished = false;
  };
  struct Column {
    std::string name, unit;
    std::vector<double> values, errors;  ///< of each row, NaN where there is none
  };

  std::string method;
  std::vector<std::string> inputs;  ///< the options that vary
  std::vector<Row> rows;
  std::vector<Column> observables;  ///< at the end
  std::vector<Column> averages;     ///< over time

  std::size_t finished() const;
};

/// The table of what is there now.
Table make_table(const SweepFolder& folder, const Grid& grid);

/// One line of names, then one line a point: the options that vary, `point`, `finished`, `time`, and of each observable
/// NAME, NAME_error and NAME_unit; of each mean over time the same with average_NAME. What there is not is empty.
std::string csv_of(const Table& table);

/// As many columns as fit into so many characters, values with the error of their last digits: "6.945(29)".
std::string text_of(const Table& table, std::size_t columns);

/// "6.945(29)": two digits of the error, or one if it begins with more than 2; without one, six digits of the value.
std::string with_error(double value, double error);

/// /inputs/OPTION, numbers where all are; /point, /finished, /time, and /observables/NAME/{value,error},
/// /averages/NAME/{value,error}, with the attribute `unit`: each [points]. Root attributes `method`, `inputs`; the
/// groups of quantities have `order`. Throws RunError if it cannot be written.
void write_hdf5(const Table& table, const std::filesystem::path& path);

}  // namespace tessera::program
