// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <limits>

#include "io/vtkhdf_parts.hpp"

namespace tessera::io::vtkhdf {
namespace {

/// Number of elements of a long column that are computed at a time.
constexpr std::size_t portion = 262144;

/// Shape [rows, N, 3] of a group of particles.
hdf5::Shape shape_of_positions(hid_t particles, const std::string& group) {
  const auto shape = hdf5::shape_of(hdf5::open_dataset(particles, group + "/position/value").get());
  if (shape.size() != 3 || shape[2] != 3) throw Failure("particles '" + group + "' have no positions in space");
  return shape;
}

/// Writes a compressed column whose n-th element is element(n).
template <class Number, class Element>
void write_long_column(hid_t group, const std::string& name, std::size_t count, Element&& element) {
  const hdf5::RowLayout layout{{std::min(count, portion)}, true};
  std::vector<Number> values;
  for (std::size_t first = 0; first < count; first += values.size()) {
    values.resize(std::min(portion, count - first));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Number>(element(first + i));
    hdf5::append_rows(group, name, element_type_of<Number>(), {}, values.size(), values.data(), layout);
  }
}

void write_number(hid_t group, const std::string& name, std::size_t number) {
  const auto value = static_cast<std::int64_t>(number);
  hdf5::write_array(group, name, ElementType::int64, {1}, &value);
}

/// Writes a vertex at each point, without lines, polygons and strips.
void create_cells(hid_t root, std::size_t points) {
  const auto vertices = hdf5::require_group(root, "Vertices");
  // Vertex n ends at n + 1 and consists of point n.
  const auto itself = [](std::size_t n) { return n; };
  if (points <= std::numeric_limits<std::int32_t>::max())
    write_long_column<std::int32_t>(vertices.get(), "Offsets", points + 1, itself);
  else
    write_long_column<std::int64_t>(vertices.get(), "Offsets", points + 1, itself);
  link(vertices.get(), "Offsets", vertices.get(), "Connectivity");
  write_number(vertices.get(), "NumberOfCells", points);
  write_number(vertices.get(), "NumberOfConnectivityIds", points);
  const auto none = hdf5::require_group(root, "Lines");
  const std::int32_t start = 0;
  hdf5::write_array(none.get(), "Offsets", ElementType::int32, {1}, &start);
  hdf5::write_array(none.get(), "Connectivity", ElementType::int32, {0}, &start);
  write_number(none.get(), "NumberOfCells", 0);
  write_number(none.get(), "NumberOfConnectivityIds", 0);
  for (const char* other : {"Polygons", "Strips"}) link(root, "Lines", root, other);
}

/// Virtual dataset of the positions of all groups, row by row and group by group. HDF5 cannot extend it with its
/// sources, so it is created again for more rows.
void show_positions(hid_t root, const std::vector<std::string>& groups, hsize_t rows, hsize_t particles) {
  const hsize_t points = groups.size() * particles, all = rows * points;
  if (hdf5::has_link(root, "Points")) {
    if (hdf5::shape_of(hdf5::open_dataset(root, "Points").get()) == hdf5::Shape{all, 3}) return;
    hdf5::unlink(root, "Points");
  }
  std::vector<Mapping> mappings;
  for (const auto& group : groups) {
    const hsize_t before = mappings.size() * particles;
    const std::vector<hsize_t> source{rows, particles, 3};
    mappings.push_back({"/particles/" + group + "/position/value",
                        source,
                        source,
                        {{0, 0, 0}, {1, 1, 1}, source},
                        {{before, 0}, {rows, 1}, {particles, 3}, {points, 3}}});
  }
  create_virtual(root, "Points", ElementType::float64, {all, 3}, {all, 3}, mappings);
}

/// Diameter of each point, 1, as HDF5's fill value, which takes no space.
void create_diameters(hid_t data, hsize_t points) {
  const float diameter = 1;
  const auto properties = hdf5::creation_properties(H5P_DATASET_CREATE);
  const hsize_t chunk = std::min<hsize_t>(points, portion);
  hdf5::checked(H5Pset_chunk(properties.get(), 1, &chunk));
  hdf5::checked(H5Pset_fill_value(properties.get(), H5T_NATIVE_FLOAT, &diameter));
  const hdf5::Handle space(H5Screate_simple(1, &points, nullptr), H5Sclose);
  hdf5::create_dataset(data, "diameter", hdf5::file_type(ElementType::float32), space, properties).close();
}

/// Writes the parts that do not depend on time.
void create(hid_t file, const std::vector<std::string>& groups, std::size_t particles) {
  const auto root = require_root(file, "PolyData", groups.front());
  const std::size_t points = groups.size() * particles;
  write_number(root.get(), "NumberOfPoints", points);
  create_cells(root.get(), points);
  const auto data = hdf5::require_group(root.get(), "PointData");
  create_diameters(data.get(), points);
  if (groups.size() > 1)
    write_long_column<std::int32_t>(data.get(), "replica", points,
                                    [particles](std::size_t n) { return n / particles; });
}

/// Writes the offsets of the data of each step.
void write_steps(hid_t root, const std::vector<double>& times, std::int64_t points) {
  const auto steps = hdf5::require_group(root, "Steps");
  write_times(steps.get(), times);
  std::vector<std::int64_t> first(times.size()), none(times.size(), 0);
  for (std::size_t row = 0; row < times.size(); ++row) first[row] = static_cast<std::int64_t>(row) * points;
  write_column(steps.get(), "PointOffsets", first);
  write_column(steps.get(), "PartOffsets", none);
  write_column(steps.get(), "NumberOfParts", std::vector<std::int64_t>(times.size(), 1));
  const std::vector<std::int64_t> no_offsets(4 * std::max<std::size_t>(2, times.size()), 0);
  for (const char* name : {"CellOffsets", "ConnectivityIdOffsets"})
    hdf5::replace_rows(steps.get(), name, ElementType::int64, {4}, no_offsets.size() / 4, no_offsets.data());
  const auto offsets = hdf5::require_group(steps.get(), "PointDataOffsets");
  for (const char* name : {"diameter", "replica"}) link(steps.get(), "PartOffsets", offsets.get(), name);
}

}  // namespace

void write_points(hid_t file, const std::string& shown) {
  const auto particles = hdf5::open_group(file, "particles");
  const auto shape = shape_of_positions(particles.get(), shown);
  std::vector<std::string> groups;
  for (const auto& name : hdf5::names_in(particles.get()))
    if (shape_of_positions(particles.get(), name) == shape) groups.push_back(name);
  if (!hdf5::has_link(file, "VTKHDF")) create(file, groups, shape[1]);
  const auto root = hdf5::open_group(file, "VTKHDF");
  show_positions(root.get(), groups, shape[0], shape[1]);
  std::vector<double> times(shape[0]);
  const auto time = hdf5::open_dataset(particles.get(), shown + "/position/time");
  hdf5::read_rows(time.get(), ElementType::float64, 0, times.size(), times.size(), times.data());
  write_steps(root.get(), times, static_cast<std::int64_t>(groups.size() * shape[1]));
}

}  // namespace tessera::io::vtkhdf
