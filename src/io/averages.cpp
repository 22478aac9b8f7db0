// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/averages.hpp"

#include <algorithm>

#include "io/hdf5_dataset.hpp"
#include "io/names.hpp"

namespace tessera::io {

namespace {

void write_numbers(hid_t group, const char* name, const hdf5::Shape& shape, const double* numbers,
                   const std::string& unit) {
  hdf5::write_unit(hdf5::write_array(group, name, ElementType::float64, shape, numbers).get(), unit);
}

}  // namespace

void write_averages(hid_t file, const Averages& averages, const std::string& time_unit) {
  const auto& all = averages.observables;
  if (all.empty()) {
    if (hdf5::has_link(file, "averages")) hdf5::unlink(file, "averages");
    return;
  }
  const auto group = hdf5::require_group(file, "averages");
  write_numbers(group.get(), "from", {}, &averages.from, time_unit);
  hdf5::write_array(group.get(), "rows", ElementType::uint64, {}, &averages.rows);
  const auto observables = hdf5::require_group(group.get(), "observables");
  for (const auto& name : hdf5::names_in(observables.get()))
    if (std::ranges::find(all, name, &Average::name) == all.end()) hdf5::unlink(observables.get(), name);
  for (const Average& average : all) {
    require_name(average.name, "average");
    const auto of_one = hdf5::require_group(observables.get(), average.name);
    write_numbers(of_one.get(), "mean", {}, &average.mean, average.unit);
    write_numbers(of_one.get(), "error", {}, &average.error, average.unit);
    if (!average.values.empty())
      write_numbers(of_one.get(), "value", {average.values.size()}, average.values.data(), average.unit);
  }
}

}  // namespace tessera::io
