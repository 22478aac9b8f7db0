// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"

namespace tessera::io {

/// One frame of the particles of one system; refers to data of the caller.
struct ParticleRow {
  const std::string& group;  ///< under `/particles`
  const std::string& unit;   ///< of positions and box
  std::int64_t step;
  double time;
  const std::array<double, 2>& box;
  const std::vector<std::array<double, 2>>& positions;
};

/// Appends a frame to `/particles/<group>` in H5MD 1.1, with the three dimensions that readers require: a box of height
/// 1 with all particles at z = 0. `position/{step,time,value}`, [rows], [rows], [rows, N, 3], and likewise `box/edges`,
/// [rows, 3, 3]. Throws Failure, also if earlier frames have a different number of particles.
void append_particles(hid_t file, const ParticleRow& row);

}  // namespace tessera::io
