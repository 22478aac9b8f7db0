// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::kmc {

/// One measured quantity: a value for each replica.
struct Observable {
  std::string name, unit;
  std::vector<double> values;
};

/// The columns of a history, all of one length.
struct History {
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;
};

}  // namespace tessera::kmc
