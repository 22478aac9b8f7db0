// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/parts.hpp"

namespace tessera::io::hdf5 {

/// Appends a row of shape `row` to the dataset `name`, which is created if missing. Chunks have at most 1 MiB, lie
/// within one row, have a checksum, and are shuffled and deflated if this saves space. All host threads of Kokkos
/// compress chunks.
void append_big_row(hid_t parent, const std::string& name, ElementType type, const Shape& row, const Content& content);

}  // namespace tessera::io::hdf5
