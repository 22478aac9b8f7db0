// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>

namespace tessera {

/// Prefetches the data at `address` on a GPU; does nothing on a host.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void prefetch(const T* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L1 [%0];" ::"l"(address));
#else
  (void)address;
#endif
}

}  // namespace tessera
