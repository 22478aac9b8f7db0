// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>

namespace tessera {

/// A second instance of an execution space, whose kernels may run concurrently with those of the first one. On CUDA a
/// stream of higher priority; on CPUs the first instance itself, which runs all kernels in order.
template <class ExecutionSpace>
class SideStream {
 public:
  explicit SideStream(const ExecutionSpace& first) : first_(first) {}

  const ExecutionSpace& space() const { return first_; }
  /// Later work in the side stream begins after the earlier work of the first instance.
  void fork() const {}
  /// Later work of the first instance begins after the earlier work in the side stream.
  void join() const {}

 private:
  static_assert(runs_on_host<ExecutionSpace>);
  ExecutionSpace first_;
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
class SideStream<Kokkos::Cuda> {
 public:
  explicit SideStream(const Kokkos::Cuda& first) : first_(first), own_(stream_.stream) {}

  const Kokkos::Cuda& space() const { return own_; }
  void fork() const { order(first_, own_); }
  void join() const { order(own_, first_); }

 private:
  static void require(cudaError_t status) {
    if (status != cudaSuccess) throw RunError(std::string("CUDA: ") + cudaGetErrorString(status));
  }
  void order(const Kokkos::Cuda& earlier, const Kokkos::Cuda& later) const {
    require(cudaEventRecord(stream_.event, earlier.cuda_stream()));
    require(cudaStreamWaitEvent(later.cuda_stream(), stream_.event, 0));
  }

  struct Stream {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;

    Stream() {
      int least = 0, greatest = 0;
      require(cudaDeviceGetStreamPriorityRange(&least, &greatest));
      require(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
      require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~Stream() {
      cudaEventDestroy(event);
      cudaStreamDestroy(stream);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
  };

  Kokkos::Cuda first_;
  Stream stream_;
  Kokkos::Cuda own_;
};
#endif

}  // namespace tessera
