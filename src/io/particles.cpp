// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/particles.hpp"

namespace tessera::io {

namespace {

/// H5MD: attributes `dimension` and `boundary`, one word per dimension, and the dataset `edges`.
void write_box(hid_t group, const ParticleRow& row) {
  const auto box = hdf5::require_group(group, "box");
  const std::int32_t dimension = 2;
  hdf5::write_attribute(box.get(), "dimension", ElementType::int32, {}, &dimension);
  hdf5::write_attribute(box.get(), "boundary", std::vector<std::string>{"periodic", "periodic"});
  const auto edges = hdf5::write_array(box.get(), "edges", ElementType::float64, {2}, row.box.data());
  hdf5::write_unit(edges.get(), row.unit);
}

}  // namespace

void append_particles(hid_t file, const ParticleRow& row) {
  const auto particles = hdf5::require_group(file, "particles");
  const auto group = hdf5::require_group(particles.get(), row.group);
  write_box(group.get(), row);
  const auto position = hdf5::require_group(group.get(), "position");
  const hdf5::Shape frame{row.positions.size(), 2};
  hdf5::append_rows(position.get(), "step", ElementType::int64, {}, 1, &row.step, hdf5::layout_for_columns({}));
  hdf5::append_rows(position.get(), "time", ElementType::float64, {}, 1, &row.time, hdf5::layout_for_columns({}));
  hdf5::append_rows(position.get(), "value", ElementType::float64, frame, 1, row.positions.data(),
                    hdf5::layout_for_fields(frame, sizeof(double)));
  hdf5::write_unit(hdf5::open_dataset(position.get(), "value").get(), row.unit);
}

}  // namespace tessera::io
