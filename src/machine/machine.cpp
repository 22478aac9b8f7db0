// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <regex>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/parallel/world.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "options/text.hpp"

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace tessera::program {
namespace {

namespace fs = std::filesystem;

/// Directories of the control groups of this process and of their parents, in the unified hierarchy (version 2) and of
/// `controller` in version 1. Some may not exist: in a container, its own group is the outermost.
std::vector<fs::path> control_groups(const fs::path& root, const std::string& controller) {
  std::vector<fs::path> groups;
  std::ifstream file(root / "proc/self/cgroup");
  const std::regex form("[^:]*:(|(?:[^:]*,)?(" + controller + ")(?:,[^:]*)?):(.*)");
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, form)) continue;
    const fs::path base = root / "sys/fs/cgroup" / match[2].str();
    for (fs::path group = fs::path(match[3].str()).relative_path();; group = group.parent_path()) {
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

std::size_t of_run = 0;  ///< host memory of the run

constexpr double gibibyte = 1 << 30;

/// Address space of this process in bytes; 0 if not available. Allocates nothing.
double address_space() {
  std::array<char, 64> text{};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
  if (file >= 0) close(file);
  return bytes <= 0 ? 0 : std::strtod(text.data(), nullptr) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Exception with the text of memory_shortage(), constructed without an allocation.
class Shortage : public std::bad_alloc {
 public:
  Shortage() noexcept {
    add("out of memory: the process has %.3g GiB", address_space() / gibibyte);
    if (of_run > 0) add(", the run needs about %.3g GiB", static_cast<double>(of_run) / gibibyte);
    rlimit limit{};
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (limited) add(", and ulimit -v allows %.3g GiB", static_cast<double>(limit.rlim_cur) / gibibyte);
    add("; %suse a smaller system, fewer replicas or fewer threads", limited ? "raise that limit, or " : "");
  }

  const char* what() const noexcept override { return text_.data(); }

 private:
  template <class... Values>
  void add(const char* format, Values... values) noexcept {
    const int more = std::snprintf(text_.data() + length_, text_.size() - length_, format, values...);
    if (more > 0) length_ = std::min(text_.size() - 1, length_ + static_cast<std::size_t>(more));
  }

  std::array<char, 400> text_{};
  std::size_t length_ = 0;
};

void compare(std::size_t needed, const std::optional<std::size_t>& available, const std::string& where,
             bool limited = false) {
  if (!available || needed <= *available) return;
  throw InputError("the run needs " + gibibytes(needed) + " GiB of " + where + " memory, but " +
                   (limited ? "ulimit leaves " + gibibytes(*available) + " GiB; raise that limit, or"
                            : gibibytes(*available) + " GiB are available;") +
                   " use a smaller system or fewer replicas");
}

int check_count(const std::string& name, int count) {
  if (count < 1 || count > most_threads)
    throw InputError(name + ": must lie in [1, " + std::to_string(most_threads) + "]");
#if defined(KOKKOS_ENABLE_OPENMP)
  if (count > omp_get_thread_limit())
    throw InputError(name + ": OMP_THREAD_LIMIT allows at most " + std::to_string(omp_get_thread_limit()));
#endif
  return count;
}

/// Number in an environment variable; the first of a list "4,2" as in OpenMP.
std::optional<int> count_in_environment(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  const std::string text = value;
  const std::string name = "environment variable " + std::string(variable) + "=" + quoted_word(text);
  int count = 0;
  with_prefix(name + ": ", [&] { read_value(text.substr(0, text.find(',')), count); });
  return check_count(name, count);
}

/// This number of cores, or fewer if control groups allow fewer.
int within_quota(double cores) {
  return std::max(1, static_cast<int>(std::min(cores, std::ceil(core_quota().value_or(cores)))));
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

int available_cores() {
#if defined(KOKKOS_ENABLE_OPENMP)
  return within_quota(omp_get_num_procs());
#else
  return within_quota(std::thread::hardware_concurrency());
#endif
}

int choose_threads(Backend backend, int wanted, int ranks) {
  if (wanted != 0) check_count("--threads " + std::to_string(wanted), wanted);
  if (backend == Backend::serial) return 1;
  if (wanted != 0) return wanted;
  for (const char* variable : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const auto count = count_in_environment(variable)) return *count;
  int most = most_threads;
#if defined(KOKKOS_ENABLE_OPENMP)
  most = std::min(most, omp_get_thread_limit());
#endif
  // All processes of a node may use its cores together.
  const auto of_node = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (ranks > 1) most = std::min(most, std::max(1, within_quota(of_node) / ranks));
  return std::min(most, available_cores());
}

std::optional<std::size_t> available_memory(const fs::path& root) {
  std::optional<double> least;
  if (const auto kibibytes = number_after("MemAvailable:", root / "proc/meminfo")) least = *kibibytes * 1024;
  for (const auto& group : control_groups(root, "memory")) {
    lower(least, left_in_group(group / "memory.max", group / "memory.current", ""));
    lower(least, left_in_group(group / "memory.limit_in_bytes", group / "memory.usage_in_bytes", "total_"));
  }
  return least ? std::optional(static_cast<std::size_t>(*least)) : std::nullopt;
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
  return least ? std::optional(static_cast<std::size_t>(*least)) : std::nullopt;
}

AvailableMemory available_for(const Execution& execution) {
  AvailableMemory available;
  available.host = available_memory();
  if (const auto left = left_by_limits(); left && (!available.host || *left < *available.host)) {
    available.host = left;
    available.host_limited = true;
  }
  if (is_gpu(execution.backend)) available.device = free_device_memory(execution.device);
  return available;
}

void check_memory(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available) {
  const bool apart = is_gpu(backend);
  of_run = apart ? needed.host : needed.host + needed.device;
  compare(of_run, available.host, "host", available.host_limited);
  if (apart) compare(needed.device, available.device, "device");
}

void explain_bad_alloc() {
  std::set_new_handler([] { throw Shortage(); });
}

std::string memory_shortage() { return Shortage().what(); }

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
  const auto devices = gpu_devices(&reason);
  Execution execution;
  execution.backend = choose_backend("");
  std::string obstacle;
  std::optional<Kokkos::ScopeGuard> kokkos;
  try {
    execution.threads = choose_threads(execution.backend, 0);
    check_kokkos(execution);
  } catch (const InputError& error) {
    obstacle = error.what();
  }
  if (obstacle.empty()) kokkos.emplace(kokkos_settings(execution));

  out << "backends:\n";
  for (const Backend backend : built_backends()) {
    out << "  " << backend_name(backend);
    if (kokkos && backend == Backend::serial) out << ", " << counted(1, "thread");
    if (kokkos && backend == Backend::openmp) out << ", " << counted(concurrency(backend), "thread");
    if (kokkos && is_gpu(backend)) out << ", " << concurrency(backend) << " threads at once";
    if (backend == execution.backend && kokkos) out << " (default)";
    out << '\n';
  }
  out << "GPUs:" << (devices.empty() ? " none (" + reason + ")" : "") << '\n';
  for (std::size_t number = 0; number < devices.size(); ++number) {
    const auto& device = devices[number];
    out << "  " << number << ": " << device.name << ", " << device.architecture << ", " << gibibytes(device.memory)
        << " GiB\n";
  }
  out << (kokkos ? "Kokkos configuration:" : obstacle) << '\n';
  std::istringstream configuration(kokkos ? kokkos_configuration() : "");
  for (std::string line; std::getline(configuration, line);) out << "  " << line << '\n';
  return out.str();
}

}  // namespace tessera::program
