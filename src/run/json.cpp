// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/json.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include "options/value_text.hpp"

namespace tessera::program {
namespace {

/// Length of the well-formed UTF-8 sequence at `position`, 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t position) {
  const auto byte = [&](std::size_t k) {
    return position + k < text.size() ? static_cast<unsigned char>(text[position + k]) : 0u;
  };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0 && continues(1)) return 2;
  if (first >= 0xe0 && first < 0xf0 && continues(1) && continues(2)) {
    const bool overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xf0 && first < 0xf5 && continues(1) && continues(2) && continues(3)) {
    const bool overlong = first == 0xf0 && byte(1) < 0x90;
    const bool beyond = first == 0xf4 && byte(1) >= 0x90;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

std::string json_number(double value) { return std::isfinite(value) ? write_value(value) : "null"; }

}  // namespace

std::string json_string(const std::string& text) {
  std::string quoted = "\"";
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t length = utf8_length(text, k);
    const char c = text[k];
    if (length == 0) {
      quoted += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      quoted += escape.data();
    } else {
      quoted.append(text, k, length);
    }
    k += length == 0 ? 1 : length;
  }
  return quoted + '"';
}

JsonObject& JsonObject::member(const std::string& key, const std::string& value) {
  members_.emplace_back(json_string(key) + ": " + value);
  return *this;
}

JsonObject& JsonObject::add(const std::string& key, double value) { return member(key, json_number(value)); }

JsonObject& JsonObject::add(const std::string& key, const std::vector<double>& values) {
  std::string list;
  for (const double value : values) list += (list.empty() ? "" : ", ") + json_number(value);
  return member(key, "[" + list + "]");
}

JsonObject& JsonObject::add(const std::string& key, std::uint64_t value) { return member(key, write_value(value)); }
JsonObject& JsonObject::add(const std::string& key, bool value) { return member(key, write_value(value)); }
JsonObject& JsonObject::add(const std::string& key, const std::string& value) {
  return member(key, json_string(value));
}
JsonObject& JsonObject::add(const std::string& key, const JsonObject& value) { return member(key, value.text()); }

std::string JsonObject::text() const {
  std::string text = "{";
  for (const auto& member : members_) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    // Only a member that is an object contains line breaks; newlines in strings are escaped.
    for (const char c : member) text += c == '\n' ? "\n  " : std::string(1, c);
  }
  return text + (members_.empty() ? "}" : "\n}");
}

std::string JsonObject::line() const {
  std::string line;
  bool after_break = false;
  for (const char c : text()) {
    after_break = c == '\n' || (after_break && c == ' ');
    if (c == '\n' && line.back() == ',') line += ' ';
    if (!after_break) line += c;
  }
  return line;
}

}  // namespace tessera::program
