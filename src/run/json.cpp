// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/json.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <regex>

#include "options/text.hpp"

namespace tessera::program {
namespace {

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
  return member(key, "[" + joined(values, ", ", json_number) + "]");
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
  return std::regex_replace(std::regex_replace(text(), std::regex(",\n *"), ", "), std::regex("\n *"), "");
}

}  // namespace tessera::program
