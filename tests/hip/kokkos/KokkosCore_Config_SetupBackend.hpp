// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <setup/Kokkos_Setup_HIP.hpp>
