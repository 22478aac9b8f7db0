// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kpz/sequential.hpp>

namespace tessera::kpz {

std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters) {
  Parameters sequential = parameters;
  sequential.method = Method::sequential;
  return std::make_unique<Sequential>(sequential);
}

}  // namespace tessera::kpz
