// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// A run of kmc with a model from a file, that sanitizers watch.
#include <Kokkos_Core.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <tessera/kmc/simulation.hpp>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"
#include "tests/sanitized/runs.hpp"

int main(int count, char** words) {
  if (count != 2) return 2;
  const Kokkos::ScopeGuard kokkos;
  std::ifstream stream(words[1]);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto model = tessera::processes::read_model(text, words[1]);
  const auto compiled = tessera::processes::compile(model, {}, {}, 0.1, 0, {64, 64});
  tessera::kmc::Parameters parameters;
  parameters.nx = parameters.ny = 64;
  tessera::kmc::Simulation simulation(Kokkos::DefaultHostExecutionSpace(), parameters,
                                      tessera::processes::TableModel(compiled.tables));
  return tessera::testing::status_of(simulation, 1);
}
