// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/input_file.hpp"
#include "tessera/io/output_file.hpp"

namespace tessera::io {

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
