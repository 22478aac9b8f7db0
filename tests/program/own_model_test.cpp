// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// The lattice gas of docs/writing_a_model.md in a program of its own: all that the program tessera has, it has, too.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <tessera/io/input_file.hpp>

#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

using io::InputFile;
using ::testing::HasSubstr;
using ::testing::Not;

const Words gas{"kmc", "--size", "128", "--adsorption", "2", "--backend", host_backend, "--quiet"};

std::vector<double> coverage(const std::filesystem::path& file) {
  return InputFile(file).read<double>("/observables/coverage/value");
}

TEST(OwnModel, IsTheProgramsWithItsOptions) {
  const TemporaryFolder folder;
  const auto help = run_tessera(folder.path(), {"kmc", "--model", "lattice-gas", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("--model lattice-gas"));
  EXPECT_THAT(help.out, HasSubstr("rate of adsorption over that of desorption [1]"));
  EXPECT_THAT(help.out, Not(HasSubstr("--phi")));
  const auto refused = run_tessera(folder.path(), gas + Words{"--until-time", "1", "--start-coverage", "2"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--start-coverage 2: must lie in [0, 1]"));
}

// Langmuir's kinetics, of which 128^2 cells have a standard deviation of 0.004.
TEST(OwnModel, ComputesItsOwnRatesAndObservables) {
  const TemporaryFolder folder;
  const auto result = run_tessera(folder.path(), gas + Words{"--until-time", "1", "--measure-every", "0.25"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto values = coverage(folder / "kmc.h5");
  ASSERT_EQ(values.size(), 5u);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], 2. / 3 * (1 - std::exp(-0.75 * static_cast<double>(i))), 0.025);
  EXPECT_EQ(InputFile(folder / "kmc.h5").text_attribute("/observables/coverage/time", "unit"), "1/k_d");
}

TEST(OwnModel, IsRestartedAndSwept) {
  const TemporaryFolder folder;
  const Words measured = gas + Words{"--measure-every", "0.5", "--attraction", "1"};
  ASSERT_EQ(run_tessera(folder.path(), measured + Words{"--until-time", "2", "--output", "whole.h5"}).status, 0);
  ASSERT_EQ(run_tessera(folder.path(), measured + Words{"--until-time", "1", "--output", "part.h5"}).status, 0);
  ASSERT_EQ(run_tessera(folder.path(), {"kmc", "--restart", "part.h5", "--until-time", "2", "--quiet"}).status, 0);
  EXPECT_EQ(coverage(folder / "part.h5"), coverage(folder / "whole.h5"));
  const Words sequential{"--until-time", "2", "--method", "waiting-time", "--output", "sequential.h5"};
  ASSERT_EQ(run_tessera(folder.path(), measured + sequential).status, 0);
  EXPECT_EQ(coverage(folder / "sequential.h5"), coverage(folder / "whole.h5"));

  setenv("TESSERA_PLOT", "true", 1);  // pictures are tested in Python
  const Words points{"sweep", "kmc", "--size", "32", "--attraction", "0:1:2", "--until-time", "1", "--quiet"};
  ASSERT_EQ(run_tessera(folder.path(), points).status, 0);
  EXPECT_THAT(read_file(folder / "kmc_sweep/table.csv"), HasSubstr("\n1,attraction=1,1,1,"));
}

}  // namespace
}  // namespace tessera::testing
