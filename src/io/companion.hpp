// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <filesystem>

/// The XDMF file beside an output file, which describes it to ParaView.
namespace tessera::io {

/// `<path>.xmf`.
std::filesystem::path companion_of(const std::filesystem::path& path);

/// Whether the companion of `path` may be written, replaced or removed: its name is free, or the file there is an XDMF
/// file that points into `path`.
bool owns_companion(const std::filesystem::path& path);

/// Throws InputError unless owns_companion().
void require_companion(const std::filesystem::path& path);

}  // namespace tessera::io
