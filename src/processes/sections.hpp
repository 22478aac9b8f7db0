// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "options/value_text.hpp"

namespace tessera::processes {

/// A text of a model file with the line it begins in.
struct Text {
  std::string text;
  int line = 0;
};

/// The name of a model file, for messages.
struct Source {
  std::string name;

  /// Throws InputError, "NAME line N: what".
  [[noreturn]] void refuse(int line, const std::string& what) const;
};

/// `key = value` of a section.
struct Entry {
  std::string key;
  Text value;
};

/// [KIND NAME] with its entries.
struct Section {
  std::string kind, name;
  int line = 0;
  std::vector<Entry> entries;

  const Entry* find(const std::string& key) const;
};

/// The sections of an .ini file as Python's configparser reads it: `key = value` or `key: value`, lines that are
/// indented go on with the value before, lines that begin with # or ; are comments. Throws InputError, naming the line.
std::vector<Section> read_sections(const std::string& text, const Source& source);

using program::trimmed;

/// The parts of a text between separators outside of parentheses, brackets, braces and quotes, trimmed.
std::vector<std::string> parts_of(const std::string& text, char separator);

}  // namespace tessera::processes
