// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
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
///       exchange.start();   // what `space` has been told before is sent
///       ...                 // other work on `space`, and on other instances
///       exchange.wait();    // work that `space` is told from here on finds what was received
///     }
///
/// Messages between two ranks are matched by tag, 0 to 32000; tags distinguish two neighbours that are the same rank. A
/// message to the same rank is a copy. Views are contiguous, and have the same size on both sides. Their memory must
/// not be used from start() to wait(), which also clears the list of messages.
///
/// start() and wait() are collective: all ranks call them equally often, in the same order relative to other
/// collectives.
template <class ExecutionSpace>
class Exchange {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  Exchange(const ExecutionSpace& space, const Communicator& communicator)
      : space_(space), communicator_(communicator) {}

  template <class View>
  void send(int to, int tag, const View& view) {
    sends_.push_back(part_of(to, tag, view));
  }
  template <class View>
  void receive(int from, int tag, const View& view) {
    receives_.push_back(part_of(from, tag, view));
  }

  /// Throws std::invalid_argument if a message to the same rank has no matching receive of the same size.
  void start() {
    copy_own();
    if (sends_.empty() && receives_.empty()) return;
    if (communicator_.transport() == Transport::nccl && !on_host) {
      in_stream(space_);
      return;
    }
    stage();
    space_.fence("tessera::parallel::start");
    pending_ = communicator_.start(messages(sends_), messages(receives_));
  }

  void wait() {
    if (pending_) communicator_.wait(*pending_);
    pending_.reset();
    for (const Part& part : receives_)
      if (part.staged != nullptr) Kokkos::deep_copy(space_, part.bytes(), part.staged_bytes());
    sends_.clear();
    receives_.clear();
  }

 private:
  using Bytes = Kokkos::View<std::byte*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Pinned = Kokkos::View<std::byte*, Kokkos::SharedHostPinnedSpace>;
  using PinnedPart = Kokkos::View<std::byte*, Kokkos::SharedHostPinnedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, MemorySpace>::accessible;

  struct Part {
    int rank, tag;
    std::byte* data;
    std::size_t size;
    std::byte* staged = nullptr;  ///< host copy for MPI, if it is not `data`

    Bytes bytes() const { return Bytes(data, size); }
    PinnedPart staged_bytes() const { return PinnedPart(staged, size); }
  };

  template <class View>
  static Part part_of(int rank, int tag, const View& view) {
    static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename View::memory_space>::accessible);
    if (!view.span_is_contiguous()) throw std::invalid_argument("a message between ranks is contiguous");
    using T = typename View::non_const_value_type;
    return {rank, tag, reinterpret_cast<std::byte*>(const_cast<T*>(view.data())), view.span() * sizeof(T)};
  }

  static std::vector<Communicator::Message> messages(const std::vector<Part>& parts) {
    std::vector<Communicator::Message> all;
    for (const Part& p : parts) all.push_back({p.rank, p.tag, p.staged != nullptr ? p.staged : p.data, p.size});
    return all;
  }

  void copy_own() {
    const auto own = [this](const Part& part) { return part.rank == communicator_.rank(); };
    for (const Part& to : receives_) {
      if (!own(to)) continue;
      const auto from =
          std::find_if(sends_.begin(), sends_.end(), [&](const Part& part) { return own(part) && part.tag == to.tag; });
      if (from == sends_.end() || from->size != to.size)
        throw std::invalid_argument("a message of a rank to itself is sent and received in one size");
      Kokkos::deep_copy(space_, to.bytes(), from->bytes());
    }
    std::erase_if(sends_, own);
    std::erase_if(receives_, own);
  }

  template <class Space>
  void in_stream(const Space& space) {
    if constexpr (requires { space.cuda_stream(); })
      communicator_.in_stream(space.cuda_stream(), messages(sends_), messages(receives_));
  }

  /// Allocates pinned memory for the messages, and copies the sends to it.
  void stage() {
    if (on_host || communicator_.transport() != Transport::staged) return;
    constexpr std::size_t aligned = 256;
    std::size_t needed = 0;
    const auto place = [&](std::vector<Part>& parts) {
      for (Part& part : parts) needed += (part.size + aligned - 1) / aligned * aligned;
    };
    place(sends_);
    place(receives_);
    if (staging_.size() < needed)
      staging_ = Pinned(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::parallel::staging"), needed);
    std::byte* next = staging_.data();
    for (auto* parts : {&sends_, &receives_})
      for (Part& part : *parts) {
        part.staged = next;
        next += (part.size + aligned - 1) / aligned * aligned;
      }
    for (const Part& part : sends_) Kokkos::deep_copy(space_, part.staged_bytes(), part.bytes());
  }

  ExecutionSpace space_;
  Communicator communicator_;
  std::vector<Part> sends_, receives_;
  Pinned staging_;
  std::shared_ptr<Communicator::Pending> pending_;
};

}  // namespace tessera::parallel
