// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"

/// Functions for both images and points of `/VTKHDF`. All of them throw Failure.
namespace tessera::io::vtkhdf {

/// Opens `/VTKHDF`, or creates it with this type ("ImageData") for the objects `shown`.
hdf5::Handle require_root(hid_t file, const std::string& type, const std::string& shown);

/// Sets the times of the steps. A single step is written as two of the same time, because VTK ignores the time, and
/// drops a dimension of the data, for a single step.
void write_times(hid_t steps, const std::vector<double>& times);

/// Sets a column of `Steps`, with a row for each time passed to write_times().
template <class T>
void write_column(hid_t steps, const std::string& name, std::vector<T> column) {
  if (column.size() == 1) column.push_back(column[0]);
  hdf5::replace_rows(steps, name, element_type_of<T>(), {}, column.size(), column.data());
}

/// Links a dataset under another name, unless that name exists.
void link(hid_t from, const std::string& name, hid_t to, const std::string& other);

/// Elements of a dataset as regular blocks, in HDF5's terms. Without strides, blocks are contiguous.
struct Blocks {
  std::vector<hsize_t> start, count, block, stride = {};
};

/// Mapping of a part of a virtual dataset to a part of another dataset in the file.
struct Mapping {
  std::string source;
  std::vector<hsize_t> source_sizes, source_limits;
  Blocks source_blocks, blocks;
};

/// Creates a virtual dataset of parts of other datasets. A part with a count of H5S_UNLIMITED grows with its source.
void create_virtual(hid_t parent, const std::string& name, ElementType type, const std::vector<hsize_t>& sizes,
                    const std::vector<hsize_t>& limits, const std::vector<Mapping>& mappings);

/// Write the image and the points of vtkhdf.hpp; `shown` is the field or group of particles that determines the layout.
void write_image(hid_t file, const std::string& shown);
void write_points(hid_t file, const std::string& shown);

/// Sides of the unit cell along x and y, from /provenance/model, or 1; nothing if it is oblique.
std::optional<std::array<double, 2>> sides_of_cell(hid_t file);

/// Names of the 2-d fields of a file.
std::vector<std::string> image_fields(hid_t file);

}  // namespace tessera::io::vtkhdf
