// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <tessera/parallel/world.hpp>
#include <vector>

#include "machine/end_together.hpp"
#include "machine/machine.hpp"
#include "machine/standard_output.hpp"
#include "options/read_options.hpp"
#include "options/text.hpp"
#include "run/check.hpp"
#include "run/method.hpp"
#include "run/run_method.hpp"

namespace tessera::program {
namespace {

std::string usage() {
  std::string text = "tessera: massively parallel Monte Carlo methods on lattices and particles\n\n";
  for (const auto& method : methods())
    text += "  tessera " + method.name + std::string(6 - std::min<std::size_t>(method.name.size(), 5), ' ') +
            "[--config FILE] [options]    " + method.summary + "\n";
  text +=
      "  tessera METHOD --help                       options of a method, with their defaults\n"
      "  tessera METHOD --help all                   the same with the options of all models\n"
      "  tessera kmc --model NAME --help             the same with options and observables of one model\n"
      "  tessera kmc --processes FILE                run a model from a file in the format of kmcos\n"
      "  tessera kmc --zacros FOLDER                 run a model from the input files of Zacros\n"
      "  tessera sweep METHOD [options]              one run for each of several values, as --phi 0,1,2\n"
      "  tessera info                                version, Kokkos configuration, backends and devices\n"
      "  tessera check                               whether all backends give the same results\n"
      "  tessera check METHOD [options]              the same of this run\n"
      "  tessera --version\n\n";
  return text + exit_status_help;
}

bool is_help(const std::string& word) { return word == "--help" || word == "-h"; }

bool has_help_word(const std::vector<std::string>& words) { return std::ranges::any_of(words, is_help); }

/// Help of a method. `words` are those of the call without --help. Without words it lists the options of all models,
/// with "all" every option, and with options those that apply to the run described by them.
std::string method_help(const MethodEntry& entry, const std::vector<std::string>& words) {
  BoundMethod bound(entry);
  const bool all = words == std::vector<std::string>{"all"};
  const bool chosen = !all && !words.empty();
  if (chosen) read_options(words, entry.name, bound.table, bound.run, {});
  const auto shown = [&](const Option& option) { return all || !option.applies || (chosen && option.applies()); };
  return "tessera " + entry.name + " [--config FILE] [options]: " + entry.summary + "\nExample: " + entry.example +
         "\n" + bound.table.help(shown) + (all ? "" : bound.method->help_of_models(chosen));
}

int printed(const std::string& text) { return print(text) ? exit_done : exit_failed; }

/// Commands other than runs, on one process.
int run_command(const std::vector<std::string>& arguments, const std::vector<std::string>& words, int ranks) {
  if (arguments.size() < 2) throw InputError("no command given; see tessera --help");
  const std::string& command = arguments[1];
  if (is_help(command) || command == "check") return printed(usage());
  if (command == "--version")
    return printed(std::string("tessera ") + version() + " (revision " + git_revision() + ")\n");
  if (command == "info") {
    if (!words.empty()) throw InputError("'" + quoted_word(words.front()) + "': tessera info takes no options");
    return printed(info());
  }
  if (command == "sweep") {
    if (ranks > 1)
      throw InputError("tessera sweep starts its own runs; call it as one process, without mpirun or srun");
    const std::string question = words.empty() ? "" : words.front();
    if (question == "--words") answer_words({words.begin() + 1, words.end()});
    if (question == "--check") answer_check({words.begin() + 1, words.end()});
    return exit_done;
  }
  method_named(command, {"check", "info", "sweep", "--version", "--help"}, "tessera --help lists the methods");
  return exit_done;
}

/// Whether a call runs the input files of Zacros, which Python converts.
bool is_conversion(const std::vector<std::string>& arguments) {
  const auto is_option = [](const std::string& word) { return word == "--zacros" || word.starts_with("--zacros="); };
  return arguments.size() > 2 && arguments[1] == "kmc" && std::ranges::any_of(arguments, is_option) &&
         !has_help_word(arguments);
}

/// Executes the command on all ranks.
int run(const std::vector<std::string>& arguments, const parallel::World& world) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> words(arguments.begin() + std::min<std::size_t>(2, arguments.size()), arguments.end());
  const bool is_rank_zero = world.communicator().rank() == 0;
  if (is_conversion(arguments)) {
    if (world.communicator().size() == 1) return exit_done;
    throw InputError("--zacros: starts a single process; for several, convert with python3 -m tessera_io.models");
  }
  for (const auto& method : methods()) {
    if (arguments.size() < 2 || method.name != arguments[1]) continue;
    const auto elapsed = [start] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    if (!has_help_word(words))
      return run_method(method, {joined(arguments, " ", shell_word, " "), words, elapsed}, world);
    std::erase_if(words, is_help);
    return is_rank_zero ? printed(method_help(method, words)) : exit_done;
  }
  if (arguments.size() > 1 && arguments[1] == "check" && !has_help_word(words))
    return check(checked_runs(), words, world);
  return is_rank_zero ? run_command(arguments, words, world.communicator().size()) : exit_done;
}

/// Opens closed standard streams. Otherwise messages would be written to the next file, such as the output.
void open_closed_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDWR);
}

/// Prints a message as one line on standard error.
void complain(std::string message) {
  constexpr std::size_t longest = 1000;  // sufficient for long paths
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "tessera: " << shown(message, longest) << std::endl;
}

/// Result of an action that may throw.
template <class Action>
End end_of(const Action& action) {
  try {
    return {action()};
  } catch (const InputError& error) {
    return {exit_bad_input, error.what()};
  } catch (const std::exception& error) {
    std::string message = error.what();
    const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
    if (says("failed to allocate"))  // Kokkos
      message += says("Host") ? " " + memory_shortage() : "; use a smaller system or fewer replicas";
    return {exit_failed, message, parallel::can_be_agreed(error)};
  }
}

/// All ranks: whether all were started with the same arguments; rank 0 reports one that was not.
bool have_same_words(const parallel::Communicator& ranks, const std::vector<std::string>& arguments) {
  std::string words;
  for (std::size_t i = 1; i < arguments.size(); ++i) words += arguments[i] + '\0';
  const auto all = ranks.gather(std::as_bytes(std::span(words)));
  std::size_t rank = 0;
  while (rank < all.size() && all[rank] == all[0]) ++rank;
  const bool same = ranks.broadcast(rank == all.size());
  if (!same && ranks.rank() == 0)
    complain("rank " + std::to_string(rank) +
             " has a different command line from rank 0; start all ranks with the same command line");
  return same;
}

/// Executes the command on all ranks, or on a single process. Python starts in main(), after MPI has ended.
int run_on_ranks(const std::vector<std::string>& arguments) {
  const parallel::World world;
  const parallel::Communicator& ranks = world.communicator();
  if (!have_same_words(ranks, arguments)) return exit_bad_input;
  const parallel::Communicator at_the_end = ranks.split(0);
  const End mine = end_of([&] { return run(arguments, world); });
  return end_together(at_the_end, mine, std::chrono::seconds(10), {complain, [&](int status) { world.abort(status); }});
}

/// Whether a call starts a sweep; false for queries by its Python part.
bool is_sweep(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments[1] != "sweep") return false;
  return arguments.size() == 2 || (arguments[2] != "--words" && arguments[2] != "--check");
}

}  // namespace
}  // namespace tessera::program

int main(int argc, char** argv) {
  using namespace tessera;
  program::open_closed_streams();
  program::explain_bad_alloc();
  // Tessera has its own HDF5 driver. These variables are for other programs, and a wrong value prevents HDF5's start.
  for (const char* variable : {"HDF5_DRIVER", "HDF5_VOL_CONNECTOR"}) unsetenv(variable);
  H5dont_atexit();  // all files are closed explicitly, and HDF5 aborts at exit after errors in a damaged file
  const std::vector<std::string> arguments(argv, argv + argc);
  if (parallel::launched()) program::reserve_standard_output();
  const int status = program::run_on_ranks(arguments);
  // Not earlier: a launcher of ranks requires that MPI is finalized.
  const bool needs_python = program::is_sweep(arguments) || program::is_conversion(arguments);
  if (status != program::exit_done || !needs_python) return status;
  program::release_standard_output();
  const auto end = program::end_of([&] { return program::run_python(arguments); });
  if (!end.failure.empty()) program::complain(end.failure);
  return end.status;
}
