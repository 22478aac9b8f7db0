// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/includes.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <tessera/core/error.hpp>
#include <vector>

#include "options/shown_text.hpp"
#include "options/text_file.hpp"
#include "options/value_text.hpp"

namespace tessera::processes {
namespace {

using program::trimmed;

/// FILE of a line `include = FILE`.
std::optional<std::string> included(const std::string& line) {
  const auto sign = line.find_first_of("=:");
  if (sign == std::string::npos || trimmed(line.substr(0, sign)) != "include") return std::nullopt;
  return trimmed(line.substr(sign + 1));
}

class Expansion {
 public:
  /// `before`: start of messages about the file.
  void add(const std::filesystem::path& file, const std::string& before) {
    const std::string content = program::start_of_file(file, largest + 1, before);
    read_.push_back(file);
    open_.push_back(file);
    std::istringstream lines(content);
    int number = 0;
    bool in_section = false;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      in_section = in_section || trimmed(line).starts_with('[');
      if (const auto name = included(line); name && !in_section) {
        include(file.parent_path() / *name, *name,
                (open_.size() == 1 ? "" : file.string() + " ") + "line " + std::to_string(number) +
                    ": include = " + program::quoted_word(*name) + ": ");
      } else {
        text += line + "\n";
      }
      if (text.size() > largest) throw InputError("is larger than " + std::to_string(largest) + " bytes");
    }
    open_.pop_back();
  }

  std::string text;

 private:
  void include(const std::filesystem::path& file, const std::string& name, const std::string& before) {
    if (name.empty()) throw InputError(before + "must be the name of a file");
    const auto is_this = [&](const std::filesystem::path& other) {
      std::error_code none;
      return std::filesystem::equivalent(file, other, none);
    };
    if (std::ranges::any_of(open_, is_this)) throw InputError(before + "the file includes itself");
    text += include_begins + name + "\n";
    if (std::ranges::none_of(read_, is_this)) add(file, before);
    text += std::string(include_ends) + "\n";
  }

  static constexpr std::size_t largest = 500'000;
  std::vector<std::filesystem::path> read_, open_;
};

}  // namespace

std::string text_with_includes(const std::filesystem::path& file) {
  Expansion expansion;
  expansion.add(file, "");
  if (trimmed(expansion.text).empty())
    throw InputError("is empty; must be a model file with sections such as [Species] and [Process]");
  return expansion.text;
}

}  // namespace tessera::processes
