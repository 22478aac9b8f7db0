// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>

namespace tessera::parallel {

/// A contiguous range of units (tiles, domains, replicas), first to last - 1.
struct Block {
  std::int64_t first, last;
  std::int64_t size() const { return last - first; }
  bool operator==(const Block&) const = default;
};

/// Block of part `index` of `parts`, in order; block sizes differ by at most one unit.
constexpr Block block(std::int64_t units, std::int64_t parts, std::int64_t index) {
  const std::int64_t size = units / parts, rest = units % parts;
  const auto begin = [&](std::int64_t i) { return i * size + (i < rest ? i : rest); };
  return {begin(index), begin(index + 1)};
}

/// The part that contains a unit.
constexpr std::int64_t part_of(std::int64_t units, std::int64_t parts, std::int64_t unit) {
  const std::int64_t size = units / parts, rest = units % parts;
  return unit < rest * (size + 1) ? unit / (size + 1) : rest + (unit - rest * (size + 1)) / size;
}

}  // namespace tessera::parallel
