// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

#include "options/text.hpp"

namespace tessera::processes {

/// A text in a model file, and the number of its first line.
struct Text {
  std::string text;
  int line = 0;
};

/// Names of a model file and of the files in its text, for messages.
class Source {
 public:
  Source() = default;
  Source(const std::string& name, const std::string& text);

  /// "NAME line N".
  std::string place(int line) const;
  /// "line N", or "NAME line N" if it is a line of another file than `here`.
  std::string place(int line, int here) const;
  /// Throws InputError, "NAME line N: what".
  [[noreturn]] void refuse(int line, const std::string& what) const;
  /// Throws InputError if a text of the file has control characters.
  void check_characters(int line, const std::string& text) const;
  /// Throws InputError if `word` cannot be part of the name of an observable.
  void check_name(int line, const std::string& word) const;

 private:
  /// Lines of the text from `first` on are those of a file from its line `line` on.
  struct Part {
    int first;
    std::string name;
    int line;
  };
  const Part& part_of(int line) const;

  std::vector<Part> parts_;
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

  /// The value of a key; null if there is none.
  const Text* find(const std::string& key) const;
};

/// Sections that are being read. Throws InputError if one of them, or a key in one of them, is given twice.
class SectionList {
 public:
  explicit SectionList(const Source& source) : source_(source) {}

  void begin(const std::string& kind, const std::string& name, int line);
  /// An entry of the last section.
  void add(const std::string& key, const std::string& value, int line);

  std::vector<Section> sections;

 private:
  const Source& source_;
  std::map<std::string, int> known_;  // lines of "[KIND NAME" and, after the number of sections, of keys
};

/// Whether a model file is one of kmcos in XML.
bool is_xml(const std::string& text);
/// Sections of an .ini file in the syntax of Python's configparser, `key = value` or `key: value`, with indented lines
/// that continue a value and comments after # or ; -- or of an .xml file of kmcos. Throws InputError with the line.
std::vector<Section> read_sections(const std::string& text, const Source& source);
std::vector<Section> read_xml_sections(const std::string& text, const Source& source);

/// A line with each `table(FILE)` replaced by the table in this file, two columns of numbers for time and value. A
/// first line may have titles with units, `time (min), T (degC)`; # begins a comment. `folder`: that of relative names.
/// Throws InputError with the file and its line.
std::string with_tables(std::string line, const std::filesystem::path& folder);

using program::trimmed;

/// Parts of a text between separators outside of parentheses, brackets, braces and quotes, trimmed.
std::vector<std::string> parts_of(const std::string& text, char separator);
/// The words of a text.
std::vector<std::string> words_of(const std::string& text);

}  // namespace tessera::processes
