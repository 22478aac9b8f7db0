// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "tessera/io/element_type.hpp"

namespace tessera::io {

/// An array that need not be in host memory as a whole: puts its elements from number `first` on, in row-major order,
/// into `part`. It is asked for each element once, in order, some millions at a time.
template <Element T>
using Parts = std::function<void(std::size_t first, std::span<T> part)>;

/// What an array holds, row-major, whatever its type.
struct Content {
  const void* data = nullptr;  ///< all of it; null: it is to be read
  std::function<void(std::size_t first, std::size_t count, void* to)> read = {};

  template <Element T>
  static Content of(const Parts<T>& parts) {
    return {nullptr, [&parts](std::size_t first, std::size_t count, void* to) {
              parts(first, std::span<T>(static_cast<T*>(to), count));
            }};
  }
};

}  // namespace tessera::io
