// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "io/hdf5_handle.hpp"

namespace tessera::io {

/// Updates `/VTKHDF` of an open file to its fields and particles, in version 2.0 of VTK's format, which ParaView 5.12
/// and newer reads. It contains the times and refers to the data without copying them. Throws Failure.
///
/// 2-d fields are an image in the x-y plane, with a cell of side 1 for each site, or of the sides that the model has.
/// There is none of an oblique unit cell, of which VTK has no images without a copy of the data. Each field is an
/// array, or, for R > 1 replicas, `<name>_0`, `<name>_1`, ... Fields on a lattice other than that of the first field
/// are omitted. The steps are all times at which a field was recorded, the smallest over the replicas; other fields
/// have the values of their last row. Without 2-d fields, particles are points with their `diameter`, 1, and, for
/// several systems, with the number of the system, `replica`.
void write_vtkhdf(hid_t file);

}  // namespace tessera::io
