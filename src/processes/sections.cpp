// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "options/read_options.hpp"

namespace tessera::processes {

using program::quoted_word;

Source::Source(const std::string& name, const std::string& text) : parts_{{1, name, 1}} {
  std::vector<Part> open{parts_};
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    Part& part = open.back();
    if (line.starts_with(include_begins)) {
      part.line += number - part.first;  // of the line that includes
      const auto folder = std::filesystem::path(part.name).parent_path();
      const std::string word = trimmed(line.substr(std::string(include_begins).size()));
      open.push_back({number + 1, (folder / word).string(), 1});
      parts_.push_back(open.back());
    } else if (line.starts_with(include_ends) && open.size() > 1) {
      open.pop_back();
      open.back().first = number;
      parts_.push_back(open.back());
    }
  }
}

const Source::Part& Source::part_of(int line) const {
  return *std::prev(std::ranges::upper_bound(parts_, std::max(1, line), {}, &Part::first));
}

std::string Source::place(int line) const {
  const Part& part = part_of(line);
  return part.name + " line " + std::to_string(part.line + line - part.first);
}

std::string Source::place(int line, int here) const {
  const Part& part = part_of(line);
  return part.name == part_of(here).name ? place(line).substr(part.name.size() + 1) : place(line);
}

void Source::refuse(int line, const std::string& what) const { throw InputError(place(line) + ": " + what); }

void Source::check_characters(int line, const std::string& text) const {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
      refuse(line, "has control characters; a model file is plain text");
}

void Source::check_name(int line, const std::string& word) const {
  if (word.find('/') != std::string::npos)
    refuse(line, "'" + quoted_word(word) + "': names of observables are made of it; it must not contain '/'");
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

const Text* Section::find(const std::string& key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &found->value;
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

void SectionList::begin(const std::string& kind, const std::string& name, int line) {
  const auto [other, is_new] = known_.try_emplace("[" + kind + " " + name, line);
  if (!is_new)
    source_.refuse(line, "[" + quoted_word(kind + (name.empty() ? "" : " " + name)) + "]: is already given in " +
                             source_.place(other->second, line));
  sections.push_back({kind, name, line, {}});
}

void SectionList::add(const std::string& key, const std::string& value, int line) {
  const auto [other, is_new] = known_.try_emplace(std::to_string(sections.size()) + " " + key, line);
  if (!is_new) source_.refuse(line, quoted_word(key) + ": is already given in " + source_.place(other->second, line));
  sections.back().entries.push_back({key, {value, line}});
}

namespace {

/// Refuses a comment after a value. [Meta] may contain its characters, positions of sites ';', and colours '#'.
void check_comment(const std::string& line, int number, const Source& source, const std::vector<Section>& sections) {
  if (line.front() != '[' && !sections.empty() && sections.back().kind == "Meta") return;
  for (auto at = line.find_first_of("#;", 1); at != std::string::npos; at = line.find_first_of("#;", at + 1)) {
    const std::string before = trimmed(line.substr(0, at));
    const bool is_value = line[at] == '#' ? before.ends_with('=') || before.ends_with(':') : line.starts_with("site ");
    if (!is_value && (line[at - 1] == ' ' || line[at - 1] == '\t'))
      source.refuse(number, "'" + quoted_word(line.substr(at)) + "': a comment needs a line of its own");
  }
}

/// `in_section`: whether the last section has begun in this file.
void add_entry(const std::string& line, int number, const Source& source, bool in_section, SectionList& list) {
  const auto end = line.find_first_of("=:");
  const std::string key = trimmed(line.substr(0, end));
  if (end == std::string::npos || key.empty())
    source.refuse(number, "'" + quoted_word(line) + "': must be `key = value` or [SECTION]");
  if (!in_section) source.refuse(number, quoted_word(key) + ": a section such as [Meta] must come first");
  if (key == "include") source.refuse(number, "include: must stand before the first section");
  list.add(key, trimmed(line.substr(end + 1)), number);
}

/// The points of a table in a file, "0: 300, 60: 450".
std::string points_in(const std::filesystem::path& file) {
  constexpr std::size_t largest = std::size_t{1} << 26;
  const std::string name = "table(" + file.string() + ")";
  std::istringstream content(program::start_of_file(file, largest, name + ": "));
  static const std::map<std::string, double> seconds{{"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", 3600}};
  std::string list;
  double factors[] = {1, 1}, zeros[] = {0, 0}, before = -HUGE_VAL;
  int number = 0;
  for (std::string line; std::getline(content, line);) {
    ++number;
    with_prefix(name + " line " + std::to_string(number) + ": ", [&] {
      line = line.substr(0, line.find('#'));
      if (list.empty() && std::ranges::count(line, '(') == 2) {  // titles with units
        std::istringstream titles(line);
        std::string units[2];
        for (std::string& unit : units) std::getline(std::getline(titles, unit, '('), unit, ')');
        const auto known = seconds.find(units[0]);
        if (known == seconds.end())
          throw InputError("the unit of the times is (" + units[0] + "); must be s, ms, min or h");
        factors[0] = known->second;
        zeros[1] = units[1] == "C" || units[1] == "degC" || units[1] == "\u00b0C" ? 273.15 : 0;
        return;
      }
      std::ranges::replace_if(
          line, [](char c) { return c == ',' || c == ';'; }, ' ');
      const std::vector<std::string> columns = words_of(line);
      if (columns.empty()) return;
      if (columns.size() != 2) throw InputError("must have two columns, time and value");
      double values[2];
      for (std::size_t i = 0; i < 2; ++i) {
        with_prefix("'" + program::shown(columns[i], 40) + "': ", [&] { program::read_value(columns[i], values[i]); });
        values[i] = values[i] * factors[i] + zeros[i];
        if (!std::isfinite(values[i])) throw InputError("must be finite");
      }
      if (values[0] < before) throw InputError("the times must not decrease");
      before = values[0];
      list += (list.empty() ? "" : ", ") + program::write_value(values[0]) + ": " + program::write_value(values[1]);
    });
  }
  if (list.empty()) throw InputError(name + ": has no rows with time and value");
  return list;
}

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
    for (std::size_t at = 0, length = 0; at < content.size(); at += length)
      if (length = program::utf8_length(content, at); length == 0)
        throw InputError(before + "line " +
                         std::to_string(1 + std::count(content.begin(), content.begin() + at, '\n')) + ": '" +
                         quoted_word(content.substr(at, 1)) + "' is not UTF-8; must be plain text in UTF-8");
    if (is_xml(content)) {
      if (depth_ > 0) throw InputError(before + "is XML; must be an .ini file");
      text = content;
      return;
    }
    ++depth_;
    std::istringstream lines(content);
    int number = 0;
    bool in_section = false;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      in_section = in_section || trimmed(line).starts_with('[');
      const std::string here = (depth_ == 1 ? "" : file.string() + " ") + "line " + std::to_string(number) + ": ";
      if (const auto name = included(line); name && !in_section)
        include(file.parent_path() / *name, *name, here + "include = " + quoted_word(*name) + ": ");
      else
        text += with_prefix(here, [&] { return with_tables(line, file.parent_path()); }) + "\n";
    }
    --depth_;
  }

  std::string text;
  std::map<std::filesystem::path, bool> is_open;  // of all files that are included

 private:
  void include(const std::filesystem::path& file, const std::string& name, const std::string& before) {
    if (name.empty()) throw InputError(before + "must be the name of a file");
    std::error_code none;
    const auto [known, is_new] = is_open.try_emplace(std::filesystem::weakly_canonical(file, none), true);
    if (!is_new && known->second) throw InputError(before + "the file includes itself");
    if (depth_ == deepest)
      throw InputError(before + "is nested too deeply; files include others at most " + std::to_string(deepest - 1) +
                       " deep");
    text += include_begins + name + "\n";
    if (is_new) add(file, before);
    known->second = false;
    text += std::string(include_ends) + "\n";
  }

  static constexpr std::size_t largest = std::size_t{1} << 30;  // of a file without end, such as /dev/zero
  static constexpr int deepest = 100;
  std::size_t bytes_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_xml(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '<';
}

std::vector<Section> read_sections(const std::string& text, const Source& source) {
  if (is_xml(text)) return read_xml_sections(text, source);
  SectionList list(source);
  std::vector<Section>& sections = list.sections;
  std::istringstream lines(text);
  int number = 0;
  bool in_section = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with(include_begins) || line.starts_with(include_ends)) in_section = false;
    const std::string content = trimmed(line);
    source.check_characters(number, content);
    if (content.starts_with("#@"))
      source.refuse(number,
                    "lines that begin with #@ are templates of kmcos; export the model, and use the exported file");
    if (content.empty() || content.front() == '#' || content.front() == ';') continue;
    check_comment(content, number, source, sections);
    const bool continued = line.front() == ' ' || line.front() == '\t';
    if (continued && in_section && !sections.back().entries.empty()) {
      sections.back().entries.back().value.text += " " + content;
    } else if (content.front() == '[') {
      if (content.back() != ']') source.refuse(number, "'" + quoted_word(content) + "': must end with ']'");
      const std::string title = trimmed(content.substr(1, content.size() - 2));
      const auto blank = std::min(title.find_first_of(" \t"), title.size());
      list.begin(title.substr(0, blank), trimmed(title.substr(blank)), number);
      in_section = true;
    } else {
      add_entry(content, number, source, in_section, list);
    }
  }
  return sections;
}

std::string with_tables(std::string line, const std::filesystem::path& folder) {
  constexpr std::string_view begin = "table(";
  for (auto at = line.find(begin); at != std::string::npos; at = line.find(begin, at)) {
    at += begin.size();
    const auto end = line.find_first_of(":()", at);
    const std::string name = end == std::string::npos ? "" : std::string(trimmed(line.substr(at, end - at)));
    if (!name.empty() && line[end] == ')' && line.find('#') > at) line.replace(at, end - at, points_in(folder / name));
  }
  return line;
}

std::string text_with_includes(const std::filesystem::path& file) {
  std::error_code none;
  const bool is_folder = std::filesystem::exists(file / "simulation_input.dat", none);
  if (is_folder || file.filename().string().ends_with("_input.dat"))
    throw InputError("is input of Zacros; use --zacros " +
                     program::shell_word((is_folder ? file : "." / file.parent_path()).string()));
  Expansion expansion;
  expansion.is_open[std::filesystem::weakly_canonical(file, none)] = true;
  expansion.add(file, "");
  if (trimmed(expansion.text).empty())
    throw InputError("is empty; must be a model file with sections such as [Species] and [Process]");
  return expansion.text;
}

}  // namespace tessera::processes
