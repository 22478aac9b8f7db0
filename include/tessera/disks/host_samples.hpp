// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tessera/disks/contents.hpp>
#include <tessera/disks/pair_geometry.hpp>
#include <tessera/disks/samples.hpp>
#include <vector>

namespace tessera::disks {

/// Calls visit(i, j, dx, dy) for all ordered pairs of points, images included, that are closer than `reach` and, of an
/// image of a point itself, not the point; (dx, dy) leads from i to j.
template <class Visit>
void for_each_pair(const std::vector<Point>& points, double box_x, double box_y, double reach, const Visit& visit) {
  const int columns = std::max(1, static_cast<int>(box_x / reach)), rows = std::max(1, static_cast<int>(box_y / reach));
  std::vector<std::vector<std::uint32_t>> cells(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  const auto along = [](double value, double box, int count) {
    return std::min(static_cast<int>(value / box * count), count - 1);
  };
  const auto cell = [&](int x, int y) -> std::vector<std::uint32_t>& {
    return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x)];
  };
  for (std::uint32_t i = 0; i < points.size(); ++i)
    cell(along(points[i][0], box_x, columns), along(points[i][1], box_y, rows)).push_back(i);
  // As many cells as the reach may cross; past the box come its images.
  const int across_x = static_cast<int>(std::ceil(reach / (box_x / columns)));
  const int across_y = static_cast<int>(std::ceil(reach / (box_y / rows)));
  const auto floor_divide = [](int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); };
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const int x = along(points[i][0], box_x, columns), y = along(points[i][1], box_y, rows);
    for (int v = y - across_y; v <= y + across_y; ++v)
      for (int u = x - across_x; u <= x + across_x; ++u) {
        const int image_x = floor_divide(u, columns), image_y = floor_divide(v, rows);
        for (const std::uint32_t j : cell(u - image_x * columns, v - image_y * rows)) {
          if (i == j && image_x == 0 && image_y == 0) continue;
          const double dx = points[j][0] + image_x * box_x - points[i][0];
          const double dy = points[j][1] + image_y * box_y - points[i][1];
          if (dx * dx + dy * dy < reach * reach) visit(i, j, dx, dy);
        }
      }
  }
}

/// The sample that Sampler takes, of points on the host.
inline Sample sample_points(const std::vector<Point>& points, double box_x, double box_y) {
  using analysis::ContactValue;
  Sample sample;
  std::vector<std::uint64_t> twice(ContactValue::bins, 0);
  std::vector<double> re(points.size(), 0), im(points.size(), 0);
  std::vector<int> neighbours(points.size(), 0);
  for_each_pair(points, box_x, box_y, neighbour_distance, [&](std::uint32_t i, std::uint32_t, double dx, double dy) {
    const double square = dx * dx + dy * dy;
    const SixFold direction = six_fold(dx, dy, square);
    re[i] += direction.cosine;
    im[i] += direction.sine;
    ++neighbours[i];
    const int bin = distance_bin(square, 1 / ContactValue::bin_width);
    if (bin >= 0 && bin < ContactValue::bins) ++twice[static_cast<std::size_t>(bin)];
  });
  for (const std::uint64_t count : twice) sample.pairs.push_back(count / 2);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (neighbours[i] == 0) continue;
    sample.psi6_re += re[i] / neighbours[i] / static_cast<double>(points.size());
    sample.psi6_im += im[i] / neighbours[i] / static_cast<double>(points.size());
  }
  return sample;
}

/// g(r) of points in bins of `bin_width` up to `reach`, in sigma; equation 5 with the area of the ring.
inline std::vector<double> pair_distribution(const std::vector<Point>& points, double box_x, double box_y, double reach,
                                             double bin_width) {
  std::vector<double> g(static_cast<std::size_t>(std::llround(reach / bin_width)), 0);
  for_each_pair(points, box_x, box_y, reach, [&](std::uint32_t, std::uint32_t, double dx, double dy) {
    const auto bin = static_cast<std::size_t>(std::hypot(dx, dy) / bin_width);
    if (bin < g.size()) g[bin] += 1;
  });
  const auto n = static_cast<double>(points.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double ring = std::numbers::pi * bin_width * bin_width * (2 * static_cast<double>(i) + 1);
    g[i] /= n * n / (box_x * box_y) * ring;
  }
  return g;
}

}  // namespace tessera::disks
