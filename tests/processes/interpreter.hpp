// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdlib>
#include <map>
#include <regex>
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
    std::map<std::string, std::string> process;
    bool in_process = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("[")) {
        if (in_process) add(process);
        process.clear();
        in_process = line.starts_with("[Process");
      }
      std::smatch entry;
      if (std::regex_match(line, entry, std::regex("(\\w+) *= *(.*)"))) process[entry[1]] = entry[2];
    }
    if (in_process) add(process);
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
          const auto at = [&](const Term& term) {
            return site(term.site, (x + term.dx + nx_) % nx_, (y + term.dy + ny_) % ny_);
          };
          bool possible = true;
          for (const Term& term : rule.conditions) possible = possible && now.at(at(term)) == term.species;
          if (!possible) continue;
          Configuration then = now;
          for (const Term& term : rule.actions) then[at(term)] = term.species;
          rates[then] += rule.rate;
        }
    return rates;
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

  static std::vector<Term> terms(const std::string& text) {
    std::vector<Term> terms;
    const std::regex term("(\\w+)@(\\w+)(?:\\.\\( *(-?\\d+), *(-?\\d+), *0\\))?");
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
      for (auto* const list : {&rule.conditions, &rule.actions})
        for (Term& term : *list) {
          if (orientations == 2)
            term = {term.species, term.site, -term.dx, -term.dy};
          else
            term = {term.species, term.site, -term.dy, term.dx};
        }
    }
  }

  int nx_, ny_;
  std::vector<Rule> rules_;
};

}  // namespace tessera::testing
