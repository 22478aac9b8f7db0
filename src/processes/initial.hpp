// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "processes/compile.hpp"

/// The states at time 0 by sections [Initial].
namespace tessera::processes {

/// Adds a section to the model. Throws InputError.
void read_initial(const Section& section, const TermReader& terms, ModelFile& model);

/// What sites hold at time 0 apart from the species of the sites. Throws InputError.
std::vector<Start> start_of(const ModelFile& model, Values& values, const std::vector<Digit>& digits);

/// Throws InputError if a lattice has too few cells for a section.
void check_start(const ModelFile& model, const Tables& tables, int nx, int ny);

}  // namespace tessera::processes
