// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/file_parts.hpp"

#include <algorithm>

#include "io/vtkhdf_parts.hpp"

namespace tessera::io {
namespace vtkhdf {
namespace {

/// Writes ASCII: VTK before 9.5 does not read UTF-8 here.
void write_type(hid_t root, const std::string& type) {
  if (hdf5::has_attribute(root, "Type")) return;
  const hdf5::Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5::checked(H5Tset_size(text.get(), type.size()));
  const hdf5::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const hdf5::Handle attribute(H5Acreate2(root, "Type", text.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  hdf5::checked(H5Awrite(attribute.get(), text.get(), type.data()));
}

hdf5::Handle selection(const std::vector<hsize_t>& sizes, const std::vector<hsize_t>& limits, const Blocks& blocks) {
  hdf5::Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()), H5Sclose);
  const auto& stride = blocks.stride.empty() ? blocks.block : blocks.stride;
  hdf5::checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, blocks.start.data(), stride.data(),
                                    blocks.count.data(), blocks.block.data()));
  return space;
}

}  // namespace

hdf5::Handle require_root(hid_t file, const std::string& type, const std::string& shown) {
  auto root = hdf5::require_group(file, "VTKHDF");
  hdf5::write_attribute<std::int64_t>(root.get(), "Version", {2, 0});
  write_type(root.get(), type);
  hdf5::write_attribute(root.get(), "shown", shown);
  return root;
}

void write_times(hid_t steps, const std::vector<double>& times) {
  write_column(steps, "Values", times);
  hdf5::write_attribute(steps, "NSteps", std::max<std::int64_t>(2, std::ssize(times)));
}

void link(hid_t from, const std::string& name, hid_t to, const std::string& other) {
  if (!hdf5::has_link(to, other))
    hdf5::checked(H5Lcreate_hard(from, name.c_str(), to, other.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

void create_virtual(hid_t parent, const std::string& name, ElementType type, const std::vector<hsize_t>& sizes,
                    const std::vector<hsize_t>& limits, const std::vector<Mapping>& mappings) {
  const auto properties = hdf5::creation_properties(H5P_DATASET_CREATE);
  for (const Mapping& mapping : mappings) {
    const auto target = selection(sizes, limits, mapping.blocks);
    const auto source = selection(mapping.source_sizes, mapping.source_limits, mapping.source_blocks);
    hdf5::checked(H5Pset_virtual(properties.get(), target.get(), ".", mapping.source.c_str(), source.get()));
  }
  const hdf5::Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()), H5Sclose);
  hdf5::create_dataset(parent, name, hdf5::file_type(type), space, properties).close();
}

}  // namespace vtkhdf

void write_vtkhdf(hid_t file) {
  if (hdf5::has_link(file, "VTKHDF")) {
    const auto root = hdf5::open_group(file, "VTKHDF");
    const std::string shown = hdf5::read_text_attribute(root.get(), "shown");
    hdf5::read_text_attribute(root.get(), "Type") == "ImageData" ? vtkhdf::write_image(file, shown)
                                                                 : vtkhdf::write_points(file, shown);
    return;
  }
  const auto fields = vtkhdf::image_fields(file);
  const auto groups = hdf5::names_in(file, "particles");
  if (!fields.empty()) {
    if (vtkhdf::sides_of_cell(file)) vtkhdf::write_image(file, fields.front());
  } else if (!groups.empty()) {
    vtkhdf::write_points(file, groups.front());
  }
}

}  // namespace tessera::io
