// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "io/source.hpp"

namespace tessera::io {

/// Reads a whole file once, block by block, to detect damage before a run continues it: all groups, the elements of all
/// datasets, all attributes, and the checksums of the checkpoint. Objects of types that Tessera does not write are
/// skipped. Throws InputError with the name of an unreadable object.
void read_through(const CheckpointReader::Source& source);

}  // namespace tessera::io
