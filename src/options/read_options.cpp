// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/read_options.hpp"

#include <algorithm>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "options/text.hpp"

namespace tessera::program {
namespace {

/// Sets the options recorded in the file to restart from, except those of the machine.
void set_from_restart(const std::string& file, const std::string& method, const OptionTable& table,
                      const parallel::Communicator& ranks) {
  const std::string input =
      parallel::text_of_rank_zero(ranks, [&] { return io::CheckpointReader::open(file, method).text("input"); });
  for (const auto& word : read_input_text(input, file + " /checkpoint/input", table)) {
    const Role role = table.find(word.key)->role;
    if (role == Role::trajectory || role == Role::course) set_option(table, word);
  }
}

/// Whether a value looks like a list or a range of values.
bool is_for_sweep(const std::string& value) {
  return value.find_first_of(",;") != std::string::npos || std::ranges::count(value, ':') > 1;
}

/// Sets an option, and adds it to the changes if it changes the run of the restart. Sets the overridden word first, if
/// there is one, so that an invalid value in it is an error, too.
void set_unless_restart_forbids(const GivenWord& word, const GivenWord* overridden, RunOptions& run,
                                const OptionTable& table) {
  const Option& option = *table.find(word.key);
  const std::string before = option.text();
  if (overridden != nullptr) set_option(table, *overridden);
  set_option(table, word);
  if (run.restart.empty() || option.role != Role::trajectory || option.text() == before) return;
  const std::string had = before.empty()      ? "no " + word.key
                          : option.difference ? option.difference(before)
                                              : word.key + " = " + quoted_word(before);
  if (had.empty()) return;
  if (!option.can_change || !run.change)
    throw InputError(word.where + ": the run in " + run.restart + " has " + had + ", which a restart " +
                     (option.can_change ? "changes only with --change" : "cannot change"));
  run.changes.push_back({word.key, option.text(), before});
}

}  // namespace

const GivenWord* find_word(const GivenWords& words, const std::string& key) {
  const auto found = std::ranges::find(words, key, &GivenWord::key);
  return found == words.end() ? nullptr : &*found;
}

GivenWords add_input_file(GivenWords& given, const OptionTable& table, const parallel::Communicator& ranks) {
  GivenWords overridden;
  if (const auto* config = find_word(given, "config")) {
    set_option(table, *config);
    for (const auto& word : read_input_file(config->value, table, ranks))
      (find_word(given, word.key) == nullptr ? given : overridden).push_back(word);
  }
  return overridden;
}

GivenWords read_options(const std::vector<std::string>& words, const std::string& method, const OptionTable& table,
                        RunOptions& run, const parallel::Communicator& ranks) {
  GivenWords given = read_command_line(words, table);
  const GivenWords overridden = add_input_file(given, table, ranks);
  if (const auto* restart = find_word(given, "restart")) {
    set_option(table, *restart);
    set_from_restart(run.restart, method, table, ranks);
  }
  if (const auto* change = find_word(given, "change")) {
    set_option(table, *change);
    if (run.change && run.restart.empty())
      throw InputError("--change: requires --restart; it changes parameters of a run that is continued");
    if (run.change && std::ranges::none_of(table.options(), &Option::can_change))
      throw InputError("--change: has no effect: a restart of " + method + " cannot change its parameters");
  }
  for (const auto& word : given) {
    try {
      set_unless_restart_forbids(word, find_word(overridden, word.key), run, table);
    } catch (const InputError& error) {
      if (!can_vary(*table.find(word.key)) || !is_for_sweep(word.value)) throw;
      throw InputError(error.what() + ("; for several values use tessera sweep " + method));
    }
  }
  return given;
}

std::string with_place(const std::string& message, const GivenWords& given) {
  std::size_t colon = 0;  // the first one outside of parentheses, as in --set "T=table(0: 300, 60: 600)"
  for (int depth = 0; colon < message.size() && (depth != 0 || message.compare(colon, 2, ": ") != 0); ++colon)
    depth += (message[colon] == '(') - (message[colon] == ')');
  if (!message.starts_with("--") || colon == message.size()) return message;
  const std::string key = message.substr(2, message.find_first_of(" :") - 2);
  const auto* word = find_word(given, key);
  return word == nullptr ? message : word->where + message.substr(colon);
}

}  // namespace tessera::program
