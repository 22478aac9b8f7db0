// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "targets.hpp"

#include <algorithm>

namespace tessera::perf {
namespace {

constexpr auto tile = kmc::Method::tile;
constexpr auto repair = kmc::StepControl::repair;
constexpr auto reject = kmc::StepControl::reject;

/// True events/s of the tile method on one H200, on a relaxed surface, at least.
struct TargetRate {
  kmc::StepControl control;
  int phi, n;
  double events_per_second;
  int replicas = 1;
};
constexpr TargetRate h200[] = {
    {repair, 0, 4096, 1.9e9},  {repair, 1, 4096, 1.5e9},  {repair, 2, 4096, 7e8},    {repair, 3, 4096, 2.4e8},
    {repair, 0, 1024, 1.3e9},  {repair, 1, 1024, 1e9},    {repair, 2, 1024, 3.3e8},  {repair, 3, 1024, 8e7},
    {repair, 0, 256, 2e8},     {repair, 1, 256, 1.3e8},   {repair, 2, 256, 4e7},     {repair, 3, 256, 9e6},
    {repair, 0, 64, 1e9, 256}, {repair, 1, 64, 8e8, 256}, {repair, 2, 64, 3e8, 256}, {repair, 3, 64, 5e7, 256},
    {reject, 0, 4096, 4e8},    {reject, 1, 4096, 3.5e8},  {reject, 2, 4096, 1.2e8},  {reject, 3, 4096, 4e7},
};
constexpr double replicas_over_single = 0.5;  ///< rate of 256 replicas of n = 64 over that of one n = 1024
constexpr double larger_over_1024 = 0.97;     ///< events per site and step must not fall with n; 3 % are chance
constexpr double openmp_over_serial = 12;     ///< on 16 cores, n = 1024
constexpr int openmp_threads = 16;
constexpr double serial_over_bkl = 1;       ///< n = 1024, phi = 0 and 1
constexpr double most_bytes_per_site = 48;  ///< on the device
constexpr const char* size = "events_per_site_and_step";

}  // namespace

double h200_target(const KmcCase& c) {
  if (c.method != tile || c.space != "Cuda") return 0;
  for (const TargetRate& t : h200)
    if (t.control == c.control && t.phi == c.phi && t.n == c.n && t.replicas == c.replicas) return t.events_per_second;
  return 0;
}

std::vector<Verdict> kmc_verdicts(const std::vector<KmcCase>& cases, const Results& results, const Machine& machine) {
  std::vector<Verdict> verdicts;
  const auto measured = [&](const std::string& space, int phi, int n, int replicas = 1) {
    return results.find(KmcCase{tile, repair, space, phi, n, replicas}.name());
  };
  for (int phi = 0; phi <= 3; ++phi) {
    const std::string at = ", phi " + std::to_string(phi);
    const Result* single = measured(machine.fastest, phi, 1024);
    if (!single) continue;
    if (const Result* many = measured(machine.fastest, phi, 64, 256))
      verdicts.push_back({machine.fastest + " 256 replicas of n = 64 over n = 1024" + at, "times", replicas_over_single,
                          many->rate / single->rate, false, true});
    for (const int n : {4096, 8192})
      if (const Result* larger = measured(machine.fastest, phi, n))
        verdicts.push_back({machine.fastest + " events per site and step, n = " + std::to_string(n) + " over 1024" + at,
                            "times", larger_over_1024, larger->figure(size) / single->figure(size), false, true});
  }
  for (int phi = 0; phi <= 3; ++phi) {
    const std::string at = ", n = 1024, phi " + std::to_string(phi);
    const Result* serial = measured("Serial", phi, 1024);
    if (!serial) continue;
    if (const Result* openmp = measured("OpenMP", phi, 1024))
      verdicts.push_back({"OpenMP on 16 cores (here " + std::to_string(machine.threads) + ") over Serial" + at, "times",
                          openmp_over_serial, openmp->rate / serial->rate, false, machine.threads == openmp_threads});
    if (serial->over_reference > 0 && phi <= 1)
      verdicts.push_back(
          {"Serial tile method over BKL" + at, "times", serial_over_bkl, serial->over_reference, false, true});
  }
  double bytes = 0;
  for (const KmcCase& c : cases)
    if (const Result* r = results.find(c.name()); r && c.space == machine.fastest && c.sites() >= 65536)
      bytes = std::max(bytes, r->figure("bytes_per_site"));
  if (bytes > 0)
    verdicts.push_back({machine.fastest + " memory, the most of a lattice of 65536 sites or more", "bytes/site",
                        most_bytes_per_site, bytes, true, true});
  return verdicts;
}

}  // namespace tessera::perf
