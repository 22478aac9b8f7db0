// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/pair_distribution.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/state/cell_list.hpp>
#include <vector>

namespace tessera::disks {

/// Calls visit(i, j, dx, dy) for all ordered pairs of points closer than `reach`, periodic images included, except a
/// point and itself; (dx, dy) is the vector from i to j. Begins with i = `begin`; returns the i before which go_on()
/// returned false, or the number of points.
template <class Visit, class GoOn = bool (*)()>
std::uint32_t for_each_pair(
    const std::vector<Point>& points, const Point& box, double reach, const Visit& visit, std::uint32_t begin = 0,
    const GoOn& go_on = [] { return true; }) {
  CellList cells(box, reach, points.size());
  for (auto i = static_cast<std::uint32_t>(points.size()); i-- > 0;) cells.insert(i, points[i]);
  std::uint32_t i = begin;
  for (; i < points.size() && go_on(); ++i)
    cells.any_near(points[i], [&](std::uint32_t j, int image_x, int image_y) {
      const double dx = points[j][0] + image_x * box[0] - points[i][0];
      const double dy = points[j][1] + image_y * box[1] - points[i][1];
      const bool is_itself = i == j && image_x == 0 && image_y == 0;
      if (!is_itself && dx * dx + dy * dy < reach * reach) visit(i, j, dx, dy);
      return false;
    });
  return i;
}

/// psi_6 of each point; 0 without neighbours.
inline std::vector<SixFold> bond_orders(const std::vector<Point>& points, const Point& box) {
  std::vector<SixFold> orders(points.size(), SixFold{0, 0});
  std::vector<int> neighbours(points.size(), 0);
  for_each_pair(points, box, neighbour_distance, [&](std::uint32_t i, std::uint32_t, double dx, double dy) {
    const SixFold direction = six_fold(dx, dy, dx * dx + dy * dy);
    orders[i].cosine += direction.cosine;
    orders[i].sine += direction.sine;
    ++neighbours[i];
  });
  for (std::size_t i = 0; i < points.size(); ++i)
    if (neighbours[i] > 0) orders[i] = {orders[i].cosine / neighbours[i], orders[i].sine / neighbours[i]};
  return orders;
}

/// Reference implementation of Sampler.
inline Sample sample_points(const std::vector<Point>& points, const Point& box, PairBins bin_of) {
  Sample sample;
  std::vector<std::uint64_t> twice(PairBins::count, 0);
  for_each_pair(points, box, neighbour_distance, [&](std::uint32_t, std::uint32_t, double dx, double dy) {
    const double square = dx * dx + dy * dy;
    const int bin = square < bin_of.end() ? bin_of(square) : PairBins::count;
    if (bin < PairBins::count) ++twice[static_cast<std::size_t>(bin)];
  });
  for (const std::uint64_t count : twice) sample.pairs.push_back(count / 2);
  const auto along = [](double value, double side) {  // rounding may have made it the side of the box
    return std::min(static_cast<std::int64_t>(value / side * Blocks::side), std::int64_t{Blocks::side - 1});
  };
  for (const Point& p : points)
    ++sample.disks[static_cast<std::size_t>(Blocks::number(along(p[0], box[0]), along(p[1], box[1])))];
  for (const SixFold& order : bond_orders(points, box)) {
    sample.psi6_re += order.cosine / static_cast<double>(points.size());
    sample.psi6_im += order.sine / static_cast<double>(points.size());
  }
  return sample;
}

/// Reference implementation of CorrelationSampler: a sample of a CorrelationPlan, computed in parts.
struct PartOfSample {
  std::uint32_t disks = 0;  ///< so far
  std::size_t waves = 0;    ///< so far
  std::vector<double> sample = {};
  std::vector<SixFold> orders = {};
  std::vector<Phase> along_y = {};  ///< of the wave vectors with the same y as the last one

  /// Continues until go_on() returns false. Returns whether the sample is complete.
  template <class GoOn>
  bool take(const std::vector<Point>& points, const Point& box, const CorrelationPlan& plan, const GoOn& go_on) {
    const std::size_t rings = plan.numbers_of_rings();
    if (sample.empty()) {
      sample.resize(plan.numbers());
      if (plan.with_orders) orders = bond_orders(points, box);
    }
    const auto add = [&](std::uint32_t i, std::uint32_t j, double dx, double dy) {
      const auto ring = static_cast<std::size_t>(plan.rings(dx * dx + dy * dy));
      if (ring >= rings) return;
      sample[ring] += 0.5;  // each pair is visited twice
      if (plan.with_orders)
        sample[rings + ring] += 0.5 * (orders[i].cosine * orders[j].cosine + orders[i].sine * orders[j].sine);
    };
    if (rings > 0 && disks < points.size()) disks = for_each_pair(points, box, plan.rings.reach(), add, disks, go_on);
    if (rings > 0 && disks < points.size()) return false;
    double* const intensities = sample.data() + plan.numbers() - plan.waves.size();
    for (; waves < plan.waves.size() && go_on(); ++waves) {
      const WaveNumber q = plan.waves[waves];
      if (waves == 0 || q.y != plan.waves[waves - 1].y) along_y = phases(points, box, 1, q.y);
      intensities[waves] = structure_factor(phases(points, box, 0, q.x), along_y);
    }
    return waves == plan.waves.size();
  }
};

/// g(r) of points (equation 5 with the area of the ring).
inline std::vector<double> pair_distribution(const std::vector<Point>& points, const Point& box,
                                             const Rings& rings = snapshot_rings) {
  std::vector<std::uint64_t> pairs(static_cast<std::size_t>(rings.count), 0);
  for_each_pair(points, box, rings.reach(), [&](std::uint32_t, std::uint32_t, double dx, double dy) {
    const auto ring = static_cast<std::size_t>(rings(dx * dx + dy * dy));
    if (ring < pairs.size()) ++pairs[ring];
  });
  std::vector<double> g(pairs.size());
  for (std::size_t i = 0; i < g.size(); ++i)
    g[i] = static_cast<double>(pairs[i]) /
           ideal_pairs(rings, static_cast<int>(i), static_cast<double>(points.size()), box[0] * box[1]);
  return g;
}

}  // namespace tessera::disks
