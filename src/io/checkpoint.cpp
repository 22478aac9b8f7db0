// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/checkpoint.hpp"

#include <future>
#include <stdexcept>

#include "io/checksum.hpp"
#include "io/file_parts.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/source.hpp"

namespace tessera::io {
namespace {

constexpr const char* group_name = "checkpoint";
constexpr std::size_t block_bytes = 16 * 1024 * 1024;

std::string described(const std::string& name) { return "checkpoint entry '" + name + "'"; }

std::string text_of(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return "a single value";
  std::string text;
  for (const auto extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

bool has_entry(const hdf5::Handle& group, const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && hdf5::has_link(group.get(), name);
}

hdf5::Handle open_entry(const CheckpointReader::Source& source, const std::string& name) {
  const auto group = hdf5::open_group(source.file.get(), group_name);
  if (!has_entry(group, name))
    throw source.error(described(name) +
                       " is missing; the file was written by another version of Tessera or with other parameters");
  return hdf5::open_unknown_dataset(group.get(), name);
}

void require_checksum(const CheckpointReader::Source& source, const hdf5::Handle& entry, const std::string& name,
                      std::uint64_t sum) {
  if (hdf5::read_unsigned_attribute(entry.get(), "checksum") != sum)
    throw source.error(described(name) + " does not match its checksum: the file is damaged; use an undamaged copy");
}

}  // namespace

CheckpointGroup::CheckpointGroup(hid_t file) : group_(hdf5::require_group(file, group_name)) {}

void CheckpointGroup::claim(const std::string& name) {
  require_name(name, "checkpoint entry");
  if (!names_.insert(name).second) throw std::invalid_argument(described(name) + " is written twice");
}

void CheckpointGroup::remove_unclaimed() {
  for (const auto& name : hdf5::names_in(group_.get()))
    if (!names_.contains(name)) hdf5::unlink(group_.get(), name);
}

void CheckpointGroup::write(const std::string& name, ElementType type, const Content& content, std::size_t count,
                            const std::vector<std::size_t>& shape, const std::string& unit) {
  claim(name);
  if (hdf5::count_of(shape) != count)
    throw std::invalid_argument(described(name) + ": " + std::to_string(count) + " elements do not fill its shape");
  const auto entry = hdf5::require_dataset(group_.get(), name, hdf5::file_type(type), shape);
  const std::size_t element = element_size(type);
  const hdf5::Blocks blocks(shape, element, block_bytes);
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
  hdf5::write_attribute(entry.get(), "checksum", sum.value());
  hdf5::write_unit(entry.get(), unit);
}

void CheckpointGroup::text(const std::string& name, const std::string& value) {
  claim(name);
  if (value.find('\0') != std::string::npos)
    throw std::invalid_argument(described(name) + ": a text must not contain null characters");
  const auto entry = hdf5::write_text(group_.get(), name, value);
  hdf5::write_attribute(entry.get(), "checksum", entry_checksum(name, "text", {}, value.data(), value.size()));
}

FileCheckpoint::FileCheckpoint(std::shared_ptr<const Source> source) : source_(std::move(source)) {
  if (!source_->reading("the checkpoint", [&] { return hdf5::has_link(source_->file.get(), group_name); }))
    throw source_->error("it has no checkpoint to restart from");
}

bool FileCheckpoint::has(const std::string& name) const {
  return source_->reading(described(name),
                          [&] { return has_entry(hdf5::open_group(source_->file.get(), group_name), name); });
}

std::vector<std::size_t> FileCheckpoint::shape(const std::string& name) const {
  return source_->reading(described(name), [&] { return hdf5::shape_of(open_entry(*source_, name).get()); });
}

void FileCheckpoint::read(const std::string& name, ElementType type, void* data, std::size_t count,
                          const std::vector<std::size_t>& expected_shape) const {
  if (hdf5::count_of(expected_shape) != count)
    throw std::invalid_argument(described(name) + ": room for " + std::to_string(count) + " elements, shape " +
                                text_of(expected_shape));
  source_->reading(described(name), [&] {
    const auto entry = open_entry(*source_, name);
    source_->require_type(described(name), entry.get(), type);
    const auto shape = hdf5::shape_of(entry.get());
    if (shape != expected_shape)
      throw source_->error(described(name) + " has the shape " + text_of(shape) + ", not " + text_of(expected_shape));
    if (count > 0) hdf5::read_all(entry.get(), type, count, data);
    require_checksum(*source_, entry, name,
                     entry_checksum(name, element_name(type), shape, data, count * element_size(type)));
  });
}

std::string FileCheckpoint::text(const std::string& name) const {
  return source_->reading(described(name), [&] {
    const auto entry = open_entry(*source_, name);
    if (hdf5::element_type(entry.get())) throw source_->error(described(name) + " is not a text");
    const std::string value = hdf5::read_text(entry.get());
    require_checksum(*source_, entry, name, entry_checksum(name, "text", {}, value.data(), value.size()));
    return value;
  });
}

FileCheckpoint CheckpointReader::open(const std::filesystem::path& path, const std::string& method) {
  auto source = std::make_shared<Source>(path);
  source->require_method(method);
  return FileCheckpoint(std::move(source));
}

}  // namespace tessera::io
