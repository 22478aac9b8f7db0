// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/run_method.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <tessera/core/error.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/parallel/agreed.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "machine/core_load.hpp"
#include "machine/memory_check.hpp"
#include "machine/standard_output.hpp"
#include "machine/stop_signal.hpp"
#include "machine/threads.hpp"
#include "options/read_options.hpp"
#include "options/run_options.hpp"
#include "run/bound_method.hpp"
#include "run/changes.hpp"
#include "run/dry_run.hpp"
#include "run/exit_status.hpp"
#include "run/progress.hpp"
#include "run/provenance.hpp"
#include "run/rank_groups.hpp"
#include "run/run_loop.hpp"
#include "run/spread.hpp"
#include "run/start_report.hpp"
#include "run/summary.hpp"

namespace tessera::program {
namespace {

/// Options of all methods that have no effect in this run, or an undesired one.
std::vector<WithoutEffect> without_effect_here(const Method& method, const KokkosSettings& settings, int ranks) {
  const Schedule schedule = method.schedule();
  const bool parallel = settings.backend == Backend::openmp && !method.sequential();
  const auto reported = WithoutEffect::Typed::reported;
  return {
      {{"measure-every"}, schedule.measure_every > method.time_goal(), "is longer than the run", reported},
      {{"field-every"}, schedule.field_every > method.time_goal(), "is longer than the run", reported},
      {{"threads"},
       method.sequential() || settings.backend == Backend::serial,
       "has no effect: the run uses one core",
       reported},
      {{"threads"},
       parallel && settings.threads > available_cores(),
       "is more than the cores available to this process, " + write_value(available_cores()) +
           "; threads that share a core slow each other down",
       reported},
      {{"device"}, settings.backend != Backend::cuda, "has no effect; it requires --backend cuda", reported},
      {{"transport"},
       ranks == 1 || settings.backend != Backend::cuda,
       "has no effect; it requires several ranks with --backend cuda",
       reported},
  };
}

/// Opens the output file of the run: --output, else that of the restart, else named after the input file, else after
/// the method. Throws InputError like OutputFile.
io::OutputFile open_output(const RunOptions& run, const std::string& method) {
  const std::filesystem::path path = !run.output.empty()    ? run.output
                                     : !run.restart.empty() ? run.restart
                                     : !run.config.empty()  ? std::filesystem::path(run.config).stem().string() + ".h5"
                                                            : method + ".h5";
  std::error_code error;
  if (run.restart.empty()) return io::OutputFile::create(path, method, run.overwrite);
  if (path == run.restart || std::filesystem::equivalent(path, run.restart, error))
    return io::OutputFile::append(run.restart, method);
  return io::OutputFile::continue_from(run.restart, path, method, run.overwrite);
}

/// Prints messages about the run, which they do not prevent.
void print_notes(const std::vector<std::string>& messages) {
  for (const auto& message : messages) std::cerr << "tessera: " << message << std::endl;
}
void print_warnings(const std::vector<std::string>& messages) {
  for (const auto& message : messages) print_notes({"warning: " + message});
}

int exit_status(Ending ending, int stop_signal) {
  if (is_complete(ending)) return exit_done;
  if (ending == Ending::error) return exit_failed;
  return ending == Ending::wall_limit ? exit_wall_limit : exit_signal + stop_signal;
}

/// Prints how to continue a run that was stopped.
void report_ending(Ending ending, const io::OutputFile& output) {
  if (ending != Ending::wall_limit && ending != Ending::stop_signal) return;
  std::cerr << "tessera: " << (ending == Ending::wall_limit ? "the wall limit is near" : "stopped by a signal")
            << "; continue the unfinished run with --restart " << output.path().string() << std::endl;
}

/// Ends a run that was stopped before it could write a file. Returns the exit status.
int end_without_start(int stop_signal, bool quiet) {
  const std::string nothing = " before the start was complete; nothing was written, so the run cannot be continued";
  if (stop_signal == 0)
    throw RunError("the wall limit is near" + nothing + "; use a longer --wall-limit or another --start");
  if (!quiet) std::cerr << "tessera: stopped by a signal" << nothing << std::endl;
  return exit_signal + stop_signal;
}

Summary summarise(const MethodEntry& entry, const Method& method, const SimulationInterface& simulation,
                  const io::Provenance& provenance) {
  Summary summary;
  summary.method = entry.name;
  summary.algorithm = method.algorithm();
  summary.system = method.system();
  summary.backend = provenance.backend;
  summary.device = provenance.device;
  summary.seed = method.seed();
  summary.known_biases = method.known_biases();
  summary.time = simulation.time();
  summary.times = simulation.times();
  std::ranges::copy_if(simulation.absorbed(), std::back_inserter(summary.absorbed),
                       [](double at) { return std::isfinite(at); });
  summary.fraction = fraction_done(simulation);
  summary.rate_unit = simulation.rate_unit();
  summary.time_unit = simulation.time_unit();
  return summary;
}

/// Prints the start report and warnings about the load of the cores and of the device.
void report_start(const std::string& report, const Method& method, const KokkosSettings& settings,
                  const AvailableMemory& available, const CoreLoad& load) {
  std::cerr << report << std::flush;
  if (settings.backend == Backend::openmp && settings.threads > 1 && !method.sequential())
    if (const auto others = load.others())
      if (const auto message = crowded(settings.threads, load.cores(), *others); !message.empty())
        print_warnings({message});
  if (const auto message = taken_by_others(settings, available); !message.empty()) print_warnings({message});
}

/// All ranks: number of a stop signal that one of them has received; 0 if none.
int signal_to_any(const parallel::Communicator& ranks) {
  return static_cast<int>(ranks.max(std::int64_t{stop_signal()}));
}

/// Ends a run with --dry-run after its start. Returns the exit status.
int end_dry_run(DryRun& dry, const RunOptions& run, const Method& method, SimulationInterface& simulation,
                const std::function<double()>& clock, const parallel::Communicator& ranks) {
  const auto keep_going = [] { return stop_signal() == 0; };
  if (dry.started) dry.cost = estimate_cost(simulation, method.schedule(), keep_going, clock, ranks);
  dry.rate_unit = simulation.rate_unit();
  if (const int signal = signal_to_any(ranks); signal != 0) return exit_signal + signal;
  if (ranks.rank() > 0) return exit_done;
  return print(run.json ? json_of(dry) : text_of(dry)) ? exit_done : exit_failed;
}

/// Runs the checked input from the start of Kokkos to the summary. `output`: at rank 0; null elsewhere.
int run_checked(const MethodEntry& entry, const Call& call, const Method& method, const RunOptions& run,
                const KokkosSettings& settings, const std::string& input, const parallel::World& world,
                const Spread& spread, io::OutputFile* output, const AvailableMemory& available, const CoreLoad& load) {
  const parallel::Communicator& ranks = world.communicator();
  const KokkosScope kokkos(settings);
  const auto simulation = make_simulation(method, settings.backend, world, spread);
  std::string device = device_name(settings);
  if (ranks.size() > 1) device += ", " + spread.text(ranks.size(), settings.backend);
  const std::string report = start_report(entry.name, method, settings, device, *simulation);
  auto provenance = begin_provenance(call.command_line, method, settings, device, input);
  const auto before_publish = [&] {
    checkpoint_begins();
    provenance.end = utc_now();
    provenance.wall_seconds = call.elapsed();
    if (output != nullptr) output->provenance(provenance);
  };
  WallClock clock;
  clock.elapsed = call.elapsed;
  clock.requested = checkpoint_requested;
  constexpr double patience = 20;  // seconds
  if (output != nullptr) {         // rank 0 has the clock
    clock.checkpoint_every = run.checkpoint_every.value;
    if (run.wall_limit.value > 0) clock.limit = run.wall_limit.value;
    if (run.dry_run) clock.limit = std::min(clock.limit, call.elapsed() + patience);
  }
  const ProgressStyle style = progress_style(run);
  Progress progress(style, std::cerr, simulation->rate_unit(), simulation->time_unit());
  RunLoop loop(*simulation, output, progress, method.schedule(), clock, stop_signal, before_publish, input, ranks);
  bool rows_printed = true;
  if (run.rows)
    loop.on_row([&rows_printed](const auto& measured, std::int64_t step, const auto& times) {
      rows_printed = rows_printed && print(json_row(measured, step, times));
    });
  if (!run.restart.empty()) loop.load();
  note_changes(run, method, *simulation, output, ranks, provenance);
  const bool started = !run.restart.empty() || loop.start();
  if (run.dry_run) {
    DryRun dry{report, input, method.description(), spread.memory, available, settings.backend,
               {},     "",    ranks.size(),         started};
    return end_dry_run(dry, run, method, *simulation, call.elapsed, ranks);
  }
  if (!started) return end_without_start(signal_to_any(ranks), run.quiet);
  // Not earlier: an error in the start is reported in a single line.
  if (style != ProgressStyle::silent) report_start(report, method, settings, available, load);

  const bool was_finished = !run.restart.empty() && simulation->finished();
  if (!run.restart.empty() && !run.quiet && !was_finished) print_notes(notes_of(run, provenance));
  const Ending ending = was_finished ? loop.end() : loop.run();
  if (was_finished && ranks.any(output != nullptr && output->path() != run.restart)) loop.publish();
  if (ending == Ending::stop_signal && !loop.worth_writing()) return end_without_start(signal_to_any(ranks), run.quiet);
  // Not status 3: a script that restarts runs with this status would never end.
  if (ending == Ending::wall_limit && !loop.advanced())
    throw RunError("the wall limit is near before anything was computed; use a longer --wall-limit");
  std::vector<Observable> measured;
  const auto failure = parallel::failure_of([&] { measured = simulation->measure(); });
  if (failure && ending != Ending::error) std::rethrow_exception(failure);
  const int status = exit_status(ending, signal_to_any(ranks));
  if (output == nullptr) return status;
  Summary summary = summarise(entry, method, *simulation, provenance);
  summary.observables = measured;
  summary.output = output->path().string();
  summary.ending = ending;
  summary.averages = loop.averages();
  summary.wall_seconds = call.elapsed();
  if (!was_finished) summary.rate = loop.rate();
  if (!run.quiet && was_finished) print_notes({finished_before(run.restart, *simulation)});
  if (!run.quiet) report_ending(ending, *output);
  if (ending == Ending::error)
    std::cerr << "tessera: " << loop.error() << "; " << summary.output << " has the run up to there" << std::endl;
  bool printed = rows_printed;
  if (run.json) {
    printed = print(json_summary(summary)) && printed;
  } else if (!run.quiet) {
    const bool started_here =
        style != ProgressStyle::silent && output_is_with_errors();  // includes the description of the system
    printed = print(text_summary(summary, !started_here)) && printed;
  }
  // The ending determines whether a script continues the run; the file is written.
  return status == exit_done && !printed ? exit_failed : status;
}

}  // namespace

int run_method(const MethodEntry& entry, const Call& call, const parallel::World& world) {
  const parallel::Communicator& ranks = world.communicator();
  BoundMethod bound(entry);
  const Method& method = *bound.method;
  RunOptions& run = bound.run;
  const OptionTable& table = bound.table;
  const GivenWords given = read_options(call.words, entry.name, table, run, ranks);
  if (!run.changes.empty()) bound.method->parameters_changed();
  if (ranks.rank() > 0) {
    run.quiet = true;
    run.json = false;
    run.rows = false;
  }
  const CoreLoad load;
  AvailableMemory available;
  KokkosSettings settings;
  Spread spread;
  std::vector<std::string> messages;
  std::string name = ranks.rank() > 0 ? "rank " + std::to_string(ranks.rank()) + ": " : "";
  const auto checked = [&](const auto& check_here) {
    parallel::agreed(ranks, name, [&] {
      try {
        check_here();
      } catch (const InputError& error) {
        throw InputError(with_place(error.what(), given));
      }
    });
  };
  const bool device_given = std::ranges::find(given, "device", &GivenWord::key) != given.end();
  settings.device = ranks.size() > 1 && !device_given ? device_of_rank(world) : run.device;
  checked([&] {
    settings.backend = backend_for(run, method, ranks.size());
    if (!method.sequential() && settings.backend != choose_backend(run.backend))
      settings.why = "faster than the GPU here";
  });
  const Backend best_of_rank_zero = ranks.broadcast(settings.backend);
  int per_replica = 1;
  checked([&] {
    if (settings.backend != best_of_rank_zero) settings.backend = choose_backend(backend_name(best_of_rank_zero));
    settings.threads = choose_threads(settings.backend, run.threads, world.ranks_in_node());
    const bool divided = ranks.size() > method.replicas() || run.ranks_per_replica.value_or(1) > 1 || run.rank_grid;
    bound.method->use_cores(divided ? 0 : ranks.size() * settings.threads);
    method.check(settings.backend);
    if (const int most = method.useful_threads(settings.backend, settings.threads); most < settings.threads) {
      if (settings.why.empty()) settings.why = "faster than " + write_value(settings.threads) + " here";
      settings.threads = most;
    }
    per_replica = ranks_per_replica(run, ranks.size(), method.replicas(), method.can_be_shared(settings.backend));
    spread.groups.shares = share_replicas(method.replicas(), ranks.size() / per_replica);
    check(method.schedule(), method.time_goal());
    messages = check_effects(method.without_effect(), given, table);
    std::ranges::move(text_of(method.known_biases(), method.time_goal()), std::back_inserter(messages));
    if (settings.backend == Backend::openmp && settings.threads > 1) wait_briefly(call.arguments);
    check_kokkos(settings);
    std::ranges::move(check_effects(without_effect_here(method, settings, ranks.size()), given, table),
                      std::back_inserter(messages));
    available = available_for(settings);
  });
  spread.groups = RankGroups(ranks, per_replica, spread.groups.shares);
  name = spread.groups.name();
  install_signal_handlers();  // on all ranks, before temporary files exist that a signal could leave behind
  checked([&] { take_part(world, method, run, settings, available, spread); });
  checked([&] { connect(ranks, run, settings, spread, messages); });
  const std::string input = "# tessera " + entry.name + "\n" + table.input_text();
  require_recordable("the input", input);
  require_recordable("the description of the model", method.description());
  require_recordable("the command line", call.command_line);
  report_reading(run);
  std::optional<io::OutputFile> output;
  try {
    parallel::at_rank_zero(ranks, [&] { output.emplace(open_output(run, entry.name)); });
  } catch (const std::exception&) {
    const int signal = signal_to_any(ranks);
    if (signal == 0) throw;
    if (!run.quiet) print_notes({"stopped by a signal while the files were opened; nothing was written"});
    return exit_signal + signal;
  }
  if (!run.quiet) print_warnings(messages);  // an error is reported in a single line
  return run_checked(entry, call, method, run, settings, input, world, spread, output ? &*output : nullptr, available,
                     load);
}

}  // namespace tessera::program
