// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// One measured quantity: a value for each replica, or one of all replicas together, and the standard error of each
/// value where it is known.
struct Observable {
  std::string name, unit;
  std::vector<double> values;
  std::vector<double> errors = {};
  bool is_diagnostic = false;  ///< describes the computation, not the system: may depend on timing, ranks and backend
};

}  // namespace tessera
