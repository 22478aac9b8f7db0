// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/model_file.hpp"

#include <optional>
#include <sstream>
#include <tessera/core/error.hpp>

#include "options/option_words.hpp"
#include "options/text.hpp"

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
    const std::string content = program::start_of_file(file, largest - bytes_ + 1, before);
    bytes_ += content.size();
    if (bytes_ > largest) throw InputError("is larger than 1 GiB");
    if (is_xml(content)) {
      if (depth_ > 0) throw InputError(before + "is XML; must be an .ini file");
      text = content;
      return;
    }
    std::error_code none;
    bool& is_open = is_open_[std::filesystem::weakly_canonical(file, none)];
    is_open = true;
    ++depth_;
    std::istringstream lines(content);
    int number = 0;
    bool in_section = false;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      in_section = in_section || trimmed(line).starts_with('[');
      if (const auto name = included(line); name && !in_section) {
        include(file.parent_path() / *name, *name,
                (depth_ == 1 ? "" : file.string() + " ") + "line " + std::to_string(number) +
                    ": include = " + program::quoted_word(*name) + ": ");
      } else {
        text += line + "\n";
      }
    }
    is_open = false;
    --depth_;
  }

  std::string text;

 private:
  void include(const std::filesystem::path& file, const std::string& name, const std::string& before) {
    if (name.empty()) throw InputError(before + "must be the name of a file");
    std::error_code none;
    const auto known = is_open_.find(std::filesystem::weakly_canonical(file, none));
    if (known != is_open_.end() && known->second) throw InputError(before + "the file includes itself");
    if (depth_ == deepest)
      throw InputError(before + "is nested too deeply; files include others at most " + std::to_string(deepest - 1) +
                       " deep");
    text += include_begins + name + "\n";
    if (known == is_open_.end()) add(file, before);
    text += std::string(include_ends) + "\n";
  }

  static constexpr std::size_t largest = std::size_t{1} << 30;  // of a file without end, such as /dev/zero
  static constexpr int deepest = 100;
  std::size_t bytes_ = 0;
  int depth_ = 0;
  std::map<std::filesystem::path, bool> is_open_;  // of all files that are included
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
