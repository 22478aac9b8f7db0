// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/changes.hpp"

#include <algorithm>
#include <tessera/core/error.hpp>
#include <tessera/io/input_file.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "options/shown_text.hpp"
#include "options/value_text.hpp"
#include "run/schedule.hpp"

namespace tessera::program {
namespace {

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

}  // namespace

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
