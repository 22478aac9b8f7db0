// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/start_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/io/input_file.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "io/atomic_file.hpp"
#include "options/text.hpp"
#include "run/schedule.hpp"

namespace tessera::program {
namespace {

/// Short revision, with a suffix if the sources were modified.
std::string short_revision() {
  constexpr std::size_t digits = 9;
  const std::string revision = git_revision(), modified = "-modified";
  return revision.substr(0, digits) + (revision.ends_with(modified) && revision.size() > digits ? modified : "");
}

/// Time of the latest change in a file; 0 if there was none.
double latest_change(const io::InputFile& file) {
  double latest = 0;
  const std::string restarts = "/provenance/restarts";
  if (!file.has(restarts)) return latest;
  for (const auto& number : file.names(restarts)) {
    const std::string dataset = restarts + "/" + number + "/changed_at";
    if (file.has(dataset)) latest = std::max(latest, file.read<double>(dataset).at(0));
  }
  return latest;
}

/// "time 200 MCS", "time 5/k_2 or 2.621e+06 events".
std::string goals(const SimulationInterface& simulation) {
  std::string text;
  if (std::isfinite(simulation.time_goal())) text = "time " + with_unit(simulation.time_goal(), simulation.time_unit());
  if (std::isfinite(simulation.work_goal())) {
    const std::string rate = simulation.rate_unit();
    text += (text.empty() ? "" : " or ") + short_number(simulation.work_goal()) + " " + rate.substr(0, rate.find('/'));
  }
  return text;
}

}  // namespace

std::string finished_before(const std::string& file, const SimulationInterface& simulation) {
  if (simulation.ended_absorbed()) return file + " has already ended";
  const std::string rate = simulation.rate_unit(), text = file + " has already reached its goal";
  if (simulation.time() <= simulation.time_goal() && simulation.work() < 1.01 * simulation.work_goal()) return text;
  return text + ", " + goals(simulation) + ": it is at time " + short_number(simulation.time()) + ", after " +
         short_number(simulation.work()) + " " + rate.substr(0, rate.find('/'));
}

std::string start_report(const std::string& method_name, const Method& method, const Execution& execution,
                         const std::string& device, const SimulationInterface& simulation) {
  std::string text = std::string("tessera ") + version() + " (" + short_revision() + ") on " + io::host_name() + ": " +
                     backend_name(execution.backend);
  if (execution.backend == Backend::openmp)
    text += ", " + counted(method.sequential() ? 1 : execution.threads, "thread");
  if (execution.backend == Backend::cuda) text += ", device " + std::to_string(execution.device);
  if (!execution.why.empty()) text += " (" + execution.why + ")";
  const MemoryNeeded memory = method.memory({.backend = execution.backend});
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

io::Provenance begin_provenance(const std::string& command_line, const Method& method, const Execution& execution,
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
  provenance.backend = backend_name(execution.backend);
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

void note_changes(const RunOptions& run, const Method& method, const SimulationInterface& simulation,
                  const io::OutputFile* output, const parallel::Communicator& ranks, io::Provenance& provenance) {
  if (run.restart.empty()) return;
  double latest = 0;
  parallel::at_rank_zero(ranks, [&] { latest = latest_change(output->continued()); });
  latest = ranks.broadcast(latest);
  if (!run.changes.empty()) {
    const auto times = simulation.times();
    const auto [first, last] = std::ranges::minmax(times);
    if (first < last)
      throw InputError("--change: the replicas in " + run.restart + " are at different times, from " +
                       write_value(first) + " to " + write_value(last) + "; first continue them to a common time");
    if (simulation.finished())
      throw InputError("--change: the run in " + run.restart +
                       (simulation.ended_absorbed() ? " has no possible event" : " is at its goal") + ", time " +
                       write_value(first) + "; use a later goal");
    latest = provenance.changed_at = first;
    for (const Change& one : run.changes) provenance.changes += one.key + " = " + one.value + " # " + one.before + "\n";
  }
  const AverageFrom from = method.schedule().average_from;
  if (latest > 0 && (from.is_chosen || from.time < latest))
    throw InputError("--average-from " + write_value(from) + ": parameters changed at time " + write_value(latest) +
                     "; use this time or a later one, or inf");
}

std::vector<std::string> notes_of(const RunOptions& run, const io::Provenance& provenance) {
  std::vector<std::string> notes;
  for (const Change& one : run.changes)
    notes.push_back(one.key + " is " + quoted_word(one.value) + " from time " + write_value(provenance.changed_at) +
                    " on, and was " + quoted_word(one.before));
  return notes;
}

}  // namespace tessera::program
