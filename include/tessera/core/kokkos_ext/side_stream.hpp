// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/gpu.hpp>

namespace tessera {

/// A second instance of an execution space, whose kernels may run concurrently with those of the first one. On GPUs a
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

#if defined(TESSERA_GPU)
template <>
class SideStream<GpuSpace> {
 public:
  explicit SideStream(const GpuSpace& first) : first_(first), own_(stream_.stream) {}

  const GpuSpace& space() const { return own_; }
  void fork() const { order(first_, own_); }
  void join() const { order(own_, first_); }

 private:
  static void require(TESSERA_GPU(Error_t) status) {
    if (status != TESSERA_GPU(Success)) throw RunError(std::string("GPU: ") + TESSERA_GPU(GetErrorString)(status));
  }
  void order(const GpuSpace& earlier, const GpuSpace& later) const {
    require(TESSERA_GPU(EventRecord)(stream_.event, gpu_stream(earlier)));
    require(TESSERA_GPU(StreamWaitEvent)(gpu_stream(later), stream_.event, 0));
  }

  struct Stream {
    TESSERA_GPU(Stream_t) stream = nullptr;
    TESSERA_GPU(Event_t) event = nullptr;

    Stream() {
      int least = 0, greatest = 0;
      require(TESSERA_GPU(DeviceGetStreamPriorityRange)(&least, &greatest));
      require(TESSERA_GPU(StreamCreateWithPriority)(&stream, TESSERA_GPU(StreamNonBlocking), greatest));
      require(TESSERA_GPU(EventCreateWithFlags)(&event, TESSERA_GPU(EventDisableTiming)));
    }
    ~Stream() {
      static_cast<void>(TESSERA_GPU(EventDestroy)(event));
      static_cast<void>(TESSERA_GPU(StreamDestroy)(stream));
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
  };

  GpuSpace first_;
  Stream stream_;
  GpuSpace own_;
};
#endif

}  // namespace tessera
