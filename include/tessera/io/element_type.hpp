// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <functional>
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
  using enum ElementType;
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? float32 : float64;
  constexpr ElementType with_sign[] = {int8, int16, int32, int64}, without[] = {uint8, uint16, uint32, uint64};
  return (std::is_signed_v<T> ? with_sign : without)[std::countr_zero(sizeof(T))];
}

/// Bytes of one element.
std::size_t element_size(ElementType type);

/// Name for messages: "float64", "int8", ...
const char* element_name(ElementType type);

/// Elements of an array of any type, row-major, that need not be in host memory as a whole.
struct Content {
  const void* data = nullptr;  ///< all elements; null: call `read`
  /// Writes the elements from number `first` on. It is called for consecutive parts of some millions, each once.
  std::function<void(std::size_t first, std::size_t count, void* to)> read = {};
};

}  // namespace tessera::io
