// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>

#include "io/file_parts.hpp"
#include "tessera/io/unit_cell.hpp"

namespace tessera::io {
namespace {

/// Number of elements of a long column that are computed at a time.
constexpr std::size_t portion = 262144;

/// Opens `/VTKHDF`, or creates it with this type ("ImageData") for the objects `shown`, which determine its layout.
hdf5::Handle require_root(hid_t file, const std::string& type, const std::string& shown) {
  auto root = hdf5::require_group(file, "VTKHDF");
  hdf5::write_attribute<std::int64_t>(root.get(), "Version", {2, 0});
  hdf5::write_attribute(root.get(), "Type", type, H5T_CSET_ASCII);  // VTK before 9.5 does not read UTF-8 here
  hdf5::write_attribute(root.get(), "shown", shown);
  return root;
}

/// Sets a column of `Steps`, with a row for each time. A single step is written as two of the same time, because VTK
/// ignores the time, and drops a dimension of the data, for a single step.
template <class T>
void write_column(hid_t steps, const std::string& name, std::vector<T> column) {
  if (column.size() == 1) column.push_back(column[0]);
  hdf5::replace_rows(steps, name, element_type_of<T>(), {}, column.size(), column.data());
}

/// Sets the times of the steps.
void write_times(hid_t steps, const std::vector<double>& times) {
  write_column(steps, "Values", times);
  hdf5::write_attribute(steps, "NSteps", std::max<std::int64_t>(2, std::ssize(times)));
}

/// Links a dataset under another name, unless that name exists.
void link(hid_t from, const std::string& name, hid_t to, const std::string& other) {
  if (!hdf5::has_link(to, other))
    hdf5::checked(H5Lcreate_hard(from, name.c_str(), to, other.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

/// A field of two or three axes.
struct Field {
  std::string name, path;  // path of its values
  hdf5::Shape shape;       // rows, replicas if there are several, nz in three dimensions, ny, nx
  std::size_t replicas;
  ElementType type = {};
  std::vector<double> times = {};

  hdf5::Shape lattice() const { return {shape.begin() + (replicas > 1 ? 2 : 1), shape.end()}; }
};

/// The fields of two and three axes of a file.
std::vector<Field> image_fields(hid_t file) {
  std::vector<Field> all;
  for (const auto& name : hdf5::names_in(file, "fields")) {
    const std::string group = "fields/" + name;
    const auto value = hdf5::open_dataset(file, group + "/value");
    Field field{name, "/" + group + "/value", hdf5::shape_of(value.get()),
                hdf5::read_unsigned_attribute(value.get(), "replicas")};
    const bool many = field.replicas > 1;
    const std::size_t axes = field.shape.size() - (many ? 2 : 1);
    if (axes != 2 && axes != 3) continue;
    const auto type = hdf5::element_type(value.get());
    if (!type) throw Failure("field '" + name + "' contains no numbers");
    field.type = *type;
    const auto time = hdf5::open_dataset(file, group + "/time");
    std::vector<double> times(hdf5::count_of(hdf5::shape_of(time.get())));
    if (field.replicas == 0 || (many && field.shape[1] != field.replicas))
      throw Failure("field '" + name + "': its attribute 'replicas', " + std::to_string(field.replicas) +
                    ", does not fit its shape");
    const std::size_t rows = field.shape[0];
    if (rows == 0 || times.empty() || times.size() % rows != 0)
      throw Failure("field '" + name + "' has unequal columns");
    hdf5::read_all(time.get(), ElementType::float64, times.size(), times.data());
    const auto per_row = static_cast<std::ptrdiff_t>(times.size() / rows);
    for (auto first = times.begin(); first != times.end(); first += per_row)
      field.times.push_back(*std::min_element(first, first + per_row));
    all.push_back(std::move(field));
  }
  return all;
}

/// One replica of several, [rows, ny, nx] or [rows, nz, ny, nx].
void create_replica(hid_t cells, const std::string& name, const Field& field, std::size_t replica) {
  hdf5::Shape shape = field.shape, start(shape.size()), count(shape.size(), 1), block = shape;
  start[1] = replica;
  count[0] = H5S_UNLIMITED;
  block[0] = block[1] = 1;
  const auto of_replica = [](hdf5::Shape all) {
    all.erase(all.begin() + 1);
    return all;
  };
  const hdf5::Mapping mapping{
      field.path, shape, {start, count, block}, {hdf5::Shape(start.size() - 1), of_replica(count), of_replica(block)}};
  hdf5::create_virtual(cells, name, field.type, of_replica(shape), true, {mapping});
}

/// For each time, the number of the last row up to that time; the first row for earlier times.
std::vector<std::int64_t> rows_at(const std::set<double>& times, const Field& field) {
  std::vector<std::int64_t> rows;
  for (const double time : times) {
    const auto after = std::upper_bound(field.times.begin(), field.times.end(), time);
    rows.push_back(std::max<std::int64_t>(0, after - field.times.begin() - 1));
  }
  return rows;
}

/// Sides of the unit cell along x, y and z, from /provenance, or 1; nothing if it is oblique, and of bcc and fcc
/// lattices.
std::optional<std::array<double, 3>> sides_of_cell(hid_t file, bool in_space) {
  const auto text = [file](const std::string& path) {
    return hdf5::missing_part(file, path).empty() ? hdf5::read_text(hdf5::open_dataset(file, path).get()) : "";
  };
  const std::string input = text("/provenance/input");
  for (const char* lattice : {"bcc", "fcc"})
    if (input.find(std::string("lattice = ") + lattice + "\n") != std::string::npos) return std::nullopt;
  const UnitCell cell(text("/provenance/model"));
  const auto& [a, b, c] = cell.sides();
  const bool is_oblique = a[1] != 0 || b[0] != 0 || (in_space && (a[2] != 0 || b[2] != 0 || c[0] != 0 || c[1] != 0));
  return is_oblique ? std::nullopt : std::optional(std::array{a[0], b[1], in_space ? c[2] : 1});
}

/// `shown`: the field that determines the lattice.
void write_image(hid_t file, std::vector<Field> fields, const std::string& shown) {
  const auto found = std::ranges::find(fields, shown, &Field::name);
  if (found == fields.end()) throw Failure("field '" + shown + "' is no image");
  const hdf5::Shape lattice = found->lattice();
  const auto root = require_root(file, "ImageData", shown);
  const bool in_space = lattice.size() == 3;
  const auto side = [&](std::size_t from_last) {
    return static_cast<std::int64_t>(lattice[lattice.size() - from_last]);
  };
  const auto sides = sides_of_cell(file, in_space).value_or(std::array{1.0, 1.0, 1.0});
  hdf5::write_attribute<std::int64_t>(root.get(), "WholeExtent", {0, side(1), 0, side(2), 0, in_space ? side(3) : 0});
  hdf5::write_attribute<double>(root.get(), "Origin", {0, 0, 0});
  hdf5::write_attribute<double>(root.get(), "Spacing", {sides[0], sides[1], sides[2]});
  hdf5::write_attribute<double>(root.get(), "Direction", {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const auto cells = hdf5::require_group(root.get(), "CellData");
  const auto steps = hdf5::require_group(root.get(), "Steps");
  const auto offsets = hdf5::require_group(steps.get(), "CellDataOffsets");

  std::erase_if(fields, [&](const Field& field) { return field.lattice() != lattice; });
  std::set<double> times;
  for (const Field& field : fields) times.insert(field.times.begin(), field.times.end());
  write_times(steps.get(), {times.begin(), times.end()});
  for (const Field& field : fields) {
    const std::string first = field.replicas > 1 ? field.name + "_0" : field.name;
    write_column(offsets.get(), first, rows_at(times, field));
    if (field.replicas == 1) link(file, field.path, cells.get(), field.name);
    for (std::size_t replica = 0; field.replicas > 1 && replica < field.replicas; ++replica) {
      const std::string array = field.name + "_" + std::to_string(replica);
      if (!hdf5::has_link(cells.get(), array)) create_replica(cells.get(), array, field, replica);
      link(offsets.get(), first, offsets.get(), array);
    }
  }
}

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
void show_positions(hid_t root, const std::vector<std::string>& groups, std::size_t rows, std::size_t particles) {
  const std::size_t points = groups.size() * particles, all = rows * points;
  if (hdf5::has_link(root, "Points")) {
    if (hdf5::shape_of(hdf5::open_dataset(root, "Points").get()) == hdf5::Shape{all, 3}) return;
    hdf5::unlink(root, "Points");
  }
  std::vector<hdf5::Mapping> mappings;
  for (const auto& group : groups) {
    const std::size_t before = mappings.size() * particles;
    const hdf5::Shape source{rows, particles, 3};
    mappings.push_back({"/particles/" + group + "/position/value",
                        source,
                        {{0, 0, 0}, {1, 1, 1}, source},
                        {{before, 0}, {rows, 1}, {particles, 3}, {points, 3}}});
  }
  hdf5::create_virtual(root, "Points", ElementType::float64, {all, 3}, false, mappings);
}

/// Diameter of each point, 1, as HDF5's fill value, which takes no space.
void create_diameters(hid_t data, std::size_t points) {
  const float diameter = 1;
  const auto properties = hdf5::creation_properties(H5P_DATASET_CREATE);
  const hsize_t chunk = std::min(points, portion);
  hdf5::checked(H5Pset_chunk(properties.get(), 1, &chunk));
  hdf5::checked(H5Pset_fill_value(properties.get(), H5T_NATIVE_FLOAT, &diameter));
  hdf5::create_dataset(data, "diameter", hdf5::file_type(ElementType::float32), hdf5::dataspace({points}), properties)
      .close();
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
  std::vector<std::int64_t> first;
  for (std::size_t row = 0; row < times.size(); ++row) first.push_back(static_cast<std::int64_t>(row) * points);
  write_column(steps.get(), "PointOffsets", first);
  write_column(steps.get(), "PartOffsets", std::vector<std::int64_t>(times.size(), 0));
  write_column(steps.get(), "NumberOfParts", std::vector<std::int64_t>(times.size(), 1));
  const std::vector<std::int64_t> no_offsets(4 * std::max<std::size_t>(2, times.size()), 0);
  for (const char* name : {"CellOffsets", "ConnectivityIdOffsets"})
    hdf5::replace_rows(steps.get(), name, ElementType::int64, {4}, no_offsets.size() / 4, no_offsets.data());
  const auto offsets = hdf5::require_group(steps.get(), "PointDataOffsets");
  for (const char* name : {"diameter", "replica"}) link(steps.get(), "PartOffsets", offsets.get(), name);
}

/// `shown`: the group of particles that determines their number.
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
  hdf5::read_all(time.get(), ElementType::float64, times.size(), times.data());
  write_steps(root.get(), times, static_cast<std::int64_t>(groups.size() * shape[1]));
}

}  // namespace

void write_vtkhdf(hid_t file) {
  if (hdf5::has_link(file, "VTKHDF")) {
    const auto root = hdf5::open_group(file, "VTKHDF");
    const std::string shown = hdf5::read_text_attribute(root.get(), "shown");
    hdf5::read_text_attribute(root.get(), "Type") == "ImageData" ? write_image(file, image_fields(file), shown)
                                                                 : write_points(file, shown);
    return;
  }
  const auto fields = image_fields(file);
  const auto groups = hdf5::names_in(file, "particles");
  if (!fields.empty()) {
    const Field& first = fields.front();
    if (sides_of_cell(file, first.lattice().size() == 3)) write_image(file, fields, first.name);
  } else if (!groups.empty()) {
    write_points(file, groups.front());
  }
}

}  // namespace tessera::io
