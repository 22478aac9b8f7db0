// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// A model file interpreted word by word on a small periodic lattice, without tables and without code of the program.
namespace tessera::testing {

class Interpreter {
 public:
  /// What is on each site, by its name and the unit cell.
  using Configuration = std::map<std::string, std::string>;

  /// Rates are plain numbers; `orientations` are those of a lattice with one site in a square unit cell.
  Interpreter(const std::string& text, int nx, int ny) : nx_(nx), ny_(ny) {
    std::istringstream lines(text);
    std::map<std::string, std::string> section;
    std::string title;
    const auto end = [&] {
      if (title.starts_with("[Process ")) add(section);
      if (title.starts_with("[Configuration ")) configurations_[title.substr(15, title.size() - 16)] = section;
      section.clear();
    };
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("[")) {
        end();
        title = line;
      }
      std::smatch entry;
      if (std::regex_match(line, entry, std::regex("(\\w+) *= *(.*)"))) section[entry[1]] = entry[2];
    }
    end();
  }

  static std::string site(const std::string& name, int x, int y) {
    return name + "(" + std::to_string(x) + "," + std::to_string(y) + ")";
  }

  /// The rates at which a configuration becomes others.
  std::map<Configuration, double> rates(const Configuration& now) const {
    std::map<Configuration, double> rates;
    for (const Rule& rule : rules_)
      for (int x = 0; x < nx_; ++x)
        for (int y = 0; y < ny_; ++y) {
          if (!hold(rule.conditions, now, x, y)) continue;
          Configuration then = now;
          for (const Term& term : rule.actions) then[at(term, x, y)] = term.species;
          rates[then] += rule.rate;
        }
    return rates;
  }

  /// The number of different places where [Configuration `name`] is found.
  std::size_t places(const std::string& name, const Configuration& now) const {
    const std::map<std::string, std::string>& configuration = configurations_.at(name);
    std::vector<Term> conditions = terms(configuration.at("conditions"));
    const int turns = configuration.contains("orientations") ? std::atoi(configuration.at("orientations").c_str()) : 1;
    std::set<std::set<std::string>> places;
    for (int i = 0; i < turns; ++i) {
      for (int x = 0; x < nx_; ++x)
        for (int y = 0; y < ny_; ++y) {
          std::set<std::string> place;
          for (const Term& term : conditions) place.insert(term.species + "@" + at(term, x, y));
          if (hold(conditions, now, x, y)) places.insert(place);
        }
      turn(conditions, turns);
    }
    return places.size();
  }

 private:
  struct Term {
    std::string species, site;
    int dx, dy;
  };
  struct Rule {
    double rate;
    std::vector<Term> conditions, actions;
  };

  std::string at(const Term& term, int x, int y) const {
    return site(term.site, (x + term.dx + nx_) % nx_, (y + term.dy + ny_) % ny_);
  }
  /// Whether each site has its species, or one of them.
  bool hold(const std::vector<Term>& conditions, const Configuration& now, int x, int y) const {
    for (const Term& term : conditions)
      if ((" or " + term.species + " or ").find(" or " + now.at(at(term, x, y)) + " or ") == std::string::npos)
        return false;
    return true;
  }
  static void turn(std::vector<Term>& list, int orientations) {
    for (Term& term : list) {
      if (orientations == 2)
        term = {term.species, term.site, -term.dx, -term.dy};
      else
        term = {term.species, term.site, -term.dy, term.dx};
    }
  }
  static std::vector<Term> terms(const std::string& text) {
    std::vector<Term> terms;
    const std::regex term("(\\w+(?: or \\w+)*)@(\\w+)(?:\\.\\( *(-?\\d+), *(-?\\d+), *0\\))?");
    for (std::sregex_iterator i(text.begin(), text.end(), term), end; i != end; ++i)
      terms.push_back({(*i)[1], (*i)[2], std::atoi((*i)[3].str().c_str()), std::atoi((*i)[4].str().c_str())});
    return terms;
  }

  void add(std::map<std::string, std::string>& process) {
    Rule rule{std::atof(process["rate_constant"].c_str()), terms(process["conditions"]), terms(process["actions"])};
    const int orientations = std::max(1, std::atoi(process["orientations"].c_str()));
    // A pair that looks the same from both ends has half of the orientations.
    const bool symmetric = orientations > 1 && rule.conditions.size() == 2 &&
                           rule.conditions[0].species == rule.conditions[1].species &&
                           rule.actions[0].species == rule.actions[1].species;
    for (int i = 0; i < (symmetric ? orientations / 2 : orientations); ++i) {
      rules_.push_back(rule);
      turn(rule.conditions, orientations);
      turn(rule.actions, orientations);
    }
  }

  int nx_, ny_;
  std::vector<Rule> rules_;
  std::map<std::string, std::map<std::string, std::string>> configurations_;
};

}  // namespace tessera::testing
