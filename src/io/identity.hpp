// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/provenance.hpp"

namespace tessera::io {

/// Writes `/provenance`, or `/provenance/restarts/<restart>` if `restart` is not 0, over what an earlier publication of
/// the same run wrote there. Throws Failure.
void write_provenance(hid_t file, const Provenance& provenance, std::size_t restart);

/// Writes the root attributes, and `/h5md` if all `time` datasets are as H5MD has them. Throws Failure.
void write_identity(hid_t file, const std::string& method, const Provenance& provenance);

/// Gives all times of observables, fields and particles this unit. Throws Failure.
void write_time_unit(hid_t file, const std::string& unit);

}  // namespace tessera::io
