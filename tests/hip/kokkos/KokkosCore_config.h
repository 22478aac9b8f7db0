// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
// The configuration of the Kokkos that is installed, with HIP for gfx90a and Serial alone.
#include_next <KokkosCore_config.h>
#undef KOKKOS_ENABLE_OPENMP
#undef KOKKOS_ENABLE_THREADS
#undef KOKKOS_ENABLE_CUDA
#undef KOKKOS_ENABLE_CUDA_LAMBDA
#ifndef KOKKOS_ENABLE_SERIAL
#define KOKKOS_ENABLE_SERIAL
#endif
#define KOKKOS_ENABLE_HIP
#define KOKKOS_ARCH_AMD_GPU "GFX90A"
#define KOKKOS_ARCH_AMD_GFX90A
