// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/parts.hpp"

namespace tessera::io::hdf5 {

/// Appends a row of shape `row` to the dataset `name`, creating it if there is none: in chunks of at most 1 MiB, each
/// within one row, shuffled and deflated where that saves something, with a checksum. All threads that Kokkos has for
/// the host pack chunks.
void append_big_row(hid_t parent, const std::string& name, ElementType type, const Shape& row, const Content& content);

}  // namespace tessera::io::hdf5
