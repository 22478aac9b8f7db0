// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <tessera/core/error.hpp>

#include "io/atomic_file.hpp"
#include "io/hdf5_dataset.hpp"
#include "sweep/table.hpp"
#include "value_text.hpp"

namespace tessera::program {
namespace {

namespace hdf5 = io::hdf5;

void write_numbers(hid_t parent, const std::string& name, const std::vector<double>& values, const std::string& unit) {
  const auto dataset = hdf5::write_array(parent, name, io::ElementType::float64, {values.size()}, values.data());
  hdf5::write_unit(dataset.get(), unit);
}

/// Texts of a fixed length, filled up with zeros.
void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const auto& text : texts) length = std::max(length, text.size());
  std::string data;
  for (const auto& text : texts) data += text + std::string(length - text.size(), '\0');
  const hdf5::Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5::checked(H5Tset_size(type.get(), length));
  hdf5::checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  hdf5::checked(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  const hsize_t count = texts.size();
  const hdf5::Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const hdf5::Handle dataset(
      H5Dcreate2(parent, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  hdf5::checked(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()));
}

void write_inputs(hid_t file, const Table& table) {
  const auto group = hdf5::require_group(file, "inputs");
  for (std::size_t input = 0; input < table.inputs.size(); ++input) {
    std::vector<std::string> texts;
    std::vector<double> numbers;
    try {
      for (const auto& row : table.rows) {
        texts.push_back(row.inputs[input]);
        double value = 0;
        read_value(texts.back(), value);
        numbers.push_back(value);
      }
    } catch (const InputError&) {
      texts.clear();
      for (const auto& row : table.rows) texts.push_back(row.inputs[input]);
      write_texts(group.get(), table.inputs[input], texts);
      continue;
    }
    write_numbers(group.get(), table.inputs[input], numbers, "");
  }
}

void write_columns(hid_t file, const std::string& name, const std::vector<Table::Column>& columns) {
  const auto group = hdf5::require_group(file, name);
  std::vector<std::string> order;
  for (const auto& column : columns) order.push_back(column.name);
  if (!order.empty()) hdf5::write_attribute(group.get(), "order", order);
  for (const auto& column : columns) {
    const auto one = hdf5::require_group(group.get(), column.name);
    write_numbers(one.get(), "value", column.values, column.unit);
    write_numbers(one.get(), "error", column.errors, column.unit);
  }
}

void write_rows(hid_t file, const Table& table) {
  std::vector<std::string> points;
  std::vector<std::int32_t> finished;
  std::vector<double> times;
  for (const auto& row : table.rows) {
    points.push_back(row.point);
    finished.push_back(row.finished ? 1 : 0);
    times.push_back(row.record ? row.record->time : std::numeric_limits<double>::quiet_NaN());
  }
  write_texts(file, "point", points);
  hdf5::write_array(file, "finished", io::ElementType::int32, {finished.size()}, finished.data());
  write_numbers(file, "time", times, "");
}

}  // namespace

void write_hdf5(const Table& table, const std::filesystem::path& path) {
  const auto temporary = path.parent_path() / ("." + path.filename().string() + ".tmp-" + std::to_string(::getpid()));
  try {
    {
      const auto access = hdf5::access_properties();
      hdf5::Handle file(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
      hdf5::write_attribute(file.get(), "method", table.method);
      hdf5::write_attribute(file.get(), "inputs", table.inputs);
      write_inputs(file.get(), table);
      write_rows(file.get(), table);
      write_columns(file.get(), "observables", table.observables);
      write_columns(file.get(), "averages", table.averages);
      file.close();
    }
    io::replace(temporary, path);
  } catch (const io::Failure& failure) {
    io::discard(temporary);
    throw RunError(io::cannot_write(path) + failure.what());
  }
}

}  // namespace tessera::program
