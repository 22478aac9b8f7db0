// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/disks/state/state.hpp>

namespace tessera::disks {

/// Parameters of trial moves in an active cell.
struct MoveRules {
  int moves;     ///< n_M
  float radius;  ///< largest displacement, in sigma
  bool shuffle_particles;
};

/// A random point of the square around the circle of trial moves. A component has 16 bits: an odd number times 2^-15 of
/// the radius, so that v and -v have the same probability exactly.
class SquarePoint {
 public:
  static constexpr std::int32_t made_odd = 0x10001;       ///< the lowest bits of both components
  static constexpr std::int32_t square_radius = 1 << 30;  ///< squared radius of the circle
  /// Factor from a component to a displacement.
  KOKKOS_FORCEINLINE_FUNCTION static float scale(float radius) { return radius * 0x1.0p-15f; }

  SquarePoint() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit SquarePoint(std::uint32_t random) : bits_(random | made_odd) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits() const { return bits_; }
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t x() const { return static_cast<std::int32_t>(bits_) >> 16; }
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t y() const { return static_cast<std::int16_t>(bits_); }
  KOKKOS_FORCEINLINE_FUNCTION bool in_circle() const { return x() * x() + y() * y() < square_radius; }

  /// Rounded to multiples of `step`, the spacing of floats near 3.
  KOKKOS_FORCEINLINE_FUNCTION Position displacement(float radius) const {
    const float unit = scale(radius);
    return {(static_cast<float>(x()) * unit + 3.0f) - 3.0f, (static_cast<float>(y()) * unit + 3.0f) - 3.0f};
  }

 private:
  std::uint32_t bits_;
};

/// Draws two points and appends those in the circle to `found` others; returns the number found so far.
template <class Put>
KOKKOS_FORCEINLINE_FUNCTION int find_two(Stream& stream, int found, const Put& put) {
  const std::uint64_t random = stream.draw();
  const SquarePoint first(static_cast<std::uint32_t>(random >> 32)), second(static_cast<std::uint32_t>(random));
  put(found, first);
  found += static_cast<int>(first.in_circle());
  put(found, second);
  return found + static_cast<int>(second.in_circle());
}

/// Trial moves of a cell whose displacements are drawn together.
inline constexpr int moves_of_a_group = 4;

/// Random numbers, and their points, that usually suffice for a group.
inline constexpr int usual_draws = 4, points_of_a_group = 2 * usual_draws;

/// Finds displacements found .. needed - 1 of a group, uniform in the circle. The last call of put(i, point) is valid.
template <class Put>
KOKKOS_FORCEINLINE_FUNCTION void find_points(Stream& stream, int found, int needed, const Put& put) {
  while (found < needed) found = find_two(stream, found, put);
}
/// The same from 0 on; put() may be called for all i below points_of_a_group. Usually lanes do not diverge.
template <class Put>
KOKKOS_FORCEINLINE_FUNCTION void find_points(Stream& stream, int needed, const Put& put) {
  int found = 0;
  for (int i = 0; i < usual_draws; ++i) found = find_two(stream, found, put);
  find_points(stream, found, needed, put);
}

}  // namespace tessera::disks
