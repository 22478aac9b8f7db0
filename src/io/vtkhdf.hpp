// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include "io/hdf5_handle.hpp"

namespace tessera::io {

/// Brings `/VTKHDF` of an open file up to date with its fields and particles: version 2.0 of VTK's format, which
/// ParaView 5.12 and newer shows. It has the times and refers to the data; it holds no copy of them. Throws Failure.
///
/// 2-d fields make an image in the x-y plane, a cell of side 1 for each site; each field is an array, or, of R > 1
/// replicas, `<name>_0`, `<name>_1`, ... Of several lattices it is that of the field that was there first. The steps
/// are all times at which one of the fields was recorded, the smallest over the replicas; the others are those of their
/// last row. Where there is no 2-d field, particles make points, with their `diameter`, 1, and of several systems their
/// number, `replica`.
void write_vtkhdf(hid_t file);

}  // namespace tessera::io
