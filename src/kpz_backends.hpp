// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/kpz/parameters.hpp>

#include "simulation_interface.hpp"

namespace tessera::program {

/// Whether the program writes the heights of all sites.
enum class HeightFields { at_the_end, never };

// The domain method by execution space, each defined in a source file of its own, kpz_<space>.cpp, which is built where
// Kokkos has the space.

std::unique_ptr<SimulationInterface> make_kpz_serial(const kpz::Parameters& parameters, HeightFields fields);
std::unique_ptr<SimulationInterface> make_kpz_openmp(const kpz::Parameters& parameters, HeightFields fields);
std::unique_ptr<SimulationInterface> make_kpz_cuda(const kpz::Parameters& parameters, HeightFields fields);

/// Random-sequential dynamics.
std::unique_ptr<SimulationInterface> make_kpz_sequential(const kpz::Parameters& parameters, HeightFields fields);

}  // namespace tessera::program
