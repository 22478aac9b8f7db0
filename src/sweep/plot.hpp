// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>

#include "sweep/sweep_folder.hpp"

namespace tessera::program {

/// The command that draws the table of a sweep.
std::string plot_command(const SweepFolder& folder);

/// Draws it, plot.png in the folder, by a Python with tessera_io and Matplotlib. False if there is none.
bool plot(const SweepFolder& folder);

}  // namespace tessera::program
