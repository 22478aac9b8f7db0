// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <filesystem>
#include <string>

/// Where a file is written before it gets its name.
namespace tessera::io {

/// The name of this machine, of letters, digits, dots and dashes, cut to what fits into a file name.
std::string host_name();

/// `.<name>.tmp-<process id>-<host>` beside `path`.
std::filesystem::path temporary_path(const std::filesystem::path& path);

/// Removes the temporaries of `path` that dead processes left. Of other hosts' processes nothing is known, unless the
/// name of `path` is `claimed` by this run: then nobody else is alive that writes it.
void remove_stale_temporaries(const std::filesystem::path& path, bool claimed) noexcept;

}  // namespace tessera::io
