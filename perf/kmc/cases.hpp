// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/parameters.hpp>
#include <utility>
#include <vector>

#include "simulations/kmc_space.hpp"

namespace tessera::perf {

/// A model from a file.
struct FileModel {
  const char* name;  ///< in the names of cases
  const char* file;  ///< in inputs/models
  std::vector<std::pair<const char*, double>> settings;
};
extern const std::vector<FileModel> file_models;

/// A case: a method, its execution space, and the model.
struct KmcCase {
  kmc::Method method;
  kmc::StepControl control;  ///< step control of the tile method
  std::string space;         ///< execution space of the tile method, Kokkos' name
  /// "phi:N" for the solid-on-solid surface, as in "hopping/E:1", one of file_models, or in three dimensions with the
  /// lattice, as in "bcc/ising/K:0.14".
  std::string model;
  int n;  ///< side of the square lattice; in three dimensions of the box, in cubic cells
  int replicas = 1;

  /// As in "kmc/tile/repair/Cuda/phi:0/n:4096", "kmc/bkl/phi:0/n:1024", "kmc/tile/repair/Cuda/phi:0/n:64/replicas:256".
  std::string name() const;
  double sites() const;
  bool in_space() const { return model.starts_with("sc/") || model.starts_with("bcc/") || model.starts_with("fcc/"); }
  /// The model in three dimensions.
  kmc::space::Choice choice() const;
  /// Model with its parameters, unless it is one of file_models.
  kmc::ModelChoice model_of() const;
  /// The same case with the tile method on another execution space.
  KmcCase on(const std::string& other) const;
};

/// All cases, small lattices first. `spaces`: slowest first.
std::vector<KmcCase> all_kmc_cases(const std::vector<std::string>& spaces);

/// The cases of the targets only, most important first.
std::vector<KmcCase> h200_kmc_cases(const std::vector<std::string>& spaces);

}  // namespace tessera::perf
