// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <sstream>
#include <string>
#include <system_error>
#include <tessera/core/error.hpp>
#include <tessera/core/system_reason.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/cell_list.hpp>
#include <tessera/disks/state/lattice_start.hpp>
#include <tessera/disks/state/overlapping_pair.hpp>
#include <tessera/disks/steps/metropolis.hpp>
#include <tessera/io/point_file.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Slightly more than sigma, the minimum distance in starts, so that rounding to steps causes no overlap.
inline constexpr double safe_diameter = 1 + 0x1.0p-20;

namespace detail {
/// Disks at random positions without overlap (random sequential addition), up to packing fraction 0.4.
inline std::vector<Point> drop_disks(std::int64_t particles, double box_x, double box_y, Xoshiro& random,
                                     StartWatch& watch) {
  CellList cells({box_x, box_y}, safe_diameter, static_cast<std::size_t>(particles));
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(particles));
  while (static_cast<std::int64_t>(points.size()) < particles) {
    watch.step();
    const Point p{random.uniform() * box_x, random.uniform() * box_y};
    if (cells.any_near(p, [&](std::uint32_t disk, int, int) {
          return cells.square_distance(p, points[disk]) < safe_diameter * safe_diameter;
        }))
      continue;
    cells.insert(static_cast<std::uint32_t>(points.size()), p);
    points.push_back(p);
  }
  return points;
}

/// Throws InputError, with the options that fit, if the disks of a file are not those of this run in number or box.
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
}  // namespace detail

/// Disks placed at random at a low density and compressed: the box shrinks in small steps, each followed by Metropolis
/// moves until no overlap is left. Throws RunError if this takes too long, as near close packing.
inline std::vector<Point> random_start(const Parameters& p, std::uint64_t seed, StartWatch& watch) {
  const double box_x = box_width(p), box_y = box_height(p);
  constexpr double low_density = 0.4, largest_shrink = 0.99;
  constexpr int patience = 100'000;
  double scale = std::max(1.0, std::sqrt(p.packing_fraction / low_density));
  Xoshiro random(mix(seed));
  std::vector<Point> points = detail::drop_disks(p.particles, scale * box_x, scale * box_y, random, watch);
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
        watch.step();
        moves.move(p.move_radius);
      }
      sweeps += 10;
      if (sweeps > patience)
        throw RunError("--start random: the disks could not be compressed to packing fraction " +
                       std::to_string(p.packing_fraction) + "; use --start lattice");
    } while (moves.any_overlap([&] { watch.step(); }));
    random = moves.random();
    points = std::move(moves).points();
  }
  return points;
}

/// The disks of the file of the parameters, scaled to the box: one list for all replicas, or one for each. Throws
/// InputError if the file cannot be read, is of another box or number of disks, or two disks overlap.
inline std::vector<std::vector<Point>> file_start(const Parameters& p, StartWatch& watch) {
  const std::string what = "--start " + p.start_file + ": ";
  const std::string instead = "; valid values are lattice, random and a file with disks";
  std::error_code error;
  const auto status = std::filesystem::status(p.start_file, error);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(what + "no such file" + instead);
  if (!std::filesystem::exists(status)) throw InputError(what + system_reason(error.value()) + instead);
  if (!std::filesystem::is_regular_file(status)) throw InputError(what + "is not a regular file" + instead);
  if (!std::ifstream(p.start_file)) throw InputError(what + "cannot be read: " + system_reason(errno) + instead);
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  std::vector<io::Points> read;
  try {
    const io::PointSelection of_run{p.start_row, count(p.first_replica), count(p.replicas),
                                    static_cast<std::size_t>(p.particles)};
    read = io::read_points(p.start_file, of_run, [&] { watch.step(); });
  } catch (const InputError& fault) {
    throw InputError("--start " + std::string(fault.what()));
  }
  const double box_x = box_width(p), box_y = box_height(p);
  std::vector<std::vector<Point>> all;
  for (io::Points& from : read) {
    detail::require_of_run(what, from, p);
    const Point sides = from.box.value_or(Point{box_x, box_y});
    for (Point& point : from.points)
      for (const std::size_t axis : {0, 1}) point[axis] -= std::floor(point[axis] / sides[axis]) * sides[axis];
    require_no_overlap(what, from.points, sides, watch, from.lines);
    const double scale_x = box_x / sides[0], scale_y = box_y / sides[1];
    for (Point& point : from.points) point = {scale_x * point[0], scale_y * point[1]};
    all.push_back(std::move(from.points));
  }
  return all;
}

/// Initial positions of the disks of each replica; none if keep_going(), called about every tenth of a second, returns
/// false. Throws InputError if the start is not possible.
inline std::vector<std::vector<Point>> start_points(
    const Parameters& p, const std::function<bool()>& keep_going = [] { return true; }) {
  StartWatch watch(keep_going);
  const auto replicas = static_cast<std::size_t>(p.replicas);
  std::vector<std::vector<Point>> points;
  points.reserve(replicas);
  try {
    if (p.start == Start::file) points = file_start(p, watch);
    if (p.start == Start::lattice) points.push_back(lattice_start(p.particles, box_width(p), box_height(p)));
    for (std::uint64_t r = 0; p.start == Start::random && r < replicas; ++r)
      points.push_back(random_start(p, p.seed + r, watch));
  } catch (const StartStopped&) {
    return {};
  }
  points.resize(replicas, points[0]);
  return points;
}

}  // namespace tessera::disks
