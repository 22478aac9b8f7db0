// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/start_report.hpp"

#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>

#include "io/temporary_file.hpp"
#include "options/number_text.hpp"
#include "options/shown_text.hpp"

namespace tessera::program {
namespace {

/// Short revision, with a suffix if the sources were modified.
std::string short_revision() {
  constexpr std::size_t digits = 9;
  const std::string revision = git_revision(), modified = "-modified";
  return revision.substr(0, digits) + (revision.ends_with(modified) && revision.size() > digits ? modified : "");
}

}  // namespace

std::string goals(const SimulationInterface& simulation) {
  std::string text;
  if (std::isfinite(simulation.time_goal())) text = "time " + with_unit(simulation.time_goal(), simulation.time_unit());
  if (std::isfinite(simulation.work_goal())) {
    const std::string rate = simulation.rate_unit();
    text += (text.empty() ? "" : " or ") + short_number(simulation.work_goal()) + " " + rate.substr(0, rate.find('/'));
  }
  return text;
}

std::string finished_before(const std::string& file, const SimulationInterface& simulation) {
  if (simulation.ended_absorbed()) return file + " has already ended";
  const std::string rate = simulation.rate_unit(), text = file + " has already reached its goal";
  if (simulation.time() <= simulation.time_goal() && simulation.work() < 1.01 * simulation.work_goal()) return text;
  return text + ", " + goals(simulation) + ": it is at time " + short_number(simulation.time()) + ", after " +
         short_number(simulation.work()) + " " + rate.substr(0, rate.find('/'));
}

std::string start_report(const std::string& method_name, const Method& method, const KokkosSettings& settings,
                         const std::string& device, const SimulationInterface& simulation) {
  std::string text = std::string("tessera ") + version() + " (" + short_revision() + ") on " + io::host_name() + ": " +
                     backend_name(settings.backend);
  if (settings.backend == Backend::openmp) text += ", " + counted(method.sequential() ? 1 : settings.threads, "thread");
  if (settings.backend == Backend::cuda) text += ", device " + std::to_string(settings.device);
  if (!settings.why.empty()) text += " (" + settings.why + ")";
  const MemoryNeeded memory = method.memory({settings.backend});
  return text + ", " + device + "\n" + method_name + " (" + method.algorithm() + "): " + method.system() + ", seed " +
         std::to_string(method.seed()) + "; " + short_bytes(static_cast<double>(memory.host + memory.device)) +
         ", to " + goals(simulation) + "\n";
}

void report_reading(const RunOptions& run) {
  constexpr double big = 1e9;
  std::error_code error;
  const auto bytes = run.restart.empty() ? 0 : std::filesystem::file_size(run.restart, error);
  if (!run.quiet && !error && static_cast<double>(bytes) > big)
    std::cerr << "tessera: reading " << quoted_word(run.restart) << ", "
              << short_number(static_cast<double>(bytes) / big) << " GB" << std::endl;
}

io::Provenance begin_provenance(const std::string& command_line, const Method& method, const KokkosSettings& settings,
                                const std::string& device, const std::string& input) {
  io::Provenance provenance;
  provenance.version = version();
  provenance.git_revision = git_revision();
  provenance.command_line = command_line;
  provenance.input = input;
  provenance.model = method.description();
  if (const auto biases = method.known_biases(); !biases.empty()) provenance.known_bias = json_of(biases).text();
  provenance.seed = write_value(method.seed());
  provenance.kokkos_version = kokkos_version();
  provenance.kokkos_configuration = kokkos_configuration();
  provenance.backend = backend_name(settings.backend);
  provenance.device = device;
  provenance.start = utc_now();
  return provenance;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

void require_recordable(const std::string& what, const std::string& text) {
  if (text.size() > io::longest_text)
    throw InputError(what + " has " + std::to_string(text.size()) + " bytes, but the output file can hold at most " +
                     std::to_string(io::longest_text));
}

}  // namespace tessera::program
