// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/xdmf.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include "io/hdf5_dataset.hpp"

namespace tessera::io {

namespace {

struct Field {
  std::string name;
  ElementType type;
  hdf5::Shape shape;  // of the dataset: rows, replicas if there are several, ny, nx
  std::size_t replicas;
  std::vector<std::int64_t> steps;
  std::vector<double> times;
};

struct FieldRow {
  const Field* field;
  std::size_t row;
};

/// Time, step, and how many grids of the same time and step come before.
using Moment = std::tuple<double, std::int64_t, std::size_t>;
using Lattice = std::pair<std::size_t, std::size_t>;
using Collection = std::map<Moment, std::vector<FieldRow>>;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

/// The shortest digits that read back as the same number.
std::string digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

std::string number_attributes(ElementType type) {
  const std::string precision = "\" Precision=\"" + std::to_string(element_size(type)) + "\"";
  switch (type) {
    case ElementType::float32:
    case ElementType::float64:
      return "NumberType=\"Float" + precision;
    case ElementType::int8:
      return "NumberType=\"Char" + precision;
    case ElementType::uint8:
      return "NumberType=\"UChar" + precision;
    case ElementType::uint16:
    case ElementType::uint32:
    case ElementType::uint64:
      return "NumberType=\"UInt" + precision;
    default:
      return "NumberType=\"Int" + precision;
  }
}

/// Reads what describes a field; false if it is not two-dimensional.
bool read_field(hid_t fields, const std::string& name, Field& field) {
  const auto group = hdf5::open_group(fields, name);
  const auto value = hdf5::open_dataset(group.get(), "value");
  field.name = name;
  field.shape = hdf5::shape_of(value.get());
  field.replicas = hdf5::read_unsigned_attribute(value.get(), "replicas");
  if (field.shape.size() != (field.replicas > 1 ? 4u : 3u)) return false;
  field.type = hdf5::element_type(value.get()).value();
  const std::size_t rows = field.shape[0];
  const auto step = hdf5::open_dataset(group.get(), "step");
  const auto time = hdf5::open_dataset(group.get(), "time");
  const auto time_shape = hdf5::shape_of(time.get());
  std::vector<double> times(hdf5::count_of(time_shape));
  if (hdf5::shape_of(step.get()) != hdf5::Shape{rows} || time_shape.at(0) != rows)
    throw Failure("field '" + name + "' has unequal columns");
  field.steps.resize(rows);
  hdf5::read_all(step.get(), ElementType::int64, field.steps.data());
  hdf5::read_all(time.get(), ElementType::float64, times.data());
  const auto per_row = static_cast<std::ptrdiff_t>(times.size() / std::max<std::size_t>(1, rows));
  for (auto first = times.begin(); first != times.end(); first += per_row)
    field.times.push_back(*std::min_element(first, first + per_row));
  return true;
}

std::string joined(const hdf5::Shape& numbers) {
  std::string text;
  for (const auto number : numbers) text.append(text.empty() ? "" : " ").append(std::to_string(number));
  return text;
}

void write_attribute(std::ostream& out, const FieldRow& item, std::size_t replica, const Lattice& lattice,
                     const std::string& file_name) {
  const Field& field = *item.field;
  const bool many = field.replicas > 1;
  const auto [ny, nx] = lattice;
  const hdf5::Shape start = many ? hdf5::Shape{item.row, replica, 0, 0} : hdf5::Shape{item.row, 0, 0};
  const hdf5::Shape count = many ? hdf5::Shape{1, 1, ny, nx} : hdf5::Shape{1, ny, nx};
  out << "        <Attribute Name=\"" << escaped(field.name);
  if (many) out << "_" << replica;
  out << "\" AttributeType=\"Scalar\" Center=\"Cell\">\n"
      << "          <DataItem ItemType=\"HyperSlab\" Dimensions=\"" << ny << " " << nx << "\">\n"
      << "            <DataItem Dimensions=\"3 " << count.size() << "\" NumberType=\"Int\" Format=\"XML\">"
      << joined(start) << "  " << joined(hdf5::Shape(count.size(), 1)) << "  " << joined(count) << "</DataItem>\n"
      << "            <DataItem Dimensions=\"" << joined(field.shape) << "\" " << number_attributes(field.type)
      << " Format=\"HDF\">" << escaped(file_name) << ":/fields/" << escaped(field.name) << "/value</DataItem>\n"
      << "          </DataItem>\n"
      << "        </Attribute>\n";
}

void write_grid(std::ostream& out, const Moment& moment, const std::vector<FieldRow>& items, const Lattice& lattice,
                const std::string& file_name) {
  out << "      <Grid Name=\"step " << std::get<1>(moment) << "\" GridType=\"Uniform\">\n"
      << "        <Time Value=\"" << digits(std::get<0>(moment)) << "\"/>\n"
      << "        <Topology TopologyType=\"2DCoRectMesh\" Dimensions=\"" << lattice.first + 1 << " "
      << lattice.second + 1 << "\"/>\n"
      << "        <Geometry GeometryType=\"ORIGIN_DXDY\">\n"
      << "          <DataItem Dimensions=\"2\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">0 0</DataItem>\n"
      << "          <DataItem Dimensions=\"2\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">1 1</DataItem>\n"
      << "        </Geometry>\n";
  for (const FieldRow& item : items) {
    for (std::size_t replica = 0; replica < item.field->replicas; ++replica)
      write_attribute(out, item, replica, lattice, file_name);
  }
  out << "      </Grid>\n";
}

}  // namespace

std::string xdmf_text(hid_t file, const std::string& file_name) {
  if (!hdf5::has_link(file, "fields")) return "";
  const auto group = hdf5::open_group(file, "fields");
  std::vector<Field> fields;
  for (const auto& name : hdf5::names_in(group.get())) {
    Field field;
    if (read_field(group.get(), name, field)) fields.push_back(std::move(field));
  }
  if (fields.empty()) return "";
  std::map<Lattice, Collection> collections;
  for (const Field& field : fields) {
    Collection& collection = collections[{field.shape[field.shape.size() - 2], field.shape.back()}];
    std::map<std::pair<double, std::int64_t>, std::size_t> seen;
    for (std::size_t row = 0; row < field.steps.size(); ++row) {
      const std::size_t before = seen[{field.times[row], field.steps[row]}]++;
      collection[{field.times[row], field.steps[row], before}].push_back({&field, row});
    }
  }
  std::ostringstream out;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n";
  for (const auto& [lattice, collection] : collections) {
    out << "    <Grid Name=\"lattice " << lattice.second << " x " << lattice.first
        << "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (const auto& [moment, items] : collection) write_grid(out, moment, items, lattice, file_name);
    out << "    </Grid>\n";
  }
  out << "  </Domain>\n</Xdmf>\n";
  return out.str();
}

}  // namespace tessera::io
