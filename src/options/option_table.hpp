// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <string>
#include <tessera/core/error.hpp>
#include <utility>
#include <vector>

#include "options/value_text.hpp"

namespace tessera::program {

/// What an option is to the file that a run writes, and to a restart from that file.
enum class Role {
  trajectory,  ///< recorded; decides what is computed and measured: a restart cannot change it
  course,      ///< recorded; a restart goes on with it unless it is given anew
  machine,     ///< recorded; a restart starts from the default, since it may happen elsewhere
  session,     ///< not recorded: about this call of the program only
};

/// One option: the same word on the command line and in an input file.
struct Option {
  std::string name;
  std::string argument;  ///< what the help calls its value; empty for a switch
  std::string help;
  std::string group;
  Role role = Role::trajectory;
  std::function<void(const std::string&)> set;  ///< reads the value; throws InputError saying what it must be
  std::function<std::string()> text;            ///< the value in force, as `set` reads it; empty if there is none
  std::string initial = {};                     ///< the default
  std::string unrecorded = {};  ///< what runs had whose file does not name it, if that is not the default
  bool has_commas = false;      ///< a single value may have commas in it
};

/// Whether the points of a sweep may differ in this option: it decides what is computed, not where or how it is shown.
inline bool can_vary(const Option& option) {
  return (option.role == Role::trajectory || option.role == Role::course) && option.argument != "WALL";
}

/// An option of two whole numbers, "A" or "A,B", of which the second is the first if it is not given. `what` ends the
/// message "must be ..." about a wrong value.
Option pair_option(const std::string& name, const std::string& argument, const std::string& help,
                   const std::string& what, int& first, int& second);

/// "A,B".
std::string write_pair(int first, int second);

/// The options of a method: each is bound to a variable, which holds the default until set() is called.
class OptionTable {
 public:
  /// The options added from here on stand under this title in the help.
  void group(std::string title) { group_ = std::move(title); }

  /// An option of any type that value_text.hpp reads.
  template <class T>
  void add(const std::string& name, const std::string& argument, const std::string& help, Role role, T& value) {
    add({name, argument, help, group_, role, [&value](const std::string& text) { read_value(text, value); },
         [&value] { return write_value(value); }});
  }

  /// A switch: `--name` on the command line, `name = true` in an input file.
  void add_switch(const std::string& name, const std::string& help, Role role, bool& value) {
    add(name, "", help, role, value);
  }

  /// An option that is one of a few words.
  template <class T>
  void add_choice(const std::string& name, const std::string& help, Role role, T& value,
                  const std::vector<std::pair<std::string, T>>& choices) {
    std::string words;
    for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
    const auto set = [&value, choices, words](const std::string& text) {
      for (const auto& [word, meaning] : choices) {
        if (word == text) {
          value = meaning;
          return;
        }
      }
      throw InputError("must be one of " + words);
    };
    const auto get = [&value, choices] {
      for (const auto& [word, meaning] : choices) {
        if (meaning == value) return word;
      }
      return std::string();
    };
    add({name, words, help, group_, role, set, get});
  }

  /// An option with a syntax of its own; its group is the present one.
  void add(Option option) {
    if (option.group.empty()) option.group = group_;
    option.initial = option.text();
    options_.push_back(std::move(option));
  }

  /// The option added last is younger than files that can be restarted, whose runs had this value.
  void unrecorded(const std::string& value) { options_.back().unrecorded = value; }

  /// The option added last has no value, and is not recorded, while this is so.
  void without_value_if(std::function<bool()> condition) {
    options_.back().text = [condition = std::move(condition), text = std::move(options_.back().text)] {
      return condition() ? std::string() : text();
    };
  }

  const std::vector<Option>& options() const { return options_; }

  /// The option of this name, or nullptr.
  const Option* find(const std::string& name) const;

  std::vector<std::string> names() const;

  /// The recorded options with the values in force, in the syntax of an input file; those without a value are left out.
  std::string input_text() const;

  /// The options by group with their defaults, one or more lines of at most `columns` characters each.
  std::string help(std::size_t columns) const;

 private:
  std::string group_;
  std::vector<Option> options_;
};

}  // namespace tessera::program
