// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// A measured quantity: one value per replica, or one for all replicas together, and the standard error of each value
/// if known.
struct Observable {
  std::string name, unit;
  std::vector<double> values;
  std::vector<double> errors = {};
  bool is_diagnostic = false;  ///< describes the computation, not the system: may depend on timing, ranks and backend
};

}  // namespace tessera
