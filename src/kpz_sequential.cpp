// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kpz/sequential.hpp>

#include "kpz_adapter.hpp"
#include "kpz_backends.hpp"

namespace tessera::program {

std::unique_ptr<SimulationInterface> make_kpz_sequential(const kpz::Parameters& parameters, HeightFields fields) {
  return std::make_unique<KpzAdapter<kpz::Sequential>>(parameters, fields, parameters);
}

}  // namespace tessera::program
