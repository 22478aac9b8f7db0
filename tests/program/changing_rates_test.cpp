// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/dataset_bytes.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// CO on all sites that desorbs at a rate k, which may depend on a temperature T.
std::string desorption(const std::string& more = "") {
  return square_lattice() + "[Parameter T]\nvalue = 300 + 5*time\nadjustable = True\n[Initial]\nCO@a = 1\n" +
         process("off", "1e13*exp(-1.2*beta*eV)", "CO@a", "empty@a", "tof_count = {'CO': 1}\n" + more) +
         process("on", "0", "empty@a", "CO@a");
}
std::string with_repulsion() {
  return desorption("otf_rate = base_rate*exp(500/T*nr_CO_n)\nbystanders = ['CO']@a.(1,0,0)|n + ['CO']@a.(-1,0,0)|n\n");
}

const Words changing_run = "kmc --processes m.ini --size 128 --quiet"_words;

class ChangingRates : public InFolder {};

/// Expects the same observables, parameters and states in two files.
void expect_the_same(const InputFile& one, const InputFile& other) {
  for (const std::string name :
       {"/observables/coverage_CO/", "/observables/events/", "/observables/turnover_CO/", "/parameters/T/"})
    for (const char* what : {"value", "time", "step"})
      EXPECT_EQ(dataset_bytes(one, name + what), dataset_bytes(other, name + what)) << name << what;
  EXPECT_EQ(dataset_bytes(one, "/fields/state/value"), dataset_bytes(other, "/fields/state/value"));
}

// Sites are independent: the part that is occupied is exp(-integral of the rate).
TEST_F(ChangingRates, GiveTheExactDesorption) {
  folder.write("m.ini", desorption());
  for (const std::string method : {"tile", "bkl"}) {
    complete_run(folder, changing_run + "--until-time 45 --measure-every 2.5 --output a.h5 --overwrite --method"_words +
                             Words{method});
    const InputFile file(folder / "a.h5");
    const auto coverage = file.read<double>("/observables/coverage_CO/value");
    const auto time = file.read<double>("/observables/coverage_CO/time");
    const auto temperature = file.read<double>("/parameters/T/value");
    ASSERT_EQ(coverage.size(), 19u);
    double integral = 0, worst = 0;
    for (std::size_t row = 1; row < coverage.size(); ++row) {
      constexpr int steps = 1000;
      for (int i = 0; i < steps; ++i) {
        const double at = time[row - 1] + (i + 0.5) * (time[row] - time[row - 1]) / steps;
        integral += 1e13 * std::exp(-1.2 * 1.602176565e-19 / (1.3806488e-23 * (300 + 5 * at))) *
                    (time[row] - time[row - 1]) / steps;
      }
      const double expected = std::exp(-integral);
      EXPECT_NEAR(coverage[row], expected, 6 * std::sqrt(expected * (1 - expected) / 16384) + 1e-6) << time[row];
      EXPECT_EQ(temperature[row], 300 + 5 * time[row]);
      worst = std::max(worst, std::min(expected, 1 - expected));
    }
    EXPECT_GT(worst, 0.2) << "most of the molecules desorb between the first and the last row";
  }
}

TEST_F(ChangingRates, GiveTheSameTrajectoryInAllMethodsAndRestarts) {
  folder.write("m.ini", with_repulsion());
  const Words to_36 = changing_run + "--measure-every 4 --until-time 36"_words;
  complete_run(folder, to_36 + "--output whole.h5"_words);
  complete_run(folder, to_36 + "--method waiting-time --output sequential.h5"_words);
  complete_run(folder, changing_run + "--measure-every 4 --until-time 20 --output part.h5"_words);
  for (const char* until : {"28", "36"})
    complete_run(folder, "kmc --restart part.h5 --quiet --until-time"_words + Words{until});
  const InputFile whole(folder / "whole.h5");
  EXPECT_GT(whole.read<double>("/observables/coverage_CO/value")[5], 0.1);
  EXPECT_LT(whole.read<double>("/observables/coverage_CO/value").back(), 0.1);
  expect_the_same(whole, InputFile(folder / "sequential.h5"));
  for (const char* what : {"value", "time"})
    EXPECT_EQ(dataset_bytes(whole, std::string("/parameters/T/") + what),
              dataset_bytes(InputFile(folder / "part.h5"), std::string("/parameters/T/") + what));
  EXPECT_EQ(dataset_bytes(whole, "/observables/events/value"),
            dataset_bytes(InputFile(folder / "part.h5"), "/observables/events/value"));
  // Other windows are another trajectory, and a restart keeps them.
  complete_run(folder, to_36 + "--rate-window 0.05 --output fine.h5"_words);
  EXPECT_NE(dataset_bytes(whole, "/observables/events/value"),
            dataset_bytes(InputFile(folder / "fine.h5"), "/observables/events/value"));
  EXPECT_THAT(run_tessera(folder, "kmc --restart part.h5 --rate-window 0.05"_words).err,
              HasSubstr("--rate-window 0.05: the run in part.h5 has rate-window = 0.1, which a restart cannot change"));
  EXPECT_THAT(run_tessera(folder, {"kmc", "--restart", "part.h5", "--set", "T=300 + 6*time"}).err,
              HasSubstr("--set T=300 + 6*time: the run in part.h5 has no set, which a restart changes only with"));
}

TEST_F(ChangingRates, AreReportedByTheDryRun) {
  folder.write("m.ini", with_repulsion());
  const auto dry = complete_run(
      folder, changing_run + on_host + Words{"--set", "T=table(0: 300, 30: 450)"} + "--until-time 40 --dry-run"_words);
  EXPECT_THAT(dry.out, HasSubstr("\nset = T=table(0: 300, 30: 450)\n"));
  EXPECT_THAT(dry.out, HasSubstr("\n# parameter T = 300 at time 0, table(0: 300, 30: 450), adjustable\n"));
  EXPECT_THAT(dry.out, ::testing::ContainsRegex(
                           "\n# rates change with time, by at most 10 % in a window: [0-9]+ windows to time 40, "
                           "with changes of at most [0-9.]+ %; the error of a coverage is at most about [0-9.e-]+\n"));
}

}  // namespace
}  // namespace tessera::testing
