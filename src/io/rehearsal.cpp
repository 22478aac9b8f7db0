// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/rehearsal.hpp"

#include <cstdint>

#include "io/averages.hpp"
#include "io/checkpoint_target.hpp"
#include "io/contents.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/identity.hpp"
#include "io/vtkhdf.hpp"
#include "io/writable_file.hpp"
#include "tessera/io/checkpoint.hpp"

namespace tessera::io {
namespace {

/// Adds a row, of which it writes the first element: that changes the chunk index as a whole row would.
void add_row(hid_t dataset) {
  hdf5::Shape corner(hdf5::shape_of(dataset).size(), 0);
  const hdf5::Shape one(corner.size(), 1);
  const std::uint64_t zero = 0;
  corner.at(0) = hdf5::add_rows(dataset, 1);
  if (const auto type = hdf5::element_type(dataset)) hdf5::write_block(dataset, *type, corner, one, &zero);
}

/// Adds a group to this group and to all groups below, and a row to their datasets.
void grow(hid_t group) {
  for (const auto& name : hdf5::names_in(group)) {
    const auto object = hdf5::open_object(group, name);
    if (H5Iget_type(object.get()) == H5I_GROUP) grow(object.get());
    if (H5Iget_type(object.get()) == H5I_DATASET) add_row(object.get());
  }
  hdf5::require_group(group, "rehearsal");
}

void replace_checkpoint(hid_t file) {
  CheckpointGroup checkpoint(file);
  checkpoint.scalar("entry", std::uint64_t{0});
  checkpoint.remove_unclaimed();
}

void rehearse_publication(const std::filesystem::path& path, const std::string& method, std::size_t restart) {
  auto file = hdf5::WritableFile::rehearse(path);
  write_provenance(file.get(), Provenance(), restart);
  write_identity(file.get(), method, Provenance());
  write_vtkhdf(file.get());
  replace_checkpoint(file.get());
  write_averages(file.get(), Averages(), "");
  for (const char* name : groups_of_rows)
    if (hdf5::has_link(file.get(), name)) grow(hdf5::open_group(file.get(), name).get());
  for (const char* name : {"/", "provenance", "checkpoint"})
    hdf5::require_group(hdf5::open_group(file.get(), name).get(), "rehearsal");
  file.close();
}

}  // namespace

std::size_t next_restart(const InputFile& file) {
  return 1 + (file.has("/provenance/restarts") ? file.names("/provenance/restarts").size() : 0);
}

void rehearse_continuation(const InputFile& file) {
  file.read_through();
  require_contents(file);
  rehearse_publication(file.path(), file.method(), next_restart(file));
}

}  // namespace tessera::io
