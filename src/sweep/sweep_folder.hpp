// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>

#include "sweep/grid.hpp"

namespace tessera::program {

/// The files of a sweep:
///
///     sweep.ini              the sweep, as an input file
///     points/NAME.h5         the output of a point, NAME.json what it told at its end, NAME.log what went wrong
///     table.csv, table.h5    all points
///     plot.png
class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path input() const { return path_ / "sweep.ini"; }
  std::filesystem::path output(const std::string& point) const { return path_ / "points" / (point + ".h5"); }
  std::filesystem::path record(const std::string& point) const { return path_ / "points" / (point + ".json"); }
  std::filesystem::path log(const std::string& point) const { return path_ / "points" / (point + ".log"); }

  /// Makes the folder, or finds the sweep there: the same one, which goes on; or one with fewer values of the options
  /// that vary, or with another goal, which then is extended. Throws InputError if it holds another sweep, or anything
  /// else, or cannot be made.
  void claim(const Grid& grid, const OptionTable& table) const;

 private:
  std::filesystem::path path_;
};

/// A sweep as an input file with all defaults; the table is that of the method.
std::string input_of_sweep(const Grid& grid, const OptionTable& table);

/// The sweep in a folder by its sweep.ini: the method in the first line, "# tessera sweep METHOD".
std::string method_of_sweep(const SweepFolder& folder);

/// Its grid; the table is that of the method. Throws InputError if it cannot be read.
Grid grid_of_sweep(const SweepFolder& folder, const OptionTable& table);

/// Nobody else of those who ask has this lock of a folder while it lives; where the file system has no locks, it is
/// none.
class FolderLock {
 public:
  explicit FolderLock(const SweepFolder& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int file_ = -1;
};

}  // namespace tessera::program
