// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/source.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/input_file.hpp"

namespace tessera::io {
namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;
constexpr std::size_t deepest = 8;

/// Identity of an object in its file.
std::string number_of(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info{};
  hdf5::checked(H5Oget_info3(object, &info, H5O_INFO_BASIC));
  return {reinterpret_cast<const char*>(&info.token), sizeof info.token};
#else
  H5O_info_t info{};
  hdf5::checked(H5Oget_info(object, &info));
  return std::to_string(info.addr);
#endif
}

/// Bytes that are read at a time: at least a chunk, which HDF5 reads as a whole.
std::size_t bytes_at_once(hid_t dataset, const hdf5::Shape& shape, std::size_t element_bytes) {
  const hdf5::Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return piece_bytes;
  std::vector<hsize_t> chunk(shape.size());
  hdf5::checked(H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()));
  const std::size_t count = hdf5::count_of({chunk.begin(), chunk.end()});
  if (count > std::max(piece_bytes / element_bytes, hdf5::count_of(shape))) throw Failure("its chunks are too large");
  return std::max(piece_bytes, count * element_bytes);
}

/// Reads all elements of a dataset, block by block.
void read_pieces(hid_t dataset, ElementType type) {
  const hdf5::Shape shape = hdf5::shape_of(dataset);
  if (hdf5::count_of(shape) == 0) return;
  const std::size_t size = element_size(type);
  const hdf5::Blocks blocks(shape, size, bytes_at_once(dataset, shape, size));
  std::vector<char> buffer(blocks.elements() * size);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const hdf5::Block block = blocks[i];
    hdf5::read_block(dataset, type, block.corner, block.extents, buffer.data());
  }
}

bool is_text(const hdf5::Handle& type) {
  return H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0;
}

void read_attribute(hid_t object, const std::string& name) {
  const hdf5::Attribute attribute(object, name);
  const H5T_class_t kind = H5Tget_class(attribute.type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && !is_text(attribute.type)) return;
  const std::size_t size = std::max<std::size_t>(1, H5Tget_size(attribute.type.get()));
  if (attribute.count() > longest_text / size) throw Failure("its attribute '" + name + "' is too long");
  std::vector<char> buffer(attribute.count() * size);
  if (!buffer.empty()) attribute.read(attribute.type.get(), buffer.data());
}

void read_dataset(hid_t file, const std::string& path) {
  if (hdf5::shows_others(hdf5::open_dataset(file, path).get())) return;
  const auto dataset = hdf5::open_unknown_dataset(file, path);
  if (const auto type = hdf5::element_type(dataset.get()))
    read_pieces(dataset.get(), *type);
  else if (is_text(hdf5::Handle(H5Dget_type(dataset.get()), H5Tclose)))
    hdf5::read_text(dataset.get());
}

/// Reads an object and what is in it, except those that were `seen` under another name.
void visit(const CheckpointReader::Source& source, const std::string& path, std::size_t depth,
           std::set<std::string>& seen) {
  source.reading(path, [&] {
    const auto object = hdf5::open_object(source.file.get(), path);
    if (!seen.insert(number_of(object.get())).second) return;
    if (depth > deepest) throw Failure("its groups are nested too deeply");
    for (const auto& name : hdf5::attribute_names(object.get())) read_attribute(object.get(), name);
    const H5I_type_t kind = H5Iget_type(object.get());
    if (kind == H5I_DATASET) read_dataset(source.file.get(), path);
    if (kind != H5I_GROUP) return;
    for (const auto& name : hdf5::names_in(object.get()))
      visit(source, (depth == 0 ? "" : path) + "/" + name, depth + 1, seen);
  });
}

}  // namespace

void InputFile::read_through() const {
  std::set<std::string> seen;
  visit(*source_, "/", 0, seen);
}

}  // namespace tessera::io
