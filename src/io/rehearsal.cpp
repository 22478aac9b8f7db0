// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/rehearsal.hpp"

#include <vector>

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

/// Writes the first element of a row, which changes the chunk index as a whole row would.
void touch_row(hid_t dataset, std::size_t row) {
  std::vector<hsize_t> corner(hdf5::shape_of(dataset).size(), 0), one(corner.size(), 1);
  corner[0] = row;
  const hdf5::Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  hdf5::checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, corner.data(), nullptr, one.data(), nullptr));
  const hdf5::Handle memory(H5Screate(H5S_SCALAR), H5Sclose);
  const std::vector<char> zero(H5Tget_size(type.get()), 0);
  hdf5::checked(H5Dwrite(dataset, type.get(), memory.get(), space.get(), H5P_DEFAULT, zero.data()));
}

/// Adds a group to this group and to all groups below, and a row to their datasets.
void grow(hid_t group) {
  for (const auto& name : hdf5::names_in(group)) {
    const auto object = hdf5::open_object(group, name);
    if (H5Iget_type(object.get()) == H5I_GROUP) grow(object.get());
    if (H5Iget_type(object.get()) == H5I_DATASET) touch_row(object.get(), hdf5::add_rows(object.get(), 1));
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
  require_contents(file.source());
  rehearse_publication(file.path(), file.method(), next_restart(file));
}

}  // namespace tessera::io
