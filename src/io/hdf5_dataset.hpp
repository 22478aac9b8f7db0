// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5_handle.hpp"
#include "tessera/io/checkpoint.hpp"

/// The kinds of datasets and attributes in Tessera's files. All functions throw Failure.
namespace tessera::io::hdf5 {

using Shape = std::vector<std::size_t>;

/// Shape of `number` arrays of a shape.
inline Shape of_several(std::size_t number, Shape shape) {
  shape.insert(shape.begin(), number);
  return shape;
}

/// The space of an array of this shape; of a scalar if it is empty. `grows`: its first dimension is unlimited.
Handle dataspace(const Shape& shape, bool grows = false);

/// HDF5's type for elements in memory.
hid_t memory_type(ElementType type);
/// HDF5's type for elements on disk: little-endian.
hid_t file_type(ElementType type);
/// The ElementType of a dataset; empty for other types.
std::optional<ElementType> element_type(hid_t dataset);

Shape shape_of(hid_t dataset);
/// Product of the extents; throws Failure if it does not fit.
std::size_t count_of(const Shape& shape);
/// Names of the links in a group, sorted.
std::vector<std::string> names_in(hid_t group);
/// The same for a group of this name; none if there is no such group.
std::vector<std::string> names_in(hid_t parent, const std::string& group);

/// Storage of the rows of a growing dataset: extents of a chunk, rows first; by default a few KiB of numbers.
struct RowLayout {
  Shape chunk = {};
  int deflate_level = 0;  ///< 0: neither shuffled nor deflated
};

/// Opens the dataset `name` with rows of shape `row`, creating it empty if there is none. Each chunk carries a
/// checksum. Throws Failure if it has another type or shape.
Handle require_rows(hid_t parent, const std::string& name, ElementType type, const Shape& row,
                    const RowLayout& layout = {});
/// Extends a dataset by `rows` rows; returns the previous number of rows.
std::size_t add_rows(hid_t dataset, std::size_t rows);

/// Appends `rows` rows of shape `row`, {} for one number, to the dataset `name`, as require_rows() opens it.
void append_rows(hid_t parent, const std::string& name, ElementType type, const Shape& row, std::size_t rows,
                 const void* data, const RowLayout& layout = {});

/// Appends a row of shape `row` to the dataset `name`, which is created if missing. Chunks have at most 1 MiB, lie
/// within one row, have a checksum, and are shuffled and deflated if this saves space, on all host threads of Kokkos.
void append_big_row(hid_t parent, const std::string& name, ElementType type, const Shape& row, const Content& content);

/// Writes from the first row on, and removes all other rows.
void replace_rows(hid_t parent, const std::string& name, ElementType type, const Shape& row, std::size_t rows,
                  const void* data);

/// Reads everything, which has to be `count` elements.
void read_all(hid_t dataset, ElementType type, std::size_t count, void* data);

/// Elements of a dataset as regular blocks. Without strides, blocks are contiguous.
struct Slab {
  Shape start, count, block, stride = {};
};
/// Mapping of a part of a virtual dataset to a part of another dataset in the file.
struct Mapping {
  std::string source;
  Shape source_shape;
  Slab source_slab, slab;
};
/// Creates a virtual dataset of parts of others, with which it grows where a count is H5S_UNLIMITED.
void create_virtual(hid_t parent, const std::string& name, ElementType type, const Shape& shape, bool grows,
                    const std::vector<Mapping>& mappings);

/// A contiguous dataset of exactly this type and shape for writing; an existing one of both is reused.
Handle require_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape);
/// The same with its content.
Handle write_array(hid_t parent, const std::string& name, ElementType type, const Shape& shape, const void* data);
/// Write and read the block of a dataset that begins at `corner`.
void write_block(hid_t dataset, ElementType type, const Shape& corner, const Shape& extents, const void* data);
void read_block(hid_t dataset, ElementType type, const Shape& corner, const Shape& extents, void* data);

/// A block of an array, whose elements are consecutive in row-major order.
struct Block {
  Shape corner, extents;
  std::size_t first;  ///< its first element
  std::size_t count;  ///< of elements
};

/// An array as blocks of one shape, smaller at the ends. The elements of consecutive blocks are those of the array.
class Blocks {
 public:
  /// Blocks of at most this number of bytes, and at least one element.
  Blocks(const Shape& array, std::size_t element_bytes, std::size_t most_bytes);

  std::size_t size() const { return size_; }
  Block operator[](std::size_t number) const;

  /// Shape of all complete blocks, and its number of elements.
  const Shape& shape() const { return block_; }
  std::size_t elements() const { return count_of(block_); }

 private:
  /// Number of blocks in a dimension.
  std::size_t along(std::size_t dimension) const {
    return (array_[dimension] + block_[dimension] - 1) / block_[dimension];
  }

  Shape array_, block_;
  std::size_t size_ = 1;
};

/// Calls what(begin, end, data) for `at_once` consecutive blocks at a time, `begin` to `end` - 1, in order.
template <class What>
void for_each_batch(const Blocks& blocks, std::size_t at_once, std::size_t element_bytes, const Content& content,
                    const What& what) {
  std::unique_ptr<std::byte[]> room;
  if (content.data == nullptr)
    room = std::make_unique_for_overwrite<std::byte[]>(std::min(at_once, blocks.size()) * blocks.elements() *
                                                       element_bytes);
  for (std::size_t begin = 0; begin < blocks.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, blocks.size());
    const Block head = blocks[begin], tail = blocks[end - 1];
    if (room) content.read(head.first, tail.first + tail.count - head.first, room.get());
    what(begin, end, room ? room.get() : static_cast<const std::byte*>(content.data) + head.first * element_bytes);
  }
}

/// A scalar text, UTF-8, overwritten in place by one of the same length. Lengths are fixed throughout: texts of
/// variable length lie in HDF5's global heap, which has no checksums, and where a flipped bit makes HDF5 hang or crash.
Handle write_text(hid_t parent, const std::string& name, const std::string& value);
/// Content of a scalar text; throws Failure if the dataset is not a text, or is longer than `longest_text`.
std::string read_text(hid_t dataset);

/// An open attribute.
struct Attribute {
  Attribute(hid_t object, const std::string& name)
      : handle(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose),
        type(H5Aget_type(handle.get()), H5Tclose),
        space(H5Aget_space(handle.get()), H5Sclose) {}
  std::size_t count() const { return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.get()))); }
  void read(hid_t memory_type, void* data) const { checked(H5Aread(handle.get(), memory_type, data)); }

  Handle handle, type, space;
};

std::vector<std::string> attribute_names(hid_t object);
bool has_attribute(hid_t object, const std::string& name);
/// A text as an attribute.
void write_attribute(hid_t object, const std::string& name, const std::string& value,
                     H5T_cset_t characters = H5T_CSET_UTF8);
/// Several texts as an attribute, of one length on disk.
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& values);
/// A number or a few as an attribute.
void write_attribute(hid_t object, const std::string& name, ElementType type, const Shape& shape, const void* data);
template <Element T>
void write_attribute(hid_t object, const std::string& name, const T& value) {
  write_attribute(object, name, element_type_of<T>(), {}, &value);
}
template <Element T>
void write_attribute(hid_t object, const std::string& name, const std::vector<T>& values) {
  write_attribute(object, name, element_type_of<T>(), {values.size()}, values.data());
}
/// The attribute `unit`, removed if the unit is empty.
void write_unit(hid_t object, const std::string& unit);
std::string read_text_attribute(hid_t object, const std::string& name);
/// A scalar number; throws Failure if the attribute is not an integer scalar.
std::uint64_t read_unsigned_attribute(hid_t object, const std::string& name);

}  // namespace tessera::io::hdf5
