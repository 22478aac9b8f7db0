// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include "io/source.hpp"

namespace tessera::io {

/// Reads a whole file once, piece by piece, so that damage is found before a run builds on it: all groups, the elements
/// of all datasets, all attributes, and the checksums of the checkpoint. What is of no kind that Tessera writes is left
/// alone, for nobody will read it. Throws InputError that names what cannot be read.
void read_through(const CheckpointReader::Source& source);

}  // namespace tessera::io
