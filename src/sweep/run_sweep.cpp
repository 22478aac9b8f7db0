// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/run_sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <tessera/core/error.hpp>

#include "bound_method.hpp"
#include "exit_status.hpp"
#include "json.hpp"
#include "nearest_word.hpp"
#include "progress.hpp"
#include "read_options.hpp"
#include "run_backend.hpp"
#include "shown_text.hpp"
#include "stop_signal.hpp"
#include "sweep/child.hpp"
#include "sweep/dry_sweep.hpp"
#include "sweep/machine_share.hpp"
#include "sweep/plot.hpp"
#include "sweep/run_points.hpp"
#include "sweep/sweep_options.hpp"
#include "sweep/table.hpp"
#include "sweep/values.hpp"
#include "threads.hpp"

namespace tessera::program {
namespace {

constexpr std::size_t text_columns = 100;

/// What a call of a sweep says, read and bound to the options of its method.
struct SweepCall : BoundMethod {
  using BoundMethod::BoundMethod;
  SweepOptions sweep;
  std::vector<int> devices;
  Grid grid;
};

const MethodEntry& method_named(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& method : methods()) {
    if (method.name == name) return method;
    known.push_back(method.name);
  }
  const std::string nearest = nearest_word(name, known);
  throw InputError(
      "'" + quoted_word(name) + "': is no method of a sweep; " +
      (nearest.empty() ? "tessera sweep --help tells more" : "the nearest known one is '" + nearest + "'"));
}

/// Devices in a list are for runs in turn.
std::vector<int> read_devices(const GivenWord& word, const Option& option) {
  std::vector<int> devices;
  try {
    for (const auto& value : values_of(option, word.value)) read_value(value, devices.emplace_back());
  } catch (const InputError& error) {
    throw InputError(word.where + ": " + error.what());
  }
  return devices;
}

void read_call(const std::vector<std::string>& words, const MethodEntry& entry, SweepCall& call) {
  call.sweep.add_options(call.table);
  auto given = read_command_line(words, call.table);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].key != "config") continue;
    for (const auto& word : read_input_file(given[i].value, call.table))
      if (std::ranges::find(given, word.key, &GivenWord::key) == given.end()) given.push_back(word);
    break;
  }
  for (const auto& word : given) {
    const Option& option = *call.table.find(word.key);
    for (const char* other : {"output", "overwrite", "restart"})
      if (word.key == other)
        throw InputError(word.where + ": is not for a sweep, whose files are in --folder; given again it goes on");
    if (word.key == "device") {
      call.devices = read_devices(word, option);
    } else if (!can_vary(option)) {
      set_option(call.table, word);
    }
  }
  check(call.sweep);
  call.grid = read_grid(entry.name, given, call.table);
}

SweepFolder folder_of(const SweepCall& call) {
  if (!call.sweep.folder.empty()) return SweepFolder(call.sweep.folder);
  const std::filesystem::path config = call.run.config;
  return SweepFolder(config.empty() ? call.grid.method + "_sweep" : config.stem().string());
}

/// "8 points: packing-fraction (4) x seed (2), 2 at a time, 1 thread each".
std::string describe(const Grid& grid, const MachineShare& share) {
  std::string text = counted(static_cast<long long>(grid.size()), "point") + ":";
  for (std::size_t i = 0; i < grid.axes.size(); ++i)
    text += (i > 0 ? " x " : " ") + grid.axes[i].option + " (" + std::to_string(grid.axes[i].values.size()) + ")";
  text += ", " + std::to_string(share.jobs) + " at a time";
  if (share.threads > 0) text += ", " + counted(share.threads, "thread") + " each";
  if (!share.devices.empty()) text += ", on " + counted(static_cast<long long>(share.devices.size()), "device");
  return text;
}

/// Writes the table of what is there. One call at a time, so that the last one of an array has them all.
Table write_table(const SweepFolder& folder, const Grid& grid) {
  const FolderLock lock(folder);
  Table table = make_table(folder, grid);
  write_whole(folder.path() / "table.csv", csv_of(table));
  write_hdf5(table, folder.path() / "table.h5");
  return table;
}

std::string json_of(const Table& table, const SweepFolder& folder, const PointsEnding& ending, bool drawn) {
  JsonObject object;
  object.add("method", table.method)
      .add("folder", folder.path().string())
      .add("points", static_cast<std::uint64_t>(table.rows.size()))
      .add("finished", static_cast<std::uint64_t>(table.finished()))
      .add("failed", static_cast<std::uint64_t>(ending.failures.size()))
      .add("table", (folder.path() / "table.csv").string())
      .add("plot", drawn ? (folder.path() / "plot.png").string() : "");
  return object.text() + "\n";
}

/// The table in files and on the terminal, and the plot.
void tell_table(const SweepFolder& folder, const Grid& grid, const RunOptions& run, const PointsEnding& ending) {
  const Table table = write_table(folder, grid);
  const bool drawn = table.finished() > 1 && stop_signal() == 0 && plot(folder);
  if (run.json) std::cout << json_of(table, folder, ending, drawn);
  if (run.json || run.quiet) return;
  const std::string path = folder.path().string();
  std::cout << text_of(table, text_columns) << table.finished() << " of "
            << counted(static_cast<long long>(table.rows.size()), "point") << " finished; table in " << path
            << "/table.csv and table.h5" << (drawn ? ", plot in plot.png" : "") << "\n";
  if (!drawn && table.finished() > 1) std::cout << "for a plot: " << plot_command(folder) << " (docs/python.md)\n";
}

int exit_status(const PointsEnding& ending) {
  if (ending.ending == Ending::stop_signal) return exit_signal + stop_signal();
  if (!ending.failures.empty()) return exit_failed;
  return ending.ending == Ending::wall_limit ? exit_wall_limit : exit_done;
}

/// `tessera sweep --table FOLDER`.
int run_table(const std::vector<std::string>& words) {
  if (words.size() != 2) throw InputError("--table: needs the folder of a sweep, and nothing else");
  const SweepFolder folder(words[1]);
  const BoundMethod call(method_named(method_of_sweep(folder)));
  tell_table(folder, grid_of_sweep(folder, call.table), call.run, {});
  return exit_done;
}

}  // namespace

int run_sweep(const Call& call) {
  if (call.words.empty()) throw InputError("the method to sweep is missing: tessera sweep METHOD [options]");
  if (call.words.front() == "--table") return run_table(call.words);
  const MethodEntry& entry = method_named(call.words.front());
  SweepCall sweep(entry);
  read_call({call.words.begin() + 1, call.words.end()}, entry, sweep);
  const auto points = check_points(entry, sweep.grid, sweep.run);
  const bool on_cuda = std::ranges::any_of(points, [](const auto& point) { return point.backend == Backend::cuda; });
  if (sweep.run.threads != 0) choose_threads(points.front().backend, sweep.run.threads);
  const MachineShare share = share_machine(this_machine(on_cuda ? Backend::cuda : points.front().backend), points,
                                           sweep.sweep.jobs, sweep.run.threads, sweep.devices);
  const SweepFolder folder = folder_of(sweep);
  if (sweep.run.dry_run) {
    std::cout << "# " << describe(sweep.grid, share) << "\n"
              << input_of_sweep(sweep.grid, sweep.table) << dry_sweep(entry, sweep.grid, points, sweep.run, share);
    return exit_done;
  }
  folder.claim(sweep.grid, sweep.table);
  install_signal_handlers();
  if (share.jobs > 1) setenv("OMP_PROC_BIND", "false", 1);  // else all runs are bound to the same first cores

  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (static_cast<int>(i % static_cast<std::size_t>(sweep.sweep.of)) == sweep.sweep.index) numbers.push_back(i);
  const auto left = unfinished(folder, points, numbers);
  const ProgressStyle style = progress_style(sweep.run);
  const bool tells = style != ProgressStyle::silent;
  if (tells && sweep.sweep.of > 1) std::cerr << "job " << sweep.sweep.index << " of " << sweep.sweep.of << ": ";
  if (tells)
    std::cerr << describe(sweep.grid, share)
              << (left.size() < numbers.size() ? ", " + std::to_string(numbers.size() - left.size()) + " done before"
                                               : "")
              << std::endl;
  WallClock clock;
  clock.elapsed = call.elapsed;
  clock.asked = checkpoint_asked_for;
  if (sweep.run.wall_limit.value > 0) clock.limit = sweep.run.wall_limit.value;
  const auto ending =
      run_points({words_of_start(call.arguments), entry.name, sweep.run, share}, folder, points, left, clock, style);
  for (const auto& failure : ending.failures) std::cerr << "tessera: failed: " << failure << std::endl;
  if (!sweep.run.quiet && ending.ending != Ending::goal_reached)
    std::cerr << "tessera: " << (ending.ending == Ending::wall_limit ? "the wall limit is near" : "stopped by a signal")
              << ", the sweep is unfinished; the same call goes on with it" << std::endl;
  tell_table(folder, sweep.grid, sweep.run, ending);
  return exit_status(ending);
}

std::string sweep_help() {
  SweepOptions options;
  OptionTable table;
  options.add_options(table);
  std::string text =
      "tessera sweep METHOD [--config FILE] [options]: a run of the method for each of several values\n"
      "  Any option that decides what is computed takes a list, --phi 0,1,2, or a range, --phi 0:2:5 (5\n"
      "  values, both ends included; 1:100:3:log at equal ratios). Several make a grid. Of options whose\n"
      "  values have commas lists have semicolons: --size '64;128,64'. The same call given again goes on\n"
      "  with what is unfinished; with more values, or a later goal, it goes on from there. --device 0,1\n"
      "  gives runs to these devices in turn.\n"
      "tessera sweep --table FOLDER: the table of a sweep from the points that are there\n"
      "The options are those of tessera METHOD --help but --output, --overwrite and --restart, and\n";
  return text + table.help(text_columns) + exit_status_help;
}

}  // namespace tessera::program
