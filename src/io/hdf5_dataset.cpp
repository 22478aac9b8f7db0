// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/hdf5_dataset.hpp"

#include <array>
#include <limits>

namespace tessera::io {
namespace {

struct TypeRow {
  const char* name;
  std::size_t bytes;
  hid_t in_memory, in_file;
};

/// In the order of ElementType.
const std::array<TypeRow, 10>& all_types() {
  static const std::array<TypeRow, 10> all{{{"float32", 4, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE},
                                            {"float64", 8, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE},
                                            {"int8", 1, H5T_NATIVE_INT8, H5T_STD_I8LE},
                                            {"int16", 2, H5T_NATIVE_INT16, H5T_STD_I16LE},
                                            {"int32", 4, H5T_NATIVE_INT32, H5T_STD_I32LE},
                                            {"int64", 8, H5T_NATIVE_INT64, H5T_STD_I64LE},
                                            {"uint8", 1, H5T_NATIVE_UINT8, H5T_STD_U8LE},
                                            {"uint16", 2, H5T_NATIVE_UINT16, H5T_STD_U16LE},
                                            {"uint32", 4, H5T_NATIVE_UINT32, H5T_STD_U32LE},
                                            {"uint64", 8, H5T_NATIVE_UINT64, H5T_STD_U64LE}}};
  return all;
}

const TypeRow& row_of(ElementType type) { return all_types().at(static_cast<std::size_t>(type)); }

}  // namespace

std::size_t element_size(ElementType type) { return row_of(type).bytes; }
const char* element_name(ElementType type) { return row_of(type).name; }

}  // namespace tessera::io

namespace tessera::io::hdf5 {
namespace {

std::vector<hsize_t> extents(const Shape& shape) { return {shape.begin(), shape.end()}; }

Handle create_growing(hid_t parent, const std::string& name, ElementType type, const Shape& row,
                      const RowLayout& layout) {
  constexpr std::size_t column_chunk_rows = 256, column_chunk_bytes = 32 * 1024;
  Shape chunk = layout.chunk;
  if (chunk.empty()) {
    for (const auto extent : row) chunk.push_back(std::max<std::size_t>(1, extent));
    const std::size_t row_bytes = count_of(chunk) * sizeof(double);
    chunk.insert(chunk.begin(), std::clamp<std::size_t>(column_chunk_bytes / row_bytes, 1, column_chunk_rows));
  }
  const Handle properties = creation_properties(H5P_DATASET_CREATE);
  checked(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), extents(chunk).data()));
  if (layout.deflate_level > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    checked(H5Pset_shuffle(properties.get()));
    checked(H5Pset_deflate(properties.get(), static_cast<unsigned>(layout.deflate_level)));
  }
  checked(H5Pset_fletcher32(properties.get()));
  return create_dataset(parent, name, file_type(type), dataspace(of_several(0, row), true), properties);
}

/// Selection of the block of a dataset that begins at `corner`.
Handle select_block(hid_t dataset, const Shape& corner, const Shape& block) {
  Handle space(H5Dget_space(dataset), H5Sclose);
  if (!corner.empty())
    checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, extents(corner).data(), nullptr, extents(block).data(),
                                nullptr));
  return space;
}

Handle selection(const Shape& shape, bool grows, const Slab& slab) {
  Handle space = dataspace(shape, grows);
  const Shape& stride = slab.stride.empty() ? slab.block : slab.stride;
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, extents(slab.start).data(), extents(stride).data(),
                              extents(slab.count).data(), extents(slab.block).data()));
  return space;
}

/// For HDF5's iterations: appends a name to a vector.
template <class Info>
herr_t collect_name(hid_t, const char* name, const Info*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Type of a text of this number of bytes, null-padded; at least one byte, as HDF5 has no empty texts.
Handle text_type(std::size_t bytes, H5T_cset_t characters = H5T_CSET_UTF8) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  checked(H5Tset_size(type.get(), std::max<std::size_t>(1, bytes)));
  checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  checked(H5Tset_cset(type.get(), characters));
  return type;
}

/// A text of this stored type, which read(data) reads. Throws Failure unless it is a single text of fixed length.
template <class Read>
std::string text_of(const Handle& type, const Handle& space, const Read& read) {
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      H5Sget_simple_extent_npoints(space.get()) != 1)
    throw Failure("it is not a text");
  const std::size_t bytes = H5Tget_size(type.get());
  if (bytes > longest_text) throw Failure("it is a text of " + std::to_string(bytes) + " bytes, which is too long");
  std::string text(bytes, '\0');
  read(text.data());
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

/// Writes an attribute. Overwrites an existing one of the same type and shape, so that the file does not grow.
void put_attribute(hid_t object, const std::string& name, hid_t stored, hid_t given, const Handle& space,
                   const void* data) {
  if (has_attribute(object, name)) {
    {
      const Attribute present(object, name);
      if (H5Tequal(present.type.get(), stored) > 0 && H5Sextent_equal(present.space.get(), space.get()) > 0)
        return void(checked(H5Awrite(present.handle.get(), given, data)));
    }
    checked(H5Adelete(object, name.c_str()));
  }
  const Handle attribute(H5Acreate2(object, name.c_str(), stored, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  checked(H5Awrite(attribute.get(), given, data));
}

}  // namespace

Handle dataspace(const Shape& shape, bool grows) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const auto sizes = extents(shape);
  auto limits = sizes;
  if (grows) limits[0] = H5S_UNLIMITED;
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()), H5Sclose};
}

hid_t memory_type(ElementType type) { return row_of(type).in_memory; }
hid_t file_type(ElementType type) { return row_of(type).in_file; }

std::optional<ElementType> element_type(hid_t dataset) {
  const Handle stored(H5Dget_type(dataset), H5Tclose);
  const auto same = [&](const TypeRow& each) { return H5Tequal(stored.get(), each.in_file) > 0; };
  const auto found = std::ranges::find_if(all_types(), same) - all_types().begin();
  return found < std::ssize(all_types()) ? std::optional(static_cast<ElementType>(found)) : std::nullopt;
}

Shape shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = checked(H5Sget_simple_extent_ndims(space.get()));
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  if (rank > 0) checked(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr));
  return {sizes.begin(), sizes.end()};
}

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const auto extent : shape) {
    if (extent != 0 && count > std::numeric_limits<std::size_t>::max() / 16 / extent)
      throw Failure("its shape is invalid");
    count *= extent;
  }
  return count;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name<H5L_info_t>, &names));
  return names;
}

std::vector<std::string> names_in(hid_t parent, const std::string& group) {
  return has_link(parent, group) ? names_in(open_group(parent, group).get()) : std::vector<std::string>();
}

Handle require_rows(hid_t parent, const std::string& name, ElementType type, const Shape& row,
                    const RowLayout& layout) {
  Handle dataset =
      has_link(parent, name) ? open_dataset(parent, name) : create_growing(parent, name, type, row, layout);
  const Shape shape = shape_of(dataset.get());
  if (shape.empty() || Shape(shape.begin() + 1, shape.end()) != row || element_type(dataset.get()) != type)
    throw Failure("the dataset '" + name + "' has another type or shape");
  return dataset;
}

std::size_t add_rows(hid_t dataset, std::size_t rows) {
  Shape shape = shape_of(dataset);
  if (shape.empty()) throw Failure("it has no rows");
  const std::size_t before = shape[0];
  shape[0] += rows;
  checked(H5Dset_extent(dataset, extents(shape).data()));
  return before;
}

void append_rows(hid_t parent, const std::string& name, ElementType type, const Shape& row, std::size_t rows,
                 const void* data, const RowLayout& layout) {
  const Handle dataset = require_rows(parent, name, type, row, layout);
  if (rows == 0) return;
  const std::size_t before = add_rows(dataset.get(), rows);
  write_block(dataset.get(), type, of_several(before, Shape(row.size())), of_several(rows, row), data);
}

void replace_rows(hid_t parent, const std::string& name, ElementType type, const Shape& row, std::size_t rows,
                  const void* data) {
  const Handle dataset = require_rows(parent, name, type, row);
  const Shape block = of_several(rows, row);
  checked(H5Dset_extent(dataset.get(), extents(block).data()));
  if (rows > 0) write_block(dataset.get(), type, Shape(block.size(), 0), block, data);
}

void write_block(hid_t dataset, ElementType type, const Shape& corner, const Shape& block, const void* data) {
  const Handle target = select_block(dataset, corner, block), memory = dataspace(block);
  checked(H5Dwrite(dataset, memory_type(type), memory.get(), target.get(), H5P_DEFAULT, data));
}

void read_block(hid_t dataset, ElementType type, const Shape& corner, const Shape& block, void* data) {
  const Handle source = select_block(dataset, corner, block), memory = dataspace(block);
  checked(H5Dread(dataset, memory_type(type), memory.get(), source.get(), H5P_DEFAULT, data));
}

void read_all(hid_t dataset, ElementType type, std::size_t count, void* data) {
  if (count_of(shape_of(dataset)) != count) throw Failure("it does not have " + std::to_string(count) + " elements");
  checked(H5Dread(dataset, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

Handle require_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape) {
  if (has_link(parent, name)) {
    Handle dataset = open_dataset(parent, name);
    const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
    const bool contiguous = count_of(shape) == 0 || H5Dget_offset(dataset.get()) != HADDR_UNDEF;
    if (contiguous && H5Tequal(stored.get(), type) > 0 && shape_of(dataset.get()) == shape) return dataset;
    dataset.reset();
    unlink(parent, name);
  }
  return create_dataset(parent, name, type, dataspace(shape), creation_properties(H5P_DATASET_CREATE));
}

Handle write_array(hid_t parent, const std::string& name, ElementType type, const Shape& shape, const void* data) {
  Handle dataset = require_dataset(parent, name, file_type(type), shape);
  checked(H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  return dataset;
}

void create_virtual(hid_t parent, const std::string& name, ElementType type, const Shape& shape, bool grows,
                    const std::vector<Mapping>& mappings) {
  const Handle properties = creation_properties(H5P_DATASET_CREATE);
  for (const Mapping& mapping : mappings) {
    const Handle target = selection(shape, grows, mapping.slab);
    const Handle source = selection(mapping.source_shape, grows, mapping.source_slab);
    checked(H5Pset_virtual(properties.get(), target.get(), ".", mapping.source.c_str(), source.get()));
  }
  create_dataset(parent, name, file_type(type), dataspace(shape, grows), properties).close();
}

Blocks::Blocks(const Shape& array, std::size_t element_bytes, std::size_t most_bytes) : array_(array), block_(array) {
  std::size_t room = most_bytes / element_bytes;  // 1 before the dimension in which blocks are not whole
  for (std::size_t d = array.size(); d-- > 0;) {
    const std::size_t extent = std::max<std::size_t>(1, array[d]);
    block_[d] = std::clamp<std::size_t>(room, 1, extent);
    room = block_[d] < extent ? 1 : room / extent;
    size_ *= along(d);
  }
}

Block Blocks::operator[](std::size_t number) const {
  Block block{Shape(array_.size()), block_, 0, 1};
  for (std::size_t d = array_.size(), stride = 1; d-- > 0; stride *= array_[d]) {
    block.corner[d] = number % along(d) * block_[d];
    number /= along(d);
    block.extents[d] = std::min(block_[d], array_[d] - block.corner[d]);
    block.first += block.corner[d] * stride;
    block.count *= block.extents[d];
  }
  return block;
}

Handle write_text(hid_t parent, const std::string& name, const std::string& value) {
  if (value.size() > longest_text) throw Failure("the text '" + name + "' is too long");
  const Handle type = text_type(value.size());
  Handle dataset = require_dataset(parent, name, type.get(), {});
  checked(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()));
  return dataset;
}

std::string read_text(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  return text_of(type, space,
                 [&](char* to) { checked(H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to)); });
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name<H5A_info_t>, &names));
  return names;
}

bool has_attribute(hid_t object, const std::string& name) {
  return checked(static_cast<int>(H5Aexists(object, name.c_str()))) > 0;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value, H5T_cset_t characters) {
  const Handle type = text_type(value.size(), characters);
  put_attribute(object, name, type.get(), type.get(), dataspace({}), value.c_str());
}

void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const auto& value : values) longest = std::max(longest, value.size());
  std::string padded;
  for (const auto& value : values) padded += value + std::string(longest - value.size(), '\0');
  const Handle type = text_type(longest);
  put_attribute(object, name, type.get(), type.get(), dataspace({values.size()}), padded.data());
}

void write_attribute(hid_t object, const std::string& name, ElementType type, const Shape& shape, const void* data) {
  put_attribute(object, name, file_type(type), memory_type(type), dataspace(shape), data);
}

void write_unit(hid_t object, const std::string& unit) {
  if (!unit.empty())
    write_attribute(object, "unit", unit);
  else if (has_attribute(object, "unit"))
    checked(H5Adelete(object, "unit"));
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Attribute attribute(object, name);
  return text_of(attribute.type, attribute.space, [&](char* to) { attribute.read(attribute.type.get(), to); });
}

std::uint64_t read_unsigned_attribute(hid_t object, const std::string& name) {
  const Attribute attribute(object, name);
  if (H5Tget_class(attribute.type.get()) != H5T_INTEGER || attribute.count() != 1)
    throw Failure("the attribute '" + name + "' is not an integer");
  std::uint64_t value = 0;
  attribute.read(H5T_NATIVE_UINT64, &value);
  return value;
}

}  // namespace tessera::io::hdf5
