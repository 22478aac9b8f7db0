// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/fuzz/option_lines.hpp"

#include <deque>
#include <sstream>
#include <stdexcept>

#include "run/method.hpp"

namespace tessera::testing {
namespace {

/// Changes one place of a text.
void damage(std::string& text, std::mt19937_64& random) {
  const std::size_t at = random() % (text.size() + 1);
  switch (random() % 4) {
    case 0:
      text.insert(at, 1, static_cast<char>(random() % 256));
      break;
    case 1:
      text.insert(at, text.substr(0, random() % (text.size() + 1)));
      break;
    case 2:
      text.erase(at, 1 + random() % 3);
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(random() % 256);
  }
  std::erase(text, '\0');  // no word of a command line has one
}

}  // namespace

const std::vector<std::string>& edge_values() {
  static const std::vector<std::string> values = [] {
    std::istringstream words(
        R"(0 -0 1 -1 2 3 7 16 64 0.5 1e-9 1e-12 1e-300 -1e-300 4.9e-324 1e6 1e9 1e18 1e300 1e308 1e309
      inf -inf Infinity nan -nan NaN(7) 0x10 1e 1. .5 +5 --5 1_000 1,000 511 512 513 4096 65535 65536 1073741823 1073741824
      2147483640 2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 9007199254740993
      9223372036854775807 9223372036854775808 -9223372036854775808 18446744073709551615 18446744073709551616
      1, ,1 , 1,1 16,32 1073741824,2 65536,65536 2147483647,2147483647 1,2,3 3,2,1 1,1e9,inf log 00:00:01 1-00:00:00
      01:60:00 99999999999-00:00:00 -1:00:00 1e-9:1:1 true false maybe auto never always serial openmp cuda lattice random
      . .. / /dev/null no/such/file - -- = # %s%n ' " \ $(true))");
    std::vector<std::string> all{"",     " ",    "\x1b[31m", "\xff\xfe", "\xc2\x9b", "\xcf\x86", "\xef\xbc\x95",
                                 "\x7f", "a\nb", "a\rb"};
    all.insert(all.end(), {std::string(5000, '9'), std::string(100000, 'a'), "0." + std::string(2000, '0') + "1",
                           std::string(300, '\x1b')});
    for (std::string word; words >> word;) all.push_back(word);
    return all;
  }();
  return values;
}

std::vector<program::Option> options_of(const std::string& method) {
  for (const auto& entry : program::methods()) {
    if (entry.name != method) continue;
    static std::deque<program::BoundMethod> made;  // the options are bound to these: they stay
    return made.emplace_back(entry).table.options();
  }
  throw std::runtime_error("no method " + method);
}

std::string value_of(const program::Option& option, std::mt19937_64& random) {
  if (option.argument.find('|') != std::string::npos && random() % 2 == 0) {
    std::istringstream stream(option.argument);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, '|');) words.push_back(word);
    return one_of(words, random);
  }
  if (random() % 4 == 0) return option.text();
  std::string value = one_of(edge_values(), random);
  if (random() % 16 == 0) damage(value, random);
  return value;
}

Words random_words(const std::vector<program::Option>& options, std::mt19937_64& random) {
  Words words;
  for (auto count = 1 + random() % 4; count > 0; --count) {
    const auto& option = one_of(options, random);
    std::string name = "--" + option.name;
    if (random() % 8 == 0) damage(name, random);
    switch (random() % 8) {
      case 0:
        words.push_back(name);
        break;
      case 1:
        words.push_back(value_of(option, random));
        break;
      case 2:
      case 3:
        words.push_back(name + "=" + value_of(option, random));
        break;
      default:
        words.insert(words.end(), {name, value_of(option, random)});
    }
  }
  return words;
}

std::string random_input(const std::vector<program::Option>& options, std::mt19937_64& random) {
  std::string text;
  for (auto count = 1 + random() % 5; count > 0; --count) {
    const auto& option = one_of(options, random);
    text += option.name + (random() % 8 == 0 ? "=" : " = ") + value_of(option, random);
    text += random() % 8 == 0 ? " # comment" : "";
    text += random() % 16 == 0 ? "\r\n" : "\n";
  }
  if (random() % 3 == 0) damage(text, random);
  return text;
}

Words words_of_line(const std::string& line) {
  Words words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) {
    std::string text;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (word[i] != '\\' || i + 1 == word.size()) {
        text += word[i];
      } else if (word[++i] == 'x') {
        text += static_cast<char>(std::stoi(word.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else if (word[i] == '*') {  // the character before, as often as the number says
        std::size_t digits = 0;
        const auto times = std::stoul(word.substr(i + 1), &digits);
        text.append(times - 1, text.back());
        i += digits;
      } else {
        text += word[i] == '_' ? ' ' : word[i] == 'n' ? '\n' : word[i];
      }
    }
    words.push_back(text == "\"\"" ? "" : text);
  }
  return words;
}

std::string line_of(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    line += line.empty() ? "" : " ";
    if (word.empty()) line += "\"\"";
    for (std::size_t i = 0; i < word.size(); ++i) {
      const char c = word[i];
      const auto byte = static_cast<unsigned char>(c);
      if (c == ' ') {
        line += "\\_";
      } else if (byte <= 0x20 || byte >= 0x7f) {
        constexpr const char* digits = "0123456789abcdef";
        line += std::string("\\x") + digits[byte / 16] + digits[byte % 16];
      } else {
        line += c == '\\' ? "\\\\" : std::string(1, c);
      }
      const std::size_t run =
          word.find_first_not_of(c, i) == std::string::npos ? word.size() - i : word.find_first_not_of(c, i) - i;
      if (run > 10) {
        line += "\\*" + std::to_string(run);
        if (i + run < word.size() && std::isdigit(static_cast<unsigned char>(word[i + run])) != 0) line += "\\";
        i += run - 1;
      }
    }
  }
  return line;
}

}  // namespace tessera::testing
