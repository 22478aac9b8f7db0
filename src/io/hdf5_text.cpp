// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>

#include "io/hdf5_dataset.hpp"

namespace tessera::io::hdf5 {
namespace {

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
  if (!unit.empty()) {
    write_attribute(object, "unit", unit);
  } else if (has_attribute(object, "unit")) {
    checked(H5Adelete(object, "unit"));
  }
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
