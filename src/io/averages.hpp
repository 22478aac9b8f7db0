// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "io/hdf5_handle.hpp"
#include "tessera/io/average.hpp"

namespace tessera::io {

/// Replaces the content of `/averages` and of `/stationarity`; removes a group that would be empty. Throws Failure.
void write_averages(hid_t file, const Averages& averages, const std::string& time_unit);

}  // namespace tessera::io
