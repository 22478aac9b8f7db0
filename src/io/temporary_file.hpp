// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>

/// Temporary files, which are renamed when they are complete.
namespace tessera::io {

/// Name of this host in letters, digits, dots and dashes, shortened for file names.
std::string host_name();

/// `.<name>.tmp-<process id>-<host>` beside `path`.
std::filesystem::path temporary_path(const std::filesystem::path& path);

/// Removes temporary files of `path` of dead processes. Files of processes on other hosts are removed only if this run
/// has `claimed` the name of `path`, as no other process can be writing them then.
void remove_stale_temporaries(const std::filesystem::path& path, bool claimed) noexcept;

}  // namespace tessera::io
