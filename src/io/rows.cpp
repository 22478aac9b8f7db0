// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tessera/analysis/estimate.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {
namespace {

void append_column(hid_t group, const std::string& name, const hdf5::Shape& row, std::size_t rows,
                   const std::vector<double>& data) {
  hdf5::append_rows(group, name, ElementType::float64, row, rows, data.data());
}

void append_columns(hid_t group, PendingColumns& columns) {
  for (auto& [name, column] : columns) {
    if (column.data.empty() && hdf5::has_link(group, name)) continue;
    append_column(group, name, column.row, column.data.size() / hdf5::count_of(column.row), column.data);
    hdf5::write_unit(hdf5::open_dataset(group, name).get(), column.unit);
    column.data.clear();
  }
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
  append_column(group, "time", {replicas}, shared.size(), split);
}

/// Appends rows of `time` to a group; `times` contains rows x replicas numbers. The dataset is [rows] while all
/// replicas have equal times, and becomes [rows, replicas] at the first row in which they differ. Throws Failure.
void append_times(hid_t group, std::size_t replicas, std::size_t rows, const std::vector<double>& times) {
  bool split = replicas > 1 && !replicas_agree(times, replicas);
  if (hdf5::has_link(group, "time")) {
    const auto rank = hdf5::shape_of(hdf5::open_dataset(group, "time").get()).size();
    if (split && rank == 1) split_times(group, replicas);
    split = split || rank == 2;
  }
  if (split || replicas == 1)
    return append_column(group, "time", split ? hdf5::Shape{replicas} : hdf5::Shape{}, rows, times);
  std::vector<double> shared;
  for (std::size_t row = 0; row < rows; ++row) shared.push_back(times[row * replicas]);
  append_column(group, "time", {}, rows, shared);
}

/// Expands a single time to one per replica. Throws std::invalid_argument for any number other than 1 and `replicas`.
std::vector<double> spread_times(const std::string& what, std::span<const double> times, std::size_t replicas) {
  if (times.size() == replicas) return {times.begin(), times.end()};
  if (times.size() == 1) return std::vector<double>(replicas, times[0]);
  throw std::invalid_argument(what + ": " + std::to_string(times.size()) + " times for " + std::to_string(replicas) +
                              " replicas");
}

/// Throws for a row unlike earlier ones: InputError in a continued file, else std::invalid_argument.
[[noreturn]] void refuse_row(const std::string& difference, bool continued) {
  const std::string message = difference + " in earlier rows";
  if (continued)
    throw InputError("cannot continue the file: " + message + "; restart with the parameters of the first run");
  throw std::invalid_argument(message);
}

/// Properties in which all rows must agree.
void require_same(const std::string& what, const std::string& property, const std::string& before,
                  const std::string& now, bool continued) {
  if (before != now) refuse_row(what + ": the " + property + " is '" + now + "' but was '" + before + "'", continued);
}

/// Shape of a row on disk: replicas first, if there are several.
hdf5::Shape stored_shape(std::size_t replicas, const std::vector<std::size_t>& shape) {
  return replicas == 1 ? shape : hdf5::of_several(replicas, shape);
}

std::string described(ElementType type, const std::string& unit, std::size_t replicas,
                      const std::vector<std::size_t>& shape) {
  std::string text = std::string(element_name(type)) + ", " + std::to_string(replicas) +
                     (replicas == 1 ? " replica of " : " replicas of ");
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d > 0 ? " x " : "") + std::to_string(shape[d]);
  return text + (unit.empty() ? ", no unit" : ", unit " + unit);
}

}  // namespace

void PendingObservables::learn(const InputFile& file) {
  if (!file.has("/" + group_)) return;
  for (const auto& name : file.names("/" + group_)) {
    const std::string group = "/" + group_ + "/" + name;
    const auto shape = file.shape(group + "/value");
    Series& series = series_[name];
    series.unit = file.unit(group + "/value");
    series.replicas = shape.size() > 1 ? shape[1] : 1;
    series.has_errors = file.has(group + (series.replicas > 1 ? "/value_error" : "/error"));
    series.continued = true;
    const std::size_t rows = shape.empty() ? 0 : shape[0];
    const bool many = series.replicas > 1;
    file.require_moments(group, rows, series.replicas);
    file.require(group + "/value", ElementType::float64, many ? hdf5::Shape{rows, series.replicas} : hdf5::Shape{rows});
    if (many && series.has_errors) file.require(group + "/value_error", ElementType::float64, shape);
    if (many) file.require(group + "/mean", ElementType::float64, {rows});
    if (many || series.has_errors) file.require(group + "/error", ElementType::float64, {rows});
  }
}

void PendingObservables::add(const Observable& row, std::int64_t step, std::span<const double> times) {
  const auto& [name, unit, values, errors, is_diagnostic, is_slow_mode, arguments] = row;
  const std::string what = "observable '" + name + "'";
  require_name(name, "observable");
  if (values.empty()) throw std::invalid_argument(what + ": a row without values");
  if (!errors.empty() && errors.size() != values.size())
    throw std::invalid_argument(what + ": " + std::to_string(errors.size()) + " errors for " +
                                std::to_string(values.size()) + " replicas");
  const bool of_all = values.size() == 1 && times.size() > 1;
  const auto spread = of_all ? std::vector{mean_of(times)} : spread_times(what, times, values.size());
  const auto [position, fresh] = series_.try_emplace(name);
  Series& series = position->second;
  if (fresh) {
    series.unit = unit;
    series.replicas = values.size();
    series.has_errors = !errors.empty();
  }
  require_same(what, "unit", series.unit, unit, series.continued);
  require_same(what, "number of replicas", std::to_string(series.replicas), std::to_string(values.size()),
               series.continued);
  require_same(what, "presence of errors", series.has_errors ? "yes" : "no", errors.empty() ? "no" : "yes",
               series.continued);
  series.steps.push_back(step);
  series.times.insert(series.times.end(), spread.begin(), spread.end());
  const auto put = [&](const char* column, const hdf5::Shape& shape, std::span<const double> numbers) {
    auto& data = series.columns.try_emplace(column, PendingColumn{row.unit, shape}).first->second.data;
    data.insert(data.end(), numbers.begin(), numbers.end());
  };
  const bool many = series.replicas > 1;
  const hdf5::Shape of_row = many ? hdf5::Shape{series.replicas} : hdf5::Shape{};
  put("value", of_row, values);
  if (series.has_errors) put(many ? "value_error" : "error", of_row, errors);
  if (!many) return;
  const auto [mean, error] = analysis::mean_of(values);
  put("mean", {}, {&mean, 1});
  put("error", {}, {&error, 1});
}

void PendingObservables::flush(hid_t file) {
  if (series_.empty()) return;
  const auto observables = hdf5::require_group(file, group_);
  for (auto& [name, series] : series_) {
    if (series.steps.empty()) continue;
    const auto group = hdf5::require_group(observables.get(), name);
    const std::size_t rows = series.steps.size();
    hdf5::append_rows(group.get(), "step", ElementType::int64, {}, rows, series.steps.data());
    append_times(group.get(), series.replicas, rows, series.times);
    append_columns(group.get(), series.columns);
    series.steps.clear();
    series.times.clear();
  }
}

void PendingHistories::learn(const InputFile& file) {
  if (!file.has("/history")) return;
  for (const auto& name : file.names("/history")) {
    Table& table = tables_[name];
    table.continued = true;
    const auto columns = file.names("/history/" + name);
    const auto first = columns.empty() ? hdf5::Shape{} : file.shape("/history/" + name + "/" + columns.front());
    table.rows = first.empty() ? 0 : first[0];
    for (const auto& column : columns) {
      const std::string dataset = "/history/" + name + "/" + column;
      file.require(dataset, ElementType::float64, {table.rows});
      table.columns[column].unit = file.unit(dataset);
    }
  }
}

void PendingHistories::add(const History& added) {
  const std::string what = "history '" + added.name + "'";
  require_name(added.name, "history");
  if (added.names.empty() || added.units.size() != added.names.size() || added.columns.size() != added.names.size())
    throw std::invalid_argument(what + ": needs one name, one unit and one list of values per column");
  const auto [position, fresh] = tables_.try_emplace(added.name);
  Table& table = position->second;
  for (std::size_t c = 0; c < added.names.size(); ++c) {
    require_name(added.names[c], what + ": column");
    if (added.columns[c].size() != added.columns[0].size())
      throw std::invalid_argument(what + ": columns of different lengths");
    if (fresh || table.continued)  // NaN in rows of an earlier version, which did not have the column
      table.columns.try_emplace(added.names[c],
                                PendingColumn{added.units[c], {}, std::vector(table.rows, std::nan(""))});
  }
  std::string before, now;
  for (const auto& [name, column] : table.columns) before += (before.empty() ? "" : ", ") + name;
  for (const auto& name : std::multiset(added.names.begin(), added.names.end()))
    now += (now.empty() ? "" : ", ") + name;
  require_same(what, "list of columns", before, now, table.continued);
  for (std::size_t c = 0; c < added.names.size(); ++c)
    require_same(what + ", column '" + added.names[c] + "'", "unit", table.columns[added.names[c]].unit, added.units[c],
                 table.continued);
  for (std::size_t c = 0; c < added.names.size(); ++c) {
    auto& data = table.columns[added.names[c]].data;
    data.insert(data.end(), added.columns[c].begin(), added.columns[c].end());
  }
}

void PendingHistories::flush(hid_t file) {
  if (tables_.empty()) return;
  const auto histories = hdf5::require_group(file, "history");
  for (auto& [name, table] : tables_) append_columns(hdf5::require_group(histories.get(), name).get(), table.columns);
}

void Fields::learn(const InputFile& file) {
  if (!file.has("/fields")) return;
  for (const auto& name : file.names("/fields")) {
    const std::string value = "/fields/" + name + "/value";
    auto shape = file.shape(value);
    const std::size_t replicas = file.unsigned_attribute(value, "replicas");
    const std::size_t rows = shape.empty() ? 0 : shape[0];
    const auto leading = std::min<std::ptrdiff_t>(replicas > 1 ? 2 : 1, std::ssize(shape));
    shape.erase(shape.begin(), shape.begin() + leading);
    file.require(value, file.type(value), hdf5::of_several(rows, stored_shape(replicas, shape)));
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
  hdf5::append_rows(group.get(), "step", ElementType::int64, {}, 1, &row.step);
  append_times(group.get(), replicas, 1, spread_times("field '" + row.name + "'", row.times, replicas));
  hdf5::append_big_row(group.get(), "value", row.type, stored, row.content);
  const auto value = hdf5::open_dataset(group.get(), "value");
  hdf5::write_attribute(value.get(), "replicas", std::uint64_t{replicas});
  hdf5::write_unit(value.get(), row.unit);
}

}  // namespace tessera::io
