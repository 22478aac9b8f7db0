// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/shown_text.hpp"

#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <boost/locale/utf.hpp>
#include <cstdio>

namespace tessera::program {
namespace {

unsigned byte_at(const std::string& text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

struct Character {
  unsigned code = 0;
  std::size_t length = 0;  // in bytes; 0 for invalid UTF-8
};
Character character_at(const std::string& text, std::size_t at) {
  const char *const begin = text.data() + at, *end = begin;
  const auto code = boost::locale::utf::utf_traits<char>::decode(end, text.data() + text.size());
  return {code, boost::locale::utf::is_valid_codepoint(code) ? static_cast<std::size_t>(end - begin) : 0};
}

/// Length in bytes of the printable character at `at`; 0 for a control character and for invalid UTF-8.
std::size_t printable_length(const std::string& text, std::size_t at) {
  const auto [code, length] = character_at(text, at);
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
                       (code >= 0x2066 && code <= 0x2069);
  return control ? 0 : length;
}

std::string escape(unsigned byte) {
  if (byte == '\n') return "\\n";
  if (byte == '\r') return "\\r";
  if (byte == '\t') return "\\t";
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\x%02x", byte);
  return text.data();
}

bool continues_character(const std::string& text, std::size_t at) { return (byte_at(text, at) & 0xc0u) == 0x80u; }

/// Replaces the middle of a text by "..." without splitting characters.
std::string without_middle(const std::string& text, std::size_t longest) {
  std::size_t head = longest - longest / 3;
  std::size_t tail = text.size() - longest / 3;
  for (int i = 0; i < 3 && continues_character(text, head); ++i) --head;
  for (int i = 0; i < 3 && tail < text.size() && continues_character(text, tail); ++i) ++tail;
  return text.substr(0, head) + "..." + text.substr(tail);
}

}  // namespace

std::size_t utf8_length(const std::string& text, std::size_t at) { return character_at(text, at).length; }

std::string shown(const std::string& text, std::size_t longest) {
  const std::string content = text.size() > longest ? without_middle(text, longest) : text;
  std::string line;
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t length = printable_length(content, at);
    line += length > 0 ? content.substr(at, length) : escape(byte_at(content, at));
    at += length > 0 ? length : 1;
  }
  return line;
}

std::string shell_word(const std::string& word) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return "'" + boost::algorithm::replace_all_copy(word, "'", "'\\''") + "'";
}

std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : (i + 1 < words.size() ? ", " : last)) + words[i];
  return text;
}

}  // namespace tessera::program
