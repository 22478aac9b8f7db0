// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/rows.hpp"

#include <algorithm>
#include <stdexcept>

#include "tessera/analysis/estimate.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {
namespace {

void append_numbers(hid_t group, const std::string& name, const hdf5::Shape& row, const std::vector<double>& data) {
  hdf5::append_rows(group, name, ElementType::float64, row, data.size() / hdf5::count_of(row), data.data());
}

bool replicas_agree(const std::vector<double>& times, std::size_t replicas) {
  for (std::size_t first = 0; first < times.size(); first += replicas)
    for (std::size_t replica = 1; replica < replicas; ++replica)
      if (times[first + replica] != times[first]) return false;
  return true;
}

double mean_of(std::span<const double> times) {
  if (replicas_agree({times.begin(), times.end()}, times.size())) return times[0];
  double sum = 0;
  for (const double time : times) sum += time;
  return sum / static_cast<double>(times.size());
}

/// Rewrites `time` [rows] as [rows, replicas].
void split_times(hid_t group, std::size_t replicas) {
  std::vector<double> shared, split;
  {
    const auto dataset = hdf5::open_dataset(group, "time");
    shared.resize(hdf5::count_of(hdf5::shape_of(dataset.get())));
    hdf5::read_all(dataset.get(), ElementType::float64, shared.size(), shared.data());
  }
  for (const double time : shared) split.insert(split.end(), replicas, time);
  hdf5::unlink(group, "time");
  append_numbers(group, "time", {replicas}, split);
}

/// Appends rows of `step` and `time` to a group; `times` contains those of all replicas in each row. The dataset `time`
/// is [rows] while all replicas have equal times, and becomes [rows, replicas] at the first row in which they differ.
/// Throws Failure.
void append_moments(hid_t group, std::span<const std::int64_t> steps, const std::vector<double>& times) {
  hdf5::append_rows(group, "step", ElementType::int64, {}, steps.size(), steps.data());
  const std::size_t replicas = times.size() / steps.size();
  bool split = replicas > 1 && !replicas_agree(times, replicas);
  if (hdf5::has_link(group, "time")) {
    const auto rank = hdf5::shape_of(hdf5::open_dataset(group, "time").get()).size();
    if (split && rank == 1) split_times(group, replicas);
    split = split || rank == 2;
  }
  if (split) return append_numbers(group, "time", {replicas}, times);
  std::vector<double> shared;
  for (std::size_t row = 0; row < steps.size(); ++row) shared.push_back(times[row * replicas]);
  append_numbers(group, "time", {}, shared);
}

/// Expands a single time to one per replica. Throws std::invalid_argument for any number other than 1 and `replicas`.
std::vector<double> spread_times(const std::string& what, std::span<const double> times, std::size_t replicas) {
  if (times.size() == replicas) return {times.begin(), times.end()};
  if (times.size() == 1) return std::vector<double>(replicas, times[0]);
  throw std::invalid_argument(what + ": " + std::to_string(times.size()) + " times for " + std::to_string(replicas) +
                              " replicas");
}

}  // namespace

std::string GrowingTables::Column::text() const {
  std::string text = element_name(type);
  if (replicas > 1) text += ", " + std::to_string(replicas) + " replicas";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d > 0 ? " x " : " of ") + std::to_string(shape[d]);
  return text + (unit.empty() ? ", no unit" : ", unit " + unit);
}

/// The columns of an observable.
GrowingTables::Columns GrowingTables::columns_of(const std::string& unit, std::size_t replicas, bool has_errors) {
  const Column one{.unit = unit}, of_each{.unit = unit, .replicas = replicas};
  Columns columns{{"value", of_each}};
  if (has_errors) columns[replicas > 1 ? "value_error" : "error"] = of_each;
  if (replicas > 1) columns["mean"] = columns["error"] = one;
  return columns;
}

void GrowingTables::learn(const InputFile& file) {
  if (!file.has("/" + group_)) return;
  for (const auto& name : file.names("/" + group_)) {
    const std::string path = path_of(name), value = path + "/value";
    Table& table = tables_[name];
    table.continued = true;
    std::size_t replicas = 1;
    if (group_ == "history") {
      for (const auto& column : file.names(path)) table.columns[column].unit = file.unit(path + "/" + column);
    } else if (hdf5::Shape shape = file.shape(value); group_ == "fields") {
      replicas = file.unsigned_attribute(value, "replicas");
      shape.erase(shape.begin(), shape.begin() + std::min<std::ptrdiff_t>(replicas > 1 ? 2 : 1, std::ssize(shape)));
      table.columns["value"] = {file.type(value), file.unit(value), replicas, shape};
    } else {
      replicas = shape.size() > 1 ? shape[1] : 1;
      table.columns =
          columns_of(file.unit(value), replicas, file.has(path + (replicas > 1 ? "/value_error" : "/error")));
    }
    for (const auto& [column, its] : table.columns) {
      const std::string dataset = path + "/" + column;
      if (column == table.columns.begin()->first)
        if (const auto shape = file.shape(dataset); !shape.empty()) table.rows = shape[0];
      file.require(dataset, its.type, hdf5::of_several(table.rows, its.row()));
    }
    if (group_ != "history") file.require_moments(path, table.rows, replicas);
  }
}

/// The table of this name, with these columns if it is new. Throws if it has others.
GrowingTables::Table& GrowingTables::table_of(const std::string& name, const Columns& columns) {
  const auto [position, fresh] = tables_.try_emplace(name);
  Table& table = position->second;
  if (fresh) table.columns = columns;
  if (table.columns == columns) return table;
  std::string message;
  const auto text_of = [](const Columns& all, const std::string& column) {
    return all.contains(column) ? all.at(column).text() : "missing";
  };
  for (const Columns* all : {&std::as_const(table.columns), &columns})
    for (const auto& [column, its] : *all)
      if (const auto before = text_of(table.columns, column), now = text_of(columns, column); before != now)
        message = path_of(name) + ": the column " + column + " is " + now + " but was " + before + " in earlier rows";
  if (!table.continued) throw std::invalid_argument(message);
  throw InputError("cannot continue the file: " + message + "; restart with the parameters of the first run");
}

void GrowingTables::add(const Observable& row, std::int64_t step, std::span<const double> times) {
  const auto& [name, unit, values, errors, is_diagnostic, is_slow_mode, arguments] = row;
  require_name(name, "observable");
  const std::string path = path_of(name);
  if (values.empty()) throw std::invalid_argument(path + ": a row without values");
  if (!errors.empty() && errors.size() != values.size())
    throw std::invalid_argument(path + ": " + std::to_string(errors.size()) + " errors for " +
                                std::to_string(values.size()) + " replicas");
  const bool of_all = values.size() == 1 && times.size() > 1, many = values.size() > 1;
  const auto spread = of_all ? std::vector{mean_of(times)} : spread_times(path, times, values.size());
  Table& table = table_of(name, columns_of(unit, values.size(), !errors.empty()));
  table.steps.push_back(step);
  table.times.insert(table.times.end(), spread.begin(), spread.end());
  const auto put = [&](const char* column, std::span<const double> numbers) {
    auto& data = table.pending[column];
    data.insert(data.end(), numbers.begin(), numbers.end());
  };
  put("value", values);
  if (!errors.empty()) put(many ? "value_error" : "error", errors);
  if (!many) return;
  const auto [mean, error] = analysis::mean_of(values);
  put("mean", {&mean, 1});
  put("error", {&error, 1});
}

void GrowingTables::add(const History& rows) {
  const std::string path = path_of(rows.name);
  require_name(rows.name, "history");
  const std::size_t count = rows.names.size();
  if (count == 0 || rows.units.size() != count || rows.columns.size() != count)
    throw std::invalid_argument(path + ": needs one name, one unit and one list of values per column");
  Columns columns;
  for (std::size_t c = 0; c < count; ++c) {
    require_name(rows.names[c], path + ": column");
    if (rows.columns[c].size() != rows.columns[0].size() || columns.contains(rows.names[c]))
      throw std::invalid_argument(path + ": columns of different lengths or of one name");
    columns[rows.names[c]].unit = rows.units[c];
  }
  if (const auto known = tables_.find(rows.name); known != tables_.end() && known->second.continued)
    for (const auto& [column, its] : columns)  // NaN in rows of an earlier version, which did not have the column
      if (Table& table = known->second; table.columns.try_emplace(column, its).second)
        table.pending[column].assign(table.rows, std::nan(""));
  Table& table = table_of(rows.name, columns);
  for (std::size_t c = 0; c < count; ++c) {
    auto& data = table.pending[rows.names[c]];
    data.insert(data.end(), rows.columns[c].begin(), rows.columns[c].end());
  }
}

void GrowingTables::flush(hid_t file) {
  if (tables_.empty()) return;
  const auto parent = hdf5::require_group(file, group_);
  for (auto& [name, table] : tables_) {
    if (table.pending.empty()) continue;
    const auto group = hdf5::require_group(parent.get(), name);
    if (!table.steps.empty()) append_moments(group.get(), table.steps, table.times);
    for (const auto& [column, data] : table.pending) {
      append_numbers(group.get(), column, table.columns.at(column).row(), data);
      hdf5::write_unit(hdf5::open_dataset(group.get(), column).get(), table.columns.at(column).unit);
    }
    table.steps.clear();
    table.times.clear();
    table.pending.clear();
  }
}

void GrowingTables::check(const FieldRow& row) {
  const std::string path = path_of(row.name);
  require_name(row.name, "field");
  const std::size_t sites = hdf5::count_of(row.shape);
  if (sites == 0 || row.count == 0 || row.count % sites != 0)
    throw std::invalid_argument(path + ": " + std::to_string(row.count) + " elements do not fill whole replicas of " +
                                std::to_string(sites));
  spread_times(path, row.times, row.count / sites);
  table_of(row.name, {{"value", {row.type, row.unit, row.count / sites, row.shape}}});
}

void GrowingTables::append(hid_t file, const FieldRow& row) const {
  const Column& column = tables_.at(row.name).columns.at("value");
  const auto group = hdf5::require_group(hdf5::require_group(file, group_).get(), row.name);
  append_moments(group.get(), {&row.step, 1}, spread_times(path_of(row.name), row.times, column.replicas));
  hdf5::append_big_row(group.get(), "value", row.type, column.row(), row.content);
  const auto value = hdf5::open_dataset(group.get(), "value");
  hdf5::write_attribute(value.get(), "replicas", std::uint64_t{column.replicas});
  hdf5::write_unit(value.get(), row.unit);
}

}  // namespace tessera::io
