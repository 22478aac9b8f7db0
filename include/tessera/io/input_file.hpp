// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/io/checkpoint.hpp"

namespace tessera::io {

/// A Tessera output file, open for reading. Every function throws InputError with the file and the error.
class InputFile {
 public:
  /// Opens the file. Throws InputError if it is missing, truncated, not HDF5, not Tessera's, or has another format.
  explicit InputFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const;  ///< as given

  /// The method that wrote the file: "kmc", "kpz" or "disks".
  std::string method() const;

  /// Throws InputError if the file was written by another method.
  void require_method(const std::string& method) const;

  /// Reads the whole file once, in parts: all groups, attributes and elements of the types that Tessera writes. Throws
  /// InputError, with the object, if a part cannot be read, or if a chunk does not match its checksum. Those of the
  /// checkpoint are compared when its entries are read.
  void read_through() const;

  /// Returns whether there is a group or dataset at this absolute path, for example "/observables/roughness/value".
  bool has(const std::string& object) const;

  /// Names in a group, sorted.
  std::vector<std::string> names(const std::string& group) const;

  /// Shape of a dataset; empty for a scalar.
  std::vector<std::size_t> shape(const std::string& dataset) const;

  /// Element type of a numeric dataset.
  ElementType type(const std::string& dataset) const;

  /// Throws unless a dataset has this type and shape.
  void require(const std::string& dataset, ElementType type, const std::vector<std::size_t>& shape) const;

  /// Throws unless `<group>/step` and `<group>/time` have this number of rows and replicas.
  void require_moments(const std::string& group, std::size_t rows, std::size_t replicas) const;

  /// A whole dataset, row-major. Its type must be T. An entry of `/checkpoint` must match its checksum.
  template <Element T>
  std::vector<T> read(const std::string& dataset) const {
    return read_part<T>(dataset, nullptr);
  }

  /// One row (index in the first dimension) of a dataset of rank at least one. Its type must be T.
  template <Element T>
  std::vector<T> read_row(const std::string& dataset, std::size_t row) const {
    return read_rows<T>(dataset, row, 1);
  }

  /// Several rows, from this one on.
  template <Element T>
  std::vector<T> read_rows(const std::string& dataset, std::size_t first, std::size_t rows) const {
    const Rows some{first, rows};
    return read_part<T>(dataset, &some);
  }

  /// A scalar text dataset, for example "/provenance/input".
  std::string text(const std::string& dataset) const;

  /// A text attribute of a group or dataset, for example ("/fields/height/value", "unit").
  std::string text_attribute(const std::string& object, const std::string& name) const;
  /// A whole number in an attribute.
  std::uint64_t unsigned_attribute(const std::string& object, const std::string& name) const;
  bool has_attribute(const std::string& object, const std::string& name) const;  ///< whether it exists
  /// The attribute `unit` of a dataset; empty if it has none.
  std::string unit(const std::string& dataset) const;

  /// The checkpoint, which keeps the file open.
  FileCheckpoint checkpoint() const;

  /// The open file; used by the library itself.
  const CheckpointReader::Source& source() const { return *source_; }

 private:
  struct Rows {
    std::size_t first, count;
  };
  template <Element T>
  std::vector<T> read_part(const std::string& dataset, const Rows* rows) const {
    std::vector<T> values;
    read(dataset, element_type_of<T>(), rows, [&](std::size_t count) {
      values.resize(count);
      return values.data();
    });
    return values;
  }
  /// Reads rows, or all elements if it is null, to room(number of elements).
  void read(const std::string& dataset, ElementType type, const Rows* rows,
            const std::function<void*(std::size_t count)>& room) const;

  std::shared_ptr<const CheckpointReader::Source> source_;
};

}  // namespace tessera::io
