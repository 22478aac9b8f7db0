// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/on_gpu.hpp>
#include <type_traits>

/// CUDA and HIP under one name; a Kokkos has at most one of them. TESSERA_GPU(Stream_t) is cudaStream_t or hipStream_t.
#if defined(KOKKOS_ENABLE_CUDA)
#define TESSERA_GPU(name) cuda##name
#elif defined(KOKKOS_ENABLE_HIP)
#define TESSERA_GPU(name) hip##name
#endif

namespace tessera {

/// Lanes of a warp, AMD's wavefront: 32 on NVIDIA's GPUs and on AMD's for graphics, 64 on AMD's for computing.
#if defined(KOKKOS_ENABLE_HIP)
inline constexpr int warp_lanes = Kokkos::Impl::HIPTraits::WarpSize;
#else
inline constexpr int warp_lanes = 32;
#endif

/// A bit for each lane of a warp.
using LaneBits = std::conditional_t<warp_lanes == 64, std::uint64_t, std::uint32_t>;

#if defined(KOKKOS_ENABLE_CUDA)
using GpuSpace = Kokkos::Cuda;
inline auto gpu_stream(const GpuSpace& space) { return space.cuda_stream(); }
inline const auto& gpu_properties(const GpuSpace& space) { return space.cuda_device_prop(); }
#elif defined(KOKKOS_ENABLE_HIP)
using GpuSpace = Kokkos::HIP;
inline auto gpu_stream(const GpuSpace& space) { return space.hip_stream(); }
inline const auto& gpu_properties(const GpuSpace& space) { return space.hip_device_prop(); }
#endif

#if defined(TESSERA_ON_GPU)
/// Makes writes of a lane visible to all lanes of its warp.
__device__ __forceinline__ void sync_warp() {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#else  // the lanes of a wavefront run in lockstep; the compiler must keep the order of their accesses
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}

/// The lanes of the warp whose flag is set.
__device__ __forceinline__ LaneBits lanes_where(bool flag) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, flag);
#else
  return static_cast<LaneBits>(__ballot(flag));
#endif
}

/// The value in a lane of the warp.
template <class T>
__device__ __forceinline__ T value_in_lane(T value, int lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffu, value, lane);
#else
  return __shfl(value, lane, warp_lanes);
#endif
}
#endif

}  // namespace tessera
