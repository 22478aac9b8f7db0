// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::io {

/// The mean of an observable over the rows after a time, and its standard error, NaN where there is none.
struct Average {
  std::string name, unit;
  double mean = 0, error = 0;
  std::vector<double> values = {};  ///< the mean of each replica, if it has one and there are several
};

/// Those of a run: over so many rows after the time `from`.
struct Averages {
  double from = 0;
  std::uint64_t rows = 0;
  std::vector<Average> observables = {};
};

}  // namespace tessera::io
