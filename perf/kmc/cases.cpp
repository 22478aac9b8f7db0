// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "cases.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace tessera::perf {
namespace {

constexpr auto tile = kmc::Method::tile;
constexpr auto repair = kmc::StepControl::repair;
constexpr auto reject = kmc::StepControl::reject;

std::string sos(int phi) { return "phi:" + std::to_string(phi); }

/// Built-in models beside the solid-on-solid one.
constexpr const char* other_built_in[] = {"hopping/E:1", "hopping/E:2", "kawasaki/E:1", "epitaxy", "octahedron"};

bool is_from_file(const std::string& model) { return model.find(".ini") != std::string::npos; }

/// Cases in three dimensions: of the targets on a GPU, with the sequential methods on a core.
std::vector<KmcCase> space_cases(const std::string& fastest) {
  constexpr const char *ising = "sc/ising/K:0.22", *potts = "sc/potts/K:0.55", *hopping = "sc/hopping/E:0.6";
  std::vector<KmcCase> cases;
  for (const char* model : {ising, hopping}) {
    for (const int n : {32, 64}) cases.push_back({kmc::Method::bkl, repair, "", model, n});
    cases.push_back({kmc::Method::waiting_time, repair, "", model, 64});
    cases.push_back({tile, repair, fastest, model, 64});
    cases.push_back({tile, repair, fastest, model, 32, 256});
    cases.push_back({tile, repair, fastest, model, 256});
  }
  cases.push_back({tile, repair, fastest, "bcc/ising/K:0.14", 256});
  cases.push_back({tile, repair, fastest, "fcc/ising/K:0.09", 128});
  for (const std::string model : {ising, potts, hopping, "sc/hopping/E:0.6/coverage:0.1"})
    cases.push_back({tile, repair, fastest, model, 512});
  return cases;
}

/// All models beside the solid-on-solid one, also those from files.
std::vector<std::string> other_models() {
  std::vector<std::string> names(std::begin(other_built_in), std::end(other_built_in));
  for (const FileModel& one : file_models) names.emplace_back(one.name);
  return names;
}

}  // namespace

// A CO pressure of 1 and 10 bar with the chemical potentials for which the turnover of kmcos is known.
const std::vector<FileModel> file_models{
    {"zgb.ini/y:0.45", "zgb.ini", {{"y", 0.45}}},
    {"zgb.ini/y:0.5", "zgb.ini", {{"y", 0.5}}},
    {"co_oxidation_ruo2.ini/p_CO:1", "co_oxidation_ruo2.ini", {{"p_CO", 1}, {"mu_CO", -1.1}, {"mu_O2", -1.2}}},
    {"co_oxidation_ruo2.ini/p_CO:10", "co_oxidation_ruo2.ini", {{"p_CO", 10}, {"mu_CO", -0.98095}, {"mu_O2", -1.2}}},
    {"hopping.ini", "hopping.ini", {}},
    {"adatoms.ini", "adatoms.ini", {}},
    {"hexagonal_hops.ini", "hexagonal_hops.ini", {}},
    {"oxygen_pd100.ini", "oxygen_pd100.ini", {}}};

std::string KmcCase::name() const {
  std::string text = "kmc/";
  if (method == kmc::Method::bkl) text += "bkl";
  if (method == kmc::Method::waiting_time) text += "waiting-time";
  if (method == tile) text += std::string("tile/") + (control == repair ? "repair/" : "reject/") + space;
  text += "/" + model + "/n:" + std::to_string(n) + (in_space() ? "^3" : "");
  return replicas == 1 ? text : text + "/replicas:" + std::to_string(replicas);
}

KmcCase KmcCase::on(const std::string& other) const { return {tile, control, other, model, n, replicas}; }

kmc::ModelChoice KmcCase::model_of() const {
  const auto colon = model.find(':');
  const double value = colon == std::string::npos ? 0 : std::stod(model.substr(colon + 1));
  if (model.starts_with("phi:")) {
    kmc::ModelChoice sos("sos");
    sos["phi"] = value;
    return sos;
  }
  if (is_from_file(model)) return {};
  kmc::ModelChoice choice(model.substr(0, model.find('/')));
  if (colon != std::string::npos) choice["attraction"] = value;
  return choice;
}

double KmcCase::sites() const {
  double sites = static_cast<double>(n) * n * replicas;
  if (in_space()) sites *= n;
  for (const int of_cell : in_space() ? choice().sites_of_cell() : std::array{1, 1, 1}) sites *= of_cell;
  return sites;
}

kmc::space::Choice KmcCase::choice() const {
  kmc::space::Choice choice;
  choice.order = 0;
  std::istringstream words(model);
  std::getline(words, choice.lattice, '/');
  std::getline(words, choice.model, '/');
  for (std::string word; std::getline(words, word, '/');) {
    const double value = std::stod(word.substr(word.find(':') + 1));
    (word[0] == 'K' ? choice.coupling : word[0] == 'E' ? choice.attraction : choice.coverage) = value;
  }
  return choice;
}

std::vector<KmcCase> all_kmc_cases(const std::vector<std::string>& spaces) {
  std::vector<KmcCase> cases;
  const auto add = [&](int n, int replicas) {
    for (int phi = 0; phi <= 3; ++phi) {
      for (const std::string& space : spaces) {
        if (n > 4096 && space != spaces.back()) continue;
        cases.push_back({tile, repair, space, sos(phi), n, replicas});
        if (n <= 4096 && replicas == 1) cases.push_back({tile, reject, space, sos(phi), n, replicas});
      }
      if (n > 1024 || replicas > 1) continue;
      cases.push_back({kmc::Method::waiting_time, repair, "", sos(phi), n, 1});
      cases.push_back({kmc::Method::bkl, repair, "", sos(phi), n, 1});
    }
    if (n < 1024 && replicas == 1) return;
    for (const std::string& model : other_models()) {
      if (n > 4096 && is_from_file(model)) continue;
      for (const std::string& space : spaces)
        if (n <= 4096 || space == spaces.back()) cases.push_back({tile, repair, space, model, n, replicas});
      if (n == 1024) cases.push_back({kmc::Method::bkl, repair, "", model, n});
    }
  };
  for (const int n : {16, 20, 32, 100, 128, 512})
    for (const std::string& model : {sos(1), std::string("co_oxidation_ruo2.ini/p_CO:1")}) {
      for (const std::string& space : spaces) cases.push_back({tile, repair, space, model, n});
      cases.push_back({kmc::Method::bkl, repair, "", model, n});
    }
  add(64, 1);
  add(256, 1);
  add(64, 256);
  for (const int n : {1024, 4096, 8192}) add(n, 1);
  for (const std::string& space : spaces)
    if (space != spaces.back()) cases.push_back({tile, repair, space, "sc/ising/K:0.22", 64});
  std::ranges::move(space_cases(spaces.back()), std::back_inserter(cases));
  return cases;
}

std::vector<KmcCase> h200_kmc_cases(const std::vector<std::string>& spaces) {
  std::vector<KmcCase> cases;
  const std::string& fastest = spaces.back();
  for (int phi = 0; phi <= 3; ++phi)
    for (const auto control : {repair, reject}) cases.push_back({tile, control, fastest, sos(phi), 4096});
  for (int phi = 0; phi <= 3; ++phi) {
    cases.push_back({tile, repair, fastest, sos(phi), 1024});
    if (phi > 1) continue;
    for (const std::string& space : spaces)
      if (space != fastest) cases.push_back({tile, repair, space, sos(phi), 1024});
    cases.push_back({kmc::Method::bkl, repair, "", sos(phi), 1024});
    if (phi == 0) cases.push_back({kmc::Method::waiting_time, repair, "", sos(phi), 1024});
  }
  for (int phi = 0; phi <= 3; ++phi) cases.push_back({tile, repair, fastest, sos(phi), 64, 256});
  for (int phi = 0; phi <= 3; ++phi) cases.push_back({tile, repair, fastest, sos(phi), 256});
  for (const int phi : {0, 2}) cases.push_back({tile, repair, fastest, sos(phi), 8192});
  for (const std::string& model : other_models()) {
    cases.push_back({tile, repair, fastest, model, 4096});
    for (const std::string& space : spaces)
      if (space == fastest || !is_from_file(model)) cases.push_back({tile, repair, space, model, 1024});
    cases.push_back({kmc::Method::bkl, repair, "", model, 1024});
    cases.push_back({tile, repair, fastest, model, 64, 256});
  }
  cases.push_back({tile, repair, fastest, "octahedron", 8192});
  std::ranges::move(space_cases(fastest), std::back_inserter(cases));
  return cases;
}

}  // namespace tessera::perf
