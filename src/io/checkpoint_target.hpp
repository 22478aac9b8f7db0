// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <set>
#include <string>

#include "io/hdf5_handle.hpp"
#include "tessera/io/checkpoint.hpp"

namespace tessera::io {

/// The group `/checkpoint` of a file open for writing. Functions throw Failure, and std::invalid_argument for an
/// invalid or repeated name.
class CheckpointGroup : public CheckpointWriter {
 public:
  explicit CheckpointGroup(hid_t file);

  void write(const std::string& name, ElementType type, const Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override;
  void text(const std::string& name, const std::string& value) override;

  /// Removes the entries of an earlier checkpoint that were not written again.
  void remove_unclaimed();

 private:
  void claim(const std::string& name);

  hdf5::Handle group_;
  std::set<std::string> names_;
};

}  // namespace tessera::io
