// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/given_model.hpp"

#include <cmath>
#include <string_view>
#include <tessera/core/error.hpp>

#include "options/value_text.hpp"
#include "processes/model_file.hpp"

namespace tessera::processes {
namespace {

/// Encoding of a text in one line of a recorded input: line feeds, backslashes, and characters with a meaning in such a
/// line or in the list of a sweep are written \n, \\, \h (#) and \s (;).
constexpr std::string_view escaped = "\n\\#;\t\r", letters = "n\\hstr";

std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const auto at = escaped.find(c);
    line += at == std::string_view::npos ? std::string(1, c) : std::string{'\\', letters[at]};
  }
  return line;
}

std::string in_lines(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto at = line[i] == '\\' && i + 1 < line.size() ? letters.find(line[i + 1]) : std::string_view::npos;
    text += at == std::string_view::npos ? line[i] : escaped[at];
    i += at == std::string_view::npos ? 0 : 1;
  }
  return text;
}

/// First characters of a recorded text; no file name begins with them.
constexpr const char* recorded = "\\n";

Settings read_settings(const std::string& text) {
  Settings settings;
  if (text.empty()) return settings;
  for (const std::string& part : parts_of(text, ',')) {
    const auto sign = part.find('=');
    const std::string name = trimmed(part.substr(0, sign));
    if (sign == std::string::npos || name.empty()) throw InputError("must be NAME=VALUE or NAME=VALUE,NAME=VALUE,...");
    double value = 0;
    try {
      program::read_value(trimmed(part.substr(sign + 1)), value);
    } catch (const InputError& error) {
      throw InputError(name + ": " + error.what());
    }
    if (!std::isfinite(value)) throw InputError(name + ": must be finite");
    if (!settings.emplace(name, value).second) throw InputError(name + ": is given twice");
  }
  return settings;
}

std::string written(const Settings& settings, const char* equals, const char* comma) {
  std::string text;
  for (const auto& [name, value] : settings)
    text += (text.empty() ? "" : comma) + name + equals + program::write_value(value);
  return text;
}

}  // namespace

void GivenModel::add_options(program::OptionTable& table) {
  program::Option file;
  file.name = "processes";
  file.argument = "FILE";
  file.help = "model file in the format of kmcos' .ini files, instead of --model";
  file.set = [this](const std::string& text) {
    ready_.reset();
    const bool is_text = text.starts_with(recorded);
    name_ = is_text ? "--processes" : text;
    text_ = is_text ? in_lines(text.substr(2)) : text_with_includes(text);
  };
  file.text = [this] { return text_.empty() ? "" : recorded + in_one_line(trimmed(text_)); };
  file.has_commas = true;
  table.add(file);
  program::Option set;
  set.name = "set";
  set.argument = "NAME=VALUE[,...]";
  set.help = "values of adjustable parameters of --processes";
  set.set = [this](const std::string& text) {
    ready_.reset();
    settings_ = read_settings(text);
  };
  set.text = [this] { return written(settings_, "=", ","); };
  set.has_commas = true;
  table.add(set);
}

const GivenModel::Ready& GivenModel::ready() const {
  if (!ready_) {
    ModelFile file = read_model(text_, name_);
    CompiledModel compiled = compile(file, settings_);
    ready_ = std::make_shared<const Ready>(Ready{std::move(file), std::move(compiled)});
  }
  return *ready_;
}

const CompiledModel& GivenModel::compiled() const { return ready().compiled; }

std::string GivenModel::title() const {
  const std::string& name = ready().file.name;
  return (name.empty() ? "processes" : name) + (settings_.empty() ? "" : ", " + written(settings_, " = ", ", "));
}

std::vector<std::string> GivenModel::impossible() const {
  std::vector<std::string> names;
  for (const Compiled& one : compiled().processes) {
    const Process& process = ready().file.processes[one.number];
    if (!one.possible)
      names.push_back("process " + process.name + " (" + ready().file.source.place(process.line, 1) + ")");
  }
  return names;
}

std::vector<std::string> GivenModel::adjustable() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; given() && i < ready().file.parameters.size(); ++i)
    if (const Parameter& one = ready().file.parameters[i]; one.adjustable)
      names.push_back(one.name + " = " + program::write_value(compiled().parameters[i]));
  return names;
}

std::string GivenModel::description() const { return processes::description(ready().file, ready().compiled); }

}  // namespace tessera::processes
