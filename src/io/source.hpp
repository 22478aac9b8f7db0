// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>

#include "io/failure.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/hdf5_handle.hpp"
#include "tessera/core/error.hpp"
#include "tessera/io/checkpoint.hpp"

namespace tessera::io {

/// The format that this version writes, and the only one that it reads: the root attribute `format_version`.
inline constexpr std::uint64_t current_format = 3;

/// An open Tessera file, shared by InputFile and CheckpointReader.
class CheckpointReader::Source {
 public:
  /// Throws InputError if the file is missing, is not an HDF5 file of Tessera, is truncated, or has another format.
  explicit Source(const std::filesystem::path& path);

  /// Throws InputError if the file was written by another method.
  void require_method(const std::string& wanted) const;

  /// Calls `read` and turns a Failure into an InputError: "cannot read '<path>': <what>: <reason>".
  template <class Read>
  decltype(auto) reading(const std::string& what, Read&& read) const {
    try {
      return read();
    } catch (const Failure& failure) {
      throw error(what + ": " + failure.what());
    }
  }

  /// Throws InputError unless the elements of the dataset `what` have this type.
  void require_type(const std::string& what, hid_t dataset, ElementType type) const {
    const auto stored = hdf5::element_type(dataset);
    if (stored != type)
      throw error(what + " has the type " + (stored ? element_name(*stored) : "text") + ", not " + element_name(type));
  }

  InputError error(const std::string& reason) const {
    return InputError("cannot read '" + path.string() + "': " + printable(reason));
  }

  std::filesystem::path path;
  hdf5::Handle file;
  std::string method;
};

}  // namespace tessera::io
