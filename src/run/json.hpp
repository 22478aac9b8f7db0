// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::program {

/// One JSON object, written key by key.
class JsonObject {
 public:
  /// A number with all its digits; null for NaN and infinities, which JSON does not have.
  JsonObject& add(const std::string& key, double value);
  JsonObject& add(const std::string& key, std::uint64_t value);
  JsonObject& add(const std::string& key, bool value);
  JsonObject& add(const std::string& key, const std::string& value);
  JsonObject& add(const std::string& key, const char* value) { return add(key, std::string(value)); }
  JsonObject& add(const std::string& key, const JsonObject& value);
  /// An array of numbers.
  JsonObject& add(const std::string& key, const std::vector<double>& values);

  /// The object, one member a line.
  std::string text() const;
  /// The object in one line, without a line feed.
  std::string line() const;

 private:
  JsonObject& member(const std::string& key, const std::string& value);

  std::vector<std::string> members_;
};

/// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(const std::string& text);

}  // namespace tessera::program
