// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/input_file.hpp"
#include "tessera/io/parts.hpp"

namespace tessera::io {

/// One row of a field, as the caller has it; nothing is owned.
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

/// What the fields of a file look like, and how a row is added to one.
class Fields {
 public:
  /// Learns the fields that a continued file holds.
  void learn(const InputFile& file);

  /// Checks a row against the rows before it: std::invalid_argument, or InputError if the file that is continued
  /// disagrees.
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
