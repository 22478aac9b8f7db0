// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kpz/sequential.hpp>

#include "on_space.hpp"

namespace tessera::perf {

std::unique_ptr<KpzSystem> make_kpz_sequential(const kpz::Parameters& parameters) {
  return std::make_unique<KpzSystemOf<kpz::Sequential>>(parameters);
}

}  // namespace tessera::perf
