// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/io/provenance.hpp>

#include "machine/backend.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// Provenance of a call after the start of Kokkos; `input` is the full input. The end is set later.
io::Provenance begin_provenance(const std::string& command_line, const Method& method, const KokkosSettings& settings,
                                const std::string& device, const std::string& input);

/// The present time in the format of provenance.
std::string utc_now();

/// Throws InputError, with `what`, if a text is too long to be read again by a restart.
void require_recordable(const std::string& what, const std::string& text);

}  // namespace tessera::program
