// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/io/element_type.hpp"
#include "tessera/io/parts.hpp"

namespace tessera::io {

/// Writes a checkpoint: named arrays, scalars and texts under `/checkpoint`, each with a checksum of its content, name,
/// type and shape that CheckpointReader verifies. OutputFile::publish() creates the writer and passes it to the caller.
///
/// Names are unique in a checkpoint, not empty, and without '/'; std::invalid_argument otherwise. A failure to write
/// throws an exception, which OutputFile::publish() converts to RunError.
class CheckpointWriter {
 public:
  /// Destination of a checkpoint: a file, or another process.
  class Target {
   public:
    virtual ~Target() = default;
    virtual void write(const std::string& name, ElementType type, const Content& content, std::size_t count,
                       const std::vector<std::size_t>& shape, const std::string& unit) = 0;
    virtual void write_text(const std::string& name, const std::string& value) = 0;
  };
  explicit CheckpointWriter(Target& target) : target_(&target) {}
  /// Writer of a rank that writes nothing; rank 0 has the file.
  CheckpointWriter() = default;

  /// Writes a contiguous range (span, vector, ...) in host memory, row-major, of the given shape. The product of the
  /// shape must be the number of elements (std::invalid_argument otherwise). The data are not copied. `unit` becomes an
  /// attribute if it is not empty.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, const Range& data, const std::vector<std::size_t>& shape,
             const std::string& unit = "") {
    using T = std::remove_cv_t<std::ranges::range_value_t<Range>>;
    write(name, element_type_of<T>(), Content{std::ranges::data(data), {}}, std::ranges::size(data), shape, unit);
  }

  /// Writes an array of this shape that need not be in host memory as a whole.
  template <Element T>
  void array_in_parts(const std::string& name, const Parts<T>& parts, const std::vector<std::size_t>& shape,
                      const std::string& unit = "") {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    write(name, element_type_of<T>(), Content::of(parts), count, shape, unit);
  }

  /// Writes a one-dimensional array.
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void array(const std::string& name, const Range& data) {
    array(name, data, {static_cast<std::size_t>(std::ranges::size(data))});
  }

  /// Writes one number.
  template <Element T>
  void scalar(const std::string& name, T value) {
    write(name, element_type_of<T>(), Content{&value, {}}, 1, {}, "");
  }

  /// Writes a text, UTF-8 without null characters.
  void text(const std::string& name, const std::string& value) { target_->write_text(name, value); }

  /// Writes an array of any type, of `count` elements.
  void write(const std::string& name, ElementType type, const Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) {
    target_->write(name, type, content, count, shape, unit);
  }

 private:
  Target* target_ = nullptr;
};

}  // namespace tessera::io
