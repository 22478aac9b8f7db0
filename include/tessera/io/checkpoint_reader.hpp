// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "tessera/io/element_type.hpp"

namespace tessera::io {

/// Reads the checkpoint of a file. Every function throws InputError with the file, the entry and the error if the entry
/// is missing, has an unexpected type or shape, or does not match its checksum.
class CheckpointReader {
 public:
  /// Source of a checkpoint: a file, or another process. Shapes and errors are as below.
  class Entries {
   public:
    virtual ~Entries() = default;
    virtual bool has(const std::string& name) const = 0;
    virtual std::vector<std::size_t> shape(const std::string& name) const = 0;
    virtual void read(const std::string& name, ElementType type, void* data, std::size_t count,
                      const std::vector<std::size_t>& expected_shape) const = 0;
    virtual std::string text(const std::string& name) const = 0;
  };
  explicit CheckpointReader(std::shared_ptr<const Entries> entries) : entries_(std::move(entries)) {}
  /// Reader of a rank that reads nothing; rank 0 has the file.
  CheckpointReader() = default;

  class Source;
  explicit CheckpointReader(std::shared_ptr<const Source> source);

  /// Opens the checkpoint of the file at `path`, written by `method` ("kmc", "kpz", "disks"). Throws InputError if the
  /// file is missing, is not HDF5, is truncated, was not written by Tessera, has another format, is of another method,
  /// or has no checkpoint.
  static CheckpointReader open(const std::filesystem::path& path, const std::string& method);

  /// Returns whether the checkpoint has an entry of this name.
  bool has(const std::string& name) const { return entries_->has(name); }

  /// Shape of an array; empty for a scalar or a text.
  std::vector<std::size_t> shape(const std::string& name) const { return entries_->shape(name); }

  /// Reads an array into a contiguous range in host memory. Its size must equal the product of `expected_shape`
  /// (std::invalid_argument otherwise).
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, Range&& data, const std::vector<std::size_t>& expected_shape) const {
    using T = std::ranges::range_value_t<Range>;
    read(name, element_type_of<T>(), std::ranges::data(data), std::ranges::size(data), expected_shape);
  }

  /// Reads a one-dimensional array of exactly this many elements.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, Range&& data) const {
    array(name, data, {static_cast<std::size_t>(std::ranges::size(data))});
  }

  /// Reads one number.
  template <Element T>
  T scalar(const std::string& name) const {
    T value{};
    read(name, element_type_of<T>(), &value, 1, {});
    return value;
  }

  /// Reads a text.
  std::string text(const std::string& name) const { return entries_->text(name); }

  /// Reads an array of any type, of `count` elements.
  void read(const std::string& name, ElementType type, void* data, std::size_t count,
            const std::vector<std::size_t>& expected_shape) const {
    entries_->read(name, type, data, count, expected_shape);
  }

 private:
  std::shared_ptr<const Entries> entries_;
};

}  // namespace tessera::io
