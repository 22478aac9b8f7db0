// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"

/// The parts that images and points of `/VTKHDF` share. Everything here throws Failure.
namespace tessera::io::vtkhdf {

/// Opens `/VTKHDF`, or makes it one of this type ("ImageData"), which shows `shown`.
hdf5::Handle require_root(hid_t file, const std::string& type, const std::string& shown);

/// Sets the times of the steps. VTK drops time, and a dimension of the data, where there is one step only: it becomes
/// two of the same time.
void write_times(hid_t steps, std::vector<double> times);

/// Sets a column of `Steps`, with a row for each time that was given to write_times().
void write_column(hid_t steps, const std::string& name, std::vector<std::int64_t> column);

/// A dataset under another name, too, unless that name is there.
void link(hid_t from, const std::string& name, hid_t to, const std::string& other);

/// Which elements of a dataset, in HDF5's terms: regular blocks. No strides: the blocks follow each other.
struct Blocks {
  std::vector<hsize_t> start, count, block, stride = {};
};

/// A part of a dataset that is a part of another one in the file.
struct Mapping {
  std::string source;
  std::vector<hsize_t> source_sizes, source_limits;
  Blocks source_blocks, blocks;
};

/// A dataset that shows parts of others. Where a count is H5S_UNLIMITED it grows with its source.
void create_virtual(hid_t parent, const std::string& name, ElementType type, const std::vector<hsize_t>& sizes,
                    const std::vector<hsize_t>& limits, const std::vector<Mapping>& mappings);

/// The image and the points of vtkhdf.hpp; `shown` is the field or the first group of particles that decides.
void write_image(hid_t file, const std::string& shown);
void write_points(hid_t file, const std::string& shown);

/// The names of the 2-d fields of a file, and of its groups of particles.
std::vector<std::string> image_fields(hid_t file);
std::vector<std::string> particle_groups(hid_t file);

}  // namespace tessera::io::vtkhdf
