// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/parameters.hpp>
#include <utility>
#include <vector>

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
  std::string model;         ///< "phi:N" for the solid-on-solid surface, as in "hopping/E:1", or one of file_models
  int n;                     ///< side of the square lattice
  int replicas = 1;

  /// As in "kmc/tile/repair/Cuda/phi:0/n:4096", "kmc/bkl/phi:0/n:1024", "kmc/tile/repair/Cuda/phi:0/n:64/replicas:256".
  std::string name() const;
  double sites() const { return static_cast<double>(n) * n * replicas; }
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
