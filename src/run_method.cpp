// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run_method.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/io/provenance.hpp>

#include "exit_status.hpp"
#include "read_options.hpp"
#include "run_options.hpp"
#include "stop_signal.hpp"
#include "summary.hpp"

namespace tessera::program {
namespace {

constexpr std::size_t help_columns = 100;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

ProgressStyle progress_style(const RunOptions& run) {
  if (run.quiet || run.progress == "never") return ProgressStyle::silent;
  return run.progress == "always" || isatty(STDERR_FILENO) != 0 ? ProgressStyle::line : ProgressStyle::lines;
}

/// The file that the run writes: as given, else that of the restart, else after the input file, else after the method.
std::filesystem::path output_path(const RunOptions& run, const std::string& method) {
  if (!run.output.empty()) return run.output;
  if (!run.restart.empty()) return run.restart;
  if (!run.config.empty()) return std::filesystem::path(run.config).stem().string() + ".h5";
  return method + ".h5";
}

io::OutputFile open_output(const RunOptions& run, const std::string& method) {
  const auto path = output_path(run, method);
  if (run.restart.empty()) return io::OutputFile::create(path, method, run.overwrite);
  std::error_code error;
  if (path == run.restart || std::filesystem::equivalent(path, run.restart, error)) {
    return io::OutputFile::append(run.restart, method);
  }
  return io::OutputFile::continue_from(run.restart, path, method, run.overwrite);
}

/// A sequential algorithm takes no backend but the host's; the default follows it.
Backend backend_for(const RunOptions& run, const Method& method) {
  if (!method.sequential()) return choose_backend(run.backend);
  const Backend host = built_backends().front();
  if (!run.backend.empty() && choose_backend(run.backend) != host) {
    throw InputError("--backend " + run.backend + ": --method " + method.algorithm() + " is sequential and runs on " +
                     backend_name(host));
  }
  return host;
}

io::Provenance begin_provenance(const Call& call, const Method& method, const KokkosSettings& settings,
                                const std::string& input) {
  io::Provenance provenance;
  provenance.version = version();
  provenance.git_revision = git_revision();
  provenance.command_line = call.command_line;
  provenance.input = input;
  provenance.seed = write_value(method.seed());
  provenance.kokkos_version = kokkos_version();
  provenance.kokkos_configuration = kokkos_configuration();
  provenance.backend = backend_name(settings.backend);
  provenance.device = device_name(settings);
  provenance.start = utc_now();
  return provenance;
}

int exit_status(Ending ending) {
  switch (ending) {
    case Ending::goal_reached:
      return exit_done;
    case Ending::wall_limit:
      return exit_wall_limit;
    case Ending::stop_signal:
      return exit_signal + stop_signal();
  }
  return exit_failed;
}

/// One line on how to go on, for a run that was stopped.
void tell_ending(Ending ending, const io::OutputFile& output) {
  if (ending == Ending::goal_reached) return;
  std::cerr << "tessera: " << (ending == Ending::wall_limit ? "the wall limit is near" : "stopped by a signal")
            << ", the run is unfinished; continue it with --restart " << output.path().string() << std::endl;
}

/// Standard output; a reader that has gone away, as in `tessera ... | head`, is no error.
void print(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) throw RunError(std::string("standard output: ") + std::strerror(errno));
}

Summary summarise(const MethodEntry& entry, const Method& method, SimulationInterface& simulation,
                  const io::Provenance& provenance) {
  Summary summary;
  summary.method = entry.name;
  summary.algorithm = method.algorithm();
  summary.system = method.system();
  summary.backend = provenance.backend;
  summary.device = provenance.device;
  summary.seed = method.seed();
  summary.time = simulation.time();
  summary.times = simulation.times();
  summary.rate_unit = simulation.rate_unit();
  summary.observables = simulation.measure();
  return summary;
}

/// Runs what has been read and checked, from the start of Kokkos to the summary.
int run_checked(const MethodEntry& entry, const Call& call, const Method& method, const RunOptions& run,
                const KokkosSettings& settings, const std::string& input, io::OutputFile& output) {
  const KokkosScope kokkos(settings);
  const auto simulation = method.make_simulation(settings.backend);
  auto provenance = begin_provenance(call, method, settings, input);
  const auto before_publish = [&] {
    provenance.end = utc_now();
    provenance.wall_seconds = call.elapsed();
    output.provenance(provenance);
  };
  WallClock clock;
  clock.elapsed = call.elapsed;
  clock.checkpoint_every = run.checkpoint_every.value;
  if (run.wall_limit.value > 0) clock.limit = run.wall_limit.value;
  Progress progress(progress_style(run), std::cerr, simulation->rate_unit());
  RunLoop loop(*simulation, output, progress, method.schedule(), clock, stop_signal, before_publish, input);
  if (!run.restart.empty()) loop.load(io::CheckpointReader::open(run.restart, entry.name));

  const bool finished_before = simulation->finished();
  const Ending ending = finished_before ? Ending::goal_reached : loop.run();
  Summary summary = summarise(entry, method, *simulation, provenance);
  summary.output = finished_before ? run.restart : output.path().string();
  summary.ending = ending;
  summary.wall_seconds = call.elapsed();
  if (!finished_before) summary.rate = loop.work_done() / loop.seconds();
  if (!run.quiet && finished_before) std::cerr << "tessera: " << run.restart << " has reached its goal already\n";
  if (!run.quiet) tell_ending(ending, output);
  if (run.json) {
    print(json_summary(summary));
  } else if (!run.quiet) {
    print(text_summary(summary));
  }
  return exit_status(ending);
}

}  // namespace

int run_method(const MethodEntry& entry, const Call& call) {
  const auto method = entry.make();
  RunOptions run;
  OptionTable table;
  method->add_options(table);
  run.add_options(table);
  const GivenWords given = read_options(call.words, entry.name, table, run);

  KokkosSettings settings;
  settings.threads = run.threads;
  settings.device = run.device;
  try {
    settings.backend = backend_for(run, *method);
    method->check(settings.backend);
    check_kokkos(settings);
  } catch (const InputError& error) {
    throw InputError(with_place(error.what(), given));
  }
  const std::string input = "# tessera " + entry.name + "\n" + table.input_text();
  install_signal_handlers();  // before there is a file that a signal could leave behind
  auto output = open_output(run, entry.name);
  return run_checked(entry, call, *method, run, settings, input, output);
}

std::string method_help(const MethodEntry& entry) {
  const auto method = entry.make();
  RunOptions run;
  OptionTable table;
  method->add_options(table);
  run.add_options(table);
  return "tessera " + entry.name + " [--config FILE] [options]: " + entry.summary + "\n" + table.help(help_columns) +
         "WALL: seconds or [D-]HH:MM:SS.\n" + exit_status_help;
}

}  // namespace tessera::program
