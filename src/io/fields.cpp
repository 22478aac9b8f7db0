// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/fields.hpp"

#include <algorithm>
#include <stdexcept>

#include "io/names.hpp"
#include "io/pending_rows.hpp"

namespace tessera::io {
namespace {

/// Shape of a row on disk: replicas first, if there are several.
hdf5::Shape stored_shape(std::size_t replicas, const std::vector<std::size_t>& shape) {
  hdf5::Shape stored = shape;
  if (replicas != 1) stored.insert(stored.begin(), replicas);
  return stored;
}

std::string described(ElementType type, const std::string& unit, std::size_t replicas,
                      const std::vector<std::size_t>& shape) {
  std::string text = std::string(element_name(type)) + ", " + std::to_string(replicas) +
                     (replicas == 1 ? " replica of " : " replicas of ");
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d > 0 ? " x " : "") + std::to_string(shape[d]);
  return text + (unit.empty() ? ", no unit" : ", unit " + unit);
}

}  // namespace

void Fields::learn(const InputFile& file) {
  if (!file.has("/fields")) return;
  for (const auto& name : file.names("/fields")) {
    const std::string value = "/fields/" + name + "/value";
    auto shape = file.shape(value);
    const std::size_t replicas = file.unsigned_attribute(value, "replicas");
    const std::size_t rows = shape.empty() ? 0 : shape[0];
    const auto leading = std::min<std::ptrdiff_t>(replicas > 1 ? 2 : 1, std::ssize(shape));
    shape.erase(shape.begin(), shape.begin() + leading);
    auto stored = stored_shape(replicas, shape);
    stored.insert(stored.begin(), rows);
    file.require(value, file.type(value), stored);
    file.require_moments("/fields/" + name, rows, replicas);
    layouts_.insert_or_assign(name, Layout{file.type(value), file.unit(value), replicas, shape, true});
  }
}

void Fields::check(const FieldRow& row) {
  const std::string what = "field '" + row.name + "'";
  require_name(row.name, "field");
  const std::size_t sites = hdf5::count_of(row.shape);
  if (sites == 0 || row.count == 0 || row.count % sites != 0)
    throw std::invalid_argument(what + ": " + std::to_string(row.count) + " elements do not fill whole replicas of " +
                                std::to_string(sites));
  const std::size_t replicas = row.count / sites;
  spread_times(what, row.times, replicas);
  const auto [position, fresh] = layouts_.try_emplace(row.name, Layout{row.type, row.unit, replicas, row.shape, false});
  Layout& before = position->second;
  const std::string was = described(before.type, before.unit, before.replicas, before.shape);
  const std::string is = described(row.type, row.unit, replicas, row.shape);
  if (is != was) refuse_row(what + " is " + is + " but was " + was, before.continued);
}

void Fields::append(hid_t file, const FieldRow& row) const {
  const std::size_t replicas = row.count / hdf5::count_of(row.shape);
  const auto stored = stored_shape(replicas, row.shape);
  const auto fields = hdf5::require_group(file, "fields");
  const auto group = hdf5::require_group(fields.get(), row.name);
  hdf5::append_rows(group.get(), "step", ElementType::int64, {}, 1, &row.step, hdf5::layout_for_columns({}));
  append_times(group.get(), replicas, 1, spread_times("field '" + row.name + "'", row.times, replicas));
  hdf5::append_big_row(group.get(), "value", row.type, stored, row.content);
  const auto value = hdf5::open_dataset(group.get(), "value");
  const auto replicas_attribute = static_cast<std::uint64_t>(replicas);
  hdf5::write_attribute(value.get(), "replicas", ElementType::uint64, {}, &replicas_attribute);
  hdf5::write_unit(value.get(), row.unit);
}

}  // namespace tessera::io
