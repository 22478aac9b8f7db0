// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "profiled_range.hpp"

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_profiler_api.h>
#endif

namespace tessera::perf {

#if defined(KOKKOS_ENABLE_CUDA)
ProfiledRange::ProfiledRange() { static_cast<void>(cudaProfilerStart()); }
ProfiledRange::~ProfiledRange() { static_cast<void>(cudaProfilerStop()); }
#else
ProfiledRange::ProfiledRange() = default;
ProfiledRange::~ProfiledRange() = default;
#endif

}  // namespace tessera::perf
