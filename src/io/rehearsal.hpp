// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <filesystem>
#include <string>

namespace tessera::io {

/// Does in memory, to a file that is to be continued, what the next publication will do to its structure: adds to every
/// group, lets every growing dataset grow, replaces the checkpoint. So what HDF5 looks at only when it writes is found
/// damaged before the run. Throws Failure.
void rehearse_publication(const std::filesystem::path& path, const std::string& method, std::size_t restart);

}  // namespace tessera::io
