// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/rehearsal.hpp"

#include "io/checkpoint_target.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/identity.hpp"
#include "io/vtkhdf.hpp"
#include "io/writable_file.hpp"
#include "tessera/io/checkpoint_writer.hpp"

namespace tessera::io {

namespace {

/// Adds a group to this one and those below, and a row without content to the datasets in them.
void grow(hid_t group) {
  for (const auto& name : hdf5::names_in(group)) {
    const auto object = hdf5::open_object(group, name);
    if (H5Iget_type(object.get()) == H5I_GROUP) grow(object.get());
    if (H5Iget_type(object.get()) == H5I_DATASET) hdf5::add_rows(object.get(), 1);
  }
  hdf5::require_group(group, "rehearsal");
}

void replace_checkpoint(hid_t file) {
  CheckpointWriter::Target target(file);
  CheckpointWriter writer(target);
  writer.scalar("entry", std::uint64_t{0});
  target.remove_unclaimed();
}

}  // namespace

void rehearse_publication(const std::filesystem::path& path, const std::string& method, std::size_t restart) {
  auto file = hdf5::WritableFile::rehearse(path);
  write_provenance(file.get(), Provenance(), restart);
  write_identity(file.get(), method, Provenance());
  write_vtkhdf(file.get());
  replace_checkpoint(file.get());
  for (const char* name : {"observables", "fields", "history", "particles"}) {
    if (hdf5::has_link(file.get(), name)) grow(hdf5::open_group(file.get(), name).get());
  }
  for (const char* name : {"/", "provenance", "checkpoint"})
    hdf5::require_group(hdf5::open_group(file.get(), name).get(), "rehearsal");
  file.close();
}

}  // namespace tessera::io
