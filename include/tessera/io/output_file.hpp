// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/core/observable.hpp"
#include "tessera/core/stationarity.hpp"
#include "tessera/io/checkpoint.hpp"

namespace tessera::io {

class InputFile;

/// Origin of the data of a file. `/provenance` has one scalar dataset per member, with the member's name; each restart
/// that continued the file adds a set under `/provenance/restarts/<n>`, n = 1, 2, ...
struct Provenance {
  std::string version;               ///< version of Tessera; also the root attribute `tessera_version`
  std::string git_revision;          ///< revision that the program was built from, empty if unknown
  std::string command_line;          ///< as the user typed it
  std::string input;                 ///< full input, every key with its value, in the syntax of an input file
  std::string model = {};            ///< of model and quantities, a JSON object for readers; not written if empty
  std::string known_bias = {};       ///< known deviations of observables, a JSON object; not written if empty
  std::string seed;                  ///< seed in decimal digits
  std::string kokkos_version;        ///< "major.minor.patch"
  std::string kokkos_configuration;  ///< configuration of Kokkos, as it prints it
  std::string backend;               ///< "serial", "openmp", "cuda" or "hip"
  std::string device;                ///< name of the device or the processor
  std::string start;                 ///< ISO 8601 with the time zone
  std::string end;                   ///< ISO 8601 with the time zone: time of writing of the file
  std::string author = "not given";  ///< person who made the run; H5MD's /h5md/author/name
  std::string changes = {};          ///< lines "key = value # value before" of the parameters that this restart changed
  double changed_at = 0;             ///< time of that change; neither is written if there is none
  double wall_seconds = 0;           ///< wall time of this run, without that of the run it continues
};

/// Mean of an observable over the rows after a time, and its standard error, NaN if undefined.
struct Average {
  std::string name, unit;           ///< of the observable
  double mean = 0, error = 0;       ///< over rows and replicas; the standard error is NaN if undefined
  double tau = 0, tau_error = 0;    ///< integrated autocorrelation time in units of time, and its standard error
  std::vector<double> values = {};  ///< mean of each replica, if there are several with one value each
};

/// Averages of a run: over `rows` rows after the time `from`.
struct Averages {
  double from = 0;                        ///< time
  std::uint64_t rows = 0;                 ///< averaged
  std::vector<Average> observables = {};  ///< those with an average
  bool from_is_chosen = false;            ///< by the run, from its rows
  /// Of each of the observables, or of the samples of a run without averages.
  std::vector<std::pair<std::string, Stationarity>> stationarity = {};
  std::vector<AveragedFunction> functions = {};  ///< over the samples of the method, whatever `from` is
};

/// One row of a field; refers to the caller's data.
struct FieldRow {
  const std::string& name;                ///< of the group in /fields
  const std::string& unit;                ///< empty for pure numbers
  std::int64_t step;                      ///< number of events, attempts or sweeps
  std::span<const double> times;          ///< one in all, or [replicas]
  ElementType type;                       ///< of `content`
  const Content& content;                 ///< [replicas][shape]
  std::size_t count;                      ///< of elements of all replicas
  const std::vector<std::size_t>& shape;  ///< of one replica
};

/// The output file of a run, complete or absent. No file exists at its path before the first publish(); each publish()
/// replaces the whole file by one rename. In between, up to most_pending_bytes of rows are in memory, further rows and
/// fields in a temporary file `.<name>.tmp-<process id>-<host>` in the same directory, which the destructor removes. A
/// temporary file of a killed process is removed when the same output is opened again.
///
/// From the third publish() on, the temporary file is the one that the last publish() replaced, to which the blocks
/// that have changed since are copied; or a copy of the whole file, if a program may have that one open.
///
/// A path belongs to one OutputFile at a time, among all processes and hosts. The first one holds a system lock on
/// `.<name>.lock` in the same directory for its lifetime. On file systems without locks, and against other programs,
/// publish() does not replace a file that it did not write or find at the beginning, or whose content has changed.
///
/// The layout, H5MD's where H5MD has one, is that of docs/output.md; units are attributes `unit`. publish() adds to the
/// checkpoint the entry `contents`, the number of rows of each dataset.
///
/// Throws std::invalid_argument if the caller violates a precondition (a wrong shape, a changed unit). A failure to
/// write throws RunError with the file and the reason, removes the temporary file and leaves the published file
/// unchanged; every later call throws RunError. Not thread-safe.
class OutputFile {
 public:
  static constexpr std::size_t most_pending_bytes = std::size_t{1} << 26;

  /// Creates a file at `path` for the given method ("kmc", "kpz", "disks"). Only the lock is on the disk before the
  /// first field() or publish(), or many rows. Throws InputError if the directory is missing or not writable, if `path`
  /// is a directory or not a regular file, if it exists and `overwrite` is false, or if another OutputFile uses it.
  /// With `overwrite` an existing file remains until the first publish().
  static OutputFile create(const std::filesystem::path& path, const std::string& method, bool overwrite = false);

  /// Continues the file at `path`: rows, fields and histories are appended, the checkpoint is replaced. Throws
  /// InputError as InputFile does, if the file is of another method, or if it or its directory is not writable.
  static OutputFile append(const std::filesystem::path& path, const std::string& method);

  /// Continues the file at `source` in a new file at `path`; `source` is not changed. The content is that of `source`
  /// now, even if its own run replaces it later. Throws InputError as append() and create() do.
  static OutputFile continue_from(const std::filesystem::path& source, const std::filesystem::path& path,
                                  const std::string& method, bool overwrite = false);

  OutputFile(OutputFile&&) noexcept;             ///< the other may only be destroyed
  OutputFile& operator=(OutputFile&&) noexcept;  ///< likewise
  ~OutputFile();                                 ///< removes the temporary file and the lock

  const std::filesystem::path& path() const;  ///< of the published file

  /// The continued file. Throws std::invalid_argument if there is none, or after publish().
  const InputFile& continued() const;

  /// Sets the unit of all times in the file: attribute `unit` of every `time` of observables and fields, and
  /// `time_unit` of groups of particles; empty: no unit. Call it before the first publish(), also for a continued file.
  void time_unit(const std::string& unit);

  /// Adds a row to an observable, a diagnostic or a slow mode: it has one value per replica, and no errors or one per
  /// replica; `times` has one entry in all or one per replica. The number of replicas and the unit are fixed by the
  /// observable's first row; a row that continues a file with another number of replicas or another unit throws
  /// InputError.
  ///
  /// One value at the times of several replicas is of all of them together, at the mean of their times.
  void row(const Observable& observable, std::int64_t step, std::span<const double> times);

  /// Adds a row to a parameter of the model that changes with time.
  void parameter(const std::string& name, std::int64_t step, double time, double value);

  /// Adds a row to a field and writes it to the temporary file at once; the data are not copied. `shape` is that of one
  /// replica, for example {ny, nx}; `data` has R x product(shape) elements in host memory, row-major, replica by
  /// replica; `times` has one entry in all or R. The first row fixes type, unit, shape and R, as in row().
  template <std::ranges::contiguous_range Range>
  requires Element<std::ranges::range_value_t<Range>>
  void field(const std::string& name, const std::string& unit, std::int64_t step, std::span<const double> times,
             const Range& data, const std::vector<std::size_t>& shape) {
    field({name, unit, step, times, element_type_of<std::ranges::range_value_t<Range>>(),
           Content{std::ranges::data(data), {}}, std::ranges::size(data), shape});
  }

  /// The same for elements of any type.
  void field(const FieldRow& row);

  /// Adds a frame to `/particles/<name>`, or with R > 1 replicas to `/particles/<name>_<replica>`, and writes it to the
  /// temporary file at once: positions[replica][particle] of disks of diameter 1 in a periodic box with these sides,
  /// whose corner is the origin. The number of particles is fixed by the first frame.
  void particles(const std::string& name, const std::string& unit, std::int64_t step, double time,
                 const std::array<double, 2>& box, const std::vector<std::vector<std::array<double, 2>>>& positions);

  /// Appends the rows of a table to `/history/<table.name>`, in the order of the calls.
  void history(const History& table);

  /// Sets `/averages` and `/stationarity` from the next publish() on; a group without members is not written.
  void averages(const Averages& averages);

  /// Sets the provenance of this run, before the first publish() and after changes (`end`, `wall_seconds`).
  void provenance(const Provenance& provenance);

  /// Writes everything that is pending and the checkpoint that `save` writes, and puts the complete file at path():
  /// flushed, synced and renamed. Entries of an earlier checkpoint that `save` does not write again are dropped. An
  /// exception of `save` is passed on; it counts as a failure to write.
  void publish(const std::function<void(CheckpointWriter&)>& save);

 private:
  class State;
  explicit OutputFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace tessera::io
