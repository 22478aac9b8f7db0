// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/rehearsal.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/checkpoint_target.hpp"
#include "io/failure.hpp"
#include "io/hdf5_dataset.hpp"
#include "io/identity.hpp"
#include "io/vtkhdf.hpp"
#include "io/writable_file.hpp"
#include "tessera/io/checkpoint_writer.hpp"

namespace tessera::io {

namespace {

/// Writes one element, the first of a row: what leads to its chunk is changed, as by a whole row.
void touch_row(hid_t dataset, std::size_t row) {
  std::vector<hsize_t> corner(hdf5::shape_of(dataset).size(), 0), one(corner.size(), 1);
  corner[0] = row;
  const hdf5::Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  hdf5::checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, corner.data(), nullptr, one.data(), nullptr));
  const hdf5::Handle memory(H5Screate(H5S_SCALAR), H5Sclose);
  const std::vector<char> zero(H5Tget_size(type.get()), 0);
  hdf5::checked(H5Dwrite(dataset, type.get(), memory.get(), space.get(), H5P_DEFAULT, zero.data()));
}

/// Adds a group to this one and those below, and a row to the datasets in them.
void grow(hid_t group) {
  for (const auto& name : hdf5::names_in(group)) {
    const auto object = hdf5::open_object(group, name);
    if (H5Iget_type(object.get()) == H5I_GROUP) grow(object.get());
    if (H5Iget_type(object.get()) == H5I_DATASET) touch_row(object.get(), hdf5::add_rows(object.get(), 1));
  }
  hdf5::require_group(group, "rehearsal");
}

void replace_checkpoint(hid_t file) {
  CheckpointWriter::Target target(file);
  CheckpointWriter writer(target);
  writer.scalar("entry", std::uint64_t{0});
  target.remove_unclaimed();
}

/// Throws what HDF5 reports of the changes that a publication makes.
void change_all(const std::filesystem::path& path, const std::string& method, std::size_t restart) {
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

void write_all(int descriptor, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t bytes = ::write(descriptor, text.data() + written, text.size() - written);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return;
    written += static_cast<std::size_t>(bytes);
  }
}

std::string read_all(int descriptor) {
  std::string text;
  char part[256];
  for (;;) {
    const ssize_t bytes = ::read(descriptor, part, sizeof(part));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return text;
    text.append(part, static_cast<std::size_t>(bytes));
  }
}

enum class Outcome : char { good = '+', damaged = '-', failed = '!' };

/// What the child does: it tells the outcome, and the reason if it is not good. Its last words, should the library end
/// it, and an image of its memory are of use to nobody.
template <class Action>
[[noreturn]] void tell_outcome(int parent, Action&& action) noexcept {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const auto tell = [&](Outcome outcome, const char* reason) {
    write_all(parent, std::string(1, static_cast<char>(outcome)) + reason);
  };
  try {
    action();
    tell(Outcome::good, "");
  } catch (const Failure& failure) {
    tell(Outcome::damaged, failure.what());
  } catch (const std::exception& failure) {
    tell(Outcome::failed, failure.what());
  }
  ::_exit(0);
}

}  // namespace

void rehearse_publication(const std::filesystem::path& path, const std::string& method, std::size_t restart) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return change_all(path, method, restart);
  const pid_t child = ::fork();
  if (child == 0) tell_outcome(ends[1], [&] { change_all(path, method, restart); });
  ::close(ends[1]);
  const std::string told = child < 0 ? "" : read_all(ends[0]);
  ::close(ends[0]);
  if (child < 0) return change_all(path, method, restart);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (told.empty()) throw Failure("the HDF5 library breaks down over it");
  switch (Outcome{told.front()}) {
    case Outcome::good:
      return;
    case Outcome::damaged:
      throw Failure(told.substr(1));
    case Outcome::failed:
      throw std::runtime_error(told.substr(1));
  }
}

}  // namespace tessera::io
