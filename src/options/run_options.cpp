// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/run_options.hpp"

#include <algorithm>
#include <functional>
#include <tessera/core/error.hpp>

#include "options/value_text.hpp"

namespace tessera::program {
namespace {

std::optional<parallel::GridShape> read_rank_grid(const std::string& text) {
  if (text == "auto") return {};
  const InputError wrong("must be auto, or two positive whole numbers of ranks, NX,NY");
  const auto comma = text.find(',');
  if (comma == std::string::npos) throw wrong;
  parallel::GridShape grid;
  try {
    read_value(text.substr(0, comma), grid.nx);
    read_value(text.substr(comma + 1), grid.ny);
  } catch (const InputError&) {
    throw wrong;
  }
  if (grid.nx < 1 || grid.ny < 1) throw wrong;
  return grid;
}

Option ranks_per_replica_option(std::optional<int>& ranks) {
  Option option;
  option.name = "ranks-per-replica";
  option.argument = "N|auto";
  option.help = "ranks per replica; auto: 1 if there are enough replicas";
  option.role = Role::machine;
  option.set = [&ranks](const std::string& text) {
    int number = 0;
    if (text != "auto") {
      const InputError wrong("must be auto or a positive whole number of ranks");
      try {
        read_value(text, number);
      } catch (const InputError&) {
        throw wrong;
      }
      if (number < 1) throw wrong;
    }
    ranks = number > 0 ? std::optional(number) : std::nullopt;
  };
  option.text = [&ranks] { return ranks ? write_value(*ranks) : "auto"; };
  return option;
}

Option rank_grid_option(std::optional<parallel::GridShape>& grid) {
  Option option;
  option.name = "rank-grid";
  option.argument = "NX,NY|auto";
  option.help = "grid of these ranks; of all without --ranks-per-replica";
  option.role = Role::machine;
  option.set = [&grid](const std::string& text) { grid = read_rank_grid(text); };
  option.text = [&grid] { return grid ? write_pair(grid->nx, grid->ny) : "auto"; };
  option.has_commas = true;
  return option;
}

/// Whether a restart may change an option of the chosen model; null if this is so for all models.
std::function<bool()> changeable(const OptionTable& table) {
  const auto may_change = [](const Option& option) { return option.can_change && !option.applies; };
  if (std::ranges::any_of(table.options(), may_change)) return {};
  return [&table] {
    return std::ranges::any_of(table.options(),
                               [](const Option& option) { return option.can_change && option.applies(); });
  };
}

}  // namespace

void RunOptions::add_options(OptionTable& table) {
  table.group("Files (WALL: seconds or [D-]HH:MM:SS)");
  table.add("config", "FILE", "input file with lines `key = value`; the keys are these options", Role::session, config);
  table.add("output", "FILE", "HDF5 file to write [the input file's name with .h5, or METHOD.h5]", Role::machine,
            output);
  table.add_switch("overwrite", "replace the output file if it exists", Role::session, overwrite);
  table.add("restart", "FILE", "continue the run of this output file, and append to it", Role::session, restart);
  table.add_switch("change", "with --restart: parameters of the model that are given may differ", Role::session,
                   change);
  table.applies_if(changeable(table));
  table.add_switch("dry-run", "check the input, estimate memory, file size and cost, write nothing", Role::session,
                   dry_run);
  table.add("checkpoint-every", "WALL", "time between checkpoints in the file; 0: only at the end", Role::course,
            checkpoint_every);
  table.add("wall-limit", "WALL", "stop with a checkpoint before this wall time is over; 0: none", Role::machine,
            wall_limit);

  table.group("Machine");
  table.add("backend", "serial|openmp|cuda", "where to compute [cuda if there is a device, else openmp or serial]",
            Role::machine, backend);
  table.add("threads", "N", "OpenMP threads, up to 512; 0: OMP_NUM_THREADS, or all cores", Role::machine, threads);
  table.add("device", "N", "number of the CUDA device; by default each rank has its own", Role::machine, device);
  table.add(ranks_per_replica_option(ranks_per_replica));
  table.add(rank_grid_option(rank_grid));
  using parallel::Transport;
  table.add_choice<std::optional<Transport>>(
      "transport", "how data move between the devices of ranks", Role::machine, transport,
      {{"auto", {}}, {"mpi", Transport::mpi}, {"nccl", Transport::nccl}, {"staged", Transport::staged}});

  table.group("Terminal");
  table.add_choice<std::string>("progress", "auto: a line on a terminal, lines in a log; always: a line", Role::session,
                                progress, {{"auto", "auto"}, {"always", "always"}, {"never", "never"}});
  table.add_switch("quiet", "print no start lines, progress or summary", Role::session, quiet);
  table.add_switch("json", "print the summary as a JSON object on standard output", Role::session, json);
  table.add_switch("rows", "print each row of measurements as a line of JSON on standard output", Role::session, rows);
}

}  // namespace tessera::program
