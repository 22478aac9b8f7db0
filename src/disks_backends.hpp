// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/disks/parameters.hpp>

#include "simulation_interface.hpp"

namespace tessera::program {

// The parallel method by execution space, each defined in a source file of its own, disks_<space>.cpp, which is built
// where Kokkos has the space.

std::unique_ptr<SimulationInterface> make_disks_serial(const disks::Parameters& parameters);
std::unique_ptr<SimulationInterface> make_disks_openmp(const disks::Parameters& parameters);
std::unique_ptr<SimulationInterface> make_disks_cuda(const disks::Parameters& parameters);

std::unique_ptr<SimulationInterface> make_disks_sequential(const disks::Parameters& parameters);

}  // namespace tessera::program
