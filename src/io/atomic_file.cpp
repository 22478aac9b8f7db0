// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/atomic_file.hpp"

#include <linux/magic.h>
#include <signal.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <regex>
#include <string_view>
#include <vector>

#include "io/failure.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {
namespace {

[[noreturn]] void fail(int error) { throw Failure(system_reason(error)); }

std::string reason_and_remedy(int error, const std::string& remedy) {
  return system_reason(error) + "; " + (error == ENAMETOOLONG ? "use a shorter path" : remedy);
}

/// Throws InputError if the name of the temporary file is too long for its directory.
void require_room_for_name(const std::filesystem::path& path, const std::filesystem::path& temporary) {
  const auto most = ::pathconf(directory_of(path).c_str(), _PC_NAME_MAX);
  const auto bytes = static_cast<long>(path.filename().native().size());
  const auto excess = static_cast<long>(temporary.filename().native().size()) - most;
  if (most < 0 || excess <= 0) return;
  throw InputError(cannot_write(path) + "its name is too long: it has " + std::to_string(bytes) +
                   " bytes; use at most " + std::to_string(std::max(0L, bytes - excess)) +
                   ", so that a temporary file can have a longer name");
}

std::string prefix_of(const std::filesystem::path& path) {
  return std::string(".").append(path.filename().string()).append(".tmp-");
}

/// Whether a name is that of a temporary file with this prefix whose process has ended: on this host, or if `claimed`.
bool is_stale(std::string_view name, const std::string& prefix, bool claimed) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  pid_t process = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  name.remove_prefix(static_cast<std::size_t>(rest - name.data()));
  if (error != std::errc{} || process <= 0 || !name.starts_with("-")) return false;
  return claimed || (name.substr(1) == host_name() && ::kill(process, 0) != 0 && errno == ESRCH);
}

}  // namespace

std::string host_name() {
  std::array<char, 65> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  constexpr std::size_t longest = 32;
  return std::regex_replace(std::string(name.data()).substr(0, longest), std::regex("[^a-zA-Z0-9.-]"), "-");
}

std::filesystem::path temporary_path(const std::filesystem::path& path) {
  return directory_of(path) / (prefix_of(path) + std::to_string(::getpid()) + "-" + host_name());
}

void remove_stale_temporaries(const std::filesystem::path& path, bool claimed) noexcept {
  try {
    for (const auto& entry : std::filesystem::directory_iterator(directory_of(path)))
      if (is_stale(entry.path().filename().string(), prefix_of(path), claimed)) discard(entry.path());
  } catch (const std::exception&) {
    // The file can be created even if the directory cannot be listed.
  }
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::string cannot_write(const std::filesystem::path& path) {
  return std::string("cannot write '").append(path.string()).append("': ");
}

std::filesystem::path without_links(const std::filesystem::path& path) {
  constexpr int most_links = 40;  // the system's limit
  std::error_code error;
  auto target = path;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) return path;
  for (int links = 0; std::filesystem::is_symlink(target, error); ++links) {
    if (links == most_links) throw InputError(cannot_write(path) + system_reason(ELOOP) + "; use another path");
    target = directory_of(target) / std::filesystem::read_symlink(target, error);
  }
  return target;
}

void require_free(const std::filesystem::path& path) {
  if (KnownFile::at(path))
    throw InputError(cannot_write(path) + "it already exists; use another path, --overwrite or --restart");
}

void require_writable(const std::filesystem::path& path, bool may_exist) {
  const std::string refusal = cannot_write(path);
  if (!path.has_filename()) throw InputError(refusal + "it is not the name of a file; use a name such as run.h5");
  const auto directory = directory_of(path);
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0)
    throw InputError(refusal + "the directory '" + directory.string() + "'" +
                     (errno == ENOENT ? " does not exist" : ": " + reason_and_remedy(errno, "use another path")));
  if (!S_ISDIR(status.st_mode)) throw InputError(refusal + "'" + directory.string() + "' is not a directory");
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw InputError(refusal + "it is a directory; use the name of a file");
    if (!S_ISREG(status.st_mode)) throw InputError(refusal + "it is not a regular file; use the name of a file");
    if (!may_exist) require_free(path);
  }
  const auto probe = temporary_path(path);
  require_room_for_name(path, probe);
  if (!Descriptor(probe, O_WRONLY | O_CREAT).valid())
    throw InputError(refusal + reason_and_remedy(errno, "use a path in a directory that you may write to"));
  discard(probe);
}

bool is_unused(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDWR);
  struct statfs system {};
  struct stat status {};
  if (::fstatfs(file.get(), &system) != 0 || ::fstat(file.get(), &status) != 0 || status.st_nlink != 1) return false;
  const std::array<long, 5> local{EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
                                  OVERLAYFS_SUPER_MAGIC};
  // A lease is given only if nobody else has the file open. An opening causes a signal: here one without effect.
  return std::ranges::count(local, system.f_type) > 0 && ::fcntl(file.get(), F_SETSIG, SIGURG) == 0 &&
         ::fcntl(file.get(), F_SETLEASE, F_WRLCK) == 0 && ::fcntl(file.get(), F_SETLEASE, F_UNLCK) == 0;
}

void copy_contents(const KnownFile& known, const std::filesystem::path& to, FileBlocks blocks) {
  const int source = known.descriptor().get();
  const auto fail_to_read = [&] { throw Failure("cannot read the file that it continues: " + system_reason(errno)); };
  struct stat status {};
  if (::fstat(source, &status) != 0) fail_to_read();
  const Descriptor target(to, O_WRONLY | O_CREAT);
  if (!target.valid() || ::ftruncate(target.get(), status.st_size) != 0) fail(errno);
  // Fails on a file system without permissions; only the content matters.
  [[maybe_unused]] const int ignored = ::fchmod(target.get(), status.st_mode & 0777);
  blocks.resize(static_cast<std::size_t>(status.st_size) / file_block_bytes + 1, blocks.empty());
  std::vector<char> buffer(std::size_t{1} << 20);
  for (auto block = blocks.begin(); (block = std::find(block, blocks.end(), true)) != blocks.end();) {
    const auto offset = [&] { return std::min<off64_t>(status.st_size, (block - blocks.begin()) * file_block_bytes); };
    off64_t from = offset(), copied = from;
    block = std::find(block, blocks.end(), false);
    while (from < offset()) {
      const auto left = static_cast<std::size_t>(offset() - from);
      const auto copy = [&] { return ::copy_file_range(source, &from, target.get(), &copied, left, 0); };
      if (uninterrupted(copy) > 0) continue;
      // Where the kernel cannot copy between the two files.
      const auto read = [&] { return ::pread(source, buffer.data(), std::min(left, buffer.size()), from); };
      const ssize_t bytes = uninterrupted(read);
      if (bytes < 0) fail_to_read();
      if (bytes == 0) return;
      if (::lseek(target.get(), from, SEEK_SET) < 0 ||
          !write_fully(target.get(), buffer.data(), static_cast<std::size_t>(bytes)))
        fail(errno);
      copied = from += bytes;
    }
  }
}

void sync(const std::filesystem::path& path) {
  const bool directory = std::filesystem::is_directory(path);
  const Descriptor file(path, directory ? O_RDONLY | O_DIRECTORY : O_RDWR);
  if (!file.valid()) fail(errno);
  // Some file systems cannot sync a directory and return EINVAL; nothing more can be done for their renames.
  if (uninterrupted([&] { return ::fsync(file.get()); }) != 0 && !(directory && (errno == EINVAL || errno == ENOTSUP)))
    fail(errno);
}

std::shared_ptr<const KnownFile> replace(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  auto file = KnownFile::at(temporary);
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return file;
  if (uninterrupted([&] { return ::rename(temporary.c_str(), path.c_str()); }) != 0) {
    // An interrupted call may have renamed the file nevertheless; the temporary file does not exist then.
    const int error = errno;
    if (error != ENOENT || !file || !file->is_at(path)) fail(error);
  }
  return file;
}

void discard(const std::filesystem::path& path) noexcept { ::unlink(path.c_str()); }

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
