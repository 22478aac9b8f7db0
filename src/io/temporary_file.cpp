// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/temporary_file.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>

#include "io/atomic_file.hpp"

namespace tessera::io {
namespace {

std::string prefix_of(const std::filesystem::path& path) {
  return std::string(".").append(path.filename().string()).append(".tmp-");
}

struct Writer {
  pid_t process;
  std::string_view host;
};

/// Process that writes the temporary file of this name; nothing for other names.
std::optional<Writer> writer_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  Writer writer{};
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), writer.process);
  name.remove_prefix(static_cast<std::size_t>(rest - name.data()));
  if (error != std::errc{} || writer.process <= 0 || !name.starts_with("-")) return std::nullopt;
  writer.host = name.substr(1);
  return writer;
}

bool is_dead_here(const Writer& writer, const std::string& host) {
  return writer.host == host && ::kill(writer.process, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::string host_name() {
  std::array<char, 65> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  constexpr std::size_t longest = 32;
  std::string host = std::string(name.data()).substr(0, longest);
  const std::string_view known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
  for (char& letter : host)
    if (known.find(letter) == std::string_view::npos) letter = '-';
  return host;
}

std::filesystem::path temporary_path(const std::filesystem::path& path) {
  return directory_of(path) / (prefix_of(path) + std::to_string(::getpid()) + "-" + host_name());
}

void remove_stale_temporaries(const std::filesystem::path& path, bool claimed) noexcept {
  try {
    const std::string prefix = prefix_of(path);
    const std::string host = host_name();
    for (const auto& entry : std::filesystem::directory_iterator(directory_of(path))) {
      const std::string name = entry.path().filename().string();
      const auto writer = writer_of(name, prefix);
      if (writer && (claimed || is_dead_here(*writer, host))) discard(entry.path());
    }
  } catch (const std::exception&) {
    // The file can be created even if the directory cannot be listed.
  }
}

}  // namespace tessera::io
