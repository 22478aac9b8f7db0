// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tessera/disks/configuration.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Lists of the disks in the cells of a periodic box, on the host; the disk inserted last comes first.
class CellList {
 public:
  /// For disks 0 .. disks - 1, in cells at least `width` wide, or as wide as the box if it is narrower. Wider ones in a
  /// large box of few disks.
  CellList(const Point& box, double width, std::size_t disks) : box_(box), next_(disks, none) {
    width = std::max(width, std::sqrt(box[0] * box[1] / std::max(1e6, 4 * static_cast<double>(disks))));
    for (const std::size_t axis : {0, 1}) {
      cells_[axis] = std::max(1, static_cast<int>(box[axis] / width));
      across_[axis] = static_cast<int>(std::ceil(width / (box[axis] / cells_[axis])));
    }
    first_.assign(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]), none);
  }

  void insert(std::uint32_t disk, const Point& p) {
    std::uint32_t& first = first_[cell_of(p)];
    next_[disk] = first;
    first = disk;
  }
  void move(std::uint32_t disk, const Point& from, const Point& to) {
    const std::size_t cell = cell_of(from);
    if (cell == cell_of(to)) return;
    std::uint32_t* at = &first_[cell];
    while (*at != disk) at = &next_[*at];
    *at = next_[disk];
    insert(disk, to);
  }

  /// Calls visit(disk, image_x, image_y) for the disks in cells within `width` of p until it returns true, and returns
  /// whether it did. The image near p is shifted by (image_x, image_y) sides of the box.
  template <class Visit>
  bool any_near(const Point& p, const Visit& visit) const {
    const int x = along(p[0], 0), y = along(p[1], 1);
    for (int v = y - across_[1]; v <= y + across_[1]; ++v) {
      const auto [row, image_y] = wrapped(v, cells_[1]);
      for (int u = x - across_[0]; u <= x + across_[0]; ++u) {
        const auto [column, image_x] = wrapped(u, cells_[0]);
        for (std::uint32_t disk = first_[cell(column, row)]; disk != none; disk = next_[disk])
          if (visit(disk, image_x, image_y)) return true;
      }
    }
    return false;
  }

  /// Squared distance of two points; for sides of at least two diameters.
  double square_distance(const Point& p, const Point& q) const {
    const double dx = nearest_image(p[0] - q[0], box_[0]), dy = nearest_image(p[1] - q[1], box_[1]);
    return dx * dx + dy * dy;
  }

  const Point& box() const { return box_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  /// The cell in the box of which this is an image, and the image.
  static std::pair<int, int> wrapped(int cell, int cells) {
    int image = 0;
    for (; cell < 0; cell += cells) --image;
    for (; cell >= cells; cell -= cells) ++image;
    return {cell, image};
  }
  static double nearest_image(double d, double side) { return std::min(std::abs(d), side - std::abs(d)); }

  int along(double value, std::size_t axis) const {
    return std::clamp(static_cast<int>(value / box_[axis] * cells_[axis]), 0, cells_[axis] - 1);
  }
  std::size_t cell(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(cells_[0]) + static_cast<std::size_t>(column);
  }
  std::size_t cell_of(const Point& p) const { return cell(along(p[0], 0), along(p[1], 1)); }

  Point box_;
  std::array<int, 2> cells_{}, across_{};  ///< cells of a side, and within `width` of a cell
  std::vector<std::uint32_t> first_;       ///< of each cell
  std::vector<std::uint32_t> next_;        ///< in the same cell, of each disk
};

}  // namespace tessera::disks
