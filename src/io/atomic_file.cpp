// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <vector>

#include "io/failure.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, mode_t mode = 0666) {
    do {
      number_ = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    } while (number_ < 0 && errno == EINTR);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

std::string temporary_prefix(const std::filesystem::path& path) {
  return std::string(".").append(path.filename().string()).append(".tmp-");
}

[[noreturn]] void fail(int error) { throw Failure(reason(error)); }

void write_fully(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(errno);
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Lets the kernel copy. Returns false if it cannot between these two files and nothing was copied.
bool copy_in_kernel([[maybe_unused]] const Descriptor& from, [[maybe_unused]] const Descriptor& to) {
#ifdef __linux__
  bool started = false;
  while (true) {
    const ssize_t copied = ::copy_file_range(from.get(), nullptr, to.get(), nullptr, std::size_t{1} << 30, 0);
    if (copied == 0) return started;
    if (copied > 0) {
      started = true;
    } else if (errno != EINTR) {
      if (started || errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO) fail(errno);
      return false;
    }
  }
#else
  return false;
#endif
}

}  // namespace

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path temporary_path(const std::filesystem::path& path) {
  return directory_of(path) / (temporary_prefix(path) + std::to_string(::getpid()));
}

void remove_stale_temporaries(const std::filesystem::path& path) noexcept {
  try {
    const std::string prefix = temporary_prefix(path);
    for (const auto& entry : std::filesystem::directory_iterator(directory_of(path))) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(prefix)) continue;
      pid_t process = 0;
      const char* const end = name.data() + name.size();
      const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, process);
      if (error != std::errc{} || rest != end || process <= 0) continue;
      if (::kill(process, 0) != 0 && errno == ESRCH) discard(entry.path());
    }
  } catch (const std::exception&) {
    // A directory that cannot be listed can still take the file.
  }
}

void require_writable(const std::filesystem::path& path, bool may_exist) {
  const std::string quoted = std::string("'").append(path.string()).append("'");
  if (!path.has_filename())
    throw InputError("cannot write " + quoted + ": it does not name a file; give a name such as run.h5");
  const auto directory = directory_of(path);
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) {
    throw InputError("cannot write " + quoted + ": the directory '" + directory.string() + "': " + reason(errno) +
                     "; give a path in an existing directory");
  }
  if (!S_ISDIR(status.st_mode)) {
    throw InputError("cannot write " + quoted + ": '" + directory.string() +
                     "' is not a directory; give a path in an existing directory");
  }
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      throw InputError("cannot write " + quoted + ": it is a directory; give the name of a file");
    if (!S_ISREG(status.st_mode))
      throw InputError("cannot write " + quoted + ": it is not a regular file; give the name of a file");
    if (!may_exist) {
      throw InputError("cannot write " + quoted +
                       ": it exists; give another path, allow overwriting, or restart from it");
    }
  }
  const auto probe = temporary_path(path);
  if (!Descriptor(probe, O_WRONLY | O_CREAT).valid()) {
    throw InputError("cannot write " + quoted + ": " + reason(errno) +
                     "; give a path in a directory that you may write to");
  }
  discard(probe);
}

void copy_contents(const std::filesystem::path& from, const std::filesystem::path& to) {
  const Descriptor source(from, O_RDONLY);
  if (!source.valid()) throw Failure("cannot read '" + from.string() + "': " + reason(errno));
  const Descriptor target(to, O_WRONLY | O_CREAT | O_TRUNC);
  if (!target.valid()) fail(errno);
  struct stat status {};
  if (::fstat(source.get(), &status) != 0) throw Failure("cannot read '" + from.string() + "': " + reason(errno));
  // A file system without permissions refuses; the content matters.
  [[maybe_unused]] const int ignored = ::fchmod(target.get(), status.st_mode & 0777);
  if (copy_in_kernel(source, target)) return;
  std::vector<char> block(std::size_t{1} << 20);
  while (true) {
    const ssize_t bytes = ::read(source.get(), block.data(), block.size());
    if (bytes == 0) return;
    if (bytes > 0) {
      write_fully(target.get(), block.data(), static_cast<std::size_t>(bytes));
    } else if (errno != EINTR) {
      throw Failure("cannot read '" + from.string() + "': " + reason(errno));
    }
  }
}

void sync(const std::filesystem::path& path) {
  const bool directory = std::filesystem::is_directory(path);
  const Descriptor file(path, directory ? O_RDONLY | O_DIRECTORY : O_RDWR);
  if (!file.valid()) fail(errno);
  // Some file systems cannot sync a directory and say EINVAL: their renames are as durable as they get.
  if (::fsync(file.get()) != 0 && !(directory && (errno == EINVAL || errno == ENOTSUP))) fail(errno);
}

void replace(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail(errno);
}

void discard(const std::filesystem::path& path) noexcept { ::unlink(path.c_str()); }

}  // namespace tessera::io
