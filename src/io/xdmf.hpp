// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <string>

#include "io/hdf5_handle.hpp"

namespace tessera::io {

/// The XDMF description of the 2-d fields in an open file, as ParaView reads it: one temporal collection per lattice
/// size, in it one grid per time, each site a square cell, each field (and each replica of it) a cell attribute that
/// points into the HDF5 file `file_name` beside it. Empty if there is no 2-d field. The time of a grid is the smallest
/// over the replicas. Throws Failure.
std::string xdmf_text(hid_t file, const std::string& file_name);

}  // namespace tessera::io
