// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/sections.hpp"

#include <algorithm>
#include <sstream>
#include <tessera/core/error.hpp>

#include "options/shown_text.hpp"

namespace tessera::processes {

using program::quoted_word;

void Source::refuse(int line, const std::string& what) const {
  throw InputError(name + " line " + std::to_string(line) + ": " + what);
}

void Source::check_name(int line, const std::string& word) const {
  if (word.find('/') != std::string::npos)
    refuse(line, "'" + quoted_word(word) + "': names of observables are made of it; it must not contain '/'");
}

const Entry* Section::find(const std::string& key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0)
      quote = c == quote ? '\0' : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    if (c == separator && depth == 0 && quote == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

namespace {

/// Adds the section that begins with a line "[KIND NAME]".
void begin_section(const std::string& line, int number, const Source& source, std::vector<Section>& sections) {
  if (line.back() != ']') source.refuse(number, "'" + quoted_word(line) + "': must end with ']'");
  const std::string title = trimmed(line.substr(1, line.size() - 2));
  const auto blank = title.find_first_of(" \t");
  Section section;
  section.kind = title.substr(0, blank);
  section.line = number;
  if (blank != std::string::npos) section.name = trimmed(title.substr(blank));
  for (const Section& other : sections)
    if (other.kind == section.kind && other.name == section.name)
      source.refuse(number, "[" + quoted_word(title) + "]: is already given in line " + std::to_string(other.line));
  sections.push_back(section);
}

void add_entry(const std::string& line, int number, const Source& source, std::vector<Section>& sections) {
  const auto end = line.find_first_of("=:");
  const std::string key = trimmed(line.substr(0, end));
  if (end == std::string::npos || key.empty())
    source.refuse(number, "'" + quoted_word(line) + "': must be `key = value` or [SECTION]");
  if (sections.empty()) source.refuse(number, quoted_word(key) + ": a section such as [Meta] must come first");
  Section& section = sections.back();
  if (const Entry* other = section.find(key); other != nullptr)
    source.refuse(number, quoted_word(key) + ": is already given in line " + std::to_string(other->value.line));
  section.entries.push_back({key, {trimmed(line.substr(end + 1)), number}});
}

}  // namespace

std::vector<Section> read_sections(const std::string& text, const Source& source) {
  std::vector<Section> sections;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string content = trimmed(line);
    for (const char c : content)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
        source.refuse(number, "has control characters; a model file is plain text");
    if (content.starts_with("#@"))
      source.refuse(number,
                    "lines that begin with #@ are templates of kmcos; export the model, and use the exported file");
    if (content.empty() || content.front() == '#' || content.front() == ';') continue;
    const bool goes_on = line.front() == ' ' || line.front() == '\t';
    if (goes_on && !sections.empty() && !sections.back().entries.empty())
      sections.back().entries.back().value.text += " " + content;
    else if (content.front() == '[')
      begin_section(content, number, source, sections);
    else
      add_entry(content, number, source, sections);
  }
  return sections;
}

}  // namespace tessera::processes
