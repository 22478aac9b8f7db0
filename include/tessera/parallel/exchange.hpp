// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <tessera/parallel/communicator.hpp>
#include <vector>

namespace tessera::parallel {

/// Messages between ranks, from and to the memory of an execution space:
///
///     Exchange<Space> exchange(space, communicator);
///     for (...) {
///       exchange.send(grid.neighbour(1, 0), right, my_right_columns);      // what is to be sent and received, in any
///       exchange.receive(grid.neighbour(-1, 0), right, their_left_columns);  // order; `right` is a tag
///       exchange.start();   // sends data after all kernels already enqueued on `space`
///       ...                 // other work on `space`, and on other instances
///       exchange.wait();    // kernels enqueued on `space` from here on read the received data
///     }
///
/// Messages between two ranks are matched by tag, 0 to 32000; tags distinguish two neighbours that are the same rank.
/// Views are contiguous, and have the same size on both sides. Their memory must not be used from start() to wait(),
/// which also clears the list of messages.
///
/// start() and wait() are collective.
template <class ExecutionSpace>
class Exchange {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  Exchange(const ExecutionSpace& space, const Communicator& communicator)
      : space_(space), communicator_(communicator) {}

  template <class View>
  void send(int to, int tag, const View& view) {
    sends_.push_back(message(to, tag, view));
  }
  template <class View>
  void receive(int from, int tag, const View& view) {
    receives_.push_back(message(from, tag, view));
  }

  void start() {
    if (sends_.empty() && receives_.empty()) return;
    if (communicator_.transport() == Transport::nccl && !on_host) return in_stream(space_);
    Messages sends = sends_;
    arrivals_ = receives_;
    if (communicator_.transport() == Transport::staged && !on_host) stage(sends, arrivals_);
    space_.fence("tessera::parallel::start");
    pending_ = communicator_.start(sends, arrivals_);
  }

  void wait() {
    if (pending_) communicator_.wait(*pending_);
    pending_.reset();
    for (std::size_t i = 0; i < arrivals_.size(); ++i)
      if (arrivals_[i].data != receives_[i].data)
        Kokkos::deep_copy(space_, bytes_of<MemorySpace>(receives_[i]), bytes_of<Pinned>(arrivals_[i]));
    for (Messages* messages : {&sends_, &receives_, &arrivals_}) messages->clear();
  }

 private:
  using Messages = std::vector<Communicator::Message>;
  using Pinned = Kokkos::SharedHostPinnedSpace;

  static constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

  template <class View>
  static Communicator::Message message(int rank, int tag, const View& view) {
    static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename View::memory_space>::accessible);
    if (!view.span_is_contiguous()) throw std::invalid_argument("a message between ranks is contiguous");
    using T = typename View::non_const_value_type;
    return {rank, tag, const_cast<T*>(view.data()), view.span() * sizeof(T)};
  }
  template <class Memory>
  static auto bytes_of(const Communicator::Message& m) {
    return Kokkos::View<std::byte*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(static_cast<std::byte*>(m.data),
                                                                                     m.bytes);
  }

  template <class Space>
  void in_stream(const Space& space) {
    if constexpr (requires { space.cuda_stream(); }) communicator_.in_stream(space.cuda_stream(), sends_, receives_);
  }

  /// Moves the messages to pinned memory, and copies the sends to it.
  void stage(Messages& sends, Messages& receives) {
    const auto room = [](const Communicator::Message& m) { return (m.bytes + 255) / 256 * 256; };
    std::size_t needed = 0;
    for (const auto* messages : {&sends, &receives})
      for (const auto& m : *messages) needed += room(m);
    if (staging_.size() < needed)
      staging_ =
          decltype(staging_)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::parallel::staging"), needed);
    std::byte* next = staging_.data();
    for (auto* messages : {&sends, &receives})
      for (auto& m : *messages) {
        m.data = next;
        next += room(m);
      }
    for (std::size_t i = 0; i < sends.size(); ++i)
      Kokkos::deep_copy(space_, bytes_of<Pinned>(sends[i]), bytes_of<MemorySpace>(sends_[i]));
  }

  ExecutionSpace space_;
  Communicator communicator_;
  Messages sends_, receives_;
  Messages arrivals_;  ///< the receives, at the addresses that MPI writes to
  Kokkos::View<std::byte*, Pinned> staging_;
  std::shared_ptr<Communicator::Pending> pending_;
};

}  // namespace tessera::parallel
