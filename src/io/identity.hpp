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

/// Writes `/provenance`, or `/provenance/restarts/<restart>` if `restart` is not 0, over what an earlier publication of
/// the same run wrote there. Throws Failure.
void write_provenance(hid_t file, const Provenance& provenance, std::size_t restart);

/// Writes the root attributes, and `/h5md` if all `time` datasets are as H5MD has them. Throws Failure.
void write_identity(hid_t file, const std::string& method, const Provenance& provenance);

/// What distinguishes the content of a file from that of other runs and of other times of the same run: a sum over the
/// checksums of its checkpoint. Throws Failure.
std::uint64_t content_identity(hid_t file);

/// Whether there is a file at `path` that can be read and has this identity.
bool has_content(const std::filesystem::path& path, std::uint64_t identity);

/// Gives all times of observables, fields and particles this unit. Throws Failure.
void write_time_unit(hid_t file, const std::string& unit);

}  // namespace tessera::io
