// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// A model file interpreted word by word on a small periodic lattice, without tables and without code of the program.
namespace tessera {

class Interpreter {
 public:
  /// What is on each site, by its name and the unit cell.
  using Configuration = std::map<std::string, std::string>;

  /// Rates are plain numbers, or otf_rate = base_rate*F**N*... with the numbers N of bystanders, and energies max(0,
  /// dE, E + A*dE), with dE from the energy of all clusters before and after, at 500 K; `orientations` are those of a
  /// lattice with one site in a square unit cell, or, if there are 3 or 6, a rhombic one with an angle of 60 degrees.
  Interpreter(const std::string& text, int nx, int ny) : nx_(nx), ny_(ny) {
    std::istringstream lines(text);
    std::map<std::string, std::string> section;
    std::string title;
    const auto end = [&] {
      if (title.starts_with("[Process ")) rules_.push_back(rule_of(section));
      if (title.starts_with("[Cluster ")) add_cluster(section);
      if (title.starts_with("[Configuration ")) configurations_[title.substr(15, title.size() - 16)] = rule_of(section);
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

  /// The rates at which a configuration becomes others. A process happens once in each of its different places.
  std::map<Configuration, double> rates(const Configuration& now) const {
    std::map<Configuration, double> rates;
    const double before = energy(now);
    for (const Rule& rule : rules_)
      for (const auto& [place, what] : places_of(rule, now)) {
        double barrier = 0;
        if (!rule.energy.empty()) {
          const double change = energy(what.then) - before;
          barrier = std::max({0.0, change, rule.energy[0] + rule.energy[1] * change});
        }
        rates[what.then] += what.rate * std::exp(-barrier * 1.602176565e-19 / (1.3806488e-23 * 500));
      }
    return rates;
  }

  /// The energy of all clusters, each of which counts once.
  double energy(const Configuration& now) const {
    double sum = 0;
    for (const auto& [terms, its] : clusters_)
      for (int x = 0; x < nx_; ++x)
        for (int y = 0; y < ny_; ++y) sum += hold(terms, now, x, y) ? its : 0;
    return sum;
  }

  /// The number of different places where [Configuration `name`] is found.
  std::size_t places(const std::string& name, const Configuration& now) const {
    return places_of(configurations_.at(name), now).size();
  }

 private:
  struct Term {
    std::string species, site;
    int dx, dy;
    std::string flag;
  };
  struct Rule {
    double rate;
    std::map<std::string, double> factors;  // by the name of the number
    int turns;
    std::vector<Term> conditions, actions, bystanders;
    std::vector<double> energy;  // E and A
  };
  struct Happens {
    Configuration then;
    double rate;
  };

  /// The places where the conditions of a rule hold, each with what its actions make of the configuration, and its
  /// rate.
  std::map<std::set<std::string>, Happens> places_of(Rule rule, const Configuration& now) const {
    std::map<std::set<std::string>, Happens> places;
    for (int i = 0; i < rule.turns; ++i) {
      for (int x = 0; x < nx_; ++x)
        for (int y = 0; y < ny_; ++y) {
          if (!hold(rule.conditions, now, x, y)) continue;
          std::set<std::string> place;
          Configuration then = now;
          for (const Term& term : rule.conditions) place.insert(term.species + "@" + at(term, x, y));
          for (const Term& term : rule.actions) {
            place.insert("to " + term.species + "@" + at(term, x, y));
            then[at(term, x, y)] = term.species;
          }
          double rate = rule.rate;
          for (const Term& term : rule.bystanders)
            if (hold({term}, now, x, y)) rate *= rule.factors.at("nr_" + term.species + "_" + term.flag);
          places.emplace(place, Happens{then, rate});
        }
      turn(rule.conditions, rule.turns);
      turn(rule.actions, rule.turns);
      turn(rule.bystanders, rule.turns);
    }
    return places;
  }
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
      const int dx = term.dx, dy = term.dy;
      term.dx = orientations == 2 ? -dx : (orientations == 3 ? -dx - dy : -dy);
      term.dy = orientations == 2 ? -dy : (orientations == 3 ? dx : (orientations == 6 ? dx + dy : dx));
    }
  }
  static std::vector<Term> terms(const std::string& text) {
    std::vector<Term> terms;
    const std::regex term(
        "(\\w+(?: or \\w+)*|\\[[^\\]]*\\])@(\\w+)(?:\\.\\( *(-?\\d+), *(-?\\d+)(?:, *0)?\\))?(?:\\|(\\w+))?");
    for (std::sregex_iterator i(text.begin(), text.end(), term), end; i != end; ++i) {
      const std::string species = (*i)[1];  // or a list of them
      const std::regex each(species[0] == '[' ? "\\w+" : ".+");
      for (std::sregex_iterator one(species.begin(), species.end(), each); one != end; ++one)
        terms.push_back(
            {one->str(), (*i)[2], std::atoi((*i)[3].str().c_str()), std::atoi((*i)[4].str().c_str()), (*i)[5]});
    }
    return terms;
  }

  /// All orientations that differ by more than a translation.
  void add_cluster(std::map<std::string, std::string>& section) {
    std::vector<Term> its = terms(section["sites"]);
    std::set<std::set<std::string>> known;
    const int turns = std::max(1, std::atoi(section["orientations"].c_str()));
    for (int i = 0; i < turns; ++i, turn(its, turns)) {
      const auto left = [](const Term& a, const Term& b) { return std::pair(a.dx, a.dy) < std::pair(b.dx, b.dy); };
      const Term first = *std::min_element(its.begin(), its.end(), left);
      std::set<std::string> form;
      for (const Term& one : its) form.insert(one.species + "@" + site(one.site, one.dx - first.dx, one.dy - first.dy));
      if (known.insert(form).second) clusters_.emplace_back(its, std::atof(section["energy"].c_str()));
    }
  }

  static Rule rule_of(std::map<std::string, std::string>& section) {
    std::map<std::string, double> factors;
    const std::regex factor("([\\d.]+)\\*\\*(nr_\\w+)");
    const std::string& otf = section["otf_rate"];
    for (std::sregex_iterator i(otf.begin(), otf.end(), factor), end; i != end; ++i)
      factors[(*i)[2]] = std::atof((*i)[1].str().c_str());
    std::vector<double> energy;
    std::smatch numbers;
    if (std::regex_match(section["energy"], numbers, std::regex("max\\(0, dE, ([-\\d.]+) \\+ ([-\\d.]+)\\*dE\\)")))
      energy = {std::atof(numbers[1].str().c_str()), std::atof(numbers[2].str().c_str())};
    return {std::atof(section["rate_constant"].c_str()),
            factors,
            std::max(1, std::atoi(section["orientations"].c_str())),
            terms(section["conditions"]),
            terms(section["actions"]),
            terms(section["bystanders"]),
            energy};
  }

  int nx_, ny_;
  std::vector<Rule> rules_;
  std::vector<std::pair<std::vector<Term>, double>> clusters_;
  std::map<std::string, Rule> configurations_;
};

}  // namespace tessera
