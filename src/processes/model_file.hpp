// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bitset>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/kmc/space/lattices.hpp>
#include <utility>
#include <vector>

#include "options/text.hpp"

/// A model in the form of an .ini file of kmcos, before its expressions are evaluated.
namespace tessera::processes {

/// A text in a model file, and the number of its first line.
struct Text {
  std::string text;
  int line = 0;
};

/// Names of a model file and of the files in its text, for messages.
class Source {
 public:
  Source() = default;
  Source(const std::string& name, const std::string& text);

  /// "NAME line N".
  std::string place(int line) const;
  /// "line N", or "NAME line N" if it is a line of another file than `here`.
  std::string place(int line, int here) const;
  /// Throws InputError, "NAME line N: what".
  [[noreturn]] void refuse(int line, const std::string& what) const;
  /// Throws InputError if a text of the file has control characters.
  void check_characters(int line, const std::string& text) const;
  /// Throws InputError if `word` cannot be part of the name of an observable.
  void check_name(int line, const std::string& word) const;

 private:
  /// Lines of the text from `first` on are those of a file from its line `line` on.
  struct Part {
    int first;
    std::string name;
    int line;
  };
  const Part& part_of(int line) const;

  std::vector<Part> parts_;
};

/// `key = value` of a section.
struct Entry {
  std::string key;
  Text value;
};

/// [KIND NAME] with its entries.
struct Section {
  std::string kind, name;
  int line = 0;
  std::vector<Entry> entries;

  /// The value of a key; null if there is none.
  const Text* find(const std::string& key) const;
};

/// Sections that are being read. Throws InputError if one of them, or a key in one of them, is given twice.
class SectionList {
 public:
  explicit SectionList(const Source& source) : source_(source) {}

  void begin(const std::string& kind, const std::string& name, int line);
  /// An entry of the last section.
  void add(const std::string& key, const std::string& value, int line);

  std::vector<Section> sections;

 private:
  const Source& source_;
  std::map<std::string, int> known_;  // lines of "[KIND NAME" and, after the number of sections, of keys
};

/// Whether a model file is one of kmcos in XML.
bool is_xml(const std::string& text);
/// Sections of an .ini file in the syntax of Python's configparser, `key = value` or `key: value`, with indented lines
/// that continue a value and comments after # or ; -- or of an .xml file of kmcos. Throws InputError with the line.
std::vector<Section> read_sections(const std::string& text, const Source& source);
std::vector<Section> read_xml_sections(const std::string& text, const Source& source);

/// A line with each `table(FILE)` replaced by the table in this file, two columns of numbers for time and value. A
/// first line may have titles with units, `time (min), T (degC)`; # begins a comment. `folder`: that of relative names.
/// Throws InputError with the file and its line.
std::string with_tables(std::string line, const std::filesystem::path& folder);

using program::trimmed;

/// Parts of a text between separators outside of parentheses, brackets, braces and quotes, trimmed.
std::vector<std::string> parts_of(const std::string& text, char separator);
/// The words of a text.
std::vector<std::string> words_of(const std::string& text);

constexpr std::size_t most_sites = 1000;  ///< of a unit cell

/// The species of a site that another layer replaces, or that is not yet created.
constexpr const char* no_site = "null_species";

/// A site of the lattice: a site of the unit cell, and the offset of the cell.
struct LatticeSite {
  int dx = 0, dy = 0;
  std::size_t site = 0;
  int dz = 0;  ///< 0 in two dimensions

  auto operator<=>(const LatticeSite&) const = default;
  LatticeSite operator+(const LatticeSite& by) const { return {dx + by.dx, dy + by.dy, site, dz + by.dz}; }
  LatticeSite operator-(const LatticeSite& by) const { return {dx - by.dx, dy - by.dy, site, dz - by.dz}; }
  LatticeSite cell() const { return {dx, dy, 0, dz}; }  ///< the same for all sites of a cell
  bool is_in_cell() const { return distance() == 0; }
  int distance() const { return std::max({std::abs(dx), std::abs(dy), std::abs(dz)}); }  ///< of the cell, along an axis
  /// "(1,0)", in three dimensions "(1,0,0)".
  std::string offset(bool in_space) const {
    return "(" + std::to_string(dx) + "," + std::to_string(dy) + (in_space ? "," + std::to_string(dz) : "") + ")";
  }
  /// Rows of tables have y and z.
  int row() const { return dy + kmc::space::rows_of_plane * dz; }
};

constexpr std::size_t most_species = 255;

/// A set of species: bit i is species i.
using SpeciesSet = std::bitset<most_species>;
inline bool has(const SpeciesSet& set, std::size_t species) { return set[species]; }
/// The first species of a set that is not empty.
inline std::size_t first_of(const SpeciesSet& set) {
  std::size_t species = 0;
  while (!set[species]) ++species;
  return species;
}
/// The order of sets as binary numbers.
inline std::strong_ordering operator<=>(const SpeciesSet& a, const SpeciesSet& b) {
  constexpr SpeciesSet word(~0ULL);
  for (const std::size_t shift : {192, 128, 64, 0})
    if (const auto order = (a >> shift & word).to_ullong() <=> (b >> shift & word).to_ullong(); order != 0)
      return order;
  return std::strong_ordering::equal;
}

/// The site must have one of these species.
struct Condition {
  LatticeSite at;
  SpeciesSet species = 0;

  auto operator<=>(const Condition&) const = default;
};

/// The site has this species after the event.
struct Action {
  LatticeSite at;
  std::size_t species = 0;

  auto operator<=>(const Action&) const = default;
};

/// The site affects otf_rate: nr_SPECIES_FLAG is the number of bystanders with this flag and this species.
struct Bystander {
  LatticeSite at;
  SpeciesSet species = 0;
  std::string flag;

  auto operator<=>(const Bystander&) const = default;
};

/// A number that is added where all conditions hold.
struct Pattern {
  std::vector<Condition> conditions;
  std::int64_t weight = 1;

  auto operator<=>(const Pattern&) const = default;
};

/// dE, what a copy of a process adds to the energy, in units of ClusterEnergies: constant + step * sum over patterns,
/// the same patterns for a process and its reverse.
struct Change {
  std::vector<Pattern> patterns;
  std::int64_t constant = 0, step = 1;

  bool empty() const { return patterns.empty() && constant == 0; }
};

/// Contributions of an event to the turnovers, by name.
using TurnoverCounts = std::map<std::string, double>;

struct Process {
  std::string name;
  std::string step;  ///< name under which the events of several processes are counted together; or `name`
  int line = 0;
  bool enabled = true;
  int orientations = 1;  ///< 1, 2, 3, 4, 6, 8 or 12; in three dimensions also 24 or 48
  TurnoverCounts tof_count;
  Text rate_constant, otf_rate, energy;
  std::vector<Condition> conditions;
  std::vector<Action> actions;
  std::vector<Bystander> bystanders;
  Change change;  ///< of a copy

  /// Whether an action changes the species of its site.
  bool changes(const Action& action) const {
    return std::ranges::find(conditions, action.at, &Condition::at)->species != SpeciesSet{1} << action.species;
  }
};

struct Parameter {
  std::string name;
  Text value;
  bool adjustable = false;
  double min = -std::numeric_limits<double>::infinity(), max = -min;  ///< bounds of a value that is set
};

/// A site of the unit cell.
struct Site {
  std::string name;
  int line = 0;
  double position[3] = {0, 0, 0};  ///< in units of the cell's sides
  std::size_t species = 0;         ///< species at time 0
};

/// Species that sites of a unit cell hold together at time 0.
struct Initial {
  std::vector<Action> species;
  Text part;  ///< of the cells: a fraction, a number, or the probability of each
  enum Kind { fraction, number, probability } kind = fraction;
};

/// [Initial] or [Initial NAME].
struct InitialSection {
  int line = 0;
  Text where;  ///< comparisons of x, y and z; empty: all cells
  std::vector<Initial> entries;
};

/// [Clusters NAME]: clusters of the sites that hold given species.
struct Clusters {
  std::string name;
  int line = 0, least = 2;         ///< sites of the smallest cluster that is counted
  std::vector<Condition> members;  ///< sites of the unit cell
  std::vector<Process> links;      ///< pairs of neighbouring sites: two conditions for any species, and orientations
};

struct ModelFile {
  Source source;
  std::string name;             ///< model_name
  bool in_space = false;        ///< model_dimension = 3
  std::string time_unit = "s";  ///< that of 1/rate, such as "1/k_0"; empty: none
  std::vector<std::string> species;
  std::vector<std::string> colours;  ///< by species, "#d62728"; empty if not given
  std::vector<Site> sites;
  double cell[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< sides of the unit cell, x, y and z each
  std::vector<Parameter> parameters;
  std::vector<Process> processes;
  std::vector<Process> configurations;  ///< conditions that are counted, without rates and actions
  std::vector<Process> molecules;       ///< [Molecules NAME]: sites with species, each of which counts
  std::vector<Process> energies;        ///< [Cluster NAME]: conditions of clusters with an energy
  std::vector<Clusters> clusters;
  std::vector<InitialSection> initial;
  std::vector<std::string> ignored;  ///< unknown keys, "KEY (line N)"

  /// Names of the coordinates of cells.
  std::vector<std::string> axes() const {
    return in_space ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{"x", "y"};
  }
  /// Names in the expressions of a process besides parameters: dE (empty without energies), `energy` if it has one.
  std::vector<std::string> names_of_energy(const Process& process) const {
    if (!process.energy.text.empty()) return {"dE", "energy"};
    return {energies.empty() ? "" : "dE"};
  }
};

/// Numbers of a tuple such as "(1, 0, 0)"; none if the text is not a tuple.
std::vector<double> read_tuple(const std::string& text);

/// Parser of conditions and actions, Species@site.(dx,dy,dz).layer joined by +, in a file whose species and sites are
/// defined. All functions throw InputError with the line.
class TermReader {
 public:
  /// `layers`: their names, that of terms without a layer first; with several, a site is named SITE_LAYER.
  explicit TermReader(const ModelFile& model, std::vector<std::string> layers = {})
      : model_(model), layers_(std::move(layers)) {}

  std::size_t species(const std::string& name, int line) const;
  std::size_t site(const std::string& name, int line) const;
  /// "site.(dx,dy,dz).layer"; dz is 0 in two dimensions.
  LatticeSite lattice_site(const std::string& text, int line) const;
  /// "CO@a + empty@a.(1,0,0)"; alternatives are written "CO or O".
  std::vector<Condition> conditions(const Text& text) const;
  /// With `conditions`, ^CO@a creates the site a with CO, and $CO@a removes it; a condition that is not given is added.
  std::vector<Action> actions(const Text& text, std::vector<Condition>* conditions = nullptr) const;
  /// "['CO', 'O']@a.(1,0,0)|flag + ...".
  std::vector<Bystander> bystanders(const Text& text) const;
  /// "{'CO2': 1, 'CO': -1}".
  TurnoverCounts turnover_counts(const Text& text) const;

 private:
  /// Terms "LEFT@RIGHT".
  std::vector<std::pair<std::string, std::string>> terms(const Text& text) const;

  const ModelFile& model_;
  std::vector<std::string> layers_;
};

/// Parses a model file. Throws InputError, "NAME line N: what is wrong; what would work".
ModelFile read_model(const std::string& text, const std::string& name);

/// First words of the lines before and after the text of an included file, which are comments of a model file.
constexpr const char* include_begins = "#>>> ";
constexpr const char* include_ends = "#<<<";

/// Text of a model file with the files of the lines `include = FILE` before its first section; of a file that is
/// included several times, once. Throws InputError if a file cannot be read or includes itself, or if the text is empty
/// or too large.
std::string text_with_includes(const std::filesystem::path& file);

}  // namespace tessera::processes
