// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// A measured quantity: one value per replica, or one for all replicas together, with standard errors if known.
struct Observable {
  std::string name, unit;           ///< in files and plots; the unit is empty for pure numbers
  std::vector<double> values;       ///< [replicas], or one
  std::vector<double> errors = {};  ///< as many, or none
  bool is_diagnostic = false;  ///< describes the computation, not the system: may depend on timing, ranks and backend
  bool is_slow_mode = false;   ///< amplitude of a slow fluctuation, for the tests of averages; not in summaries
  std::size_t arguments = 0;   ///< of a function: `values` are [replicas, arguments]; a field of the file, not shown
};

/// A function averaged over samples, such as g(r): the values of each replica at common arguments.
struct AveragedFunction {
  /// Arguments of all values: a distance, or a component of a wave vector.
  struct Argument {
    std::string name, unit;      ///< such as "r" in "sigma"
    std::vector<double> values;  ///< one for each value of the function
  };
  std::string name, unit;           ///< of the function
  std::vector<Argument> arguments;  ///< one, or the two components of a wave vector
  std::vector<double> values;       ///< [replicas, number of arguments]
  std::vector<double> errors = {};  ///< standard error of each value, if known; with several replicas none
  double from = 0;                  ///< the samples are those after this time
  std::uint64_t samples = 0;        ///< of each replica
};

/// Rows of a table that grows during a run, for example with its steps. Column `names[c]` with unit `units[c]` has the
/// values `columns[c]`, one per row. All columns have the same length. A column `replica` is the first one.
struct History {
  std::string name;                          ///< of the table
  std::vector<std::string> names, units;     ///< [columns]
  std::vector<std::vector<double>> columns;  ///< [columns][rows]
  bool in_turns = false;  ///< the first row of each replica, the second row of each, ...; else replica by replica

  bool empty() const { return columns.empty() || columns.front().empty(); }  ///< no rows
};

}  // namespace tessera
