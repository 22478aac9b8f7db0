// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

namespace tessera::io {

/// Element types of datasets. Files are little-endian on all machines.
enum class ElementType { float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

/// A C++ type that maps to exactly one ElementType. Booleans and character types do not; store a std::uint8_t or a text
/// instead.
template <class T>
concept Element = (std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool> &&
                   !std::is_same_v<std::remove_cv_t<T>, char> && !std::is_same_v<std::remove_cv_t<T>, wchar_t> &&
                   sizeof(T) <= 8) ||
                  std::is_same_v<std::remove_cv_t<T>, float> || std::is_same_v<std::remove_cv_t<T>, double>;

/// The ElementType of T, by size and signedness: `long` and `long long` are both int64 where both have 64 bits.
template <Element T>
constexpr ElementType element_type_of() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;
  } else if constexpr (std::is_signed_v<T>) {
    return sizeof(T) == 1   ? ElementType::int8
           : sizeof(T) == 2 ? ElementType::int16
           : sizeof(T) == 4 ? ElementType::int32
                            : ElementType::int64;
  } else {
    return sizeof(T) == 1   ? ElementType::uint8
           : sizeof(T) == 2 ? ElementType::uint16
           : sizeof(T) == 4 ? ElementType::uint32
                            : ElementType::uint64;
  }
}

/// Bytes of one element.
std::size_t element_size(ElementType type);

/// Name for messages: "float64", "int8", ...
const char* element_name(ElementType type);

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
