// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>
#include <system_error>
#include <tessera/core/error.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/cell_list.hpp>
#include <tessera/disks/state/lattice_start.hpp>
#include <tessera/disks/steps/metropolis.hpp>
#include <tessera/io/point_file.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Throws InputError with `what` and the first disk of `points` that overlaps an earlier one, numbered from 1, in a
/// periodic box with sides of at least two diameters. Points may lie on the edge of the box. `lines`: of a text file,
/// the line of each disk. Calls watch() for each disk. Takes 8 bytes of memory per disk.
inline void require_no_overlap(
    const std::string& what, const std::vector<Point>& points, const Point& box,
    const std::vector<std::size_t>& lines = {}, const std::function<void()>& watch = [] {}) {
  // Cells of about one disk, at least a diameter wide: two disks overlap before a cell has many.
  const double spacing = std::max(1.0, std::sqrt(box[0] * box[1] / static_cast<double>(points.size())));
  CellList cells(box, spacing, points.size());
  std::uint32_t first = 0, second = 0;
  double square = 0;
  for (; second < points.size(); ++second) {
    watch();
    if (cells.any_near(points[second], [&](std::uint32_t other, int, int) {
          first = other;
          square = cells.square_distance(points[second], points[other]);
          return square < 1;
        }))
      break;
    cells.insert(second, points[second]);
  }
  if (second == points.size()) return;
  const auto disk = [&](std::size_t i) {
    std::ostringstream text;
    text << i + 1 << " at (" << points[i][0] << ", " << points[i][1] << ")";
    return text.str();
  };
  std::ostringstream message;
  message.precision(std::numeric_limits<double>::max_digits10);
  message << what << "disks " << disk(first) << " and " << disk(second) << " overlap: they are " << std::sqrt(square)
          << " diameters apart";
  if (!lines.empty()) message << ", in lines " << lines[first] << " and " << lines[second];
  throw InputError(message.str());
}

/// Smallest distance of disks in random initial configurations: rounding to steps causes no overlap.
inline constexpr double safe_diameter = 1 + 0x1.0p-20;

namespace detail {
// The functions below call watch() once per disk, trial move or line of a file; it may throw.

/// Disks at random positions without overlap (random sequential addition), up to packing fraction 0.4.
template <class Watch>
std::vector<Point> drop_disks(std::int64_t particles, const Point& box, Xoshiro& random, const Watch& watch) {
  CellList cells(box, safe_diameter, static_cast<std::size_t>(particles));
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(particles));
  while (static_cast<std::int64_t>(points.size()) < particles) {
    watch();
    const Point p{random.uniform() * box[0], random.uniform() * box[1]};
    if (cells.any_near(p, [&](std::uint32_t disk, int, int) {
          return cells.square_distance(p, points[disk]) < safe_diameter * safe_diameter;
        }))
      continue;
    cells.insert(static_cast<std::uint32_t>(points.size()), p);
    points.push_back(p);
  }
  return points;
}

/// Throws InputError, with the options that fit, if a file has another number of disks or another box than this run.
inline void require_of_run(const std::string& what, const io::Points& from, const Parameters& p) {
  const auto disks = static_cast<std::int64_t>(from.points.size());
  if (!from.box) {
    if (disks != p.particles)
      throw InputError(what + "it has " + std::to_string(disks) + " disks, but --particles is " +
                       std::to_string(p.particles));
    return;
  }
  const auto [x, y] = *from.box;
  constexpr double tolerance = 1e-4;  // grids change the sides by less than 3e-5
  const auto fits = [](double side, double wanted) { return std::abs(side / wanted - 1) < tolerance; };
  if (disks == p.particles && fits(x, box_width(p)) && fits(y, box_height(p))) return;
  std::ostringstream message;
  message << what << "has " << disks << " disks in a box of " << x << " x " << y << "; use --particles " << disks
          << " --packing-fraction " << static_cast<double>(disks) * std::numbers::pi / 4 / (x * y);
  if (!fits(x / y, p.aspect)) message << " --aspect " << x / y;
  throw InputError(message.str());
}

/// Disks placed at random at low density and compressed: the box shrinks in small steps, each followed by Metropolis
/// moves until no disks overlap. Throws RunError if this takes too long, as near close packing.
template <class Watch>
std::vector<Point> random_start(const Parameters& p, std::uint64_t seed, const Watch& watch) {
  const double box_x = box_width(p), box_y = box_height(p);
  constexpr double low_density = 0.4, largest_shrink = 0.99;
  constexpr int patience = 100'000;
  double scale = std::max(1.0, std::sqrt(p.packing_fraction / low_density));
  Xoshiro random(mix(seed));
  std::vector<Point> points = drop_disks(p.particles, {scale * box_x, scale * box_y}, random, watch);
  while (scale > 1) {
    const double next = std::max(1.0, scale * largest_shrink);
    for (Point& point : points)
      point = {std::min(point[0] * next / scale, std::nextafter(next * box_x, 0.0)),
               std::min(point[1] * next / scale, std::nextafter(next * box_y, 0.0))};
    scale = next;
    Metropolis moves(std::move(points), {scale * box_x, scale * box_y}, safe_diameter, random);
    int sweeps = 0;
    do {
      for (std::int64_t i = 0; i < 10 * p.particles; ++i) {
        watch();
        moves.move(p.move_radius);
      }
      sweeps += 10;
      if (sweeps > patience)
        throw RunError("--start random: the disks could not be compressed to packing fraction " +
                       std::to_string(p.packing_fraction) + "; use --start lattice");
    } while (moves.any_overlap(watch));
    random = moves.random();
    points = std::move(moves).points();
  }
  return points;
}

/// The disks of the start file, scaled to the box: one list for all replicas, or one for each. Throws InputError if the
/// file cannot be read, has another box or number of disks, or two disks overlap.
template <class Watch>
std::vector<std::vector<Point>> file_start(const Parameters& p, const Watch& watch) {
  const std::string what = "--start " + p.start_file + ": ";
  const std::string instead = "; valid values are lattice, random and a file with disks";
  std::error_code error;
  const auto status = std::filesystem::status(p.start_file, error);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(what + "no such file" + instead);
  if (!std::filesystem::exists(status)) throw InputError(what + system_reason(error.value()) + instead);
  if (!std::filesystem::is_regular_file(status)) throw InputError(what + "is not a regular file" + instead);
  if (!std::ifstream(p.start_file)) throw InputError(what + "cannot be read: " + system_reason(errno) + instead);
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  const io::PointSelection of_run{p.start_row, count(p.first_replica), count(p.replicas),
                                  static_cast<std::size_t>(p.particles)};
  auto read = with_prefix("--start ", [&] { return io::read_points(p.start_file, of_run, watch); });
  const double box_x = box_width(p), box_y = box_height(p);
  std::vector<std::vector<Point>> all;
  for (io::Points& from : read) {
    require_of_run(what, from, p);
    const Point sides = from.box.value_or(Point{box_x, box_y});
    for (Point& point : from.points)
      for (const std::size_t axis : {0, 1}) point[axis] -= std::floor(point[axis] / sides[axis]) * sides[axis];
    require_no_overlap(what, from.points, sides, from.lines, watch);
    const double scale_x = box_x / sides[0], scale_y = box_y / sides[1];
    for (Point& point : from.points) point = {scale_x * point[0], scale_y * point[1]};
    all.push_back(std::move(from.points));
  }
  return all;
}

}  // namespace detail

/// Initial positions of the disks of each replica. Empty if keep_going(), called about a hundred times per second,
/// returns false. Throws InputError if there is none.
inline std::vector<std::vector<Point>> start_points(
    const Parameters& p, const std::function<bool()>& keep_going = [] { return true; }) {
  struct Stopped {};
  std::uint64_t steps = 0;
  const auto watch = [&] {
    constexpr std::uint64_t between = 1 << 16;  // about a hundredth of a second
    if (++steps % between == 0 && !keep_going()) throw Stopped();
  };
  const auto replicas = static_cast<std::size_t>(p.replicas);
  std::vector<std::vector<Point>> points;
  points.reserve(replicas);
  try {
    if (p.start == Start::file) points = detail::file_start(p, watch);
    if (p.start == Start::lattice) points.push_back(lattice_start(p.particles, box_width(p), box_height(p)));
    for (std::uint64_t r = 0; p.start == Start::random && r < replicas; ++r)
      points.push_back(detail::random_start(p, p.seed + r, watch));
  } catch (const Stopped&) {
    return {};
  }
  points.resize(replicas, points[0]);
  return points;
}

}  // namespace tessera::disks
