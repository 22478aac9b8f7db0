// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <utility>

#include "io/failure.hpp"

/// Owned HDF5 identifiers, and HDF5's errors as exceptions: a Failure with HDF5's innermost reason.
namespace tessera::io::hdf5 {

/// Owns an identifier and closes it.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle() = default;
  /// Takes a new identifier; throws Failure with the reason if the call that created it failed (id < 0).
  Handle(hid_t id, Closer closer);
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { reset(); }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Closes; throws Failure on an error. The identifier is released in both cases.
  void close();
  /// Closes and ignores errors.
  void reset() noexcept;

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// HDF5's innermost reason for the last failure, as one line.
std::string last_reason();

/// Throws Failure with HDF5's reason if `status` is negative; returns it otherwise.
template <class Status>
Status checked(Status status) {
  if (status < 0) throw Failure(last_reason());
  return status;
}

/// File access properties: the format of HDF5 1.10, whose metadata have checksums, for any library version; no locks,
/// which some file systems lack and which files that appear by renaming do not need.
Handle access_properties();

/// The path in a form that HDF5 accepts: only absolute ones if the working directory's name has 1,024 bytes or more.
std::filesystem::path reachable(const std::filesystem::path& path);

/// Opens a file to read. Throws Failure.
Handle open_to_read(const std::filesystem::path& path);

/// Creation properties of this class (H5P_DATASET_CREATE, ...) without times, so that equal runs write equal bytes.
Handle creation_properties(hid_t kind);
Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const Handle& space, const Handle& properties);

/// These functions throw Failure for soft and external links, which Tessera does not write.
bool has_link(hid_t parent, const std::string& name);
/// First group or dataset of a path that is not in the file; empty if all are.
std::string missing_part(hid_t parent, const std::string& path);
Handle open_group(hid_t parent, const std::string& name);
/// Opens a group, creating it (but not its parents) if there is none.
Handle require_group(hid_t parent, const std::string& name);
Handle open_dataset(hid_t parent, const std::string& name);
/// Opens a dataset of an unknown file. Also throws Failure if its elements are not in the file, or are fewer than
/// claimed, since memory is allocated for them.
Handle open_unknown_dataset(hid_t parent, const std::string& name);
/// Whether a dataset has no elements of its own: it is a virtual dataset of others in the file, or has only its fill
/// value. Throws Failure if the others are in other files.
bool shows_others(hid_t dataset);
Handle open_object(hid_t parent, const std::string& name);
void unlink(hid_t parent, const std::string& name);
/// The same if there is such a link.
void unlink_any(hid_t parent, const std::string& name);

}  // namespace tessera::io::hdf5
