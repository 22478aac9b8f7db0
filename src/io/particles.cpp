// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/particles.hpp"

namespace tessera::io {
namespace {

/// Appends a row to a time-dependent H5MD element.
void append_element(hid_t group, const std::string& name, const ParticleRow& row, const hdf5::Shape& shape,
                    const Content& values) {
  const auto element = hdf5::require_group(group, name);
  hdf5::append_rows(element.get(), "step", ElementType::int64, {}, 1, &row.step, hdf5::layout_for_columns({}));
  hdf5::append_rows(element.get(), "time", ElementType::float64, {}, 1, &row.time, hdf5::layout_for_columns({}));
  hdf5::append_big_row(element.get(), "value", ElementType::float64, shape, values);
}

/// Writes an H5MD box: attributes `dimension` and `boundary`, one word per dimension, and `edges`, one vector per row.
void append_box(hid_t group, const ParticleRow& row) {
  const auto box = hdf5::require_group(group, "box");
  const std::int32_t dimension = 3;
  hdf5::write_attribute(box.get(), "dimension", ElementType::int32, {}, &dimension);
  hdf5::write_attribute(box.get(), "boundary", std::vector<std::string>{"periodic", "periodic", "none"});
  const double edges[3][3] = {{row.box[0], 0, 0}, {0, row.box[1], 0}, {0, 0, 1}};
  append_element(box.get(), "edges", row, {3, 3}, {edges[0]});
}

}  // namespace

void append_particles(hid_t file, const ParticleRow& row) {
  const auto particles = hdf5::require_group(file, "particles");
  const auto group = hdf5::require_group(particles.get(), row.group);
  // Not as attribute `unit` of the positions: readers reject unknown units.
  hdf5::write_attribute(group.get(), "length_unit", row.unit);
  append_box(group.get(), row);
  const std::size_t width = 3;
  // Three coordinates, the third of which is 0.
  const auto read = [&](std::size_t first, std::size_t count, void* to) {
    std::size_t particle = first / width, dimension = first % width;
    for (auto* value = static_cast<double*>(to); count > 0; --count, ++value) {
      *value = dimension < 2 ? row.positions[particle][dimension] : 0;
      if (++dimension < width) continue;
      dimension = 0;
      ++particle;
    }
  };
  append_element(group.get(), "position", row, {row.positions.size(), width}, {nullptr, read});
}

}  // namespace tessera::io
