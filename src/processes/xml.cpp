// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <string_view>

#include "processes/sections.hpp"

namespace tessera::processes {
namespace {

using boost::property_tree::ptree;

/// Lines of the elements of an XML document in their order, which ptree does not keep. Throws InputError if they are
/// nested so deeply that ptree, which is recursive, might overflow the stack.
std::vector<int> lines_of_elements(const std::string& text, const Source& source) {
  constexpr int deepest = 100;
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  std::vector<int> lines;
  std::size_t at = 0;
  int line = 1, depth = 0;
  const auto go_to = [&](std::size_t to) {
    for (to = std::min(to, text.size()); at < to; ++at) line += text[at] == '\n' ? 1 : 0;
  };
  for (go_to(text.find('<')); at < text.size(); go_to(text.find('<', at + 1))) {
    const auto begins = [&](const auto& other) { return text.compare(at, other.first.size(), other.first) == 0; };
    if (const auto* other = std::ranges::find_if(others, begins); other != std::end(others)) {
      go_to(text.find(other->second, at));
    } else if (text.compare(at, 2, "</") == 0) {
      --depth;
    } else {
      lines.push_back(line);
      std::size_t end = at;
      for (char quote = 0; end < text.size() && (text[end] != '>' || quote != 0); ++end)
        if (text[end] == quote || (quote == 0 && (text[end] == '"' || text[end] == '\'')))
          quote = quote == 0 ? text[end] : '\0';
      if (text[end - 1] != '/' && ++depth > deepest) source.refuse(line, "XML is nested too deeply");
      go_to(end);
    }
  }
  return lines;
}

class XmlReader {
 public:
  XmlReader(const std::string& text, const Source& source)
      : source_(source), lines_(lines_of_elements(text, source)), list_(source) {}

  std::vector<Section> read(const ptree& document) {
    read_elements(document);
    if (list_.sections.empty()) source_.refuse(1, "is XML, but no model of kmcos, which has an element <species_list>");
    return std::move(list_.sections);
  }

 private:
  /// A text in one line.
  std::string in_line(std::string text) const {
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    source_.check_characters(line_, text);
    return trimmed(text);
  }
  /// An attribute of an element; empty if there is none.
  std::string attribute(const ptree& element, const std::string& name) const {
    return in_line(element.get("<xmlattr>." + name, ""));
  }
  /// Words of an attribute such as "1 0 0", separated by commas.
  std::string words(const ptree& element, const std::string& name, const std::string& quote = "") const {
    std::string text;
    for (const std::string& word : parts_of(attribute(element, name), ' '))
      if (!word.empty()) text += (text.empty() ? quote : ", " + quote) + word + quote;
    return text;
  }

  void read_elements(const ptree& parent) {
    for (const auto& [tag, element] : parent) {
      if (tag.starts_with('<')) continue;  // attributes
      if (next_ < lines_.size()) line_ = lines_[next_++];
      read_element(tag, element);
    }
  }
  void read_element(const std::string& tag, const ptree& element) {
    constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"meta", "Meta"},           {"species_list", "SpeciesList"},
        {"species", "Species"},     {"layer", "Layer"},
        {"parameter", "Parameter"}, {"process", "Process"},
        {"lattice", "Lattice"},     {"connected_variables", "connected_variables"}};
    if (const auto* kind = std::ranges::find(kinds, tag, &std::pair<std::string_view, std::string_view>::first);
        kind != std::end(kinds)) {
      const int line = line_;
      const ptree none;
      list_.begin(std::string(kind->second), attribute(element, "name"), line);
      for (const auto& [name, text] : element.get_child("<xmlattr>", none))
        if (name != "name") list_.add(name, in_line(text.data()), line);
      terms_.clear();
      read_elements(element);
      for (const auto& [key, text] : terms_) list_.add(key, text, line);
    } else if (tag == "site") {
      const std::string position = words(element, "pos") + words(element, "vector");  // of earlier versions
      list_.add("site " + attribute(element, "type"), "(" + position + "); " + attribute(element, "default_species"),
                line_);
    } else if (tag == "condition" || tag == "action" || tag == "bystander") {
      const bool is_bystander = tag == "bystander";
      std::string& text = terms_[tag + "s"];
      text += (text.empty() ? "" : " + ") +
              (is_bystander ? "[" + words(element, "allowed_species", "'") + "]" : attribute(element, "species")) +
              "@" + attribute(element, "coord_name") + ".(" + words(element, "coord_offset") + ")." +
              attribute(element, "coord_layer") + (is_bystander ? "|" + attribute(element, "flag") : "");
    } else if (tag != "output") {
      read_elements(element);  // <kmc> and lists
    }
  }

  const Source& source_;
  std::vector<int> lines_;
  std::size_t next_ = 0;
  int line_ = 1;
  SectionList list_;
  std::map<std::string, std::string> terms_;  // of the process that is being read
};

}  // namespace

std::vector<Section> read_xml_sections(const std::string& text, const Source& source) {
  namespace xml = boost::property_tree::xml_parser;
  XmlReader reader(text, source);
  ptree document;
  std::istringstream stream(text);
  try {
    xml::read_xml(stream, document, xml::no_comments);
  } catch (const xml::xml_parser_error& error) {
    source.refuse(static_cast<int>(error.line()), "XML: " + error.message());
  }
  return reader.read(document);
}

}  // namespace tessera::processes
