// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <set>
#include <string>

#include "io/hdf5_handle.hpp"
#include "tessera/io/checkpoint_writer.hpp"

namespace tessera::io {

/// The group `/checkpoint` of a file that is being written. Its functions throw Failure.
class CheckpointWriter::Target {
 public:
  /// Opens the group or creates it.
  explicit Target(hid_t file);

  /// Opens the way for a new entry: throws std::invalid_argument for a bad or repeated name.
  void claim(const std::string& name);

  /// Removes the entries of an earlier checkpoint that were not written again.
  void remove_unclaimed();

  hid_t group() const { return group_.get(); }

 private:
  hdf5::Handle group_;
  std::set<std::string> names_;
};

}  // namespace tessera::io
