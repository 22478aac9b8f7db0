// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/provenance.hpp"

namespace tessera::io {

/// Writes `/provenance`, or `/provenance/restarts/<restart>` if `restart` is not 0; replaces that of earlier
/// publications of the same run. Throws Failure.
void write_provenance(hid_t file, const Provenance& provenance, std::size_t restart);

/// Writes the root attributes, and `/h5md` if all `time` datasets conform to H5MD. Throws Failure.
void write_identity(hid_t file, const std::string& method, const Provenance& provenance);

/// Identity of the content of a file, different for other runs and other times of the same run: a sum over the
/// checksums of its checkpoint. Throws Failure.
std::uint64_t content_identity(hid_t file);

/// Whether there is a readable file at `path` with this identity.
bool has_content(const std::filesystem::path& path, std::uint64_t identity);

/// Sets the unit of all times of observables, fields and particles. Throws Failure.
void write_time_unit(hid_t file, const std::string& unit);

}  // namespace tessera::io
