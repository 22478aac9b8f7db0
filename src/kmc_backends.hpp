// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/kmc/parameters.hpp>

#include "simulation_interface.hpp"

namespace tessera::program {

// The tile method by execution space, each defined in a source file of its own, kmc_<space>.cpp, which is built where
// Kokkos has the space.

std::unique_ptr<SimulationInterface> make_kmc_serial(const kmc::Parameters& parameters);
std::unique_ptr<SimulationInterface> make_kmc_openmp(const kmc::Parameters& parameters);
std::unique_ptr<SimulationInterface> make_kmc_cuda(const kmc::Parameters& parameters);

// The sequential methods.

std::unique_ptr<SimulationInterface> make_kmc_bkl(const kmc::Parameters& parameters);
std::unique_ptr<SimulationInterface> make_kmc_waiting_time(const kmc::Parameters& parameters);

}  // namespace tessera::program
