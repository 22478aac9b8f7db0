// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "tessera/io/element_type.hpp"

namespace tessera::io {

/// An array that need not be in host memory as a whole. The function writes the elements from number `first` on, in
/// row-major order, to `part`. It is called for consecutive parts of some millions of elements, each once.
template <Element T>
using Parts = std::function<void(std::size_t first, std::span<T> part)>;

/// Elements of an array of any type, row-major.
struct Content {
  const void* data = nullptr;  ///< all elements; null: call `read`
  std::function<void(std::size_t first, std::size_t count, void* to)> read = {};

  template <Element T>
  static Content of(const Parts<T>& parts) {
    return {nullptr, [&parts](std::size_t first, std::size_t count, void* to) {
              parts(first, std::span<T>(static_cast<T*>(to), count));
            }};
  }
};

}  // namespace tessera::io
