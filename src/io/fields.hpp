// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/element_type.hpp"
#include "tessera/io/input_file.hpp"

namespace tessera::io {

/// One row of a field; refers to the caller's data.
struct FieldRow {
  const std::string& name;
  const std::string& unit;
  std::int64_t step;
  std::span<const double> times;
  ElementType type;
  const Content& content;
  std::size_t count;  ///< of elements
  const std::vector<std::size_t>& shape;
};

/// Types and shapes of the fields of a file; adds rows.
class Fields {
 public:
  /// Reads the types and shapes of the fields of a continued file.
  void learn(const InputFile& file);

  /// Checks a row against earlier rows: throws std::invalid_argument, or InputError if the continued file differs.
  void check(const FieldRow& row);

  /// Writes a checked row to `/fields`. Throws Failure.
  void append(hid_t file, const FieldRow& row) const;

 private:
  struct Layout {
    ElementType type;
    std::string unit;
    std::size_t replicas;
    std::vector<std::size_t> shape;
    bool continued;
  };
  std::map<std::string, Layout> layouts_;
};

}  // namespace tessera::io
