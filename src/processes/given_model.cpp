// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/given_model.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>
#include <string_view>
#include <tessera/core/error.hpp>
#include <tessera/io/lattice_file.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "options/text.hpp"

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

double read_number(const std::string& name, const std::string& text) {
  double value = 0;
  with_prefix(name + ": ", [&] { program::read_value(text, value); });
  if (!std::isfinite(value)) throw InputError(name + ": must be finite");
  return value;
}

/// A number or an expression.
Setting read_setting(const std::string& name, const std::string& text) {
  double value = 0;
  try {
    program::read_value(text, value);
  } catch (const InputError&) {
    const std::string expression = with_prefix(name + ": ", [&] { return with_tables(text, ""); });
    with_prefix(name + ": must be a number or an expression; ", [&] { Expression{expression}; });
    return expression;
  }
  return read_number(name, text);
}

/// NAME=VALUE, of a list and of several options, as `read` reads the value.
template <class Map, class Read>
Map read_list(const std::string& text, const Read& read) {
  Map values;
  if (text.empty()) return values;
  std::string list = text;
  std::ranges::replace(list, '\n', ',');  // of several options
  for (const std::string& part : parts_of(list, ',')) {
    const auto sign = part.find('=');
    const std::string name = trimmed(part.substr(0, sign));
    if (sign == std::string::npos || name.empty()) throw InputError("must be NAME=VALUE or NAME=VALUE,NAME=VALUE,...");
    if (!values.emplace(name, read(name, trimmed(part.substr(sign + 1)))).second)
      throw InputError(name + ": is given twice");
  }
  return values;
}

std::string written(double value) { return program::write_value(value); }
std::string written(const Setting& value) { return value.text; }
/// "y=0.4,k=2".
template <class Map>
std::string written(const Map& values, const char* equals, const char* comma) {
  return program::joined(
      values, comma, [&](const auto& one) { return one.first + equals + written(one.second); }, comma);
}

/// Permits the species that a start file names on their sites, as [Initial] would.
void permit_names(const std::string& names, ModelFile& file) {
  InitialSection& section = file.initial.emplace_back();
  for (const std::string& name : parts_of(names, ',')) {
    std::istringstream words(name);
    std::string word;
    for (std::size_t next = 0; std::getline(words, word, '/'); ++next) {
      const auto at = std::min(word.find('@'), word.size());
      auto site = file.sites.begin() + static_cast<std::ptrdiff_t>(std::min(next, file.sites.size()));
      if (at < word.size()) site = std::ranges::find(file.sites, word.substr(at + 1), &Site::name);
      if (const auto found = std::ranges::find(file.species, word.substr(0, at));
          site != file.sites.end() && found != file.species.end())
        section.entries.push_back({{{{0, 0, static_cast<std::size_t>(site - file.sites.begin())},
                                     static_cast<std::size_t>(found - file.species.begin())}},
                                   {"0", 1}});
    }
  }
}

}  // namespace

void GivenModel::add_options(program::OptionTable& table) {
  using program::Option;
  using program::Role;
  const auto is_given = [this] { return given(); };
  const auto read_file = [this](const std::string& text) {
    ready_.reset();
    const bool is_text = text.starts_with(recorded);
    name_ = is_text ? "--processes" : text;
    text_ = is_text ? in_lines(text.substr(2)) : text_with_includes(text);
  };
  const auto recorded_file = [this] { return text_.empty() ? "" : recorded + in_one_line(trimmed(text_)); };
  Option& file = table.add({"processes", "FILE", "kmcos file (--zacros FOLDER: Zacros); --set sets its parameters", "",
                            Role::trajectory, read_file, recorded_file});
  file.has_commas = true;
  file.difference = [this](const std::string& before) { return difference(before); };
  table
      .add({"zacros", "FOLDER", "input files of Zacros, instead of --processes", "", Role::session,
            [](const std::string&) { throw InputError("belongs on the command line of tessera kmc"); },
            [] { return std::string(); }})
      .applies = [] { return false; };  // --processes names it in the help
  Option& window =
      table.add("rate-window", "FRACTION", "how far a bound of a rate may lie above it, if rates change with time",
                Role::trajectory, rate_window_);
  window.without_value_if([this] { return !given(); });
  window.applies = is_given;
  const auto read_settings = [this](const std::string& text) {
    ready_.reset();
    for (const auto& [name, value] : read_list<Settings>(text, read_setting)) settings_.insert_or_assign(name, value);
  };
  Option& set = table.add({"set", "NAME=VALUE[,...]",
                           "values of adjustable parameters of --processes, numbers or expressions; may be repeated",
                           "", Role::trajectory, read_settings, [this] { return written(settings_, "=", ","); }});
  set.can_change = true;
  set.has_commas = set.repeats = true;
  set.applies = is_given;
  const auto read_scales = [this](const std::string& text) {
    ready_.reset();
    for (const auto& [name, value] : read_list<Scales>(text, read_number)) scales_[name] = value;
  };
  Option& scales = table.add({"scale-processes", "NAME=FACTOR[,...]",
                              "scale processes of --processes and their reverses: factors of their rates", "",
                              Role::trajectory, read_scales, [this] { return written(scales_, "=", ","); }});
  scales.has_commas = scales.repeats = true;
  scales.applies = is_given;
}

void GivenModel::add_start(program::OptionTable& table, std::function<std::vector<std::string>()> starts,
                           std::function<Lattice()> lattice) {
  starts_ = std::move(starts);
  lattice_ = std::move(lattice);
  const auto read = [this](const std::string& text) {
    ready_.reset();
    start_names_ = text;
  };
  program::Option& names =
      table.add({"start-species", "NAME[,...]",
                 "names of states in --start FILE, for species that no process produces [all in FILE]", "",
                 program::Role::trajectory, read,
                 [this] { return given() && !starts_().empty() ? start_names() : std::string(); }});
  names.has_commas = true;
  names.applies = [this] { return given(); };
}

const std::string& GivenModel::start_names() const {
  if (start_names_.empty()) {
    std::set<std::string> names;
    for (const std::string& file : starts_())
      names.merge(with_prefix("--start ", [&] { return io::state_names(file); }));
    start_names_ = names.empty() ? "none" : program::joined(names, ",", std::identity(), ",");
  }
  return start_names_;
}

void GivenModel::read_start(const parallel::Communicator& ranks) {
  if (given() && start_names_.empty() && !starts_().empty())
    start_names_ = parallel::text_of_rank_zero(ranks, [&] { return start_names(); });
}

const GivenModel::Ready& GivenModel::ready() const {
  const Lattice lattice = lattice_();
  if (!ready_ || ready_->rate_window != rate_window_ || ready_->lattice != lattice) {
    if (!(rate_window_ >= 1e-4 && rate_window_ <= 1))
      throw InputError("--rate-window " + program::write_value(rate_window_) + ": must lie in [0.0001, 1]");
    ModelFile file = read_model(text_, name_);
    if (!starts_().empty()) permit_names(start_names(), file);
    ready_.reset();
    for (double begin = 0; !ready_; begin = begin_) {
      try {
        CompiledModel compiled = compile(file, settings_, scales_, rate_window_, begin, lattice);
        if (begin_ > 0 && compiled.tables.changing) compiled.tables.changing->count(begin_);
        ready_ = std::make_shared<const Ready>(Ready{file, std::move(compiled), rate_window_, lattice});
      } catch (const InputError&) {
        if (begin != 0 || !(begin_ > 0)) throw;
      }
    }
  }
  return *ready_;
}

const CompiledModel& GivenModel::compiled() const { return ready().compiled; }

void GivenModel::check_start() const {
  const auto& [file, model, window, lattice] = ready();
  for (std::size_t i = 0; i < file.clusters.size(); ++i)
    for (const kmc::ClusterLink& link : model.tables.clusters[i].links)
      if (link.site == link.other && link.dx % lattice.nx == 0 && link.dy % lattice.ny == 0)
        file.source.refuse(file.clusters[i].links[0].line,
                           "neighbours of " + file.clusters[i].name +
                               ": on this lattice a site is its own neighbour; use a larger --size");
  if (starts_().empty()) processes::check_start(file, model.tables, lattice);
}

void GivenModel::check_tracked(const std::string& species) const {
  const auto& [file, model, window, lattice] = ready();
  const auto found = std::ranges::find(file.species, species);
  if (found == file.species.end())
    throw InputError("--track " + species + ": is not a species of the model; its species are " +
                     program::joined(file.species, " and "));
  const SpeciesSet its = SpeciesSet{1} << static_cast<std::size_t>(found - file.species.begin());
  for (const Process& process : file.processes) {
    int leave = 0, arrive = 0;
    for (const Action& action : process.actions) {
      const SpeciesSet before = std::ranges::find(process.conditions, action.at, &Condition::at)->species,
                       after = SpeciesSet{1} << action.species;
      leave += (before & its) != 0 && after != its ? 1 : 0;
      arrive += after == its && before != its ? 1 : 0;
    }
    if (leave != arrive || leave > 1)
      file.source.refuse(process.line, "[Process " + process.name + "]: does not move one or no particle of " +
                                           species + ", whose displacements --track measures");
  }
}

std::string GivenModel::title() const {
  const std::string& name = ready().file.name;
  return (name.empty() ? "processes" : name) + (settings_.empty() ? "" : ", " + written(settings_, " = ", ", ")) +
         (scales_.empty() ? "" : ", rates scaled: " + written(scales_, " by ", ", "));
}

std::vector<std::string> GivenModel::notes() const {
  std::vector<std::string> notes;
  if (const auto& ignored = ready().file.ignored; !ignored.empty())
    notes.push_back("unknown keys are ignored: " + program::joined(ignored, " and "));
  const auto& [file, model, window, lattice] = ready();
  std::vector<std::string> never, missing;
  for (const Compiled& one : model.processes) {
    if (one.possible) continue;
    never.push_back(one.name + " (" + file.source.place(one.line, 1) + ")");
    for (const Condition& condition : one.conditions) {
      const std::size_t site = condition.at.site;
      const auto holds = [&](std::size_t i) { return has(condition.species, i); };
      for (std::size_t i = 0; std::ranges::none_of(model.digits[site].species, holds) && i < file.species.size(); ++i)
        if (const std::string term = file.species[i] + "@" + file.sites[site].name;
            holds(i) && std::ranges::find(missing, term) == missing.end())
          missing.push_back(term);
    }
  }
  if (never.empty()) return notes;
  const bool all = never.size() == model.processes.size();
  std::vector<std::string>& list = all ? missing : never;
  constexpr std::size_t most = 7;
  if (const std::size_t count = list.size(); count > most) {
    list.resize(most - 1);
    list.push_back(std::to_string(count - most + 1) + " others");
  }
  notes.push_back(all ? "no process can happen: at time 0 no site holds " + program::joined(missing, " or ") +
                            ", which processes need; give sites these species by [Initial] or --start"
                      : (never.size() == 1 ? "process " : "processes ") + program::joined(list, " and ") +
                            " can never happen: no process produces the species of " +
                            (never.size() == 1 ? "its" : "their") + " conditions");
  return notes;
}

std::string GivenModel::difference(const std::string& before) const {
  const auto lines_of = [](const std::string& text, const Source& source) {
    const std::set<std::string> of_pictures{"color", "representation", "tags"};
    std::vector<Text> lines;
    for (const Section& section : read_sections(text, source)) {
      lines.push_back({"[" + section.kind + (section.name.empty() ? "]" : " " + section.name + "]"), section.line});
      for (const auto& [key, value] : section.entries)
        if (!of_pictures.contains(key)) lines.push_back({key + " = " + value.text, value.line});
    }
    return lines;
  };
  const std::string text = in_lines(before.substr(2));
  const Source source(name_, text_);
  const auto now = lines_of(text_, source), then = lines_of(text, {"", text});
  std::size_t i = 0;
  while (i < now.size() && i < then.size() && now[i].text == then[i].text) ++i;
  if (i == now.size() && i == then.size()) return "";
  return (i < then.size() ? "'" + program::quoted_word(then[i].text) + "'" : "nothing") + " where " +
         (i < now.size() ? source.place(now[i].line) + " has '" + program::quoted_word(now[i].text) + "'"
                         : name_ + " ends");
}

std::vector<std::string> GivenModel::adjustable() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; given() && i < ready().file.parameters.size(); ++i)
    if (const Parameter& one = ready().file.parameters[i];
        one.adjustable && !std::isnan(compiled().parameters[i].value))
      names.push_back(one.name + " = " +
                      (compiled().parameters[i].until > 0 ? compiled().expressions[i]
                                                          : program::write_value(compiled().parameters[i].value)));
  return names;
}

program::Json GivenModel::data(double until) const {
  program::Json data{{"title", ready().file.name.empty() ? "processes" : ready().file.name}};
  // Constants of kmcos in SI units: a temperature is in K, and a pressure in bar.
  const std::regex constants(R"(\b(beta|kboltzmann|bar|mu_\w+gas)\b)");
  std::istringstream lines(text_);
  bool has_units = false;
  for (std::string line; !has_units && std::getline(lines, line);)
    has_units = std::regex_search(line.substr(0, line.find('#')), constants);
  for (const Parameter& one : ready().file.parameters)
    if (has_units && (one.name == "T" || one.name.starts_with("p_")))
      data["parameters"][one.name]["unit"] = one.name == "T" ? "K" : "bar";
  data.update(model_data(ready().file, ready().compiled));
  lines = std::istringstream(description(ready().file, ready().compiled));
  for (std::string line; std::getline(lines, line);) data["description"].push_back(line);
  if (const auto& rates = compiled().tables.changing; rates != nullptr)
    data["description"].push_back("rates change with time" +
                                  (std::isfinite(until) ? ": " + program::counted(rates->count(until), "window") +
                                                              " to time " + program::short_number(until)
                                                        : ""));
  return data;
}

std::vector<std::pair<std::string, double>> GivenModel::changing(double time,
                                                                 const std::set<std::string>& others) const {
  std::vector<std::pair<std::string, double>> values;
  for (std::size_t i = 0; given() && i < compiled().parameters.size(); ++i) {
    const auto& rates = compiled().tables.changing;
    const auto& [value, until, terms] = compiled().parameters[i];
    const bool changes = rates && until > 0;
    if (const std::string& name = ready().file.parameters[i].name;
        changes || (others.contains(name) && !std::isnan(value)))
      values.emplace_back(name, changes ? rates->parameter(i, time) : value);
  }
  return values;
}

}  // namespace tessera::processes
