// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <utility>
#include <vector>

#include "options/text.hpp"

namespace tessera::program {

/// Role of an option in the output file and in a restart.
enum class Role {
  trajectory,  ///< recorded; determines results: a restart cannot change it
  course,      ///< recorded; a restart uses it unless it is given again
  machine,     ///< recorded; a restart begins with the default, since the machine may differ
  session,     ///< not recorded: concerns this call of the program only
};

/// An option: the same word on the command line and in an input file.
struct Option {
  std::string name;
  std::string argument;  ///< name of its value in the help; empty for a switch
  std::string help;
  std::string group;
  Role role = Role::trajectory;
  std::function<void(const std::string&)> set;  ///< reads the value; throws InputError with the allowed values
  std::function<std::string()> text;            ///< present value, as `set` reads it; empty if there is none
  std::string initial = {};                     ///< the default
  bool can_change = false;                      ///< whether a restart with --change may change it
  bool has_commas = false;                      ///< a single value may contain commas
  bool repeats = false;                         ///< may be given several times: its value has lines
  /// Difference from an earlier value, for options whose values may differ in form only; empty if there is none.
  std::function<std::string(const std::string& before)> difference = {};
  std::function<bool()> applies = {};  ///< whether the chosen model and method have this option; null: always

  /// While `condition` holds, the option has no value and is not recorded.
  void without_value_if(const std::function<bool()>& condition) {
    text = [condition, value = std::move(text)] { return condition() ? std::string() : value(); };
  }
};

/// Whether the points of a sweep may differ in this option: it determines results, not the machine or the display.
inline bool can_vary(const Option& option) {
  return (option.role == Role::trajectory || option.role == Role::course) && option.argument != "WALL";
}

/// An option of two whole numbers, "A" or "A,B"; "A" means "A,A". `what` ends the message "must be ..." for a wrong
/// value.
Option pair_option(const std::string& name, const std::string& argument, const std::string& help,
                   const std::string& what, int& first, int& second);

/// "A,B".
std::string write_pair(int first, int second);

/// Columns of the help.
inline constexpr std::size_t help_columns = 100;

/// `text` in lines of at most help_columns characters, the first from column `start`, the others indented by `indent`.
std::string filled(const std::string& text, std::size_t start, std::size_t indent);

/// Lines of the help: a name with its description beside it, from column `indent` on if the name is short.
std::string help_line(const std::string& name, const std::string& description, std::size_t indent = 32);

/// The options of a method. Each is bound to a variable, which has the default until set() is called. add() returns the
/// new option, for what few options have; the reference is valid until the next one is added.
class OptionTable {
 public:
  /// Title in the help for the options added next.
  void group(std::string title) { group_ = std::move(title); }

  /// An option of a type that text.hpp reads.
  template <class T>
  Option& add(const std::string& name, const std::string& argument, const std::string& help, Role role, T& value) {
    return add({name, argument, help, group_, role, [&value](const std::string& text) { read_value(text, value); },
                [&value] { return write_value(value); }});
  }

  /// A switch: `--name` on the command line, `name = true` in an input file.
  void add_switch(const std::string& name, const std::string& help, Role role, bool& value) {
    add(name, "", help, role, value);
  }

  /// An option with a list of allowed words.
  template <class T>
  Option& add_choice(const std::string& name, const std::string& help, Role role, T& value,
                     const std::vector<std::pair<std::string, T>>& choices) {
    using Choice = std::pair<std::string, T>;
    const std::string words = joined(choices, "|", &Choice::first, "|");
    const auto set = [&value, choices, words](const std::string& text) {
      const auto found = std::ranges::find(choices, text, &Choice::first);
      if (found == choices.end()) throw InputError("must be one of " + words);
      value = found->second;
    };
    const auto get = [&value, choices] {
      const auto found = std::ranges::find(choices, value, &Choice::second);
      return found == choices.end() ? std::string() : found->first;
    };
    return add({name, words, help, group_, role, set, get});
  }

  /// An option with its own syntax, in the present group.
  Option& add(Option option) {
    if (option.group.empty()) option.group = group_;
    option.initial = option.text();
    return options_.emplace_back(std::move(option));
  }

  /// For a sweep: each option that may vary may be given several times.
  void repeat_what_varies() {
    for (Option& option : options_) option.repeats = option.repeats || can_vary(option);
  }

  const std::vector<Option>& options() const { return options_; }

  /// Returns the option of this name, or nullptr.
  const Option* find(const std::string& name) const;

  std::vector<std::string> names() const;

  /// The recorded options that have a value, in the syntax of an input file.
  std::string input_text() const;

  /// The options for which `shown` holds, by group, with their defaults.
  std::string help(const std::function<bool(const Option&)>& shown) const;

 private:
  std::string group_;
  std::vector<Option> options_;
};

/// A parameter that a restart changes.
struct Change {
  std::string key, value, before;
};

/// Options common to all methods.
struct RunOptions {
  std::string config;
  std::string restart;
  bool change = false;
  std::vector<Change> changes = {};  ///< made by read_options()
  double changed_at = 0;             ///< time of the latest change, by this restart or an earlier one; 0: none
  std::string output;
  bool overwrite = false;
  bool dry_run = false;
  WallSeconds checkpoint_every{600};
  WallSeconds wall_limit{0};  ///< 0: none
  std::string backend;        ///< empty: the fastest one available
  int threads = 0;            ///< 0: OMP_NUM_THREADS, or the number of available cores
  int device = 0;
  std::optional<int> ranks_per_replica;          ///< null: chosen automatically
  std::optional<parallel::GridShape> rank_grid;  ///< null: chosen automatically
  std::optional<parallel::Transport> transport;  ///< null: the fastest one available
  std::string progress = "auto";
  bool quiet = false;
  bool json = false;
  bool rows = false;

  void add_options(OptionTable& table);
};

}  // namespace tessera::program
