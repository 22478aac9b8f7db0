// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/model_file.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <cmath>
#include <initializer_list>
#include <regex>
#include <string_view>

namespace tessera::processes {
namespace {

using program::joined;
using program::quoted_word;

constexpr std::size_t most_parameters = 1000;

class Reader {
 public:
  Reader(const std::string& text, const std::string& name) {
    model_.source = {name, text};
    sections_ = read_sections(text, model_.source);
  }

  ModelFile read() {
    for (const Section& section : sections_) check_kind(section);
    read_species();
    read_meta();
    read_lattice();
    read_layers();
    for (const Section* section : all("Parameter")) read_parameter(*section);
    require_at_most(most_parameters, model_.parameters.size(), "parameters");
    const TermReader terms(model_, layers_);
    for (const Section* section : all("Process")) read_process(*section, terms);
    if (model_.processes.empty())
      throw_at_end("no process defined; add [Process NAME] with rate_constant, conditions and actions");
    for (const Section* section : all("Configuration"))
      model_.configurations.push_back(read_conditions(*section, terms));
    for (const Section* section : all("Molecules"))
      model_.molecules.push_back(read_conditions(*section, terms, "members"));
    for (const Section* section : all("Cluster")) {
      model_.energies.push_back(read_conditions(*section, terms, "sites"));
      model_.energies.back().energy = required(*section, "energy");
    }
    for (const Section* section : all("Clusters")) read_clusters(*section, terms);
    for (const Section* section : all("Initial")) read_initial(*section, terms, model_);
    return std::move(model_);
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& what) const { model_.source.refuse(line, what); }
  [[noreturn]] void throw_at_end(const std::string& what) const {
    refuse(sections_.empty() ? 1 : sections_.back().line, what);
  }
  void require_at_most(std::size_t most, std::size_t count, const std::string& noun) const {
    if (count > most)
      throw_at_end("has " + std::to_string(count) + " " + noun + "; use at most " + std::to_string(most));
  }

  void check_kind(const Section& section) {
    struct Kind {
      std::string_view name;
      bool has_name;
      std::initializer_list<std::string_view> keys;  // empty: any key
    };
    static const Kind kinds[] = {
        {"Meta", false, {"model_name", "model_dimension", "time_unit", "author", "email", "debug"}},
        {"SpeciesList", false, {}},
        {"Species", true, {}},
        {"Parameter", true, {"value", "adjustable", "min", "max", "scale"}},
        {"Lattice", false, {"cell_size", "default_layer", "substrate_layer", "representation"}},
        {"Layer", true, {}},
        {"Process",
         true,
         {"rate_constant", "otf_rate", "energy", "conditions", "actions", "bystanders", "enabled", "tof_count",
          "orientations", "step"}},
        {"Configuration", true, {"conditions", "orientations"}},
        {"Molecules", true, {"members"}},
        {"Cluster", true, {"sites", "energy", "orientations"}},
        {"Clusters", true, {"members", "neighbours", "orientations", "min_size"}},
        {"Initial", false, {}},
        {"connected_variables", false, {}}};
    std::vector<std::string> known;
    for (const Kind& kind : kinds) {
      known.push_back("[" + std::string(kind.name) + (kind.has_name ? " NAME]" : "]"));
      if (section.kind != kind.name) continue;
      if (section.name.empty() == kind.has_name && kind.name != "Initial")
        refuse(section.line, "[" + section.kind +
                                 (kind.has_name ? "]: has no name; must be [" + section.kind + " NAME]"
                                                : " " + quoted_word(section.name) + "]: must not have a name"));
      const std::vector<std::string> keys(kind.keys.begin(), kind.keys.end());
      for (const auto& [key, value] : section.entries) {
        if (keys.empty() || std::ranges::find(keys, key) != keys.end()) continue;
        if (!program::nearest_word(key, keys).empty())
          refuse(value.line, "'" + quoted_word(key) + "' is not a key of [" + section.kind +
                                 (section.name.empty() ? "" : " " + section.name) + "]; valid keys are " +
                                 joined(keys, " and "));
        model_.ignored.push_back(quoted_word(key) + " (" + model_.source.place(value.line, 1) + ")");
      }
      return;
    }
    refuse(section.line,
           "[" + quoted_word(section.kind) + "] is not a section; valid sections are " + joined(known, " and "));
  }

  std::vector<const Section*> all(const std::string& kind) const {
    std::vector<const Section*> found;
    for (const Section& section : sections_)
      if (section.kind == kind) found.push_back(&section);
    return found;
  }
  const Text* find(const std::string& kind, const std::string& key) const {
    const auto sections = all(kind);
    return sections.empty() ? nullptr : sections.front()->find(key);
  }
  const Text& required(const Section& section, const std::string& key) const {
    const Text* value = section.find(key);
    if (value == nullptr || value->text.empty())
      refuse(section.line, "[" + section.kind + " " + section.name + "]: needs `" + key + " = ...`");
    return *value;
  }
  bool read_bool(const Section& section, const std::string& key, bool otherwise) const {
    const Text* value = section.find(key);
    if (value == nullptr) return otherwise;
    for (int i = 0; const char* word : {"true", "yes", "on", "1", "false", "no", "off", "0", "none"})
      if (++i; boost::iequals(value->text, word)) return i <= 4;
    refuse(value->line, key + " = " + quoted_word(value->text) + ": must be True or False");
  }

  void read_species() {
    for (const Section* section : all("Species")) {
      model_.source.check_name(section->line, section->name);
      model_.species.push_back(section->name);
      const Text* colour = section->find("color");
      static const std::regex form("#[0-9a-fA-F]{6}");
      model_.colours.push_back(colour != nullptr && std::regex_match(colour->text, form) ? colour->text : "");
    }
    if (std::ranges::any_of(all("Process"), [](const Section* process) {  // sites come and go
          const Text* actions = process->find("actions");
          return actions != nullptr && actions->text.find_first_of("^$") != std::string::npos;
        })) {
      model_.species.emplace_back(no_site);
      model_.colours.emplace_back();
    }
    if (model_.species.size() < 2) throw_at_end("a model needs at least two species; add [Species NAME]");
    require_at_most(most_species, model_.species.size(), "species");
    if (const Text* name = find("SpeciesList", "default_species"); name != nullptr && !name->text.empty())
      default_ = TermReader(model_).species(name->text, name->line);
  }

  void read_meta() {
    if (const Text* name = find("Meta", "model_name"); name != nullptr) model_.name = name->text;
    const Text* dimension = find("Meta", "model_dimension");
    model_.in_space = dimension != nullptr && dimension->text == "3";
    if (dimension != nullptr && dimension->text != "2" && dimension->text != "1" && !model_.in_space)
      refuse(dimension->line, "model_dimension = " + quoted_word(dimension->text) + ": must be 1, 2 or 3");
    const Text* unit = find("Meta", "time_unit");
    if (unit == nullptr) return;
    model_.time_unit = unit->text == "none" ? "" : unit->text;
    static const std::regex form("((1/)?[A-Za-z_][A-Za-z0-9_]{0,30})?");
    if (unit->text.empty() || !std::regex_match(model_.time_unit, form))
      refuse(unit->line, "time_unit = " + quoted_word(unit->text) +
                             ": must be a unit such as s, one over that of the rates such as 1/k_0, or none");
  }

  void read_lattice() {
    const Text* cell = find("Lattice", "cell_size");
    if (cell == nullptr) return;
    const auto numbers = read_tuple("(" + joined(words_of(cell->text), ",", std::identity(), ",") + ")");
    auto& c = model_.cell;
    for (std::size_t i = 0; i < numbers.size() && i < 9; ++i)
      (numbers.size() == 3 ? c[i][i] : c[i / 3][i % 3]) = numbers[i];
    const double area = c[0][0] * c[1][1] - c[0][1] * c[1][0];
    if ((numbers.size() != 3 && numbers.size() != 9) || !(area > 0) || !std::isfinite(area))
      refuse(
          cell->line,
          "cell_size: must be three lengths, or x, y and z of three sides, the second counterclockwise from the first");
    const double volume = area * c[2][2] + c[2][0] * (c[0][1] * c[1][2] - c[0][2] * c[1][1]) -
                          c[2][1] * (c[0][0] * c[1][2] - c[0][2] * c[1][0]);
    if (model_.in_space && !(volume > 0))
      refuse(cell->line, "cell_size: the third side must lie above the first two: its volume is not positive");
    if (!(c[2][2] > 0) && !model_.in_space) c[2][0] = c[2][1] = 0, c[2][2] = 1;
  }

  void read_layers() {
    const auto layers = all("Layer");
    if (layers.empty()) throw_at_end("no layer defined; add [Layer NAME] with `site NAME = (x, y, z)`");
    for (const Section* layer : layers) layers_.push_back(layer->name);
    if (const Text* name = find("Lattice", "default_layer"); name != nullptr && layers.size() > 1) {
      const auto found = std::ranges::find(layers_, name->text);
      if (found == layers_.end())
        refuse(name->line, "default_layer = " + quoted_word(name->text) + ": must be " + joined(layers_, " or "));
      std::iter_swap(layers_.begin(), found);
    }
    for (const Section* layer : layers)
      for (const Entry& entry : layer->entries)
        if (entry.key.starts_with("site ")) read_site(*layer, entry);
    if (model_.sites.empty()) refuse(layers[0]->line, "[Layer " + layers[0]->name + "]: needs `site NAME = (x, y, z)`");
  }

  void read_site(const Section& layer, const Entry& entry) {
    Site site;
    site.name = trimmed(entry.key.substr(5)) + (layers_.size() > 1 ? "_" + layer.name : "");
    site.line = entry.value.line;
    if (const auto other = std::ranges::find(model_.sites, site.name, &Site::name); other != model_.sites.end())
      refuse(site.line, "site " + site.name + ": is already given in " + model_.source.place(other->line, site.line));
    model_.source.check_name(entry.value.line, site.name);
    const std::vector<std::string> parts = parts_of(entry.value.text, ';');
    const std::vector<double> position = read_tuple(parts[0]);
    if (position.size() < 2 || position.size() > 3)
      refuse(entry.value.line, quoted_word(entry.key) + ": must be a position (x, y, z) in fractions of the unit cell");
    std::ranges::copy(position, site.position);
    site.species = parts.size() > 1 && !parts[1].empty() && parts[1] != "default_species"
                       ? TermReader(model_).species(parts[1], entry.value.line)
                       : default_;
    if (layer.name != layers_[0] && model_.species.back() == no_site) site.species = model_.species.size() - 1;
    model_.sites.push_back(site);
    require_at_most(most_sites, model_.sites.size(), "sites");
  }

  void read_parameter(const Section& section) {
    // kmcos writes parameters without a value, which nothing may refer to.
    const Text* const value = section.find("value");
    Parameter& one = model_.parameters.emplace_back(Parameter{
        section.name, value != nullptr ? *value : required(section, "value"), read_bool(section, "adjustable", false)});
    const auto read_bound = [&](const char* key, double& bound) {
      if (const Text* text = given(section, key); text != nullptr)
        with_prefix(model_.source.place(text->line) + ": " + key + " = " + quoted_word(text->text) + ": ",
                    [&] { program::read_value(text->text, bound); });
    };
    read_bound("min", one.min);
    read_bound("max", one.max);
    if (one.min > one.max) refuse(section.find("max")->line, "max: must not be less than min");
    // kmcos writes two zeros if there are none.
    if (one.min == 0 && one.max == 0) one = {one.name, one.value, one.adjustable};
  }

  /// The value of an entry; null if there is none.
  static const Text* given(const Section& section, const char* key) {
    const Text* value = section.find(key);
    return value == nullptr || value->text.empty() || value->text == "None" ? nullptr : value;
  }

  /// Name, conditions and orientations of [Process NAME], [Configuration NAME] or [Cluster NAME].
  Process read_conditions(const Section& section, const TermReader& terms, const char* key = "conditions") {
    Process process;
    model_.source.check_name(section.line, section.name);
    process.name = section.name;
    process.line = section.line;
    process.conditions = terms.conditions(required(section, key));
    process.orientations = read_orientations(section);
    return process;
  }

  int read_orientations(const Section& section) const {
    const Text* orientations = given(section, "orientations");
    if (orientations == nullptr) return 1;
    for (const int number : {1, 2, 3, 4, 6, 8, 12, 24, 48})
      if (orientations->text == std::to_string(number) && (number < 24 || model_.in_space)) return number;
    refuse(orientations->line,
           "orientations = " + quoted_word(orientations->text) +
               ": must be 1, 2, 3, 4 or 6 (rotations by 360 degrees divided by it), or 8 or 12 (4 or 6, and mirrored)" +
               (model_.in_space ? ", or 24 (rotations of a cube) or 48 (24, and mirrored)" : ""));
  }

  void read_clusters(const Section& section, const TermReader& terms) {
    const Process its = read_conditions(section, terms, "members");
    const Text& neighbours = required(section, "neighbours");
    Clusters clusters{its.name, its.line, 2, its.conditions, {}};
    for (const Condition& member : clusters.members)
      if (!member.at.is_in_cell())
        refuse(section.find("members")->line,
               "members of " + section.name + ": must be sites without offset, such as `CO@a`");
    for (const std::string& pair : parts_of(neighbours.text, ',')) {
      const std::vector<std::string> sites = parts_of(pair, '+');
      if (sites.size() != 2)
        refuse(neighbours.line, "'" + quoted_word(pair) + "': must be a pair of sites, such as `a + a.(1, 0, 0)`");
      Process& link = clusters.links.emplace_back(its);
      link.line = neighbours.line;
      link.conditions.clear();
      for (const std::string& site : sites)
        link.conditions.push_back({terms.lattice_site(site, neighbours.line), ~SpeciesSet{0}});
      if (link.conditions[0].at == link.conditions[1].at)
        refuse(neighbours.line, "'" + quoted_word(pair) + "': must be two different sites");
    }
    if (const Text* least = given(section, "min_size"); least != nullptr) {
      const std::vector<double> number = read_tuple("(" + least->text + ")");
      if (number.size() != 1 || !(number[0] >= 1 && number[0] <= 1e9) || number[0] != std::floor(number[0]))
        refuse(least->line, "min_size = " + quoted_word(least->text) + ": must be a whole number of sites, 1 or more");
      clusters.least = static_cast<int>(number[0]);
    }
    model_.clusters.push_back(std::move(clusters));
  }

  void read_process(const Section& section, const TermReader& terms) {
    Process process = read_conditions(section, terms);
    process.enabled = read_bool(section, "enabled", true);
    const Text* const step = given(section, "step");
    process.step = step == nullptr ? process.name : step->text;
    model_.source.check_name(step == nullptr ? section.line : step->line, process.step);
    process.rate_constant = required(section, "rate_constant");
    const Text& actions = required(section, "actions");
    process.actions = terms.actions(actions, &process.conditions);
    if (const Text* energy = given(section, "energy"); energy != nullptr) {
      process.energy = *energy;
      process.otf_rate = {"base_rate*exp(-energy*eV*beta)", energy->line};
    }
    if (const Text* rate = given(section, "otf_rate"); rate != nullptr) process.otf_rate = *rate;
    if (const Text* text = given(section, "bystanders"); text != nullptr) process.bystanders = terms.bystanders(*text);
    if (const Text* count = given(section, "tof_count"); count != nullptr)
      process.tof_count = terms.turnover_counts(*count);
    for (const Action& action : process.actions)
      if (std::ranges::find(process.conditions, action.at, &Condition::at) == process.conditions.end())
        refuse(actions.line, "actions of " + section.name + ": " + model_.species[action.species] + "@" +
                                 model_.sites[action.at.site].name +
                                 ": this site has no condition; add its species before the process to `conditions`");
    if (std::ranges::none_of(process.actions, [&](const Action& action) { return process.changes(action); }))
      refuse(actions.line,
             "actions of " + section.name +
                 ": change nothing; must name a species other than that of the condition, on one site at least");
    for (const Bystander& bystander : process.bystanders)
      if (std::ranges::find(process.conditions, bystander.at, &Condition::at) != process.conditions.end())
        refuse(section.find("bystanders")->line,
               "bystanders of " + section.name + ": " + model_.sites[bystander.at.site].name + ".(" +
                   std::to_string(bystander.at.dx) + ", " + std::to_string(bystander.at.dy) + ", " +
                   std::to_string(bystander.at.dz) + "): this site already has a condition");
    model_.processes.push_back(process);
  }

  std::vector<Section> sections_;
  ModelFile model_;
  std::vector<std::string> layers_;  // that of the sites at time 0, and of terms that name none, first
  std::size_t default_ = 0;
};

}  // namespace

ModelFile read_model(const std::string& text, const std::string& name) { return Reader(text, name).read(); }

}  // namespace tessera::processes
