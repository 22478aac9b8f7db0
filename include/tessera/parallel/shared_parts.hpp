// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tessera/parallel/communicator.hpp>
#include <utility>
#include <vector>

namespace tessera::parallel {

/// An array of which each rank has some, as rank 0 reads it part by part, where and when it likes. Copies are the same
/// object. All ranks make one; the others then serve() until the last copy at rank 0 is gone.
template <class T>
class SharedParts {
 public:
  /// All: puts `count` elements from number `first` on into `to`, at rank 0; there is nothing elsewhere.
  using Gather = std::function<void(std::size_t first, std::size_t count, std::span<T> to)>;

  SharedParts(const Communicator& ranks, Gather gather)
      : state_(std::make_shared<const State>(ranks, std::move(gather))) {}

  /// At rank 0: puts those from number `first` on into `part`.
  void operator()(std::size_t first, std::span<T> part) const {
    if (part.empty()) return;  // which would end serve()
    if (state_->ranks.size() > 1) state_->ranks.broadcast(Message{first, part.size()});
    state_->gather(first, part.size(), part);
  }
  /// At the other ranks.
  void serve() const {
    for (;;) {
      const auto message = state_->ranks.broadcast(Message{});
      if (message.count == 0) return;
      state_->gather(message.first, message.count, {});
    }
  }
  /// All: the first `count` elements at rank 0; nothing elsewhere.
  std::vector<T> all(std::size_t count) const {
    std::vector<T> elements;
    if (state_->ranks.rank() != 0) {
      serve();
      return elements;
    }
    elements.resize(count);
    (*this)(0, elements);
    return elements;
  }

 private:
  /// What rank 0 wants; none: no more.
  struct Message {
    std::uint64_t first = 0, count = 0;
  };
  struct State {
    Communicator ranks;
    Gather gather;

    State(const Communicator& of, Gather how) : ranks(of), gather(std::move(how)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      if (ranks.size() > 1 && ranks.rank() == 0) ranks.broadcast(Message{});
    }
  };
  std::shared_ptr<const State> state_;
};

}  // namespace tessera::parallel
