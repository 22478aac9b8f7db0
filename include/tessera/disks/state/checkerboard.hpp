// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/geometry.hpp>

namespace tessera::disks {

/// Returns the grid for these parameters. Throws InputError if no checkerboard fits the box.
inline Geometry checkerboard(const Parameters& p) {
  const auto g = fit_cells(box_width(p), box_height(p), p.replicas);
  if (!g)
    throw InputError("--method mpmc: no checkerboard fits a box of " + std::to_string(box_width(p)) + " x " +
                     std::to_string(box_height(p)) + " diameters; use --method sequential");
  return *g;
}

}  // namespace tessera::disks
