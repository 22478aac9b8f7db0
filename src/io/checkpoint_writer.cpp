// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "tessera/io/checkpoint_writer.hpp"

#include <stdexcept>

#include "io/checkpoint_target.hpp"
#include "io/checksum.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/names.hpp"

namespace tessera::io {

CheckpointWriter::Target::Target(hid_t file) : group_(hdf5::require_group(file, "checkpoint")) {}

void CheckpointWriter::Target::claim(const std::string& name) {
  require_name(name, "checkpoint entry");
  if (!names_.insert(name).second) throw std::invalid_argument("checkpoint entry '" + name + "' is written twice");
}

void CheckpointWriter::Target::remove_unclaimed() {
  for (const auto& name : hdf5::names_in(group_.get())) {
    if (!names_.contains(name)) hdf5::unlink(group_.get(), name);
  }
}

void CheckpointWriter::write(const std::string& name, ElementType type, const void* data, std::size_t count,
                             const std::vector<std::size_t>& shape, const std::string& unit) {
  target_->claim(name);
  if (hdf5::count_of(shape) != count) {
    throw std::invalid_argument("checkpoint entry '" + name + "': " + std::to_string(count) +
                                " elements do not fill its shape");
  }
  const auto entry = hdf5::write_array(target_->group(), name, type, shape, data);
  const auto sum = entry_checksum(name, element_name(type), shape, data, count * element_size(type));
  hdf5::write_attribute(entry.get(), "checksum", ElementType::uint64, {}, &sum);
  hdf5::write_unit(entry.get(), unit);
}

void CheckpointWriter::text(const std::string& name, const std::string& value) {
  target_->claim(name);
  if (value.find('\0') != std::string::npos)
    throw std::invalid_argument("checkpoint entry '" + name + "': a text holds no null characters");
  const auto entry = hdf5::write_text(target_->group(), name, value);
  const auto sum = entry_checksum(name, "text", {}, value.data(), value.size());
  hdf5::write_attribute(entry.get(), "checksum", ElementType::uint64, {}, &sum);
}

}  // namespace tessera::io
