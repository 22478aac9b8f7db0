// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/io/provenance.hpp>

#include "machine/backend.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// What a call records of itself once Kokkos has been started; `input` in full. Its end is not known yet.
io::Provenance begin_provenance(const std::string& command_line, const Method& method, const KokkosSettings& settings,
                                const std::string& device, const std::string& input);

/// Now, as provenance has times.
std::string utc_now();

/// What is recorded of a run has to be read again by a restart: throws InputError, which names `what`, of a text that
/// is longer than what io reads.
void require_recordable(const std::string& what, const std::string& text);

}  // namespace tessera::program
