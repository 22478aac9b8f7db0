// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <decl/Kokkos_Declare_SERIAL.hpp>
#include <decl/Kokkos_Declare_HIP.hpp>
