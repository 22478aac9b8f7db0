// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/run_method.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <tessera/core/error.hpp>

#include "machine/machine.hpp"
#include "machine/standard_output.hpp"
#include "options/json.hpp"
#include "options/read_options.hpp"
#include "options/text.hpp"
#include "run/method.hpp"

namespace tessera::program {
namespace {

namespace fs = std::filesystem;

/// Starts the module in every version of Python, which must not import a random.py of the working directory.
constexpr const char* start_module = R"(import sys
folder, command = sys.argv.pop(1), sys.argv.pop(1)
sys.path[:] = [place for place in [folder] + sys.path if place]
def refuse(reason):
    sys.stderr.write("tessera: %s: %s; set TESSERA_PYTHON to another Python (docs/campaigns.md)\n" % (command, reason))
    sys.exit(2)
if sys.version_info < (3, 9):
    refuse("requires Python 3.9 or newer, but %s is %d.%d" % ((sys.executable,) + sys.version_info[:2]))
try:
    if command == "sweep":
        from tessera_io.sweeps.__main__ import main
    else:
        from tessera_io.models.run import main
except ImportError as error:
    refuse("requires the Python package tessera_io of this version: %s" % error)
sys.exit(main(sys.argv[1:]))
)";

/// Words that start this program, without its arguments: its path, or a dynamic loader with its arguments.
std::vector<std::string> words_of_start(const std::vector<std::string>& arguments) {
  // If the dynamic loader started the program, it removed its own arguments from those of main().
  std::vector<std::string> words;
  std::ifstream all("/proc/self/cmdline");
  for (std::string word; std::getline(all, word, '\0');) words.push_back(word);
  if (words.size() > arguments.size()) {
    words.resize(words.size() - arguments.size() + 1);
    return words;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return {error ? arguments.front() : program.string()};
}

/// Directory with the package tessera_io of this program, installed or in its sources; empty if neither exists.
std::string python_folder(const fs::path& program) {
  for (const fs::path& folder : {program.parent_path() / TESSERA_INSTALLED_PYTHON, fs::path(TESSERA_SOURCE_PYTHON)}) {
    std::error_code error;
    if (fs::exists(folder / "tessera_io/sweeps/__main__.py", error)) return fs::absolute(folder).string();
  }
  return "";
}

const MethodEntry& method_of_sweep(const std::vector<std::string>& words) {
  if (words.empty()) throw InputError("no method given; use tessera sweep METHOD [options]");
  return method_named(words.front(), {}, "see tessera sweep --help");
}

/// Normalised value of an option: "64" for "64,64", but not of lists of files, so that equal values have equal texts.
std::string short_text(const Option& option) {
  const std::string text = option.text();
  const auto comma = option.argument.find("FILE") == std::string::npos ? text.find(',') : std::string::npos;
  return comma != std::string::npos && text.substr(0, comma) == text.substr(comma + 1) ? text.substr(0, comma) : text;
}

Json check_point(const MethodEntry& entry, const GivenWords& words, bool& on_gpu) {
  auto [method, run, table] = BoundMethod(entry);
  for (const auto& word : words) set_option(table, word);
  Backend backend{};
  try {
    method->read_files({});
    backend = backend_for(run, *method);
    method->use_cores(available_cores());
    method->choose_interval();
    method->check(backend);
    check(method->schedule(), method->stopping_time());
  } catch (const InputError& error) {
    throw InputError(with_place(error.what(), words));
  }
  on_gpu = on_gpu || is_gpu(backend);
  Json values = Json::object(), course = values, without_effect = values;
  for (const auto& word : words) values[word.key] = short_text(*table.find(word.key));
  for (const auto& option : table.options())
    if (option.role == Role::course && can_vary(option)) course[option.name] = option.text();
  for (const auto& row : method->without_effect())
    if (row.now && row.typed == WithoutEffect::Typed::refused)
      for (const auto& option : row.options) without_effect[option] = row.reason;
  const MemoryNeeded memory = method->memory({backend});
  return {{"values", values},
          {"course", course},
          {"without_effect", without_effect},
          {"backend", backend_name(backend)},
          {"sequential", method->sequential()},
          {"host_memory", memory.host},
          {"device_memory", memory.device}};
}

}  // namespace

int run_python(const std::vector<std::string>& arguments) {
  const auto start = words_of_start(arguments);
  setenv("TESSERA_PROGRAM", joined(start, " ", shell_word, " ").c_str(), 1);

  const char* named = std::getenv("TESSERA_PYTHON");
  const std::string python = named != nullptr && *named != '\0' ? named : "python3";
  std::vector<std::string> words{python, "-c", start_module, python_folder(start.back())};
  words.insert(words.end(), arguments.begin() + 1, arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  throw InputError(arguments[1] + ": requires Python 3.9 or newer, but " + quoted_word(python) +
                   " cannot be started: " + std::strerror(errno) +
                   "; install Python (Debian: python3), or set TESSERA_PYTHON to one");
}

void answer_words(const std::vector<std::string>& words) {
  BoundMethod bound(method_of_sweep(words));
  const OptionTable& table = bound.table;
  std::map<std::string, std::string> of_sweep;
  for (std::string name, argument, value; std::getline(std::cin, name, '\0') &&
                                          std::getline(std::cin, argument, '\0') &&
                                          std::getline(std::cin, value, '\0');)
    bound.table.add(name, argument, "", Role::session, of_sweep[name] = value);
  bound.table.repeat_what_varies();
  auto given = read_command_line({words.begin() + 1, words.end()}, table);
  const GivenWords overridden = add_input_file(given, table);
  Json answer{{"options", Json::object()}, {"given", Json::object()}};
  for (const auto& word : given) {
    for (const char* other : {"output", "overwrite", "restart", "change"})
      if (word.key == other)
        throw InputError(
            word.where +
            ": is not available in a sweep, whose files are in --folder; the same call again continues it");
    // Lists of values are read point by point; so is a list of devices, which are assigned to runs in turn.
    if (!can_vary(*table.find(word.key)) && word.key != "device") set_option(table, word);
    Json& json = answer["given"][word.key];
    json = {{"value", word.value}, {"where", word.where}, {"typed", word.typed}};
    if (const auto* before = find_word(overridden, word.key)) json["before"] = before->value;
  }
  if (bound.run.threads != 0) choose_threads(built_backends().back(), bound.run.threads);
  for (const auto& option : table.options())
    answer["options"][option.name] = {{"argument", option.argument},
                                      {"varies", can_vary(option)},
                                      {"course", option.role == Role::course},
                                      {"commas", option.has_commas},
                                      {"value", short_text(option)}};
  print(text_of(answer) + "\n");
}

void answer_check(const std::vector<std::string>& words) {
  const MethodEntry& entry = method_of_sweep(words);
  Json points = Json::array();
  GivenWords point;
  bool on_gpu = false;
  for (std::string key, value, where; std::getline(std::cin, key, '\0');) {
    if (key.empty()) {
      points.push_back(check_point(entry, point, on_gpu));
      point.clear();
    } else if (std::getline(std::cin, value, '\0') && std::getline(std::cin, where, '\0')) {
      point.push_back({key, value, where, true});
    }
  }
  Json machine{{"cores", available_cores()}, {"devices", on_gpu ? gpu_devices().size() : 0}};
  if (const auto memory = available_memory()) machine["memory"] = *memory;
  print(text_of(Json{{"points", points}, {"machine", machine}}) + "\n");
}

}  // namespace tessera::program
