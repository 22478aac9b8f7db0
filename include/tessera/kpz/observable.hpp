// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::kpz {

/// One measured quantity: a value for each replica.
struct Observable {
  std::string name, unit;
  std::vector<double> values;
};

}  // namespace tessera::kpz
