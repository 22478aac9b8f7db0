// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// The lattice gas of docs/writing_a_model.md in a standalone program, which has all that tessera has.

#include <cmath>
#include <cstdlib>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

const Words gas = "kmc --size 128 --adsorption 2 --quiet"_words + on_host;

std::vector<double> coverage(const std::filesystem::path& file) {
  return InputFile(file).read<double>("/observables/coverage/value");
}

TEST(OwnModel, HasItsOptionsInTheProgram) {
  const TemporaryFolder folder;
  const auto help = complete_run(folder, "kmc --model lattice-gas --help"_words);
  EXPECT_THAT(help.out, HasSubstr("--model lattice-gas"));
  EXPECT_THAT(help.out, HasSubstr("rate of adsorption over that of desorption [1]"));
  EXPECT_THAT(help.out, Not(HasSubstr("--phi")));
  const auto refused = run_tessera(folder, gas + "--until-time 1 --start-coverage 2"_words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--start-coverage 2: must lie in [0, 1]"));
}

// Langmuir's kinetics, of which 128^2 cells have a standard deviation of 0.004.
TEST(OwnModel, ComputesItsOwnRatesAndObservables) {
  const TemporaryFolder folder;
  complete_run(folder, gas + "--until-time 1 --measure-every 0.25"_words);
  const auto values = coverage(folder / "kmc.h5");
  ASSERT_EQ(values.size(), 5u);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], 2. / 3 * (1 - std::exp(-0.75 * static_cast<double>(i))), 0.025);
  EXPECT_EQ(InputFile(folder / "kmc.h5").text_attribute("/observables/coverage/time", "unit"), "1/k_d");
}

TEST(OwnModel, HasTheSameTrajectoryByTiles) {
  const TemporaryFolder folder;
  const Words run = "check kmc --size 64 --tile 16 --until-time 20 --adsorption 0.2 --attraction 0.5"_words;
  EXPECT_THAT(complete_run(folder, run).out, HasSubstr("all equal"));
}

TEST(OwnModel, IsRestartedAndSwept) {
  const TemporaryFolder folder;
  const Words measured = gas + "--measure-every 0.5 --attraction 1"_words;
  complete_run(folder, measured + "--until-time 2 --output whole.h5"_words);
  complete_run(folder, measured + "--until-time 1 --output part.h5"_words);
  complete_run(folder, "kmc --restart part.h5 --until-time 2 --quiet"_words);
  EXPECT_EQ(coverage(folder / "part.h5"), coverage(folder / "whole.h5"));
  const Words sequential = "--until-time 2 --method waiting-time --output sequential.h5"_words;
  complete_run(folder, measured + sequential);
  EXPECT_EQ(coverage(folder / "sequential.h5"), coverage(folder / "whole.h5"));

  setenv("TESSERA_PLOT", "true", 1);  // pictures are tested in Python
  const Words points = "sweep kmc --size 32 --attraction 0:1:2 --until-time 1 --quiet"_words;
  complete_run(folder, points);
  EXPECT_THAT(read_file(folder / "kmc_sweep/table.csv"), HasSubstr("\n1,attraction=1,1,1,"));
}

}  // namespace
}  // namespace tessera::testing
