// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/identity.hpp"

#include <array>
#include <initializer_list>

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

/// Whether a file conforms to H5MD, which has one time per row: not if replicas have different times.
bool times_are_h5md(hid_t file) {
  bool one_per_row = true;
  visit_times(file, {"observables", "fields"},
              [&](hid_t time) { one_per_row = one_per_row && hdf5::shape_of(time).size() == 1; });
  return one_per_row;
}

}  // namespace

void write_provenance(hid_t file, const Provenance& provenance, std::size_t restart) {
  const auto group = hdf5::require_group(file, "provenance");
  if (restart == 0) return write_members(group.get(), provenance);
  const auto restarts = hdf5::require_group(group.get(), "restarts");
  write_members(hdf5::require_group(restarts.get(), std::to_string(restart)).get(), provenance);
}

void write_identity(hid_t file, const std::string& method, const Provenance& provenance) {
  const auto format = static_cast<std::int32_t>(current_format);
  hdf5::write_attribute(file, "format_version", ElementType::int32, {}, &format);
  hdf5::write_attribute(file, "tessera_version", provenance.version);
  hdf5::write_attribute(file, "method", method);
  if (!times_are_h5md(file)) return hdf5::unlink_any(file, "h5md");
  const auto h5md = hdf5::require_group(file, "h5md");
  const std::array<std::int32_t, 2> version{1, 1};
  hdf5::write_attribute(h5md.get(), "version", ElementType::int32, {2}, version.data());
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
  visit_times(file, {"observables", "diagnostics", "parameters", "fields"}, [&](hid_t time) { hdf5::write_unit(time, unit); });
  if (unit.empty()) return;
  // Not as attribute `unit` of the times: readers of H5MD reject unknown units.
  for (const auto& name : hdf5::names_in(file, "particles"))
    hdf5::write_attribute(hdf5::open_group(file, "particles/" + name).get(), "time_unit", unit);
}

}  // namespace tessera::io
