// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <utility>
#include <vector>

/// Texts of model files for tests.
namespace tessera {

/// Two species on a square lattice, without processes.
inline std::string square_lattice() {
  return R"([Meta]
model_name = test
model_dimension = 2

[SpeciesList]
default_species = empty

[Species empty]
color = #ffffff

[Species CO]
representation = Atoms('CO',[[0,0,0],[0,0,1.2]])

[Species O]

[Parameter k]
value = 2.5
adjustable = True
min = 0.0

[Lattice]
cell_size = 3.5 0.0 0.0 0.0 3.5 0.0 0.0 0.0 10.0

[Layer sc]
site a = (0.5, 0.5, 0.5); default_species; tag

)";
}

inline std::string process(const std::string& name, const std::string& rate, const std::string& conditions,
                           const std::string& actions, const std::string& more = "") {
  return "[Process " + name + "]\nrate_constant = " + rate + "\nconditions = " + conditions + "\nactions = " + actions +
         "\n" + more + "\n";
}

inline std::string configuration(const std::string& name, const std::string& conditions, int orientations = 1) {
  return "[Configuration " + name + "]\nconditions = " + conditions +
         "\norientations = " + std::to_string(orientations) + "\n\n";
}

/// Ziff, Gulari and Barshad's model with finite rates; line 27 is that of the first process.
inline std::string zgb(const std::string& reaction = "20") {
  return square_lattice() + process("CO_adsorption", "0.4", "empty@a", "CO@a") +
         process("O2_adsorption", "0.3", "empty@a + empty@a.(1, 0, 0)", "O@a + O@a.(1, 0, 0)", "orientations = 4\n") +
         process("CO_desorption", "0.01", "CO@a", "empty@a") +
         process("reaction", reaction, "CO@a + O@a.(1, 0, 0)", "empty@a + empty@a.(1, 0, 0)",
                 "orientations = 4\ntof_count = {'CO2': 1}\n");
}

/// Processes that depend on the eight cells around a cell, and change up to nine cells.
inline std::string eight_neighbours() {
  const std::string square = "a + CO or O@a.(1, 0, 0) + CO or O@a.(0, 1, 0) + CO or O@a.(1, 1, 0)";
  const std::string around =
      " + CO or O@a.(-1, 0, 0) + CO or O@a.(0, -1, 0) + CO or O@a.(-1, -1, 0) + "
      "CO or O@a.(1, -1, 0) + CO or O@a.(-1, 1, 0)";
  const std::string four = "empty@a + empty@a.(1, 0, 0) + empty@a.(0, 1, 0) + empty@a.(1, 1, 0)";
  return square_lattice() + process("CO_adsorption", "0.8", "empty@a", "CO@a") +
         process("CO_desorption", "0.3", "CO@a", "empty@a") +
         process("O2_adsorption", "0.4", "empty@a + empty@a.(1, 1, 0)", "O@a + O@a.(1, 1, 0)", "orientations = 4\n") +
         process("react", "1.2", "CO@a + O@a.(1, -1, 0)", "empty@a + empty@a.(1, -1, 0)",
                 "orientations = 4\ntof_count = {'CO2': 1}\n") +
         process("jump", "0.9", "CO@a + O@a.(1, 0, 0) + empty@a.(2, 0, 0)", "empty@a + CO@a.(2, 0, 0)",
                 "orientations = 4\n") +
         process("turn", "0.7", "CO@a + CO@a.(1, 0, 0) + O@a.(0, 1, 0) + empty@a.(1, 1, 0)",
                 "O@a + CO@a.(1, 0, 0) + empty@a.(0, 1, 0) + CO@a.(1, 1, 0)", "orientations = 4\n") +
         process("clear", "2.5", "O@" + square + around,
                 four +
                     " + empty@a.(-1, 0, 0) + empty@a.(0, -1, 0) + empty@a.(-1, -1, 0) + empty@a.(1, -1, 0) + "
                     "CO@a.(-1, 1, 0)");
}

/// Processes that change one cell and depend on cells two away.
inline std::string third_neighbours() {
  return square_lattice() + process("up", "0.8", "empty@a", "CO@a") + process("down", "0.5", "CO@a", "empty@a") +
         process("change", "0.9", "CO@a + CO or O@a.(2, 0, 0)", "O@a", "orientations = 4\n") +
         process("leave", "1.4", "O@a + empty@a.(0, 2, 0) + CO@a.(1, -1, 0) + CO or O@a.(-1, 0, 0)", "empty@a",
                 "orientations = 4\n") +
         process("between", "0.6", "empty@a.(-1, 0, 0) + O@a.(1, 0, 0)", "O@a.(-1, 0, 0)") +
         process("off", "0.3", "O@a", "empty@a");
}

/// Processes that change a cell and a nearest neighbour, or one of them, and depend on cells two away from both.
inline std::string far_pairs(const std::string& reaction = "1.2") {
  const std::string four = "orientations = 4\n";
  return square_lattice() + process("up", "0.5", "empty@a", "CO@a") + process("O_on", "0.4", "empty@a", "O@a") +
         process("down", "0.2", "CO@a", "empty@a") +
         process("hop", "0.9", "CO@a + empty@a.(1, 0, 0) + empty or O@a.(-1, 0, 0) + empty or CO@a.(2, 0, 0)",
                 "empty@a + CO@a.(1, 0, 0)", four) +
         process("react", reaction, "CO@a + O@a.(1, 0, 0) + CO or O@a.(2, 0, 0)", "empty@a + empty@a.(1, 0, 0)",
                 four + "tof_count = {'CO2': 1}\n") +
         process("exchange", "0.7", "CO@a + O@a.(1, 0, 0)", "O@a + CO@a.(1, 0, 0)",
                 four +
                     "otf_rate = base_rate*1.5**nr_CO_end\n"
                     "bystanders = ['CO']@a.(-1, 0, 0)|end + ['CO']@a.(2, 0, 0)|end\n") +
         process("leave", "0.8", "O@a + CO or O@a.(1, 0, 0) + CO@a.(3, 0, 0)", "empty@a", four);
}

/// Two sites in a unit cell: adsorption, hops between the sites and to the next cells, reactions, with rates of the
/// same order. Line 28 is that of the first process.
inline std::string two_sites() {
  std::string text = square_lattice();
  text.replace(text.find("site a = (0.5, 0.5, 0.5)"), 24, "site b = (0.0, 0.5, 0.5)\nsite a = (0.5, 0.5, 0.5)");
  for (const std::string site : {"a", "b"}) {
    text += process("CO_on_" + site, "0.8", "empty@" + site, "CO@" + site) +
            process("CO_off_" + site, "0.5", "CO@" + site, "empty@" + site) +
            process("O2_along_" + site, "0.4", "empty@" + site + " + empty@" + site + ".(0, 1, 0)",
                    "O@" + site + " + O@" + site + ".(0, 1, 0)");
    for (const std::string step : {"1", "-1"})
      text += process("CO_along_" + site + step, "1.3", "CO@" + site + " + empty@" + site + ".(0, " + step + ", 0)",
                      "empty@" + site + " + CO@" + site + ".(0, " + step + ", 0)") +
              process("react_along_" + site + step, "2.1", "O@" + site + " + CO@" + site + ".(0, " + step + ", 0)",
                      "empty@" + site + " + empty@" + site + ".(0, " + step + ", 0)", "tof_count = {'CO2': 1}\n");
  }
  return text + process("O2_across", "0.3", "empty@b + empty@a.(-1, 0, 0)", "O@b + O@a.(-1, 0, 0)") +
         // It changes the neighbour alone.
         process("O_off_beside", "0.9", "CO@a + O@b.(1, 0, 0)", "empty@b.(1, 0, 0)") +
         process("CO_in_cell", "1.7", "CO@b + empty@a", "empty@b + CO@a") +
         process("CO_across", "0.6", "CO@a + empty@b.(1, 0, 0)", "empty@a + CO@b.(1, 0, 0)") +
         process("react_in_cell", "2.5", "O@b + CO@a", "empty@b + empty@a", "tof_count = {'CO2': 1}\n");
}

/// "['CO']@a.(1,0)|near + ...".
inline std::string bystanders(const std::string& flag, const std::vector<std::pair<int, int>>& offsets,
                              const std::string& species = "CO") {
  std::string text;
  for (const auto& [dx, dy] : offsets)
    text += (text.empty() ? "['" : " + ['") + species + "']@a.(" + std::to_string(dx) + ", " + std::to_string(dy) +
            ", 0)|" + flag;
  return text;
}

/// The square lattice with an angle of 60 degrees instead.
inline std::string rhombic(std::string text) {
  const std::string sides = "3.5 0.0 0.0 0.0 3.5 0.0 0.0";
  return text.replace(text.find(sides), sides.size(), "1.0 0.0 0.0 0.5 0.8660254 0.0 0.0");
}

/// fcc(111): hops whose ends feel all other neighbours of both.
inline std::string hexagonal_hops(const std::string& rate = "1.1") {
  return rhombic(
      square_lattice() + "[Initial]\nCO@a = 0.4\n" +
      process("hop", rate, "CO@a + empty@a.(1, 0, 0)", "empty@a + CO@a.(1, 0, 0)",
              "orientations = 6\notf_rate = base_rate*0.7**nr_CO_here*1.3**nr_CO_there*0.9**nr_CO_both\nbystanders = " +
                  bystanders("here", {{-1, 0}, {0, -1}, {-1, 1}}) + " + " +
                  bystanders("there", {{2, 0}, {1, 1}, {2, -1}}) + " + " + bystanders("both", {{0, 1}, {1, -1}}) +
                  "\n"));
}

/// Six first and six second neighbours.
inline std::string hexagonal_desorption() {
  return rhombic(square_lattice() + process("on", "0.6", "empty@a", "CO@a") + process("O_on", "0.2", "empty@a", "O@a") +
                 process("O_off", "0.5", "O@a", "empty@a") +
                 process("off", "0.4", "CO@a", "empty@a",
                         "otf_rate = base_rate*1.2**nr_CO_first*1.1**nr_CO_second*0.9**nr_O_first\nbystanders = " +
                             bystanders("first", {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}, "CO', 'O") +
                             " + " + bystanders("second", {{1, 1}, {-1, 2}, {-2, 1}, {-1, -1}, {1, -2}, {2, -1}}) +
                             "\n") +
                 process("pair", "0.3", "CO@a + O@a.(1, 0, 0)", "empty@a + empty@a.(1, 0, 0)", "orientations = 3\n"));
}

/// First to fourth neighbours on the square lattice.
inline std::string fourth_neighbours() {
  const std::vector<std::pair<int, int>> fourth{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};
  return square_lattice() + process("on", "0.6", "empty@a", "CO@a") +
         process("off", "0.4", "CO@a", "empty@a",
                 "otf_rate = base_rate*1.2**nr_CO_n1*0.9**nr_CO_n2*1.1**nr_CO_n3*0.95**nr_CO_n4\nbystanders = " +
                     bystanders("n1", {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) + " + " +
                     bystanders("n2", {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}) + " + " +
                     bystanders("n3", {{2, 0}, {0, 2}, {-2, 0}, {0, -2}}) + " + " + bystanders("n4", fourth) + "\n");
}

/// A hop whose ends feel first to third neighbours.
inline std::string far_hops() {
  return square_lattice() + process("on", "0.1", "empty@a", "CO@a") + process("off", "0.1", "CO@a", "empty@a") +
         process(
             "hop", "0.8", "CO@a + empty@a.(1, 0, 0)", "empty@a + CO@a.(1, 0, 0)",
             "orientations = 4\notf_rate = base_rate*1.2**nr_CO_a1b2*0.9**nr_CO_a1b3*1.1**nr_CO_a2b1*0.8**nr_CO_a3b1*"
             "1.15**nr_CO_a2*0.95**nr_CO_a3*1.05**nr_CO_b2*0.85**nr_CO_b3\nbystanders = " +
                 bystanders("a1b2", {{0, 1}, {0, -1}}) + " + " + bystanders("a1b3", {{-1, 0}}) + " + " +
                 bystanders("a2b1", {{1, 1}, {1, -1}}) + " + " + bystanders("a3b1", {{2, 0}}) + " + " +
                 bystanders("a2", {{-1, 1}, {-1, -1}}) + " + " + bystanders("a3", {{0, 2}, {0, -2}, {-2, 0}}) + " + " +
                 bystanders("b2", {{2, 1}, {2, -1}}) + " + " + bystanders("b3", {{3, 0}, {1, 2}, {1, -2}}) + "\n");
}

/// H on Pt(111): top, three bridge, fcc and hcp sites in a cell, between which H, and O if there are two species, hop.
inline std::string many_sites(int species) {
  std::string text = rhombic(square_lattice());
  text.replace(text.find("site a = (0.5, 0.5, 0.5)"), 24,
               "site t = (0.0, 0.0, 0.5)\nsite b1 = (0.5, 0.0, 0.5)\nsite b2 = (0.0, 0.5, 0.5)\nsite b3 = (0.5, 0.5, "
               "0.5)\nsite f = (0.3333333, 0.3333333, 0.5)\nsite h = (0.6666667, 0.6666667, 0.5)");
  const std::vector<std::pair<std::string, std::string>> hops{{"t", "b1"},
                                                              {"t", "b1.(-1, 0, 0)"},
                                                              {"t", "b2"},
                                                              {"t", "b2.(0, -1, 0)"},
                                                              {"t", "b3.(-1, 0, 0)"},
                                                              {"t", "b3.(0, -1, 0)"},
                                                              {"b1", "f"},
                                                              {"b2", "f"},
                                                              {"b3", "f"},
                                                              {"b3", "h"},
                                                              {"b1.(0, 1, 0)", "h"},
                                                              {"b2.(1, 0, 0)", "h"}};
  for (int i = 1; i < species; ++i) {
    const std::string name = i == 1 ? "CO" : "O";
    for (const std::string site : {"t", "f"})
      text += process(name + "_on_" + site, "0.4", "empty@" + site, name + "@" + site) +
              process(name + "_off_" + site, "0.2", name + "@" + site, "empty@" + site);
    int number = 0;
    for (const auto& [from, to] : hops)
      for (const bool back : {false, true}) {
        const std::string& a = back ? to : from;
        const std::string& b = back ? from : to;
        ++number;
        text += process(name + "_hop" + std::to_string(number), "1." + std::to_string(number),
                        name + "@" + a + " + empty@" + b, "empty@" + a + " + " + name + "@" + b);
      }
  }
  return text;
}

inline std::string cluster(const std::string& name, const std::string& sites, const std::string& energy,
                           int orientations = 1) {
  return "[Cluster " + name + "]\nsites = " + sites + "\nenergy = " + energy +
         "\norientations = " + std::to_string(orientations) + "\n\n";
}

/// Clusters of up to four sites on the square lattice, and processes whose barriers depend on their energies.
inline std::string square_clusters() {
  const std::string four = "orientations = 4\n";
  return square_lattice() + "[Parameter T]\nvalue = 500\n" + cluster("site", "O@a", "-0.05") +
         cluster("pair", "CO@a + CO@a.(1, 0, 0)", "0.03", 4) + cluster("mixed", "CO@a + O@a.(1, 0, 0)", "-0.02", 4) +
         cluster("second", "O@a + O@a.(1, 1, 0)", "0.011", 4) + cluster("gap", "CO@a + empty@a.(0, 1, 0)", "0.007", 4) +
         cluster("bent", "CO@a + CO@a.(1, 0, 0) + CO or O@a.(0, 1, 0)", "0.015", 4) +
         cluster("line", "CO@a + O@a.(1, 0, 0) + CO@a.(2, 0, 0)", "-0.012", 4) +
         cluster("square", "CO@a + CO@a.(1, 0, 0) + CO@a.(0, 1, 0) + CO@a.(1, 1, 0)", "0.02", 4) +
         process("on", "0.7", "empty@a", "CO@a", "energy = max(0, dE, 0.02 + 0.3*dE)\n") +
         process("off", "0.9", "CO@a", "empty@a", "energy = max(0, dE, 0.02 + 0.7*dE)\n") +
         process("O_on", "0.4", "empty@a + empty@a.(1, 0, 0)", "O@a + O@a.(1, 0, 0)",
                 four + "energy = max(0, dE, 0.0 + 0.5*dE)\n") +
         process("leave", "0.3", "CO or O@a", "empty@a", "energy = max(0, dE, 0.01 + 0.5*dE)\n") +
         process("hop", "1.5", "CO@a + empty@a.(1, 0, 0)", "empty@a + CO@a.(1, 0, 0)",
                 four + "energy = max(0, dE, 0.03 + 0.5*dE)\n") +
         process("react", "1.1", "CO@a + O@a.(0, 1, 0)", "empty@a + empty@a.(0, 1, 0)", four);
}

/// Pairs, trios and quartets of CO in squares of four sites, in eV, at 600 K.
inline std::string clusters_in_squares() {
  return square_lattice() + "[Parameter T]\nvalue = 600\n" + cluster("first", "CO@a + CO@a.(1, 0, 0)", "0.05", 4) +
         cluster("second", "CO@a + CO@a.(1, 1, 0)", "-0.02", 4) +
         cluster("trio", "CO@a + CO@a.(1, 0, 0) + CO@a.(0, 1, 0)", "k/100 + 0.005", 4) +
         cluster("square", "CO@a + CO@a.(1, 0, 0) + CO@a.(0, 1, 0) + CO@a.(1, 1, 0)", "-0.04", 4);
}

/// Conditions and actions on cells three apart.
inline std::string far_conditions(bool alone = true) {
  return (alone ? square_lattice() + process("on", "0.6", "empty@a", "CO@a") + process("O_on", "0.3", "empty@a", "O@a")
                : std::string()) +
         process("far", "0.8", "CO@a + CO or O@a.(3, 0, 0)", "empty@a + empty@a.(3, 0, 0)") +
         process("further", "0.7", "CO@a + O@a.(0, 3, 0) + empty@a.(0, -1, 0)", "empty@a + CO@a.(0, -1, 0)");
}

}  // namespace tessera
