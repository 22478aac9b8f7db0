// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/read_options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <tessera/core/error.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "options/text.hpp"

namespace tessera::program {
namespace {

namespace po = boost::program_options;

constexpr std::uintmax_t largest_input_file = 1 << 26;

/// Boost's description of the options. All values are strings in Boost; OptionTable converts them.
po::options_description describe(const OptionTable& table) {
  po::options_description description;
  for (const auto& option : table.options()) {
    auto* value = po::value<std::string>();
    if (option.argument.empty()) value->implicit_value("true");
    description.add_options()(option.name.c_str(), value);
  }
  return description;
}

/// Words that are no options, and the options that have their meaning.
constexpr const char* related[][2] = {
    {" temperature temp t beta kt ", "set coupling phi attraction bond-energy"},
    {" interaction energy j ", "coupling attraction bond-energy"},
    {" parameter parameters param params rate pressure ", "set"},
    {" density eta area-fraction volume-fraction concentration ", "packing-fraction coverage"},
    {" lattice length l nx ny width height sites n ", "size particles"},
    {" time t-max tmax duration end events nsteps n-steps mcs ", "until-time until-events-per-site steps sweeps"},
    {" equilibration thermalization burn-in ", "equilibrate average-from"},
    {" gpu gpus cpu ", "backend"},
    {" cores cpus nthreads ", "threads"},
    {" runs copies ensemble ", "replicas"},
    {" resume continue ", "restart"},
    {" initial init initial-state ", "start"}};

/// "unknown option '--T'; did you mean ...": a setting with a model file, the nearest option, those of its meaning.
std::string unknown_key(const std::string& key, const std::string& value, const std::string& dashes,
                        const OptionTable& table, bool has_model_file) {
  std::vector<std::string> meant;
  const bool is_setting = value.find('=') != std::string::npos;  // --parameter T=400
  if (has_model_file && table.find("set") != nullptr)
    meant.push_back((dashes.empty() ? "set = " : "set ") +
                    quoted_word(is_setting ? value : key + "=" + (value.empty() ? "VALUE" : value)));
  if (const std::string nearest = nearest_word(key, table.names()); !nearest.empty()) meant.push_back(nearest);
  std::string lower = " " + key + " ";
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  for (const auto& [words, options] : related) {
    std::istringstream names(meant.empty() && std::string(words).find(lower) != std::string::npos ? options : "");
    for (std::string name; names >> name;)
      if (table.find(name) != nullptr) meant.push_back(name);
  }
  for (std::string& word : meant) word.insert(0, "'" + dashes).push_back('\'');
  return std::string("unknown ") + (dashes.empty() ? "key '" : "option '") + dashes + quoted_word(key) + "'; " +
         (meant.empty() ? "see --help" : "did you mean " + joined(meant, " or ") + "?");
}

/// Adds a word, if there is one of its option to that one, and returns true; false if the option does not repeat.
bool add(std::vector<GivenWord>& given, const GivenWord& word, const Option& option) {
  const auto earlier = std::ranges::find(given, word.key, &GivenWord::key);
  if (earlier == given.end()) return given.push_back(word), true;
  if (!option.repeats) return false;
  earlier->value += "\n" + word.value;
  earlier->where += (word.typed ? " " : ", ") + word.where;
  return true;
}

InputError not_an_option(const std::string& word) {
  const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  return InputError("unexpected argument '" + quoted_word(word) + "'" +
                    (is_number ? "; separate numbers by commas, such as --size 64,32" : ""));
}

bool is_text(const std::string& content) {
  return std::all_of(content.begin(), content.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7f : c == '\n' || c == '\r' || c == '\t';
  });
}

/// Position of a comment: a '#' at the start of the line or after a blank, so that file names may contain a '#'.
std::size_t comment_in(const std::string& line) {
  for (auto at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1))
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return at;
  return std::string::npos;
}

std::string read_text_file(const std::filesystem::path& path) {
  const std::string name = "--config " + path.string() + ": ";
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(name + "no such file");
  if (std::filesystem::is_directory(status)) throw InputError(name + "is a directory, not an input file");
  const std::string content = start_of_file(path, largest_input_file + 1, name);
  if (content.size() > largest_input_file || !is_text(content))
    throw InputError(name + "is not an input file, which has lines `key = value` of plain text");
  return content;
}

/// Sets the options recorded in the file to restart from, except those of the machine.
void set_from_restart(const std::string& file, const std::string& method, const OptionTable& table,
                      const parallel::Communicator& ranks) {
  const std::string input =
      parallel::text_of_rank_zero(ranks, [&] { return io::CheckpointReader::open(file, method).text("input"); });
  for (const auto& word : read_input_text(input, file + " /checkpoint/input", table)) {
    const Role role = table.find(word.key)->role;
    if (role == Role::trajectory || role == Role::course) set_option(table, word);
  }
}

/// Sets an option, and adds it to the changes if it changes the run of the restart. Sets the overridden word first, if
/// there is one, so that an invalid value in it is an error, too.
void set_unless_restart_forbids(const GivenWord& word, const GivenWord* overridden, RunOptions& run,
                                const OptionTable& table) {
  const Option& option = *table.find(word.key);
  const std::string before = option.text();
  if (overridden != nullptr) set_option(table, *overridden);
  set_option(table, word);
  if (run.restart.empty() || option.role != Role::trajectory || option.text() == before) return;
  const std::string had = before.empty()      ? "no " + word.key
                          : option.difference ? option.difference(before)
                                              : word.key + " = " + quoted_word(before);
  if (had.empty()) return;
  if (!option.can_change || !run.change)
    throw InputError(word.where + ": the run in " + run.restart + " has " + had + ", which a restart " +
                     (option.can_change ? "changes only with --change" : "cannot change"));
  run.changes.push_back({word.key, option.text(), before});
}

}  // namespace

std::string start_of_file(const std::filesystem::path& path, std::size_t most, const std::string& before) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(before + "cannot be read: " + system_reason(errno));
  std::string content;
  for (char piece[4096]; file && content.size() < most; content.append(piece, static_cast<std::size_t>(file.gcount())))
    file.read(piece, static_cast<std::streamsize>(std::min(sizeof piece, most - content.size())));
  if (file.bad()) throw InputError(before + "cannot be read: " + system_reason(errno));
  if (content.starts_with("\xef\xbb\xbf")) content.erase(0, 3);
  return content;
}

std::vector<GivenWord> read_command_line(const std::vector<std::string>& words, const OptionTable& table) {
  const auto description = describe(table);
  using namespace po::command_line_style;
  po::parsed_options parsed(&description);
  try {
    parsed = po::command_line_parser(words)
                 .options(description)
                 .style(allow_long | long_allow_adjacent | long_allow_next)
                 .allow_unregistered()
                 .run();
  } catch (const po::error_with_option_name& error) {
    const std::string name = error.get_option_name();
    throw InputError(name + ": needs a value");
  } catch (const po::error& error) {
    throw InputError(error.what());
  }
  const bool has_model_file =
      std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--processes"); });
  std::vector<GivenWord> given;
  for (const auto& option : parsed.options) {
    const auto& tokens = option.original_tokens;
    const std::string& key = option.string_key;
    if (key.empty() || (option.unregistered && !tokens.front().starts_with("--")))
      throw not_an_option(tokens.empty() ? option.value.front() : tokens.front());
    const Option* known = table.find(key);
    if (known == nullptr) {
      const auto next = std::ranges::find(words, tokens.front()) + 1;
      const bool has_value = next < words.end() && !next->starts_with("--");
      throw InputError(unknown_key(key, has_value ? *next : "", "--", table, has_model_file));
    }
    const bool is_switch = known->argument.empty();
    // The token after an option is its value, unless the option is a switch or the token is another option.
    if (tokens.size() > 1 && is_switch) throw not_an_option(tokens[1]);
    if (tokens.size() > 1 && tokens[1].starts_with("--")) throw InputError("--" + key + ": needs a value");
    const std::string value = option.value.empty() ? "true" : option.value.front();
    if (!add(given, {key, value, "--" + key + " " + quoted_word(value), true}, *known))
      throw InputError("--" + key + ": is given twice");
  }
  return given;
}

std::vector<GivenWord> read_input_text(const std::string& text, const std::string& source, const OptionTable& table) {
  std::vector<GivenWord> given;
  std::map<std::string, int> first_line;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string content = trimmed(line.substr(0, comment_in(line)));
    if (content.empty()) continue;
    const std::string where = source + " line " + std::to_string(number) + ": ";
    if (content.starts_with('['))
      throw InputError(where + quoted_word(content) + ": an input file has no sections; give all keys without them");
    const auto equals = content.find('=');
    const std::string key = trimmed(content.substr(0, equals));
    if (equals == std::string::npos || key.empty())
      throw InputError(where + "'" + quoted_word(content) + "': must be `key = value`");
    const std::string value = trimmed(content.substr(equals + 1));
    const Option* known = table.find(key);
    if (known == nullptr)
      throw InputError(where + unknown_key(key, value, "", table, text.find("\nprocesses") != std::string::npos));
    if (key == "config") throw InputError(where + "config: is only valid on the command line");
    const int earlier = first_line.try_emplace(key, number).first->second;
    if (!add(given, {key, value, where + key + " = " + quoted_word(value)}, *known))
      throw InputError(where + key + ": is already given in line " + std::to_string(earlier));
  }
  return given;
}

std::vector<GivenWord> read_input_file(const std::filesystem::path& path, const OptionTable& table,
                                       const parallel::Communicator& ranks) {
  const std::string text = parallel::text_of_rank_zero(ranks, [&] { return read_text_file(path); });
  return read_input_text(text, path.string(), table);
}

void set_option(const OptionTable& table, const GivenWord& word) {
  const Option& option = *table.find(word.key);
  with_prefix(word.where + ": ", [&] {
    option.set(word.value);
    const std::string& value = word.value;
    const bool is_a_line = is_text(value) && value == trimmed(value) && value.find('\n') == std::string::npos &&
                           comment_in(value) == std::string::npos;
    if (option.role != Role::session && !option.repeats && !is_a_line)
      throw InputError(
          "must be one line without leading or trailing blanks and without ' #', because the output file records it as "
          "`key = value`");
  });
}

std::vector<std::string> check_effects(const std::vector<WithoutEffect>& rows, const std::vector<GivenWord>& given,
                                       const OptionTable& table) {
  std::vector<std::string> messages;
  for (const auto& row : rows) {
    if (!row.now) continue;
    for (const auto& word : given) {
      if (std::find(row.options.begin(), row.options.end(), word.key) == row.options.end()) continue;
      const Option& option = *table.find(word.key);
      if (!word.typed && option.text() == option.initial) continue;
      const std::string message = word.where + ": " + row.reason;
      if (word.typed && row.typed == WithoutEffect::Typed::refused) throw InputError(message);
      messages.push_back(message);
    }
  }
  return messages;
}

const GivenWord* find_word(const GivenWords& words, const std::string& key) {
  const auto found = std::ranges::find(words, key, &GivenWord::key);
  return found == words.end() ? nullptr : &*found;
}

GivenWords add_input_file(GivenWords& given, const OptionTable& table, const parallel::Communicator& ranks) {
  GivenWords overridden;
  if (const auto* config = find_word(given, "config")) {
    set_option(table, *config);
    for (const auto& word : read_input_file(config->value, table, ranks))
      (find_word(given, word.key) == nullptr ? given : overridden).push_back(word);
  }
  return overridden;
}

GivenWords read_options(const std::vector<std::string>& words, const std::string& method, const OptionTable& table,
                        RunOptions& run, const parallel::Communicator& ranks) {
  GivenWords given = read_command_line(words, table);
  const GivenWords overridden = add_input_file(given, table, ranks);
  if (const auto* restart = find_word(given, "restart")) {
    set_option(table, *restart);
    set_from_restart(run.restart, method, table, ranks);
  }
  if (const auto* change = find_word(given, "change")) {
    set_option(table, *change);
    if (run.change && run.restart.empty())
      throw InputError("--change: requires --restart; it changes parameters of a run that is continued");
    if (run.change && std::ranges::none_of(table.options(), &Option::can_change))
      throw InputError("--change: has no effect: a restart of " + method + " cannot change its parameters");
  }
  for (const auto& word : given) {
    try {
      set_unless_restart_forbids(word, find_word(overridden, word.key), run, table);
    } catch (const InputError& error) {
      const bool is_list = word.value.find_first_of(",;") != std::string::npos,
                 is_range = std::ranges::count(word.value, ':') > 1;
      if (!can_vary(*table.find(word.key)) || !(is_list || is_range)) throw;
      throw InputError(error.what() + ("; for several values use tessera sweep " + method));
    }
  }
  return given;
}

std::string with_place(const std::string& message, const GivenWords& given) {
  std::size_t colon = 0;  // the first one outside of parentheses, as in --set "T=table(0: 300, 60: 600)"
  for (int depth = 0; colon < message.size() && (depth != 0 || message.compare(colon, 2, ": ") != 0); ++colon)
    depth += (message[colon] == '(') - (message[colon] == ')');
  if (!message.starts_with("--") || colon == message.size()) return message;
  const std::string key = message.substr(2, message.find_first_of(" :") - 2);
  const auto* word = find_word(given, key);
  return word == nullptr ? message : word->where + message.substr(colon);
}

}  // namespace tessera::program
