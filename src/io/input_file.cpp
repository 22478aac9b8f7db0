// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/input_file.hpp"

#include <string_view>

#include "io/hdf5_dataset.hpp"
#include "io/source.hpp"

namespace tessera::io {
namespace {

/// of(dataset) for the dataset of this name.
template <class Of>
decltype(auto) of_dataset(const CheckpointReader::Source& source, const std::string& name, Of&& of) {
  return source.reading(name, [&] { return of(hdf5::open_unknown_dataset(source.file.get(), name).get()); });
}

/// The same for a group or dataset.
template <class Of>
decltype(auto) of_object(const CheckpointReader::Source& source, const std::string& name, Of&& of) {
  return source.reading(name, [&] { return of(hdf5::open_object(source.file.get(), name).get()); });
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : source_(std::make_shared<CheckpointReader::Source>(path)) {}

const std::filesystem::path& InputFile::path() const { return source_->path; }
std::string InputFile::method() const { return source_->method; }
void InputFile::require_method(const std::string& method) const { source_->require_method(method); }
void InputFile::read_through() const { io::read_through(*source_); }
FileCheckpoint InputFile::checkpoint() const { return FileCheckpoint(source_); }

bool InputFile::has(const std::string& object) const {
  return source_->reading(object, [&] { return hdf5::missing_part(source_->file.get(), object).empty(); });
}

std::vector<std::string> InputFile::names(const std::string& group) const {
  return source_->reading(group, [&] { return hdf5::names_in(hdf5::open_group(source_->file.get(), group).get()); });
}

std::vector<std::size_t> InputFile::shape(const std::string& dataset) const {
  return of_dataset(*source_, dataset, hdf5::shape_of);
}

ElementType InputFile::type(const std::string& dataset) const {
  const auto type = of_dataset(*source_, dataset, hdf5::element_type);
  if (!type) throw source_->error(dataset + " does not hold numbers");
  return *type;
}

void InputFile::require(const std::string& dataset, ElementType type, const std::vector<std::size_t>& wanted) const {
  of_dataset(*source_, dataset, [&](hid_t open) {
    source_->require_type(dataset, open, type);
    if (hdf5::shape_of(open) != wanted) throw Failure("its shape does not fit the rest of the file");
  });
}

void InputFile::require_moments(const std::string& group, std::size_t rows, std::size_t replicas) const {
  require(group + "/step", ElementType::int64, {rows});
  const bool apart = replicas > 1 && shape(group + "/time").size() == 2;
  require(group + "/time", ElementType::float64, apart ? hdf5::Shape{rows, replicas} : hdf5::Shape{rows});
}

std::string InputFile::text(const std::string& dataset) const { return of_dataset(*source_, dataset, hdf5::read_text); }

std::string InputFile::text_attribute(const std::string& object, const std::string& name) const {
  return of_object(*source_, object, [&](hid_t open) { return hdf5::read_text_attribute(open, name); });
}

std::uint64_t InputFile::unsigned_attribute(const std::string& object, const std::string& name) const {
  return of_object(*source_, object, [&](hid_t open) { return hdf5::read_unsigned_attribute(open, name); });
}

bool InputFile::has_attribute(const std::string& object, const std::string& name) const {
  return of_object(*source_, object, [&](hid_t open) { return hdf5::has_attribute(open, name); });
}

std::string InputFile::unit(const std::string& dataset) const {
  return has_attribute(dataset, "unit") ? text_attribute(dataset, "unit") : "";
}

std::size_t InputFile::count(const std::string& dataset) const {
  return of_dataset(*source_, dataset, [](hid_t open) { return hdf5::count_of(hdf5::shape_of(open)); });
}

std::size_t InputFile::row_count(const std::string& dataset, std::size_t first, std::size_t rows) const {
  auto extents = shape(dataset);
  if (extents.empty() || first >= extents[0] || rows > extents[0] - first)
    throw source_->error(dataset + " has no row " + std::to_string(first + rows - 1));
  extents[0] = rows;
  return source_->reading(dataset, [&] { return hdf5::count_of(extents); });
}

void InputFile::read_all(const std::string& dataset, ElementType type, std::size_t count, void* data) const {
  constexpr std::string_view group = "/checkpoint/";
  if (dataset.starts_with(group))
    return checkpoint().read(dataset.substr(group.size()), type, data, count, shape(dataset));
  of_dataset(*source_, dataset, [&](hid_t open) {
    source_->require_type(dataset, open, type);
    hdf5::read_all(open, type, count, data);
  });
}

void InputFile::read_some(const std::string& dataset, std::size_t first, std::size_t rows, ElementType type,
                          std::size_t count, void* data) const {
  of_dataset(*source_, dataset, [&](hid_t open) {
    source_->require_type(dataset, open, type);
    hdf5::read_rows(open, type, first, rows, count, data);
  });
}

}  // namespace tessera::io
