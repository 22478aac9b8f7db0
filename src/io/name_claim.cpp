// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/name_claim.hpp"

#include <array>
#include <optional>

#include "io/atomic_file.hpp"
#include "io/failure.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {
namespace {

enum class Lock { taken, held_elsewhere, unsupported };

/// Locks a whole file, for this open file description if the system supports that, else for this process.
Lock try_lock(int descriptor) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int status = uninterrupted([&] { return ::fcntl(descriptor, F_OFD_SETLK, &whole); });
  if (status < 0 && errno == EINVAL) status = uninterrupted([&] { return ::fcntl(descriptor, F_SETLK, &whole); });
  if (status == 0) return Lock::taken;
  return errno == EAGAIN || errno == EACCES ? Lock::held_elsewhere : Lock::unsupported;
}

/// Opens or creates the lock file. Returns nothing if another process removed or created it meanwhile.
std::optional<Descriptor> open_lock_file(const std::filesystem::path& lock) {
  Descriptor present(lock, O_RDWR | O_NOFOLLOW);
  if (present.valid()) return present;
  if (errno != ENOENT) throw InputError(cannot_write(lock) + system_reason(errno) + "; remove it if no run uses it");
  Descriptor fresh(lock, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (fresh.valid()) {
    // Every user with write permission for the directory can take over the lock file of a killed run.
    [[maybe_unused]] const int ignored = ::fchmod(fresh.get(), 0666);
    return fresh;
  }
  if (errno == EEXIST) return std::nullopt;
  throw InputError(cannot_write(lock) + system_reason(errno) + "; use a path in a directory that you may write to");
}

/// Description of the holder of the lock, from the lock file.
std::string holder(const Descriptor& file) {
  std::array<char, 200> text{};
  const ssize_t bytes = uninterrupted([&] { return ::pread(file.get(), text.data(), text.size(), 0); });
  return bytes > 0 ? " (" + printable({text.data(), static_cast<std::size_t>(bytes)}) + ")" : "";
}

void sign(const Descriptor& file) {
  const std::string text = "process " + std::to_string(::getpid()) + " on " + host_name();
  // For messages only; a full disk is no error.
  if (::ftruncate(file.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t ignored = ::pwrite(file.get(), text.data(), text.size(), 0);
  }
}

}  // namespace

NameClaim::NameClaim(const std::filesystem::path& path)
    : lock_(directory_of(path) / std::string(".").append(path.filename().string()).append(".lock")) {
  while (true) {
    auto file = open_lock_file(lock_);
    if (!file) continue;
    switch (try_lock(file->get())) {
      case Lock::held_elsewhere:
        throw InputError(cannot_write(path) + "another run" + holder(*file) +
                         " is writing it; use another path, or wait until that run ends");
      case Lock::unsupported:
        discard(lock_);
        return;
      case Lock::taken:
        if (!is_at(*file, lock_)) continue;  // the previous holder removed it at its end
        sign(*file);
        file_ = std::move(*file);
        return;
    }
  }
}

NameClaim::~NameClaim() {
  // Removed while locked, so that the next run creates a new file.
  if (exclusive()) discard(lock_);
}

}  // namespace tessera::io
