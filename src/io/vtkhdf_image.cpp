// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <set>
#include <sstream>

#include "io/vtkhdf_parts.hpp"

namespace tessera::io::vtkhdf {
namespace {

struct Field {
  std::string path;  // type of its values
  ElementType type;
  hdf5::Shape shape;  // rows, replicas if there are several, ny, nx
  std::size_t replicas;
  std::vector<double> times;
};

/// Whether a field is two-dimensional.
bool is_image(hid_t fields, const std::string& name) {
  const auto value = hdf5::open_dataset(fields, name + "/value");
  const std::size_t replicas = hdf5::read_unsigned_attribute(value.get(), "replicas");
  return hdf5::shape_of(value.get()).size() == (replicas > 1 ? 4u : 3u);
}

Field read_field(hid_t fields, const std::string& name) {
  const auto value = hdf5::open_dataset(fields, name + "/value");
  const auto type = hdf5::element_type(value.get());
  if (!type) throw Failure("field '" + name + "' contains no numbers");
  Field field{"/fields/" + name + "/value",
              *type,
              hdf5::shape_of(value.get()),
              hdf5::read_unsigned_attribute(value.get(), "replicas"),
              {}};
  const auto time = hdf5::open_dataset(fields, name + "/time");
  std::vector<double> times(hdf5::count_of(hdf5::shape_of(time.get())));
  const bool many = field.replicas > 1;
  if (field.replicas == 0 || field.shape.size() != (many ? 4u : 3u) || (many && field.shape[1] != field.replicas))
    throw Failure("field '" + name + "': its attribute 'replicas', " + std::to_string(field.replicas) +
                  ", does not fit its shape");
  const std::size_t rows = field.shape[0];
  if (rows == 0 || times.empty() || times.size() % rows != 0) throw Failure("field '" + name + "' has unequal columns");
  hdf5::read_all(time.get(), ElementType::float64, times.size(), times.data());
  const auto per_row = static_cast<std::ptrdiff_t>(times.size() / rows);
  for (auto first = times.begin(); first != times.end(); first += per_row)
    field.times.push_back(*std::min_element(first, first + per_row));
  return field;
}

hdf5::Shape lattice_of(const Field& field) { return {field.shape.end() - 2, field.shape.end()}; }

/// Writes the attributes of an image of ny x nx cells.
void write_geometry(hid_t root, std::int64_t ny, std::int64_t nx, const std::array<double, 2>& sides) {
  hdf5::write_attribute<std::int64_t>(root, "WholeExtent", {0, nx, 0, ny, 0, 0});
  hdf5::write_attribute<double>(root, "Origin", {0, 0, 0});
  hdf5::write_attribute<double>(root, "Spacing", {sides[0], sides[1], 1});
  hdf5::write_attribute<double>(root, "Direction", {1, 0, 0, 0, 1, 0, 0, 0, 1});
}

/// One replica of several, [rows, ny, nx].
void create_replica(hid_t cells, const std::string& name, const Field& field, std::size_t replica) {
  const hsize_t rows = field.shape[0], ny = lattice_of(field)[0], nx = lattice_of(field)[1];
  const hsize_t unlimited = H5S_UNLIMITED, r = replica;
  const Mapping mapping{field.path,
                        {rows, field.replicas, ny, nx},
                        {unlimited, field.replicas, ny, nx},
                        {{0, r, 0, 0}, {unlimited, 1, 1, 1}, {1, 1, ny, nx}},
                        {{0, 0, 0}, {unlimited, 1, 1}, {1, ny, nx}}};
  create_virtual(cells, name, field.type, {rows, ny, nx}, {unlimited, ny, nx}, {mapping});
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

}  // namespace

std::optional<std::array<double, 2>> sides_of_cell(hid_t file) {
  double side[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (!hdf5::missing_part(file, "/provenance/model").empty()) return std::array{1.0, 1.0};
  std::istringstream lines(hdf5::read_text(hdf5::open_dataset(file, "/provenance/model").get()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("cell ")) continue;
    std::istringstream numbers(line.substr(5));
    for (double& number : side) numbers >> number;
    if (numbers.fail()) return std::array{1.0, 1.0};
  }
  return side[1] == 0 && side[3] == 0 ? std::optional(std::array{side[0], side[4]}) : std::nullopt;
}

std::vector<std::string> image_fields(hid_t file) {
  std::vector<std::string> names;
  for (const auto& name : hdf5::names_in(file, "fields"))
    if (is_image(hdf5::open_group(file, "fields").get(), name)) names.push_back(name);
  return names;
}

void write_image(hid_t file, const std::string& shown) {
  const auto fields = hdf5::open_group(file, "fields");
  const hdf5::Shape lattice = lattice_of(read_field(fields.get(), shown));
  const auto root = require_root(file, "ImageData", shown);
  write_geometry(root.get(), static_cast<std::int64_t>(lattice[0]), static_cast<std::int64_t>(lattice[1]),
                 sides_of_cell(file).value_or(std::array{1.0, 1.0}));
  const auto cells = hdf5::require_group(root.get(), "CellData");
  const auto steps = hdf5::require_group(root.get(), "Steps");
  const auto offsets = hdf5::require_group(steps.get(), "CellDataOffsets");

  std::vector<std::pair<std::string, Field>> images;
  std::set<double> times;
  for (const auto& name : image_fields(file)) {
    Field field = read_field(fields.get(), name);
    if (lattice_of(field) != lattice) continue;
    times.insert(field.times.begin(), field.times.end());
    images.emplace_back(name, std::move(field));
  }
  write_times(steps.get(), {times.begin(), times.end()});
  for (const auto& [name, field] : images) {
    const std::string first = field.replicas > 1 ? name + "_0" : name;
    write_column(offsets.get(), first, rows_at(times, field));
    if (field.replicas == 1) link(file, field.path, cells.get(), name);
    for (std::size_t replica = 0; field.replicas > 1 && replica < field.replicas; ++replica) {
      const std::string array = name + "_" + std::to_string(replica);
      if (!hdf5::has_link(cells.get(), array)) create_replica(cells.get(), array, field, replica);
      link(offsets.get(), first, offsets.get(), array);
    }
  }
}

}  // namespace tessera::io::vtkhdf
