// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "context.hpp"

#include <Kokkos_Core.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <tessera/core/version.hpp>
#include <thread>

namespace tessera::perf {
namespace {

/// Enabled options, architectures and compilers of Kokkos, on one line.
std::string kokkos_configuration() {
  std::ostringstream printed;
  Kokkos::print_configuration(printed);
  std::istringstream lines(printed.str());
  std::string line, all;
  while (std::getline(lines, line)) {
    const auto begin = line.find_first_not_of(' ');
    const auto colon = line.find(": ");
    if (begin == std::string::npos || colon == std::string::npos) continue;
    const std::string name = line.substr(begin, colon - begin), value = line.substr(colon + 2);
    if (name == "Kokkos Version" || value.empty() || value == "no" || value == "none") continue;
    if (value == "yes")
      all += (all.empty() ? "" : "; ") + name;
    else if (name.find("ompiler") != std::string::npos || name.find("COMPILER") != std::string::npos ||
             name.find("rchitecture") != std::string::npos || name == "Default Device")
      all += (all.empty() ? "" : "; ") + name + " " + value;
  }
  return all;
}

std::string compiler() {
  std::ostringstream text;
#if defined(__NVCC__)
  text << "nvcc " << __CUDACC_VER_MAJOR__ << '.' << __CUDACC_VER_MINOR__ << '.' << __CUDACC_VER_BUILD__ << " with ";
#endif
#if defined(__clang__)
  text << "clang " << __clang_major__ << '.' << __clang_minor__ << '.' << __clang_patchlevel__;
#else
  text << "g++ " << __GNUC__ << '.' << __GNUC_MINOR__ << '.' << __GNUC_PATCHLEVEL__;
#endif
#if !defined(__OPTIMIZE__)
  text << ", not optimised";
#endif
  return text.str();
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%MZ", std::gmtime(&now));
  return text;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "not set";
}

}  // namespace

Context describe_run(const Options& options, const std::vector<Space>& spaces) {
  Context context{
      {"tessera", std::string(version()) + " " + git_revision()},
      {"date_utc", today()},
      {"processor", processor_name() + ", " + std::to_string(std::thread::hardware_concurrency()) + " logical cores"},
  };
  for (const Space& space : spaces)
    if (space.threads == 0)
      context.push_back({"device", space.device});
    else if (space.name == "OpenMP")
      context.push_back({"openmp_threads", std::to_string(space.threads)});
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND"}) context.push_back({name, variable(name)});
  context.push_back({"kokkos", std::to_string(KOKKOS_VERSION / 10000) + "." +
                                   std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                                   std::to_string(KOKKOS_VERSION % 100)});
  context.push_back({"kokkos_configuration", kokkos_configuration()});
  context.push_back({"compiler", compiler()});
  std::ostringstream settings;
  settings << "limit " << options.limit << " s a case, " << options.budget << " s a run, repetitions of kmc and kpz of "
           << options.window << " s, kmc relaxed for " << options.kmc.relax << " events a site, after "
           << options.kmc.settle << " steps";
  for (const auto& [name, value] : {std::pair<const char*, double>{"tile", options.kmc.tile},
                                    {"halo", options.kmc.halo},
                                    {"repair-halo", options.kmc.repair_halo},
                                    {"repair-fraction", options.kmc.repair_fraction},
                                    {"kpz-domain", options.kpz.domain}})
    if (value > 0) settings << ", " << name << ' ' << value;
  settings << ", thread-cell " << options.kpz.thread_cell_x << ',' << options.kpz.thread_cell_y;
  context.push_back({"settings", settings.str()});
  return context;
}

}  // namespace tessera::perf
