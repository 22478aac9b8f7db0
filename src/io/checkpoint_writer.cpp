// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/checkpoint.hpp"

#include <future>
#include <stdexcept>

#include "io/blocks.hpp"
#include "io/checkpoint_target.hpp"
#include "io/checksum.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/names.hpp"

namespace tessera::io {
namespace {

constexpr std::size_t bytes_at_once = 16 * 1024 * 1024;

void write_checksum(hid_t entry, std::uint64_t sum) {
  hdf5::write_attribute(entry, "checksum", ElementType::uint64, {}, &sum);
}

}  // namespace

CheckpointGroup::CheckpointGroup(hid_t file) : group_(hdf5::require_group(file, "checkpoint")) {}

void CheckpointGroup::claim(const std::string& name) {
  require_name(name, "checkpoint entry");
  if (!names_.insert(name).second) throw std::invalid_argument("checkpoint entry '" + name + "' is written twice");
}

void CheckpointGroup::remove_unclaimed() {
  for (const auto& name : hdf5::names_in(group_.get()))
    if (!names_.contains(name)) hdf5::unlink(group_.get(), name);
}

void CheckpointGroup::write(const std::string& name, ElementType type, const Content& content, std::size_t count,
                            const std::vector<std::size_t>& shape, const std::string& unit) {
  claim(name);
  if (hdf5::count_of(shape) != count)
    throw std::invalid_argument("checkpoint entry '" + name + "': " + std::to_string(count) +
                                " elements do not fill its shape");
  const auto entry = hdf5::require_array(group_.get(), name, type, shape);
  const std::size_t element = element_size(type);
  const hdf5::Blocks blocks(shape, element, bytes_at_once);
  Checksum sum = head_of_entry(name, element_name(type), shape);
  hdf5::for_each_batch(blocks, 1, element, content, [&](std::size_t number, std::size_t, const std::byte* data) {
    const hdf5::Block block = blocks[number];
    const auto add = [&] { sum.add(data, block.count * element); };
    // One core computes the checksum while another one writes.
    std::future<void> added;
    if (blocks.size() > 1) added = std::async(std::launch::async, add);
    hdf5::write_block(entry.get(), type, block.corner, block.extents, data);
    added.valid() ? added.get() : add();
  });
  write_checksum(entry.get(), sum.value());
  hdf5::write_unit(entry.get(), unit);
}

void CheckpointGroup::text(const std::string& name, const std::string& value) {
  claim(name);
  if (value.find('\0') != std::string::npos)
    throw std::invalid_argument("checkpoint entry '" + name + "': a text must not contain null characters");
  const auto entry = hdf5::write_text(group_.get(), name, value);
  write_checksum(entry.get(), entry_checksum(name, "text", {}, value.data(), value.size()));
}

}  // namespace tessera::io
