// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/contents.hpp"

#include <functional>
#include <sstream>

namespace tessera::io {
namespace {

using Visit = std::function<void(const std::string& path, hid_t dataset)>;

void visit_datasets(hid_t file, const std::string& path, const Visit& visit) {
  const auto object = hdf5::open_object(file, path);
  if (H5Iget_type(object.get()) == H5I_DATASET) visit(path, object.get());
  if (H5Iget_type(object.get()) != H5I_GROUP) return;
  for (const auto& name : hdf5::names_in(object.get())) visit_datasets(file, path + "/" + name, visit);
}

void visit_datasets(hid_t file, const Visit& visit) {
  for (const std::string group : groups_of_rows)
    if (hdf5::has_link(file, group)) visit_datasets(file, "/" + group, visit);
}

std::size_t rows_of(hid_t dataset) {
  const auto shape = hdf5::shape_of(dataset);
  return shape.empty() ? 0 : shape[0];
}

/// Whether a dataset can be extended: it is chunked and unlimited.
bool takes_rows(hid_t dataset) {
  const hdf5::Handle properties(H5Dget_create_plist(dataset), H5Pclose), space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> sizes(hdf5::shape_of(dataset).size() + 1), limits(sizes.size());
  hdf5::checked(H5Sget_simple_extent_dims(space.get(), sizes.data(), limits.data()));
  return H5Pget_layout(properties.get()) == H5D_CHUNKED && limits[0] == H5S_UNLIMITED;
}

}  // namespace

std::string contents_of(hid_t file) {
  std::string text;
  visit_datasets(file, [&](const std::string& path, hid_t dataset) {
    if (path.find('\n') == std::string::npos) text += path + ' ' + std::to_string(rows_of(dataset)) + '\n';
  });
  return text;
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
    visit_datasets(file, [&](const std::string& path, hid_t dataset) {
      if (!takes_rows(dataset))
        throw source.error("'" + path +
                           "' cannot be extended: another program, such as h5repack, has changed its storage; "
                           "use the file as Tessera wrote it");
    });
  });
}

}  // namespace tessera::io
