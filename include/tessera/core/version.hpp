// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera {

/// Version of the library, as in "1.2.3".
const char* version() noexcept;

/// Commit that the library was built from, in 40 hexadecimal digits, followed by "-modified" when the sources differed
/// from it; "unknown" when they came without a git repository.
const char* git_revision() noexcept;

}  // namespace tessera
