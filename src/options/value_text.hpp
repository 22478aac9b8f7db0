// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <type_traits>

namespace tessera::program {

/// A wall-clock duration in seconds; written as seconds or [D-]HH:MM:SS.
struct WallSeconds {
  double value = 0;
};

/// The text without the blanks at both ends.
std::string trimmed(const std::string& text);

// Values as words of the command line and of input files. read_value() throws InputError with the expected form ("must
// be a whole number"); write_value() gives the shortest text that reads back to the same value. Whole numbers may be
// written as 1e6 or 2.5e3.

void read_value(const std::string& text, int& value);
void read_value(const std::string& text, std::int64_t& value);
void read_value(const std::string& text, std::uint64_t& value);
void read_value(const std::string& text, double& value);
void read_value(const std::string& text, bool& value);
void read_value(const std::string& text, std::string& value);
void read_value(const std::string& text, WallSeconds& value);

template <class Number>
requires std::is_arithmetic_v<Number> std::string write_value(Number value) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}
std::string write_value(bool value);
std::string write_value(const std::string& value);
std::string write_value(WallSeconds value);

}  // namespace tessera::program
