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
#include <set>
#include <tessera/core/error.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "machine/machine.hpp"
#include "machine/standard_output.hpp"
#include "machine/stop_signal.hpp"
#include "options/read_options.hpp"
#include "run/progress.hpp"
#include "run/ranks.hpp"
#include "run/run_loop.hpp"
#include "run/start_report.hpp"
#include "run/summary.hpp"

namespace tessera::program {
namespace {

/// Options of all methods that have no effect in this run, or an undesired one.
std::vector<WithoutEffect> without_effect_here(const Method& method, const Execution& execution, int ranks) {
  const Schedule schedule = method.schedule();
  const bool parallel = execution.backend == Backend::openmp && !method.sequential();
  const auto reported = WithoutEffect::Typed::reported;
  return {
      {{"measure-every"}, schedule.measure_every > method.stopping_time(), "is longer than the run", reported},
      {{"field-every"}, schedule.field_every > method.stopping_time(), "is longer than the run", reported},
      {{"threads"},
       method.sequential() || execution.backend == Backend::serial,
       "has no effect: the run uses one core",
       reported},
      {{"threads"},
       parallel && execution.threads > available_cores(),
       "is more than the cores available to this process, " + write_value(available_cores()) +
           "; threads that share a core slow each other down",
       reported},
      {{"device"}, !is_gpu(execution.backend), "has no effect; it requires --backend gpu", reported},
      {{"transport"},
       ranks == 1 || !is_gpu(execution.backend),
       "has no effect; it requires several ranks with --backend gpu",
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

/// Throws InputError unless the largest entry of a checkpoint has the number of elements that its input requires,
/// before a forged one is given memory.
void require_size(const std::string& file, const std::string& method,
                  const std::pair<std::string, std::int64_t>& entry) {
  std::int64_t elements = 1;
  for (const std::size_t extent : io::CheckpointReader::open(file, method).shape(entry.first))
    elements *= static_cast<std::int64_t>(extent);
  if (elements != entry.second)
    throw InputError(file + ": " + entry.first + " of the checkpoint has " + write_value(elements) +
                     " elements, but its input requires " + write_value(entry.second));
}

/// Prints messages about the run, which they do not prevent.
void print_notes(const std::vector<std::string>& messages, const char* kind = "") {
  for (const auto& message : messages) std::cerr << "tessera: " << kind << message << std::endl;
}
void print_warnings(const std::vector<std::string>& messages) { print_notes(messages, "warning: "); }

/// All ranks: number of a stop signal that one of them has received; 0 if none.
int signal_to_any(const parallel::Communicator& ranks) {
  return static_cast<int>(ranks.max(std::int64_t{stop_signal()}));
}

/// A run of a method on all ranks.
class MethodRun {
 public:
  MethodRun(const MethodEntry& entry, const Call& call, const parallel::World& world)
      : entry_(entry), call_(call), world_(world), ranks_(world.communicator()), bound_(entry) {}

  /// From the options to the summary. Returns the exit status.
  int operator()() {
    prepare();
    std::optional<io::OutputFile> output;
    try {
      parallel::at_rank_zero(ranks_, [&] { output.emplace(open_output(run_, entry_.name)); });
    } catch (const std::exception&) {
      const int signal = signal_to_any(ranks_);
      if (signal == 0) throw;
      if (!run_.quiet) print_notes({"stopped by a signal while the files were opened; nothing was written"});
      return exit_signal + signal;
    }
    if (!run_.quiet) print_warnings(messages_);  // an error is reported in a single line
    return compute(output ? &*output : nullptr);
  }

 private:
  /// Calls check(): an InputError has the place of its option, and is thrown at all ranks.
  template <class Check>
  void checked(const std::string& name, const Check& check) const {
    parallel::agreed(ranks_, name, [&] {
      try {
        check();
      } catch (const InputError& error) {
        throw InputError(with_place(error.what(), given_));
      }
    });
  }

  /// Reads the options, and checks and completes them: backend, threads, ranks, memory.
  void prepare() {
    given_ = read_options(call_.words, entry_.name, table_, run_, ranks_);
    run_.changed_at = time_of_change(run_, ranks_);
    run_.restart.empty() ? bound_.method->choose_interval()
                         : bound_.method->parameters_changed(run_.changed_at, !run_.changes.empty());
    if (ranks_.rank() > 0) {
      run_.quiet = true;
      run_.json = run_.rows = false;
    }
    const std::string name = ranks_.rank() > 0 ? "rank " + std::to_string(ranks_.rank()) + ": " : "";
    const bool device_given = find_word(given_, "device") != nullptr;
    execution_.device = ranks_.size() > 1 && !device_given ? device_of_rank(world_) : run_.device;
    checked(name, [&] { bound_.method->read_files(ranks_); });
    checked(name, [&] {
      if (!run_.restart.empty() && ranks_.rank() == 0) require_size(run_.restart, entry_.name, method_.largest_entry());
    });
    checked(name, [&] {
      execution_.backend = backend_for(run_, method_, ranks_.size());
      if (!method_.sequential() && execution_.backend != choose_backend(run_.backend))
        execution_.why = "faster than the GPU here";
    });
    const Backend best_of_rank_zero = ranks_.broadcast(execution_.backend);
    int per_replica = 1;
    checked(name, [&] {
      if (execution_.backend != best_of_rank_zero) execution_.backend = choose_backend(backend_name(best_of_rank_zero));
      execution_.threads = choose_threads(execution_.backend, run_.threads, world_.ranks_in_node());
      const bool divided =
          ranks_.size() > method_.replicas() || run_.ranks_per_replica.value_or(1) > 1 || run_.rank_grid;
      bound_.method->use_cores(divided ? 0 : ranks_.size() * execution_.threads);
      method_.check(execution_.backend);
      if (const int most = method_.useful_threads(execution_.backend, execution_.threads); most < execution_.threads) {
        if (execution_.why.empty()) execution_.why = "faster than " + write_value(execution_.threads) + " here";
        execution_.threads = most;
      }
      per_replica =
          ranks_per_replica(run_, ranks_.size(), method_.replicas(), method_.can_be_shared(execution_.backend));
      check(method_.schedule(), method_.stopping_time());
      messages_ = check_effects(method_.without_effect(), given_, table_);
      std::ranges::move(text_of(method_.known_biases(), method_.stopping_time()), std::back_inserter(messages_));
      check_kokkos(execution_);
      std::ranges::move(check_effects(without_effect_here(method_, execution_, ranks_.size()), given_, table_),
                        std::back_inserter(messages_));
      available_ = available_for(execution_);
    });
    execution_.groups = {ranks_, per_replica, method_.replicas()};
    install_signal_handlers();  // on all ranks, before temporary files exist that a signal could leave behind
    const std::string of_group = execution_.groups.name();
    checked(of_group, [&] { part_ = take_part(world_, method_, run_, available_, execution_); });
    checked(of_group, [&] { connect(run_, execution_, messages_); });
    input_ = "# tessera " + entry_.name + "\n" + table_.input_text();
    require_recordable("the input", input_);
    require_recordable("the description of the model", model_text(method_));
    require_recordable("the command line", call_.command_line);
    report_reading(run_);
  }

  /// From the start of Kokkos to the summary. `output`: at rank 0; null elsewhere.
  int compute(io::OutputFile* output) {
    const Kokkos::ScopeGuard kokkos(kokkos_settings(execution_));
    if (!run_.quiet) execution_.note = [](const std::string& text) { print_notes({text}); };
    const auto simulation = make_simulation(part_.method ? *part_.method : method_, world_, execution_);
    if (!simulation) return end_without_start();
    const std::string device = device_name(execution_) + ranks_text(execution_);
    const std::string report = start_report(entry_.name, method_, execution_, device, *simulation);
    auto provenance = begin_provenance(call_.command_line, method_, execution_, device, input_);
    const auto before_publish = [&] {
      checkpoint_begins();
      provenance.end = utc_now();
      provenance.wall_seconds = call_.elapsed();
      if (output != nullptr) output->provenance(provenance);
    };
    const ProgressStyle style = progress_style(run_);
    Progress progress(style, std::cerr, simulation->rate_unit(), simulation->time_unit());
    // A parameter that changed before a restart has rows while it is constant, too.
    std::vector<std::string> others;
    if (output != nullptr && !run_.restart.empty() && output->continued().has("/parameters"))
      others = output->continued().names("/parameters");
    const std::size_t bytes = part_.memory.device;
    RunTools tools{.output = output,
                   .progress = progress,
                   .clock = clock(output != nullptr),
                   .stop_signal = stop_signal,
                   .before_publish = before_publish,
                   .input = input_,
                   .ranks = ranks_,
                   .parameters =
                       [this, others](double time) {
                         return method_.changing_parameters(time, {others.begin(), others.end()});
                       },
                   .bytes = static_cast<double>(ranks_.sum(bytes > 0 ? bytes : part_.memory.host))};
    bool printed = true;
    if (run_.rows)
      tools.on_row = [&printed](const auto& measured, std::int64_t step, const auto& times) {
        printed = printed && print(json_row(measured, step, times));
      };
    RunLoop loop(*simulation, method_.schedule(), tools);
    if (!run_.restart.empty()) loop.load();
    note_changes(run_, method_, *simulation, provenance);
    const bool started = !run_.restart.empty() || loop.start();
    if (run_.dry_run) return end_dry_run(report, started, *simulation);
    if (!started) return end_without_start();
    // Not earlier: an error in the initial configuration is reported in a single line.
    if (style != ProgressStyle::silent) std::cerr << report << std::flush;

    const bool was_finished = !run_.restart.empty() && simulation->finished();
    if (!run_.restart.empty() && !run_.quiet && !was_finished) print_notes(notes_of(run_, provenance));
    const Ending ending = was_finished ? loop.end() : loop.run();
    if (was_finished && ranks_.any(output != nullptr && output->path() != run_.restart)) loop.publish();
    if (ending == Ending::stop_signal && !loop.worth_writing()) return end_without_start();
    // Not status 3: a script that restarts runs with this status would never end.
    if (ending == Ending::wall_limit && !loop.advanced())
      throw RunError("the wall-time limit is near before anything was computed; use a longer --wall-limit");
    std::vector<Observable> measured;
    const auto failure = parallel::failure_of([&] { measured = simulation->measure(); });
    if (failure && ending != Ending::error) std::rethrow_exception(failure);
    std::erase_if(measured, [](const Observable& one) { return one.is_slow_mode || one.arguments > 0; });
    const int signal = signal_to_any(ranks_);
    const int status = is_complete(ending)            ? exit_done
                       : ending == Ending::error      ? exit_failed
                       : ending == Ending::wall_limit ? exit_wall_limit
                                                      : exit_signal + signal;
    if (output == nullptr) return status;
    Summary summary{.method = entry_.name,
                    .algorithm = method_.algorithm(),
                    .system = method_.system(),
                    .backend = provenance.backend,
                    .device = provenance.device,
                    .seed = method_.seed(),
                    .time = simulation->time(),
                    .time_unit = simulation->time_unit(),
                    .times = simulation->times(),
                    .wall_seconds = call_.elapsed(),
                    .rate = was_finished ? 0 : loop.rate(),
                    .rate_unit = simulation->rate_unit(),
                    .output = output->path().string(),
                    .ending = ending,
                    .observables = measured,
                    .averages = loop.averages(),
                    .fraction = fraction_done(*simulation),
                    .known_biases = method_.known_biases(),
                    .model = Json::parse(provenance.model)};
    std::ranges::copy_if(simulation->absorbed(), std::back_inserter(summary.absorbed),
                         [](double at) { return std::isfinite(at); });
    if (!run_.quiet && was_finished) print_notes({finished_before(run_.restart, *simulation)});
    if (!run_.quiet && (ending == Ending::wall_limit || ending == Ending::stop_signal))
      print_notes({std::string(ending == Ending::wall_limit ? "the wall-time limit is near" : "stopped by a signal") +
                   "; continue the unfinished run with --restart " + summary.output});
    if (ending == Ending::error)
      std::cerr << "tessera: " << loop.error() << "; " << summary.output << " has the run up to there" << std::endl;
    if (run_.json) {
      printed = print(json_summary(summary)) && printed;
    } else if (!run_.quiet) {
      // The start report includes the description of the system.
      const bool reported = style != ProgressStyle::silent && output_is_with_errors();
      printed = print(text_summary(summary, !reported)) && printed;
    }
    // The ending determines whether a script continues the run; the file is written.
    return status == exit_done && !printed ? exit_failed : status;
  }

  /// The clock of the run loop; rank 0 has the limits.
  WallClock clock(bool is_rank_zero) const {
    WallClock clock{.elapsed = call_.elapsed, .requested = checkpoint_requested};
    if (!is_rank_zero) return clock;
    constexpr double patience = 20;  // seconds
    clock.checkpoint_every = run_.checkpoint_every.value;
    if (run_.wall_limit.value > 0) clock.limit = run_.wall_limit.value;
    if (run_.dry_run) clock.limit = std::min(clock.limit, call_.elapsed() + patience);
    return clock;
  }

  /// Ends a run that was stopped before it could write a file. Returns the exit status.
  int end_without_start() const {
    const int signal = signal_to_any(ranks_);
    const std::string nothing =
        " before the initial configuration was complete; nothing was written, so the run cannot be continued";
    if (signal == 0)
      throw RunError("the wall-time limit is near" + nothing + "; use a longer --wall-limit or another --start");
    if (!run_.quiet) std::cerr << "tessera: stopped by a signal" << nothing << std::endl;
    return exit_signal + signal;
  }

  /// Ends a run with --dry-run after its start. Returns the exit status.
  int end_dry_run(const std::string& report, bool started, SimulationInterface& simulation) const {
    DryRun dry{.start = report,
               .input = input_,
               .model = method_.model(),
               .memory = part_.memory,
               .available = available_,
               .backend = execution_.backend,
               .rate_unit = simulation.rate_unit(),
               .ranks = ranks_.size(),
               .started = started};
    const auto keep_going = [] { return stop_signal() == 0; };
    if (started) dry.cost = estimate_cost(simulation, method_.schedule(), keep_going, call_.elapsed, ranks_);
    if (const int signal = signal_to_any(ranks_); signal != 0) return exit_signal + signal;
    if (ranks_.rank() > 0) return exit_done;
    return print(run_.json ? json_of(dry) : text_of(dry)) ? exit_done : exit_failed;
  }

  const MethodEntry& entry_;
  const Call& call_;
  const parallel::World& world_;
  const parallel::Communicator& ranks_;
  BoundMethod bound_;
  const Method& method_ = *bound_.method;
  RunOptions& run_ = bound_.run;
  const OptionTable& table_ = bound_.table;
  GivenWords given_;
  AvailableMemory available_;
  Execution execution_;
  PartOfRank part_;
  std::vector<std::string> messages_;
  std::string input_;  ///< in full
};

}  // namespace

int run_method(const MethodEntry& entry, const Call& call, const parallel::World& world) {
  return MethodRun(entry, call, world)();
}

}  // namespace tessera::program
