// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <boost/locale/utf.hpp>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "processes/model_file.hpp"

namespace tessera::processes {
namespace {

using program::joined;
using program::quoted_word;

/// An element of kmcos' models, its section in an .ini file, its attributes, and the elements in it.
struct Element {
  std::string_view tag, section, attributes, elements;
};
constexpr Element known_elements[] = {
    {"XML", "", "version encoding standalone", "kmc"},
    {"kmc", "", "version", "meta species_list parameter_list lattice process_list output_list connected_variables"},
    {"meta", "Meta", "author email model_name model_dimension debug time_unit", ""},
    {"species_list", "SpeciesList", "default_species", "species"},
    {"species", "Species", "name color representation tags", ""},
    {"parameter_list", "", "", "parameter"},
    {"parameter", "Parameter", "name value adjustable min max scale", ""},
    {"lattice", "Lattice", "cell_size default_layer substrate_layer representation", "layer"},
    {"layer", "Layer", "name color grid grid_offset", "site"},
    {"site", "", "type pos vector default_species tags", ""},  // `vector` is `pos` of earlier versions
    {"process_list", "", "", "process"},
    {"process", "Process", "name rate_constant otf_rate energy enabled tof_count orientations",
     "condition action bystander"},
    {"condition", "", "species coord_name coord_offset coord_layer implicit", ""},
    {"action", "", "species coord_name coord_offset coord_layer implicit", ""},
    {"bystander", "", "allowed_species coord_name coord_offset coord_layer flag", ""},
    {"output_list", "", "", "output"},
    {"output", "", "item", ""},
    {"connected_variables", "connected_variables", "connected_variables_string", ""}};

/// Reads elements with their attributes, which are all that a model has, and skips comments.
class XmlReader {
 public:
  XmlReader(const std::string& text, const Source& source) : text_(text), source_(source), list_(source) {}

  std::vector<Section> read() {
    skip_blanks();
    if (take("<?xml")) read_attributes(), expect("?>");
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (take("<!--"))
        go_to(text_.find("-->", at_)), expect("-->");
      else if (take("</"))
        end_element(name());
      else
        expect("<"), begin_element();
    }
    if (open_.size() > 1) refuse("</" + open_.back() + "> is missing");
    return std::move(list_.sections);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { source_.refuse(line_, "XML: " + what); }
  const Element& element() const { return *std::ranges::find(known_elements, open_.back(), &Element::tag); }

  void go_to(std::size_t to) {
    for (to = std::min(to, text_.size()); at_ < to; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
  }
  void skip_blanks() { go_to(text_.find_first_not_of(" \t\r\n", at_)); }
  bool take(std::string_view word) {
    const bool is_there = text_.compare(at_, word.size(), word) == 0;
    if (is_there) go_to(at_ + word.size());
    return is_there;
  }
  void expect(std::string_view word) {
    if (!take(word)) refuse("'" + std::string(word) + "' is missing");
  }
  /// The name of an element or attribute.
  std::string name() {
    const std::size_t first = at_;
    go_to(text_.find_first_of(" \t\r\n=/<>\"'", at_));
    return text_.substr(first, at_ - first);
  }
  /// The same, one of `words`.
  std::string name_among(std::string_view words) {
    const std::vector<std::string> known = words_of(std::string(words));
    const std::string word = name();
    if (std::ranges::find(known, word) == known.end())
      refuse("'" + quoted_word(word) + "' is not known in <" + open_.back() + ">" +
             (known.empty() ? "" : "; must be " + joined(known, " or ")));
    return word;
  }

  void begin_element() {
    const int line = line_;
    open_.push_back(name_among(element().elements));
    read_attributes();
    const std::string tag = open_.back();
    if (!element().section.empty()) {
      list_.begin(std::string(element().section), attributes_["name"].text, line);
      for (const auto& [key, value] : attributes_)
        if (key != "name") list_.add(key, value.text, value.line);
    } else if (tag == "site") {
      list_.add("site " + attributes_["type"].text,
                "(" + words("pos") + words("vector") + "); " + attributes_["default_species"].text, line);
    } else if (tag == "condition" || tag == "action" || tag == "bystander") {
      const bool is_bystander = tag == "bystander";
      Text& terms = terms_.try_emplace(tag + "s", Text{"", line}).first->second;
      terms.text += (terms.text.empty() ? "" : " + ") +
                    (is_bystander ? "[" + words("allowed_species", "'") + "]" : attributes_["species"].text) + "@" +
                    attributes_["coord_name"].text + ".(" + words("coord_offset") + ")." +
                    attributes_["coord_layer"].text + (is_bystander ? "|" + attributes_["flag"].text : "");
    }
    if (take("/")) return end_element(tag);
    expect(">");
  }

  void end_element(const std::string& tag) {
    if (open_.size() == 1 || tag != open_.back())
      refuse("</" + quoted_word(tag) + "> must not be in <" + open_.back() + ">");
    skip_blanks();
    expect(">");
    open_.pop_back();
    if (tag == "process")
      for (const auto& [key, value] : std::exchange(terms_, {})) list_.add(key, value.text, value.line);
  }

  void read_attributes() {
    attributes_.clear();
    for (skip_blanks(); at_ < text_.size() && std::string_view("<>/?").find(text_[at_]) == std::string::npos;
         skip_blanks()) {
      const int line = line_;
      const std::string key = name_among(element().attributes);
      skip_blanks();
      expect("=");
      skip_blanks();
      const std::string quote = text_.substr(at_, 1);
      if (!take("\"") && !take("'")) refuse(key + ": needs a value in quotes");
      const std::size_t end = text_.find(quote, at_);
      const Text text{in_line(text_.substr(at_, end - at_)), line};
      if (!attributes_.try_emplace(key, text).second) refuse(key + ": is already given");
      go_to(end);
      expect(quote);
    }
  }

  /// A value in one line, with the characters to which it refers.
  std::string in_line(const std::string& raw) const {
    constexpr std::pair<std::string_view, unsigned> names[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    if (raw.find('<') != std::string::npos) refuse("'<' must be written as &lt; in a value");
    std::string text;
    for (std::size_t at = 0; at < raw.size(); ++at) {
      text += raw[at];
      if (raw[at] != '&') continue;
      const std::string word = raw.substr(at + 1, raw.find(';', at) - at - 1);
      const auto* known = std::ranges::find(names, word, &std::pair<std::string_view, unsigned>::first);
      unsigned code = known == std::end(names) ? 0 : known->second;
      const int prefix = word.starts_with("#x") ? 2 : word.starts_with('#') ? 1 : 0;
      const char *digits = word.data() + prefix, *end = word.data() + word.size();
      if ((prefix > 0 && std::from_chars(digits, end, code, prefix == 2 ? 16 : 10).ptr != end) || code == 0 ||
          !boost::locale::utf::is_valid_codepoint(code))
        refuse("'&" + quoted_word(word) + ";' is not known; '&' must be written as &amp; in a value");
      text.pop_back();
      boost::locale::utf::utf_traits<char>::encode(code, std::back_inserter(text));
      at += word.size() + 1;
    }
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    source_.check_characters(line_, text);
    return trimmed(text);
  }

  /// Words of an attribute such as "1 0 0", separated by commas.
  std::string words(const std::string& key, const std::string& quote = "") {
    return joined(words_of(attributes_[key].text), ", ", [&](const std::string& word) { return quote + word + quote; });
  }

  const std::string& text_;
  const Source& source_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<std::string> open_{"XML"};            // this element and those around it
  std::map<std::string, Text> attributes_, terms_;  // of this element; conditions, actions, ... of its process
  SectionList list_;
};

}  // namespace

std::vector<Section> read_xml_sections(const std::string& text, const Source& source) {
  return XmlReader(text, source).read();
}

}  // namespace tessera::processes
