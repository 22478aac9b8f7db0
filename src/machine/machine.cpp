// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/parallel/world.hpp>
#include <utility>
#include <vector>

#include "machine/backend.hpp"
#include "machine/threads.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

namespace fs = std::filesystem;

/// Directories of the control groups of this process and of their parents, in the unified hierarchy (version 2) and of
/// `controller` in version 1. Some may not exist: in a container, its own group is the outermost.
std::vector<fs::path> control_groups(const fs::path& root, const std::string& controller) {
  std::vector<fs::path> groups;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && ("," + controllers + ",").find("," + controller + ",") == std::string::npos) continue;
    const fs::path base = root / "sys/fs/cgroup" / (controllers.empty() ? "" : controller);
    for (fs::path group = fs::path(line.substr(second + 1)).relative_path();; group = group.parent_path()) {
      groups.push_back(base / group);
      if (group.empty()) break;
    }
  }
  return groups;
}

/// First number in a file; empty if there is none, as in "max".
std::optional<double> number_in(const fs::path& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

/// Number after the words at the start of a line, "MemAvailable:   1024 kB"; empty also if there is no number, as in
/// "Max address space   unlimited   bytes".
std::optional<double> number_after(const std::string& words, const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    double value = 0;
    if (line.starts_with(words) && std::istringstream(line.substr(words.size())) >> value) return value;
  }
  return std::nullopt;
}

void lower(std::optional<double>& least, std::optional<double> value) {
  if (value && (!least || *value < *least)) least = value;
}

/// Limit of a control group minus its memory in use, without the file pages that the system can reclaim.
std::optional<double> left_in_group(const fs::path& limit, const fs::path& usage, const std::string& prefix) {
  const auto most = number_in(limit);
  const auto used = number_in(usage);
  if (!most || !used) return std::nullopt;
  const fs::path statistics = limit.parent_path() / "memory.stat";
  const double files = number_after(prefix + "inactive_file", statistics).value_or(0) +
                       number_after(prefix + "active_file", statistics).value_or(0);
  return std::max(0.0, *most - std::max(0.0, *used - files));
}

}  // namespace

std::optional<double> core_quota(const fs::path& root) {
  std::optional<double> least;
  const auto share = [](std::optional<double> quota, std::optional<double> period) {
    return quota && period && *quota > 0 && *period > 0 ? std::optional(*quota / *period) : std::nullopt;
  };
  for (const auto& group : control_groups(root, "cpu")) {
    std::ifstream file(group / "cpu.max");
    double quota = 0, period = 0;
    if (file >> quota >> period) lower(least, share(quota, period));
    lower(least, share(number_in(group / "cpu.cfs_quota_us"), number_in(group / "cpu.cfs_period_us")));
  }
  return least;
}

std::optional<std::size_t> available_memory(const fs::path& root) {
  std::optional<double> least;
  if (const auto kibibytes = number_after("MemAvailable:", root / "proc/meminfo")) least = *kibibytes * 1024;
  for (const auto& group : control_groups(root, "memory")) {
    lower(least, left_in_group(group / "memory.max", group / "memory.current", ""));
    lower(least, left_in_group(group / "memory.limit_in_bytes", group / "memory.usage_in_bytes", "total_"));
  }
  if (!least) return std::nullopt;
  return static_cast<std::size_t>(*least);
}

std::optional<std::size_t> left_by_limits(const fs::path& root) {
  const fs::path process = root / "proc/self";
  std::optional<double> least;
  for (const auto& [limit, usage] :
       {std::pair("Max address space", "VmSize:"), std::pair("Max data size", "VmData:")}) {
    const auto most = number_after(limit, process / "limits");  // the soft limit
    const auto used = number_after(usage, process / "status");  // in KiB
    if (most && used) lower(least, std::max(0.0, *most - *used * 1024));
  }
  if (!least) return std::nullopt;
  return static_cast<std::size_t>(*least);
}

std::string info() {
  std::ostringstream out;
  out << "tessera " << version() << " (revision " << git_revision() << ")\n";
  out << "Kokkos " << kokkos_version() << "\n";
  if (const std::string mpi = parallel::mpi_version(); !mpi.empty()) {
    out << "MPI " << mpi << ", transports:";
    for (const auto transport : parallel::transports()) out << ' ' << parallel::transport_name(transport);
    out << "\n";
  } else {
    out << "MPI: not in this build\n";
  }

  std::string reason;
  const auto devices = cuda_devices(&reason);
  Execution execution;
  execution.backend = choose_backend("");
  std::string obstacle;
  std::optional<KokkosScope> kokkos;
  try {
    execution.threads = choose_threads(execution.backend, 0);
    check_kokkos(execution);
  } catch (const InputError& error) {
    obstacle = error.what();
  }
  if (obstacle.empty()) kokkos.emplace(execution);

  out << "backends:\n";
  for (const Backend backend : built_backends()) {
    out << "  " << backend_name(backend);
    if (kokkos && backend == Backend::serial) out << ", " << counted(1, "thread");
    if (kokkos && backend == Backend::openmp) out << ", " << counted(concurrency(backend), "thread");
    if (kokkos && backend == Backend::cuda) out << ", " << concurrency(backend) << " threads at once";
    if (backend == execution.backend && kokkos) out << " (default)";
    out << '\n';
  }
  out << "CUDA devices:" << (devices.empty() ? " none (" + reason + ")" : "") << '\n';
  for (std::size_t number = 0; number < devices.size(); ++number) {
    const auto& device = devices[number];
    out << "  " << number << ": " << device.name << ", compute capability " << device.compute_capability << ", "
        << gibibytes(device.memory) << " GiB\n";
  }
  out << (kokkos ? "Kokkos configuration:" : obstacle) << '\n';
  std::istringstream configuration(kokkos ? kokkos_configuration() : "");
  for (std::string line; std::getline(configuration, line);) out << "  " << line << '\n';
  return out.str();
}

}  // namespace tessera::program
