// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

/// Texts for messages, and values as words.
namespace tessera::program {

/// A positive number in four significant digits: "12.34", "8.213e+08".
std::string short_number(double value);

/// With its unit: "12.34 s", "12.34/k_2" for 1/k_2.
std::string with_unit(double value, const std::string& unit);

/// With its error in the last digits, one, or two below 3: "178.500(23)", "3.04(7)e4". If that is NaN or 0: without.
std::string with_error(double value, double error);

/// "12.5 MiB"
std::string short_bytes(double bytes);

/// A number of GiB.
std::string gibibytes(std::size_t bytes);

/// A wall time for messages: "4.2 s", "3 min 20 s", "5 h 12 min", "2 d 3 h".
std::string short_duration(double seconds);

/// A number with its noun: "1 thread", "2 threads".
std::string counted(long long number, const std::string& noun);

/// `text` for a message: one line without terminal control sequences. Control characters and invalid UTF-8 are written
/// as \n, \t or \x1b; the middle of a text of more than `longest` bytes is replaced by "...".
std::string shown(const std::string& text, std::size_t longest);

/// Length in bytes of the well-formed UTF-8 sequence at `at`; 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t at);

/// A word from the command line, for a message: at most 60 bytes.
inline std::string quoted_word(const std::string& word) { return shown(word, 60); }

/// A word in the syntax of a shell.
std::string shell_word(const std::string& word);

/// "a", "a and b", "a, b and c" with `last` = " and ". `text`: the text of an item.
template <class Items, class Text = std::identity>
std::string joined(const Items& items, const std::string& last, const Text& text = {}, const char* comma = ", ") {
  std::string all;
  for (std::size_t left = std::size(items); const auto& one : items)
    all += std::string(std::invoke(text, one)) + (--left > 1 ? comma : left == 1 ? last : "");
  return all;
}

/// Edit distance: number of single-character insertions, deletions, replacements and transpositions from `a` to `b`.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The word of `known` closest to `word`: the smallest edit distance, the first of several. Known words that start with
/// `word` have precedence. Empty if less than two thirds of the letters agree.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

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
inline std::string write_value(bool value) { return value ? "true" : "false"; }
inline std::string write_value(const std::string& value) { return value; }
inline std::string write_value(WallSeconds value) { return write_value(value.value); }

}  // namespace tessera::program
