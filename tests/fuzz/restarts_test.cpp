// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// Files to restart from that are damaged or lie: the program goes on from what a run can have written, and refuses the
// rest in one line before it computes anything. It never crashes, hangs, or takes memory that the run does not need.
#include <gtest/gtest.h>

#include <map>

#include "tests/fuzz/calls.hpp"
#include "tests/fuzz/forge.hpp"

namespace tessera::testing {
namespace {

/// A kind of run: how it begins, and the stopping time of its restart.
struct Kind {
  Words begin, stopping_time;
};

const std::map<std::string, Kind>& kinds() {
  static const Words kmc_stopping_time = "--until-time 2"_words, kpz_stopping_time{"--steps", "6"},
                     disks_stopping_time{"--sweeps", "60"};
  static const std::map<std::string, Kind> all{
      {"kmc_tile", {"kmc --size 16 --until-time 1 --replicas 2 --measure-every 0.5"_words, kmc_stopping_time}},
      {"kmc_ising", {"kmc --model ising --size 16 --until-time 1"_words, kmc_stopping_time}},
      {"kmc_bkl", {"kmc --method bkl --size 16 --until-time 1"_words, kmc_stopping_time}},
      {"kmc_waiting_time", {"kmc --method waiting-time --size 16 --until-time 1"_words, kmc_stopping_time}},
      {"kpz_dtr", {"kpz --size 32 --steps 3 --waiting-times 1,2 --measure-times 0,1,3,5"_words, kpz_stopping_time}},
      {"kpz_cdb", {"kpz --size 32 --steps 3 --device-layer cdb --block-layer dt"_words, kpz_stopping_time}},
      {"kpz_sequential", {"kpz --method sequential --size 32 --steps 3"_words, kpz_stopping_time}},
      {"disks",
       {"disks --particles 64 --packing-fraction 0.6 --sweeps 30 --sample-every 10 --replicas 2"_words,
        disks_stopping_time}},
      {"disks_sequential",
       {"disks --method sequential --particles 32 --packing-fraction 0.6 --sweeps 30 --sample-every 10"_words,
        disks_stopping_time}},
  };
  return all;
}

/// Begins a run of this kind, and restarts it from forged copies of its file.
class Restarts {
 public:
  explicit Restarts(const std::string& kind) : kind_(kinds().at(kind)) {
    const auto end = call_program(folder_.path(), kind_.begin + "--output good.h5 --quiet"_words + machine());
    if (end.status != 0) throw std::runtime_error("no run to restart: " + end.err);
    for (const std::string harmless : {"", "copy next_measurement 0 0"})
      if (const auto fault = restart(harmless, {0}, "200"); !fault.empty())
        throw std::runtime_error(harmless + ": " + fault);
  }

  std::filesystem::path file() const { return folder_ / "good.h5"; }

  /// What is wrong with a restart from a file to which this was done; empty if nothing is. Some files ask for long
  /// runs: with a short limit these end.
  std::string restart(const std::string& line, const std::set<int>& allowed = {0, 2, 3},
                      const std::string& wall_limit = "1") const {
    const auto forged = folder_ / "forged.h5";
    std::filesystem::copy_file(file(), forged, std::filesystem::copy_options::overwrite_existing);
    forge(forged, line);
    const std::string before = read_file(forged);
    const auto end = call_program(
        folder_.path(), Words{kind_.begin.front(), "--restart", "forged.h5", "--quiet", "--wall-limit", wall_limit} +
                            kind_.stopping_time + machine());
    std::string fault = fault_of(end, allowed);
    if (fault.empty() && end.status == 2 && read_file(forged) != before) fault = "refused, but the file was changed";
    for (const std::string& name : folder_.names()) {
      if (name.starts_with(".") && fault.empty()) fault = "it left " + name;
      if (name != "good.h5") std::filesystem::remove(folder_ / name);
    }
    return fault;
  }

 private:
  static Words machine() { return "--threads 1"_words + on_host; }

  TemporaryFolder folder_;
  Kind kind_;
};

class RestartsOf : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Line>
  void expect_no_faults(std::size_t count, const Line& line_of_case) {
    std::vector<std::string> faults;
    for (std::size_t n = 0; n < count; ++n) {
      const std::string line = line_of_case(n);
      const auto fault = restarts.restart(line);
      if (!fault.empty()) faults.push_back(GetParam() + " " + line + "\n    " + fault);
    }
    EXPECT_TRUE(faults.empty()) << listed(faults);
  }

  Restarts restarts{GetParam()};
};

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kinds, RestartsOf, ::testing::ValuesIn(names_of_kinds()),
                         [](const auto& kind) { return kind.param; });

TEST_P(RestartsOf, DamagedFilesEndAsPromised) {
  const auto seed = case_seed();
  const Forger forger(restarts.file());
  expect_no_faults(case_count(20), [&](std::size_t n) { return forger.damaged(seed * 1000003 + n); });
}

TEST_P(RestartsOf, LyingFilesEndAsPromised) {
  const auto seed = case_seed();
  const Forger forger(restarts.file());
  expect_no_faults(case_count(30), [&](std::size_t n) { return forger.structured(seed * 1000003 + n); });
}

// Each was a fault once. No run can have written them.
TEST(RestartCorpus, LinesEndAsPromised) {
  std::map<std::string, Restarts> known;
  std::vector<std::string> faults;
  for (const std::string& line : corpus("restarts.txt")) {
    const std::string kind = line.substr(0, line.find(' '));
    const Restarts& of = known.try_emplace(kind, kind).first->second;
    const std::string what = line.substr(kind.size() + 1);
    // A byte of a file may be one that nothing reads; where it lies depends on the version of HDF5.
    const auto fault = what.starts_with("bytes ") ? of.restart(what) : of.restart(what, {2});
    if (!fault.empty()) faults.push_back(line + "\n    " + fault);
  }
  EXPECT_TRUE(faults.empty()) << listed(faults);
}

}  // namespace
}  // namespace tessera::testing
