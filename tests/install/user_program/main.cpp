// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <cmath>
#include <iostream>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/kmc/simulation.hpp>

#include "lattice_gas.hpp"

namespace kmc = tessera::kmc;

/// Adsorption without interaction, from an empty lattice to time 3, measured every 0.5: Langmuir's kinetics,
/// coverage(t) = k / (1 + k) (1 - exp(-(1 + k) t)).
void run(const std::string& path) {
  const double k = 2;
  kmc::Parameters parameters;
  parameters.nx = 256;
  parameters.ny = 128;
  parameters.replicas = 4;
  parameters.seed = 1;

  auto output = tessera::io::OutputFile::create(path, "kmc", true);
  output.time_unit(LatticeGas::time_unit);
  kmc::Simulation simulation(Kokkos::DefaultExecutionSpace(), parameters, LatticeGas(k, 0));
  std::int64_t events = 0;
  for (int i = 0; i <= 6; ++i) {
    simulation.advance(0.5 * i);
    events = 0;
    for (const std::uint64_t e : simulation.events()) events += static_cast<std::int64_t>(e);
    const auto observables = simulation.measure();
    for (const tessera::Observable& o : observables) output.row(o, events, simulation.times());

    double coverage = 0;
    for (const double value : observables.front().values) coverage += value / parameters.replicas;
    const double exact = k / (1 + k) * (1 - std::exp(-(1 + k) * simulation.time()));
    std::cout << "time " << simulation.time() << "  coverage " << coverage << "  exact " << exact << '\n';
    // The standard deviation is 0.0013 at most.
    if (std::abs(coverage - exact) > 0.01) throw tessera::RunError("the coverage is not Langmuir's");
  }
  output.field("occupied", "", events, simulation.times(), simulation.states(), {128, 256});

  tessera::io::Provenance provenance;
  provenance.version = tessera::version();
  provenance.seed = std::to_string(parameters.seed);
  output.provenance(provenance);
  output.publish([&](tessera::io::CheckpointWriter& checkpoint) { simulation.save(checkpoint); });
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    run(argc > 1 ? argv[1] : "lattice_gas.h5");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
