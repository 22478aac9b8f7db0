// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/file_parts.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <tessera/analysis/estimate.hpp>

#include "io/checksum.hpp"
#include "io/source.hpp"

namespace tessera::io {
namespace {

void write_members(hid_t group, const Provenance& p) {
  const std::pair<const char*, const std::string*> texts[] = {{"version", &p.version},
                                                              {"git_revision", &p.git_revision},
                                                              {"command_line", &p.command_line},
                                                              {"input", &p.input},
                                                              {"seed", &p.seed},
                                                              {"kokkos_version", &p.kokkos_version},
                                                              {"kokkos_configuration", &p.kokkos_configuration},
                                                              {"backend", &p.backend},
                                                              {"device", &p.device},
                                                              {"start", &p.start},
                                                              {"end", &p.end},
                                                              {"author", &p.author}};
  for (const auto& [name, text] : texts) hdf5::write_text(group, name, *text);
  if (!p.changes.empty()) {
    hdf5::write_text(group, "changes", p.changes);
    hdf5::write_array(group, "changed_at", ElementType::float64, {}, &p.changed_at);
  }
  if (!p.model.empty()) hdf5::write_text(group, "model", p.model);
  if (!p.known_bias.empty()) hdf5::write_text(group, "known_bias", p.known_bias);
  const auto wall = hdf5::write_array(group, "wall_seconds", ElementType::float64, {}, &p.wall_seconds);
  hdf5::write_unit(wall.get(), "s");
}

/// Calls visit(time) for the dataset `time` of all in these groups.
template <class Visit>
void visit_times(hid_t file, const std::initializer_list<const char*>& parents, const Visit& visit) {
  for (const std::string parent : parents)
    for (const auto& name : hdf5::names_in(file, parent))
      visit(hdf5::open_dataset(file, parent + "/" + name + "/time").get());
}

void write_numbers(hid_t group, const char* name, const hdf5::Shape& shape, const double* numbers,
                   const std::string& unit) {
  hdf5::write_unit(hdf5::write_array(group, name, ElementType::float64, shape, numbers).get(), unit);
}

/// Removes what is not in `names`.
template <class Items, class Name>
void keep_only(hid_t group, const Items& items, Name name) {
  for (const auto& present : hdf5::names_in(group))
    if (std::ranges::find(items, present, name) == items.end()) hdf5::unlink(group, present);
}

void write_stationarity(hid_t file, const Averages& averages, const std::string& time_unit) {
  const auto& all = averages.stationarity;
  if (all.empty()) return hdf5::unlink_any(file, "stationarity");
  const auto group = hdf5::require_group(file, "stationarity");
  keep_only(group.get(), all, [](const auto& one) { return one.first; });
  for (const auto& [name, tested] : all) {
    require_name(name, "stationarity");
    auto of_one = hdf5::require_group(group.get(), name);
    if (hdf5::has_attribute(of_one.get(), "autocorrelation_rows")) {  // of an earlier version
      hdf5::unlink(group.get(), name);
      of_one = hdf5::require_group(group.get(), name);
    }
    hdf5::write_attribute(of_one.get(), "result", std::string(result_text(tested.result)));
    hdf5::write_attribute(of_one.get(), "rows", tested.rows);
    hdf5::write_attribute(of_one.get(), "slow", tested.slow);
    for (const auto& [of, number] : tested.numbers()) hdf5::write_attribute(of_one.get(), of, number);
    if (!time_unit.empty()) hdf5::write_attribute(of_one.get(), "time_unit", time_unit);
  }
}

void write_observables(hid_t group, const Averages& averages, const std::string& time_unit) {
  write_numbers(group, "from", {}, &averages.from, time_unit);
  hdf5::write_attribute(group, "from_chosen_by", std::string(averages.from_is_chosen ? "auto" : "user"));
  hdf5::write_array(group, "rows", ElementType::uint64, {}, &averages.rows);
  const auto observables = hdf5::require_group(group, "observables");
  keep_only(observables.get(), averages.observables, &Average::name);
  for (const Average& average : averages.observables) {
    require_name(average.name, "average");
    const auto of_one = hdf5::require_group(observables.get(), average.name);
    write_numbers(of_one.get(), "mean", {}, &average.mean, average.unit);
    write_numbers(of_one.get(), "error", {}, &average.error, average.unit);
    write_numbers(of_one.get(), "autocorrelation_time", {}, &average.tau, time_unit);
    write_numbers(of_one.get(), "autocorrelation_time_error", {}, &average.tau_error, time_unit);
    if (!average.values.empty())
      write_numbers(of_one.get(), "value", {average.values.size()}, average.values.data(), average.unit);
  }
}

/// With several replicas mean and error are those over the replicas; the error is larger by the uncertainty of so few
/// ones' scatter.
void write_function(hid_t group, const AveragedFunction& function, const std::string& time_unit) {
  const std::size_t count = function.arguments.at(0).values.size(), replicas = function.values.size() / count;
  std::vector<double> mean = function.values, error = function.errors;
  if (replicas > 1) {
    error.resize(count);
    std::vector<double> values(replicas);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t r = 0; r < replicas; ++r) values[r] = function.values[r * count + i];
      const auto estimate = analysis::mean_of(values);
      mean[i] = estimate.value;
      error[i] = estimate.error * std::sqrt(1 + 2 / (static_cast<double>(replicas) - 1));
    }
  }
  for (const auto& argument : function.arguments) {
    require_name(argument.name, "argument");
    write_numbers(group, argument.name.c_str(), {count}, argument.values.data(), argument.unit);
  }
  hdf5::write_attribute(group, "from", function.from);
  hdf5::write_attribute(group, "time_unit", time_unit);
  hdf5::write_attribute(group, "samples", function.samples);
  write_numbers(group, "mean", {count}, mean.data(), function.unit);
  if (!error.empty()) write_numbers(group, "error", {count}, error.data(), function.unit);
  if (replicas > 1) write_numbers(group, "value", {replicas, count}, function.values.data(), function.unit);
}

}  // namespace

void write_provenance(hid_t file, const Provenance& provenance, std::size_t restart) {
  const auto group = hdf5::require_group(file, "provenance");
  if (restart == 0) return write_members(group.get(), provenance);
  const auto restarts = hdf5::require_group(group.get(), "restarts");
  write_members(hdf5::require_group(restarts.get(), std::to_string(restart)).get(), provenance);
}

void write_identity(hid_t file, const std::string& method, const Provenance& provenance) {
  hdf5::write_attribute(file, "format_version", std::int32_t{current_format});
  hdf5::write_attribute(file, "tessera_version", provenance.version);
  hdf5::write_attribute(file, "method", method);
  bool one_per_row = true;  // as in H5MD: not if replicas have different times
  visit_times(file, {"observables", "fields"},
              [&](hid_t time) { one_per_row = one_per_row && hdf5::shape_of(time).size() == 1; });
  if (!one_per_row) return hdf5::unlink_any(file, "h5md");
  const auto h5md = hdf5::require_group(file, "h5md");
  hdf5::write_attribute<std::int32_t>(h5md.get(), "version", {1, 1});
  hdf5::write_attribute(hdf5::require_group(h5md.get(), "author").get(), "name", provenance.author);
  const auto creator = hdf5::require_group(h5md.get(), "creator");
  hdf5::write_attribute(creator.get(), "name", std::string("Tessera"));
  hdf5::write_attribute(creator.get(), "version", provenance.version);
}

std::uint64_t content_identity(hid_t file) {
  Checksum sum;
  for (const auto& name : hdf5::names_in(file, "checkpoint")) {
    const auto entry = hdf5::open_object(file, "checkpoint/" + name);
    sum.add(name);
    if (hdf5::has_attribute(entry.get(), "checksum")) sum.add(hdf5::read_unsigned_attribute(entry.get(), "checksum"));
  }
  return sum.value();
}

bool has_content(const std::filesystem::path& path, std::uint64_t identity) {
  try {
    return content_identity(CheckpointReader::Source(path).file.get()) == identity;
  } catch (const std::exception&) {
    return false;
  }
}

void write_time_unit(hid_t file, const std::string& unit) {
  visit_times(file, {"observables", "diagnostics", "slow_modes", "parameters", "fields"},
              [&](hid_t time) { hdf5::write_unit(time, unit); });
  if (unit.empty()) return;
  // Not as attribute `unit` of the times: readers of H5MD reject unknown units.
  for (const auto& name : hdf5::names_in(file, "particles"))
    hdf5::write_attribute(hdf5::open_group(file, "particles/" + name).get(), "time_unit", unit);
}

void write_averages(hid_t file, const Averages& averages, const std::string& time_unit) {
  write_stationarity(file, averages, time_unit);
  if (averages.observables.empty() && averages.functions.empty()) return hdf5::unlink_any(file, "averages");
  const auto group = hdf5::require_group(file, "averages");
  if (averages.observables.empty()) {
    for (const char* name : {"from", "rows", "observables"}) hdf5::unlink_any(group.get(), name);
  } else {
    write_observables(group.get(), averages, time_unit);
  }
  if (averages.functions.empty()) return hdf5::unlink_any(group.get(), "functions");
  const auto functions = hdf5::require_group(group.get(), "functions");
  keep_only(functions.get(), averages.functions, &AveragedFunction::name);
  for (const AveragedFunction& function : averages.functions) {
    require_name(function.name, "function");
    write_function(hdf5::require_group(functions.get(), function.name).get(), function, time_unit);
  }
}

void append_particles(hid_t file, const std::string& name, const std::string& length_unit, std::int64_t step,
                      double time, const std::array<double, 2>& box,
                      const std::vector<std::array<double, 2>>& positions) {
  const auto group = hdf5::require_group(hdf5::require_group(file, "particles").get(), name);
  // Not as attribute `unit` of the positions: readers reject unknown units.
  hdf5::write_attribute(group.get(), "length_unit", length_unit);
  // An element that depends on time.
  const auto append = [&](hid_t parent, const char* element, const hdf5::Shape& shape, const Content& values) {
    const auto of_element = hdf5::require_group(parent, element);
    hdf5::append_rows(of_element.get(), "step", ElementType::int64, {}, 1, &step);
    hdf5::append_rows(of_element.get(), "time", ElementType::float64, {}, 1, &time);
    hdf5::append_big_row(of_element.get(), "value", ElementType::float64, shape, values);
  };
  // An H5MD box: attributes `dimension` and `boundary`, one word per dimension, and `edges`, one vector per row.
  const auto of_box = hdf5::require_group(group.get(), "box");
  hdf5::write_attribute(of_box.get(), "dimension", std::int32_t{3});
  hdf5::write_attribute(of_box.get(), "boundary", std::vector<std::string>{"periodic", "periodic", "none"});
  const double edges[3][3] = {{box[0], 0, 0}, {0, box[1], 0}, {0, 0, 1}};
  append(of_box.get(), "edges", {3, 3}, {edges[0]});
  // Three coordinates, the third of which is 0.
  const auto read = [&](std::size_t first, std::size_t count, void* to) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t particle = (first + i) / 3, dimension = (first + i) % 3;
      static_cast<double*>(to)[i] = dimension < 2 ? positions[particle][dimension] : 0;
    }
  };
  append(group.get(), "position", {positions.size(), 3}, {nullptr, read});
}

}  // namespace tessera::io
