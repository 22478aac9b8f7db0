// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tessera {

/// Writes an array of this shape to an archive with array(name, span, shape, unit). If the archive also has
/// array_in_parts(name, read, shape, unit), as io::CheckpointWriter does, the array is never in host memory as a whole.
/// read(first, part) writes the elements from number `first` on, in row-major order, to the span `part`.
template <class T, class Archive, class Read>
void save_in_parts(Archive& archive, const std::string& name, const std::vector<std::size_t>& shape,
                   const std::string& unit, const Read& read) {
  const std::function<void(std::size_t, std::span<T>)> parts = read;
  if constexpr (requires { archive.array_in_parts(name, parts, shape, unit); }) {
    archive.array_in_parts(name, parts, shape, unit);
  } else {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    std::vector<T> all(count);
    read(std::size_t{0}, std::span<T>(all));
    archive.array(name, std::span<const T>(all), shape, unit);
  }
}

}  // namespace tessera
