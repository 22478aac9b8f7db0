// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/start_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/io/input_file.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "io/atomic_file.hpp"
#include "options/json.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

/// "time 200 MCS", "time 5/k_2 or 2.621e+06 events".
std::string stopping_times(const SimulationInterface& simulation) {
  std::string text;
  if (std::isfinite(simulation.stopping_time()))
    text = "time " + with_unit(simulation.stopping_time(), simulation.time_unit());
  if (std::isfinite(simulation.stopping_work())) {
    const std::string rate = simulation.rate_unit();
    text +=
        (text.empty() ? "" : " or ") + short_number(simulation.stopping_work()) + " " + rate.substr(0, rate.find('/'));
  }
  return text;
}

constexpr double first_trial = 0.1, shortest_trial = 0.4, longest_trial = 3.2;  // each twice as long as the one before
constexpr double chunk = 4096;                                                  // smallest size of a dataset of rows
constexpr double structure = 60000;                                             // groups, provenance, VTKHDF

/// Counts the bytes of a checkpoint.
struct CheckpointSize : io::CheckpointWriter {
  void write(const std::string&, io::ElementType type, const io::Content&, std::size_t count,
             const std::vector<std::size_t>&, const std::string&) override {
    bytes += entry + static_cast<double>(count * io::element_size(type));
  }
  void text(const std::string&, const std::string& value) override {
    bytes += entry + static_cast<double>(value.size());
  }

  static constexpr double entry = 1024;  ///< without its elements
  double bytes = 0;
};

double in_chunks(double rows, double bytes) { return std::ceil(rows * bytes / chunk) * chunk; }

/// Size of the rows of one observable: value, time and step, and mean and errors if there are any.
double row_bytes(const Observable& observable, double rows) {
  const auto values = static_cast<double>(observable.values.size());
  double bytes = in_chunks(rows, 8 * values) + 2 * in_chunks(rows, 8);
  if (observable.values.size() > 1) bytes += 2 * in_chunks(rows, 8);
  if (!observable.errors.empty()) bytes += in_chunks(rows, 8 * values);
  return bytes;
}

/// Size of one row of all fields and particles.
double field_bytes(SimulationInterface& simulation) {
  constexpr double bytes_of_particle = 24;
  const auto replicas = static_cast<double>(simulation.times().size());
  double bytes = bytes_of_particle * replicas * static_cast<double>(simulation.particles_of_replica());
  for (const Field& field : simulation.fields())
    bytes += replicas * static_cast<double>(field.size() * io::element_size(field.type));
  return bytes;
}

std::string as_comments(const std::string& text) {
  std::string comments;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) comments += "# " + line + "\n";
  return comments;
}

std::string of_available(std::size_t needed, const std::optional<std::size_t>& available, const std::string& where) {
  return short_bytes(static_cast<double>(needed)) + " of " + where + " memory" +
         (available ? ", of which " + short_bytes(static_cast<double>(*available)) + " are available" : "");
}

/// The lines about a model from a file.
std::string description_of(const DryRun& dry) {
  std::string text;
  if (dry.model.contains("description"))
    for (const Json& line : dry.model["description"]) text += line.get<std::string>() + "\n";
  return text;
}

std::string memory_text(const DryRun& dry) {
  if (!is_gpu(dry.backend)) return of_available(dry.memory.host + dry.memory.device, dry.available.host, "host") + "\n";
  return of_available(dry.memory.device, dry.available.device, "device") + "; " +
         of_available(dry.memory.host, dry.available.host, "host") + "\n";
}

std::string cost_text(const CostEstimate& cost, const std::string& rate_unit) {
  const auto whole = [](double number, const std::string& noun) {
    return number < 1e15 ? counted(static_cast<long long>(number), noun) : short_number(number) + " " + noun + "s";
  };
  std::string text = "file: at most " + short_bytes(cost.file_bytes) + ", with " +
                     whole(cost.measurements, "measurement") + ", " + whole(cost.fields, "field") +
                     " and a checkpoint of " + short_bytes(cost.checkpoint_bytes) + "\nrows in memory: at most " +
                     short_bytes(cost.row_memory) + "\n";
  if (std::isfinite(cost.absorbed_at))
    text += "no event is possible any more after time " + short_number(cost.absorbed_at) + "\n";
  const std::string basis =
      short_number(cost.rate) + " " + rate_unit + ", measured over " + short_duration(cost.measured) + "\n";
  return text + (cost.makes_progress ? "cost: about " + short_duration(cost.seconds) + " here, at " + basis
                                     : "cost: too long to estimate, at " + basis);
}

}  // namespace

std::string finished_before(const std::string& file, const SimulationInterface& simulation) {
  if (simulation.ended_absorbed()) return file + " has already ended";
  const std::string rate = simulation.rate_unit(), text = file + " has already reached its stopping time";
  if (simulation.time() <= simulation.stopping_time() && simulation.work() < 1.01 * simulation.stopping_work())
    return text;
  return text + ", " + stopping_times(simulation) + ": it is at time " + short_number(simulation.time()) + ", after " +
         short_number(simulation.work()) + " " + rate.substr(0, rate.find('/'));
}

std::string start_report(const std::string& method_name, const Method& method, const Execution& execution,
                         const std::string& device, const SimulationInterface& simulation) {
  constexpr std::size_t digits = 9;
  const std::string revision = git_revision(), modified = "-modified";
  std::string text = std::string("tessera ") + version() + " (" + revision.substr(0, digits) +
                     (revision.ends_with(modified) && revision.size() > digits ? modified : "") + ") on " +
                     io::host_name() + ": " + backend_name(execution.backend);
  if (execution.backend == Backend::openmp)
    text += ", " + counted(method.sequential() ? 1 : execution.threads, "thread");
  if (is_gpu(execution.backend)) text += ", device " + std::to_string(execution.device);
  if (!execution.why.empty()) text += " (" + execution.why + ")";
  const MemoryNeeded memory = method.memory({.backend = execution.backend});
  return text + ", " + device + "\n" + method_name + " (" + method.algorithm() + "): " + method.system() + ", seed " +
         std::to_string(method.seed()) + "; " + short_bytes(static_cast<double>(memory.host + memory.device)) +
         ", to " + stopping_times(simulation) + "\n";
}

void report_reading(const RunOptions& run) {
  constexpr double big = 1e9;
  std::error_code error;
  const auto bytes = run.restart.empty() ? 0 : std::filesystem::file_size(run.restart, error);
  if (!run.quiet && !error && static_cast<double>(bytes) > big)
    std::cerr << "tessera: reading " << quoted_word(run.restart) << ", "
              << short_number(static_cast<double>(bytes) / big) << " GB" << std::endl;
}

std::string model_text(const Method& method) {
  Json model = method.model();
  model.update(titles());
  return text_of(model, 1);
}

io::Provenance begin_provenance(const std::string& command_line, const Method& method, const Execution& execution,
                                const std::string& device, const std::string& input) {
  const auto biases = method.known_biases();
  return {.version = version(),
          .git_revision = git_revision(),
          .command_line = command_line,
          .input = input,
          .model = model_text(method),
          .known_bias = biases.empty() ? "" : text_of(json_of(biases)),
          .seed = write_value(method.seed()),
          .kokkos_version = kokkos_version(),
          .kokkos_configuration = kokkos_configuration(),
          .backend = backend_name(execution.backend),
          .device = device,
          .start = utc_now(),
          .end = ""};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::ostringstream text;
  text << std::put_time(gmtime_r(&now, &utc), "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

void require_recordable(const std::string& what, const std::string& text) {
  if (text.size() > io::longest_text)
    throw InputError(what + " has " + std::to_string(text.size()) + " bytes, but the output file can hold at most " +
                     std::to_string(io::longest_text));
}

double time_of_change(const RunOptions& run, const parallel::Communicator& ranks) {
  double latest = 0;
  parallel::at_rank_zero(ranks, [&] {
    if (run.restart.empty()) return;
    const io::InputFile file(run.restart);
    const std::string restarts = "/provenance/restarts", origin = "/checkpoint/origin";
    for (const auto& number : file.has(restarts) ? file.names(restarts) : std::vector<std::string>())
      if (const std::string dataset = restarts + "/" + number + "/changed_at"; file.has(dataset))
        latest = std::max(latest, file.read<double>(dataset).at(0));
    if (!run.changes.empty() && file.has(origin))
      latest =
          std::max(latest, file.read_row<double>(origin, 0).at(0) + file.read_row<double>("/checkpoint/time", 0).at(0));
  });
  return ranks.broadcast(latest);
}

void note_changes(const RunOptions& run, const Method& method, const SimulationInterface& simulation,
                  io::Provenance& provenance) {
  if (run.restart.empty()) return;
  double latest = run.changed_at;
  if (!run.changes.empty()) {
    const auto times = simulation.times();
    const auto [first, last] = std::ranges::minmax(times);
    if (first < last)
      throw InputError("--change: the replicas in " + run.restart + " are at different times, from " +
                       write_value(first) + " to " + write_value(last) + "; first continue them to a common time");
    if (simulation.finished())
      throw InputError("--change: the run in " + run.restart +
                       (simulation.ended_absorbed() ? " has no possible event" : " is complete") + " at time " +
                       write_value(first) + "; use a later stopping time");
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

CostEstimate estimate_cost(SimulationInterface& simulation, const Schedule& schedule,
                           const std::function<bool()>& keep_going, const std::function<double()>& clock,
                           const parallel::Communicator& ranks) {
  CostEstimate cost;
  const double begin = clock();
  const double functions = simulation.leave_out_functions();
  const double done_before = fraction_done(simulation);
  double speed = 0, before = 0, work = 0;
  for (double trial = first_trial; trial <= longest_trial && !simulation.finished(); trial *= 2) {
    before = speed;
    work = simulation.work();
    const double done = fraction_done(simulation), start = clock();
    simulation.advance(simulation.stopping_time(), [&] { return keep_going() && clock() < start + trial; });
    cost.measured = ranks.broadcast(clock() - start);
    speed = (fraction_done(simulation) - done) / cost.measured;
    constexpr double accuracy = 0.1;
    if (trial >= shortest_trial && std::abs(speed - before) <= accuracy * speed) break;
  }
  if (simulation.finished()) {
    cost.measured = cost.seconds = clock() - begin;
  } else {
    cost.makes_progress = speed > 0;
    cost.seconds = speed > 0 ? (1 - done_before) / speed : std::numeric_limits<double>::infinity();
  }
  cost.seconds += functions;
  cost.rate = (simulation.work() - (simulation.finished() ? 0 : work)) / cost.measured;

  const double fraction = fraction_done(simulation), stopping_time = simulation.stopping_time();
  const double projected = fraction > 0 ? std::min(stopping_time, simulation.time() / fraction) : stopping_time;
  const double end = simulation.ended_absorbed() ? std::ranges::max(simulation.times()) : projected;
  cost.absorbed_at = std::ranges::max(simulation.absorbed());
  cost.measurements = schedule.measurements().until(end);
  if (schedule.measure_work > 0 && fraction > 0)
    cost.measurements += simulation.work() / fraction / schedule.measure_work;
  const double before_measuring = clock();
  const auto observables = simulation.measure();
  cost.seconds += cost.measurements * (1 - done_before) * (clock() - before_measuring);
  const double field = schedule.fields ? field_bytes(simulation) : 0;
  cost.fields = field > 0 ? schedule.field_times().until(end) : 0;
  CheckpointSize checkpoint;
  simulation.save(checkpoint);
  cost.checkpoint_bytes = checkpoint.bytes;
  cost.file_bytes = structure + cost.checkpoint_bytes + cost.fields * field;
  double rows = 0;
  for (const auto& observable : observables) rows += row_bytes(observable, cost.measurements);
  cost.row_memory = std::min(rows, double{io::OutputFile::most_pending_bytes});
  cost.file_bytes += rows;
  cost.spent = clock() - begin;
  return cost;
}

std::string text_of(const DryRun& dry) {
  return as_comments(dry.start) + dry.input +
         as_comments(description_of(dry) + (dry.ranks > 1 ? "memory of rank 0, which needs the most: " : "memory: ") +
                     memory_text(dry) +
                     (dry.started ? cost_text(dry.cost, dry.rate_unit)
                                  : "cost: unknown; the initial configuration takes longer than a dry run\n") +
                     "nothing was written\n");
}

std::string json_of(const DryRun& dry) {
  Json object{{"dry_run", true},
              {"backend", backend_name(dry.backend)},
              {"input", dry.input},
              {"description", description_of(dry)},
              {"model", dry.model},
              {"host_memory", dry.memory.host},
              {"device_memory", dry.memory.device}};
  if (dry.started)
    object.update({{"file_bytes", dry.cost.file_bytes},
                   {"row_memory", dry.cost.row_memory},
                   {"seconds", dry.cost.seconds},
                   {"estimate_seconds", dry.cost.spent},
                   {"rate", dry.cost.rate},
                   {"rate_unit", dry.rate_unit}});
  if (dry.started && std::isfinite(dry.cost.absorbed_at)) object["absorbed_at"] = dry.cost.absorbed_at;
  return text_of(object) + "\n";
}

}  // namespace tessera::program
