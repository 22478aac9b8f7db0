// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/option_table.hpp"

#include <sstream>

namespace tessera::program {

std::string write_pair(int first, int second) { return write_value(first) + ',' + write_value(second); }

Option pair_option(const std::string& name, const std::string& argument, const std::string& help,
                   const std::string& what, int& first, int& second) {
  const auto set = [&first, &second, what](const std::string& text) {
    const auto comma = text.find(',');
    int a = 0;
    try {
      read_value(text.substr(0, comma), a);
      int b = a;
      if (comma != std::string::npos) read_value(text.substr(comma + 1), b);
      second = b;
    } catch (const InputError&) {
      throw InputError("must be " + what);
    }
    first = a;
  };
  Option option{
      name, argument, help, "", Role::trajectory, set, [&first, &second] { return write_pair(first, second); }};
  option.has_commas = true;
  return option;
}

std::string filled(const std::string& text, std::size_t start, std::size_t indent) {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = start;
  for (std::string word; words >> word;) {
    if (column + word.size() + 1 > help_columns && column > indent) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string help_line(const std::string& name, const std::string& description, std::size_t indent) {
  std::string line = "  " + name;
  line += line.size() + 1 < indent ? std::string(indent - line.size(), ' ') : "  ";
  return line + filled(description, line.size(), indent) + '\n';
}

const Option* OptionTable::find(const std::string& name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  return found == options_.end() ? nullptr : &*found;
}

std::vector<std::string> OptionTable::names() const {
  std::vector<std::string> names;
  for (const auto& option : options_) names.push_back(option.name);
  return names;
}

std::string OptionTable::input_text() const {
  std::string text;
  for (const auto& option : options_) {
    if (option.role == Role::session) continue;
    const std::string value = option.text();
    if (!value.empty()) text += option.name + " = " + value + '\n';
  }
  return text;
}

std::string OptionTable::help(const std::function<bool(const Option&)>& shown) const {
  std::string text;
  std::string group;
  for (const auto& option : options_) {
    if (!shown(option)) continue;
    if (option.group != group) {
      group = option.group;
      text += group + ":\n";
    }
    text +=
        help_line("--" + option.name + (option.argument.empty() ? "" : " " + option.argument),
                  option.help + (option.argument.empty() || option.initial.empty() ? "" : " [" + option.initial + "]"));
  }
  return text;
}

namespace {

/// An option of ranks: `auto`, for no value, or positive whole numbers, which `wrong` names.
template <class T, class Read, class Write>
void add_of_ranks(OptionTable& table, const std::string& name, const std::string& argument, const std::string& help,
                  const std::string& wrong, std::optional<T>& value, const Read& read, const Write& write) {
  const auto set = [&value, read, wrong](const std::string& text) {
    try {
      value = text == "auto" ? std::nullopt : std::optional<T>(read(text));
    } catch (const InputError&) {
      throw InputError("must be " + wrong);
    }
  };
  table.add({name, argument + "|auto", help, "", Role::machine, set,
             [&value, write] { return value ? write(*value) : "auto"; }});
}

int read_positive(const std::string& text) {
  int number = 0;
  read_value(text, number);
  return number > 0 ? number : throw InputError("");
}

}  // namespace

void RunOptions::add_options(OptionTable& table) {
  table.group("Files (WALL: seconds or [D-]HH:MM:SS)");
  table.add("config", "FILE", "input file with lines `key = value`; the keys are these options", Role::session, config);
  table.add("output", "FILE", "HDF5 file to write [the input file's name with .h5, or METHOD.h5]", Role::machine,
            output);
  table.add_switch("overwrite", "replace the output file if it exists", Role::session, overwrite);
  table.add("restart", "FILE", "continue the run of this output file, and append to it", Role::session, restart);
  const bool any = std::ranges::any_of(table.options(), &Option::can_change);
  table.add_switch("change", any ? "with --restart: given parameters of the model may differ" : "has no effect here",
                   Role::session, change);
  table.add_switch("dry-run", "check the input, estimate memory, file size and cost, write nothing", Role::session,
                   dry_run);
  table.add("checkpoint-every", "WALL", "time between checkpoints in the file; 0: only at the end", Role::course,
            checkpoint_every);
  table.add("wall-limit", "WALL", "stop with a checkpoint before this wall time is over; 0: none", Role::machine,
            wall_limit);

  table.group("Machine and terminal");
  table.add("backend", "serial|openmp|cuda|hip", "where to compute [gpu if there is one, else openmp or serial]",
            Role::machine, backend);
  table.add("threads", "N", "OpenMP threads, up to 512; 0: OMP_NUM_THREADS, or all cores", Role::machine, threads);
  table.add("device", "N", "number of the GPU; by default each rank has its own", Role::machine, device);
  add_of_ranks(table, "ranks-per-replica", "N", "ranks per replica; auto: 1 if there are enough replicas",
               "auto or a positive whole number of ranks", ranks_per_replica, read_positive,
               [](int number) { return write_value(number); });
  const auto read_grid = [](const std::string& text) -> parallel::GridShape {
    const auto comma = std::min(text.find(','), text.size());
    return {read_positive(text.substr(0, comma)), read_positive(text.substr(std::min(comma + 1, text.size())))};
  };
  add_of_ranks(table, "rank-grid", "NX,NY", "grid of these ranks; of all without --ranks-per-replica",
               "auto, or two positive whole numbers of ranks, NX,NY", rank_grid, read_grid,
               [](const auto& grid) { return write_pair(grid.nx, grid.ny); });
  using parallel::Transport;
  table.add_choice<std::optional<Transport>>(
      "transport", "how data move between the devices of ranks", Role::machine, transport,
      {{"auto", {}}, {"mpi", Transport::mpi}, {"nccl", Transport::nccl}, {"staged", Transport::staged}});

  table.add_choice<std::string>("progress", "auto: a line on a terminal, lines in a log; always: a line", Role::session,
                                progress, {{"auto", "auto"}, {"always", "always"}, {"never", "never"}});
  table.add_switch("quiet", "print no start lines, progress or summary", Role::session, quiet);
  table.add_switch("json", "print the summary as a JSON object on standard output", Role::session, json);
  table.add_switch("rows", "print each row of measurements as a line of JSON on standard output", Role::session, rows);
}

}  // namespace tessera::program
