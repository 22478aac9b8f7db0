// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <cstdint>
#include <functional>
#include <sstream>

#include "io/file_parts.hpp"
#include "io/source.hpp"
#include "io/writable_file.hpp"

namespace tessera::io {
namespace {

using Visit = std::function<void(const std::string& path, hid_t object, bool is_group)>;

void visit_objects(hid_t file, const std::string& path, const Visit& visit) {
  const auto object = hdf5::open_object(file, path);
  const H5I_type_t kind = H5Iget_type(object.get());
  if (kind == H5I_GROUP)
    for (const auto& name : hdf5::names_in(object.get())) visit_objects(file, path + "/" + name, visit);
  if (kind == H5I_GROUP || kind == H5I_DATASET) visit(path, object.get(), kind == H5I_GROUP);
}

/// Calls visit(path, object, is_group) for the groups and datasets of rows, for each after those that are in it.
void visit_objects(hid_t file, const Visit& visit) {
  for (const std::string group :
       {"observables", "diagnostics", "slow_modes", "fields", "history", "particles", "parameters"})
    if (hdf5::has_link(file, group)) visit_objects(file, "/" + group, visit);
}

std::size_t rows_of(hid_t dataset) {
  const auto shape = hdf5::shape_of(dataset);
  return shape.empty() ? 0 : shape[0];
}

void require_contents(const InputFile& input) {
  const CheckpointReader::Source& source = input.source();
  const hid_t file = source.file.get();
  source.reading("its rows", [&] {
    const std::string entry = std::string("/checkpoint/") + contents_entry;
    if (!hdf5::has_link(file, entry)) throw source.error("'" + entry + "' is missing; use an undamaged copy");
    std::istringstream lines(input.checkpoint().text(contents_entry));
    for (std::string line; std::getline(lines, line);) {
      const auto blank = line.rfind(' ');
      if (!line.starts_with('/') || blank == std::string::npos)
        throw source.error("invalid checkpoint entry '" + std::string(contents_entry) + "'; use an undamaged copy");
      const std::string path = line.substr(0, blank), rows = line.substr(blank + 1);
      if (const std::string missing = hdf5::missing_part(file, path); !missing.empty())
        throw source.error("'" + missing + "', which the run wrote, is missing; use a complete copy");
      const auto now = std::to_string(rows_of(hdf5::open_dataset(file, path).get()));
      if (now != rows)
        throw source.error("'" + path + "' has " + now + " rows, but the run wrote " + rows + "; use a complete copy");
    }
    visit_objects(file, [&](const std::string& path, hid_t object, bool is_group) {
      if (!is_group && H5Pget_layout(hdf5::Handle(H5Dget_create_plist(object), H5Pclose).get()) != H5D_CHUNKED)
        throw source.error("'" + path +
                           "' cannot be extended: another program, such as h5repack, has changed its storage; "
                           "use the file as Tessera wrote it");
    });
  });
}

/// Adds a group to a group, and a row to a dataset, whose first element it writes to change the chunk index.
void grow(const std::string&, hid_t object, bool is_group) {
  if (is_group) return void(hdf5::require_group(object, "rehearsal"));
  hdf5::Shape corner(hdf5::shape_of(object).size(), 0);
  const hdf5::Shape one(corner.size(), 1);
  const std::uint64_t zero = 0;
  corner.at(0) = hdf5::add_rows(object, 1);
  if (const auto type = hdf5::element_type(object)) hdf5::write_block(object, *type, corner, one, &zero);
}

}  // namespace

std::string contents_of(hid_t file) {
  std::string text;
  visit_objects(file, [&](const std::string& path, hid_t object, bool is_group) {
    if (!is_group && path.find('\n') == std::string::npos) text += path + ' ' + std::to_string(rows_of(object)) + '\n';
  });
  return text;
}

std::size_t next_restart(const InputFile& file) {
  return 1 + (file.has("/provenance/restarts") ? file.names("/provenance/restarts").size() : 0);
}

void rehearse_continuation(const InputFile& file) {
  file.read_through();
  require_contents(file);
  hdf5::WritableFile rehearsed(file.path(), hdf5::WritableFile::Opening::rehearse);
  const hid_t open = rehearsed.get();
  write_provenance(open, Provenance(), next_restart(file));
  write_identity(open, file.method(), Provenance());
  write_vtkhdf(open);
  {
    CheckpointGroup checkpoint(open);
    checkpoint.scalar("entry", std::uint64_t{0});
    checkpoint.remove_unclaimed();
  }
  write_averages(open, Averages(), "");
  visit_objects(open, grow);
  for (const char* name : {"/", "provenance", "checkpoint"})
    hdf5::require_group(hdf5::open_group(open, name).get(), "rehearsal");
  rehearsed.close();
}

}  // namespace tessera::io
