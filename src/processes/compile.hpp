// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "processes/model_file.hpp"
#include "processes/tables.hpp"
#include "processes/values.hpp"

namespace tessera::processes {

/// The species that can be on a site, which are a digit of the state of its cell.
struct Digit {
  std::vector<std::size_t> species;  ///< by the value of the digit
  int weight = 1;

  /// The value of this digit of a state.
  std::size_t of(int state) const { return static_cast<std::size_t>(state / weight) % species.size(); }
};

/// What is made of a process: its copies, with offsets from their cells, and its rate.
struct Compiled {
  std::size_t number = 0;  ///< in ModelFile::processes
  std::vector<Process> copies;
  double rate = 0;       ///< rate_constant
  bool possible = true;  ///< whether its sites can ever hold what its conditions ask for
};

/// A model ready to run, with what there is to say about it.
struct CompiledModel {
  std::vector<double> parameters;   ///< values, by the number of the parameter
  std::vector<Digit> digits;        ///< by site
  std::vector<Compiled> processes;  ///< the enabled ones
  Tables tables;
};

/// Throws InputError about rates that are negative or not finite, about processes beyond what a model with tables can
/// do and about models of too many neighbourhoods.
CompiledModel compile(const ModelFile& model, const Settings& settings);

/// A few lines that say what was understood: species, sites, parameters, processes with their rates, size of the
/// tables.
std::string description(const ModelFile& model, const CompiledModel& compiled);

}  // namespace tessera::processes
