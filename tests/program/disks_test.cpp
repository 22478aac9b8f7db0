// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <hdf5.h>
#include <signal.h>

#include <cmath>
#include <cstring>
#include <ostream>
#include <tessera/io/input_file.hpp>

#include "machine/backend.hpp"
#include "tests/matchers.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// Two replicas with a move radius that is tuned, samples, rows and snapshots, but for the number of sweeps.
const Words run_of_disks =
    "disks --particles 300 --packing-fraction 0.68 --seed 3 --replicas 2 --equilibrate 500 --sample-every 5 "
    "--field-every 200 --measure-every 100 --quiet --aspect 1.5 --start random --tune-acceptance 0.4"_words +
    on_host;

template <class T>
void expect_same(const InputFile& a, const InputFile& b, const std::string& dataset) {
  ASSERT_EQ(a.shape(dataset), b.shape(dataset)) << dataset;
  const auto first = a.read<T>(dataset), second = b.read<T>(dataset);
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(T)), 0) << dataset;
}

class DisksRestart : public InFolder {};

TEST_F(DisksRestart, OnAnotherBackendEqualsTheUninterruptedRun) {
  complete_run(folder, run_of_disks + "--sweeps 800 --output whole.h5"_words);
  // The radius is still being tuned at 400, and that is a sweep at which all is recorded anyway: the rows of a run that
  // ends elsewhere have one more.
  complete_run(folder, run_of_disks + "--sweeps 400 --output part.h5"_words);
  for (const auto backend : tessera::built_backends()) {
    const std::string name = tessera::program::backend_name(backend);
    if (tessera::is_gpu(backend) && tessera::program::choose_backend("") != backend) continue;
    complete_run(folder, {"disks", "--restart", "part.h5", "--output", name + ".h5", "--quiet", "--backend", name,
                          "--sweeps", "800"});
    expect_same_content(folder / "whole.h5", folder / (name + ".h5"));
  }
}

TEST_F(DisksRestart, OfTheSequentialMethodEqualsTheUninterruptedRun) {
  const Words run =
      "disks --particles 50 --packing-fraction 0.6 --method sequential --equilibrate 10 --sample-every 10 "
      "--measure-every 50 --quiet"_words;
  complete_run(folder, run + "--sweeps 200 --output whole.h5"_words);
  complete_run(folder, run + "--sweeps 100 --output part.h5"_words);
  complete_run(folder, "disks --restart part.h5 --sweeps 200 --quiet"_words);
  const InputFile whole(folder / "whole.h5"), part(folder / "part.h5");
  expect_same<double>(whole, part, "/checkpoint/position");
  expect_same<std::uint64_t>(whole, part, "/checkpoint/generator");
  expect_same<double>(whole, part, "/observables/pressure/value");
}

// The range of the fit is in the summary and in the file, and with the paper's fit there is none.
class DisksProgram : public InFolder {};

TEST_F(DisksProgram, RecordsHowThePressureIsFitted) {
  const Words run = "disks --particles 64 --sweeps 200 --sample-every 10 --equilibrate 50 --json"_words + on_host;
  const auto chosen = complete_run(folder, run);
  EXPECT_THAT(chosen.out, HasSubstr("\"fit_r_max\": 1.09"));
  EXPECT_THAT(chosen.out, HasSubstr("\"fit_bias_error\": "));
  EXPECT_NEAR(InputFile(folder / "disks.h5").read<double>("/observables/fit_r_max/value").back(),
              std::sqrt(1 + 200.0 / 1024), 1e-12);
  const auto paper = complete_run(folder, run + "--pressure-fit paper --output paper.h5"_words);
  EXPECT_THAT(paper.out, ::testing::Not(HasSubstr("fit_r_max")));
}

// H5MD 1.1, read with HDF5 alone: https://www.nongnu.org/h5md/h5md.html
TEST(DisksOutput, HasTheLayoutOfH5md) {
  const TemporaryFolder folder;
  const Words run = "disks --particles 64 --sweeps 30 --field-every 10 --quiet --aspect 2"_words;
  complete_run(folder, run);
  {
    const InputFile output(folder / "disks.h5");
    EXPECT_EQ(output.names("/particles/disks"), ("box position"_words));
    EXPECT_THAT(output.shape("/particles/disks/position/value"), ElementsAre(4, 64, 3));
    EXPECT_EQ(output.type("/particles/disks/position/value"), tessera::io::ElementType::float64);
    EXPECT_THAT(output.read<std::int64_t>("/particles/disks/position/step"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(output.read<double>("/particles/disks/position/time"), ElementsAre(0, 10, 20, 30));
    EXPECT_EQ(output.text_attribute("/particles/disks", "length_unit"), "sigma");
    EXPECT_THAT(output.shape("/particles/disks/box/edges/value"), ElementsAre(4, 3, 3));
    EXPECT_THAT(output.read<std::int64_t>("/particles/disks/box/edges/step"), ElementsAre(0, 10, 20, 30));
    const auto edges = output.read<double>("/particles/disks/box/edges/value");
    const double width = edges[0], height = edges[4];
    for (std::size_t i = 0; i < edges.size(); i += 9)
      EXPECT_EQ(std::vector<double>(&edges[i], &edges[i] + 9),
                (std::vector<double>{width, 0, 0, 0, height, 0, 0, 0, 1}));
    EXPECT_NEAR(width / height, 2, 1e-4);
    EXPECT_NEAR(64 * M_PI / 4 / (width * height), 0.698, 2e-7);
    const auto positions = output.read<double>("/particles/disks/position/value");
    for (std::size_t i = 0; i < positions.size(); i += 3) {
      EXPECT_TRUE(positions[i] >= 0 && positions[i] < width);
      EXPECT_TRUE(positions[i + 1] >= 0 && positions[i + 1] < height);
      EXPECT_EQ(positions[i + 2], 0);
    }
    EXPECT_EQ(output.unsigned_attribute("/particles/disks/box", "dimension"), 3u);
  }
  // A list of words, which InputFile does not read.
  const hid_t file = H5Fopen((folder / "disks.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t group = H5Gopen2(file, "/particles/disks/box", H5P_DEFAULT);
  const hid_t boundary = H5Aopen(group, "boundary", H5P_DEFAULT);
  ASSERT_GE(boundary, 0);
  const hid_t type = H5Aget_type(boundary), space = H5Aget_space(boundary);
  EXPECT_EQ(H5Tget_class(type), H5T_STRING);
  EXPECT_EQ(H5Sget_simple_extent_npoints(space), 3);
  ASSERT_EQ(H5Tget_size(type), 8u);
  std::string words(24, ' ');
  EXPECT_GE(H5Aread(boundary, type, words.data()), 0);
  EXPECT_EQ(words, std::string("periodicperiodicnone\0\0\0\0", 24));
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(boundary);
  H5Gclose(group);
  H5Fclose(file);
}

TEST_F(DisksProgram, ReportsThatASmallBoxIsComputedSequentially) {
  const auto result = complete_run(folder, "disks --particles 5 --packing-fraction 0.45 --sweeps 10"_words);
  EXPECT_THAT(result.out, HasSubstr("sequential because no checkerboard of cells fits"));
}

// A start takes longer than the limit here, on whatever machine.
TEST_F(DisksProgram, StopsAtTheWallLimitDuringTheInitialConfiguration) {
  const auto result =
      run_tessera(folder, "disks --start random --packing-fraction 0.89 --particles 100000 --wall-limit 1"_words);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(
      result.err,
      HasSubstr("the wall-time limit is near before the initial configuration was complete; nothing was written"));
  EXPECT_EQ(line_count(result.err), 1u) << result.err;
  EXPECT_TRUE(folder.names().empty());
}

// The lock is there before the start is made, which takes long.
TEST_F(DisksProgram, StopsOnASignalDuringTheInitialConfiguration) {
  Process process(folder, "disks --start random --packing-fraction 0.89 --particles 100000"_words);
  ASSERT_TRUE(process.runs_until_there_is(folder / ".disks.h5.lock"));
  process.signal(SIGTERM);
  const auto result = process.wait();
  EXPECT_EQ(result.status, 143);
  EXPECT_THAT(result.err,
              HasSubstr("stopped by a signal before the initial configuration was complete; nothing was written"));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(DisksProgram, ReportsARunWithoutSamples) {
  const Words run = "disks --particles 16 --sweeps 100 --overwrite"_words;
  EXPECT_THAT(run_tessera(folder, run + "--equilibrate 100 --sample-every 5"_words).out,
              HasSubstr("no samples: the first would be at sweep 105"));
  EXPECT_THAT(run_tessera(folder, run + "--equilibrate 90 --sample-every 10"_words).out,
              ::testing::Not(HasSubstr("no sample")));
}

TEST_F(DisksProgram, StartsFromAFile) {
  for (const std::string begin : {"", "\xef\xbb\xbf", "\xef\xbb\xbf# a byte order mark\n"}) {
    folder.write("two.txt", begin + "0.1 0.1 # first\n-1.3 -1.1\n");
    complete_run(folder,
                 "disks --start two.txt --particles 2 --packing-fraction 0.2 --sweeps 10 --quiet --overwrite"_words);
  }
}

}  // namespace
}  // namespace tessera::testing
