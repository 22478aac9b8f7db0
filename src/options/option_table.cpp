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

}  // namespace tessera::program
