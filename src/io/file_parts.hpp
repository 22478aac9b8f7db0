// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/input_file.hpp"
#include "tessera/io/output_file.hpp"

/// Parts of an output file. Functions that write throw Failure.
namespace tessera::io {

/// Writes `/provenance`, or `/provenance/restarts/<restart>` if not 0, over that of earlier publications of the run.
void write_provenance(hid_t file, const Provenance& provenance, std::size_t restart);

/// Writes the root attributes, and `/h5md` if all `time` datasets conform to H5MD.
void write_identity(hid_t file, const std::string& method, const Provenance& provenance);

/// Sets the unit of all times of observables, fields and particles.
void write_time_unit(hid_t file, const std::string& unit);

/// Identity of the content of a file, different for other runs and other times of the same run: a sum over the
/// checksums of its checkpoint. Throws Failure.
std::uint64_t content_identity(hid_t file);

/// Whether there is a readable file at `path` with this identity.
bool has_content(const std::filesystem::path& path, std::uint64_t identity);

/// Replaces the content of `/averages` and of `/stationarity`; removes a group that would be empty.
void write_averages(hid_t file, const Averages& averages, const std::string& time_unit);

/// Appends a frame to `/particles/<name>` in H5MD 1.1, with the three dimensions that readers require: a box of height
/// 1 with all particles at z = 0. `position/{step,time,value}`, [rows], [rows], [rows, N, 3], and likewise `box/edges`,
/// [rows, 3, 3]. Throws Failure, also if earlier frames have a different number of particles.
void append_particles(hid_t file, const std::string& name, const std::string& length_unit, std::int64_t step,
                      double time, const std::array<double, 2>& box,
                      const std::vector<std::array<double, 2>>& positions);

/// Updates `/VTKHDF` of an open file to its fields and particles, in version 2.0 of VTK's format, which ParaView 5.12
/// and newer reads. It contains the times and refers to the data without copying them.
///
/// Fields of two axes are an image in the x-y plane, those of three axes one in space, with a cell of side 1 for each
/// site, or of the sides that the model has. There is none of an oblique unit cell and of bcc and fcc lattices, of
/// which VTK has no images without a copy of the data. Each field is an array, or, for R > 1 replicas, `<name>_0`,
/// `<name>_1`, ... Fields on a lattice other than that of the first field are omitted. The steps are all times at
/// which a field was recorded, the smallest over the replicas; other fields have the values of their last row. Without
/// fields, particles are points with their `diameter`, 1, and, for several systems, with the number of the system,
/// `replica`.
void write_vtkhdf(hid_t file);

/// The group `/checkpoint` of a file open for writing. Throws Failure; std::invalid_argument for invalid names.
class CheckpointGroup : public CheckpointWriter {
 public:
  explicit CheckpointGroup(hid_t file);

  void write(const std::string& name, ElementType type, const Content& content, std::size_t count,
             const std::vector<std::size_t>& shape, const std::string& unit) override;
  void text(const std::string& name, const std::string& value) override;

  /// Removes the entries of an earlier checkpoint that were not written again.
  void remove_unclaimed();

 private:
  void claim(const std::string& name);

  hdf5::Handle group_;
  std::set<std::string> names_;
};

/// Checkpoint entry with the contents_of() its file.
inline constexpr const char* contents_entry = "contents";

/// Datasets of rows in a file, one line for each: path and number of rows. Throws Failure.
std::string contents_of(hid_t file);

/// Number of the next restart of a file, from 1. Throws InputError.
std::size_t next_restart(const InputFile& file);

/// Reads a whole file that will be continued, checks that it has all datasets of rows that its run wrote, and that all
/// can be extended, and rehearses the next publication in memory: adds to every group, extends growing datasets,
/// replaces the checkpoint. This detects damage in structures that HDF5 reads only when it writes. Throws InputError or
/// Failure.
void rehearse_continuation(const InputFile& file);

}  // namespace tessera::io
