// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

/// tessera kmc --start FILE.
namespace tessera::testing {
namespace {

class Start : public ::testing::Test {
 protected:
  /// Runs 16 x 16 cells of a model; the exit status must be 0.
  void run(const std::string& output, const Words& more, const std::string& until = "1") const {
    complete_run(folder, words(output, until) + more);
  }
  std::string refusal(const Words& more) const {
    const auto result = run_tessera(folder, words("refused.h5") + more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(line_count(result.err), 1u) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "refused.h5"));
    return result.err;
  }
  static Words words(const std::string& output, const std::string& until = "1") {
    return {"kmc",        "--size",      "16",       "--until-time", until,    "--backend",
            host_backend, "--overwrite", "--output", output,         "--quiet"};
  }
  template <class T>
  std::vector<T> checkpoint(const std::string& file, const std::string& name) const {
    return InputFile(folder.path() / file).read<T>("/checkpoint/" + name);
  }
  /// A matrix of state(x, y) as text.
  template <class State>
  void write(const std::string& name, int nx, int ny, const State& state) const {
    std::ofstream file(folder.path() / name);
    for (int y = 0; y < ny; ++y, file << '\n')
      for (int x = 0; x < nx; ++x) file << state(x, y) << ' ';
  }

  TemporaryFolder folder;
};

TEST_F(Start, WithTheDefaultStatesGivesTheSameRun) {
  write("flat.txt", 16, 16, [](int x, int y) { return (x + y) % 2; });
  for (const char* method : {"tile", "waiting-time", "bkl"}) {
    const Words model{"--model", "octahedron", "--method", method, "--replicas", "2"};
    run("own.h5", model);
    run("file.h5", model + "--start flat.txt"_words);
    EXPECT_EQ(checkpoint<std::int32_t>("own.h5", "state"), checkpoint<std::int32_t>("file.h5", "state")) << method;
    EXPECT_EQ(checkpoint<double>("own.h5", "time"), checkpoint<double>("file.h5", "time")) << method;
    const char* const generators = std::string(method) == "bkl" ? "generator" : "stream";
    EXPECT_EQ(checkpoint<std::uint64_t>("own.h5", generators), checkpoint<std::uint64_t>("file.h5", generators))
        << method;
  }
}

TEST_F(Start, ReadsTheLastStatesOfARunAndRestartsWithoutTheFile) {
  run("first.h5", "--model hopping --coverage 0.25 --replicas 2"_words);
  run("second.h5", "--model hopping --replicas 2 --start first.h5"_words, "0.001");
  const auto particles = [&](const std::string& file) {
    int sum = 0;
    for (const auto state : checkpoint<std::int8_t>(file, "state")) sum += state;
    return sum;
  };
  EXPECT_EQ(particles("second.h5"), 128);
  // Some particles have moved in so short a time, most have not.
  const auto before = checkpoint<std::int8_t>("first.h5", "state"),
             after = checkpoint<std::int8_t>("second.h5", "state");
  int changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i] ? 1 : 0;
  EXPECT_LT(changed, 20);
  std::filesystem::remove(folder.path() / "first.h5");
  complete_run(folder, "kmc --restart second.h5 --until-time 2 --quiet"_words);
  EXPECT_EQ(particles("second.h5"), 128);
}

TEST_F(Start, WithObstaclesGivesTheSameRunInAllMethods) {
  write("walls.txt", 16, 16, [](int x, int y) { return y % 8 == 7 && x % 5 != 3 ? 8 : (x + y) % 2; });
  const Words gas = "--model hopping --start walls.txt --adsorption 0.1 --desorption 1"_words;
  run("tiles.h5", gas + "--tile 8 --halo 3"_words, "5");
  run("sequential.h5", gas + "--method waiting-time"_words, "5");
  const auto states = checkpoint<std::int8_t>("tiles.h5", "state");
  EXPECT_EQ(states, checkpoint<std::int8_t>("sequential.h5", "state"));
  EXPECT_EQ(checkpoint<double>("tiles.h5", "time"), checkpoint<double>("sequential.h5", "time"));
  for (std::size_t i = 0; i < states.size(); ++i) EXPECT_EQ(states[i] == 8, i / 16 % 8 == 7 && i % 16 % 5 != 3) << i;
}

TEST_F(Start, IsOneLatticeForAllReplicasOrOneForEach) {
  run("two.h5", {"--replicas", "2"});
  run("one.h5", "--replicas 1 --start two.h5"_words, "1e-9");
  const auto two = checkpoint<std::int32_t>("two.h5", "state"), one = checkpoint<std::int32_t>("one.h5", "state");
  EXPECT_EQ(one, std::vector(two.begin(), two.begin() + 256));
  run("three.h5", "--replicas 3 --start one.h5"_words, "1e-9");
  const auto three = checkpoint<std::int32_t>("three.h5", "state");
  for (int r = 0; r < 3; ++r) EXPECT_EQ(one, std::vector(three.begin() + 256 * r, three.begin() + 256 * (r + 1)));
  EXPECT_THAT(refusal("--replicas 3 --start two.h5"_words), HasSubstr("has lattices for 2 replicas"));
}

TEST_F(Start, FromADamagedCheckpointIsRefused) {
  run("first.h5", {});
  const auto states = checkpoint<std::int32_t>("first.h5", "state");
  std::fstream file(folder.path() / "first.h5", std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string_view wanted(reinterpret_cast<const char*>(states.data()), states.size() * sizeof states[0]);
  const std::size_t begin = bytes.find(wanted);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_EQ(bytes.find(wanted, begin + 1), std::string::npos);
  for (const std::size_t at : {begin, begin + 301, begin + wanted.size() - 1}) {
    const auto write = [&](char byte) {
      file.clear();
      file.seekp(static_cast<std::streamoff>(at));
      file.put(byte);
      file.flush();
    };
    write(static_cast<char>(bytes[at] ^ 1));
    EXPECT_THAT(refusal({"--start", "first.h5"}), HasSubstr("'state' does not match its checksum"));
    write(bytes[at]);
  }
  run("second.h5", {"--start", "first.h5"});
}

// Rates from exp(-80) to exp(80): after the quench nothing happens for a long time.
TEST_F(Start, OfAStiffModelReachesExactTimes) {
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    const Words more{"--model", "ising", "--coupling", "20",   "--magnetisation", "0",
                     "--seed",  "2",     "--method",   method, "--measure-every", "2.5e11"};
    run("at_once.h5", more, "1e12");
    run("in_parts.h5", more, "6e11");
    const auto on = run_tessera(folder.path(), {"kmc", "--restart", "in_parts.h5", "--until-time", "1e12", "--quiet"});
    EXPECT_EQ(on.status, 0) << on.err;
    EXPECT_EQ(checkpoint<std::int8_t>("in_parts.h5", "state"), checkpoint<std::int8_t>("at_once.h5", "state"));
    const InputFile file(folder.path() / "at_once.h5");
    EXPECT_EQ(file.read<double>("/observables/energy/time"), (std::vector<double>{0, 2.5e11, 5e11, 7.5e11, 1e12}));
    EXPECT_LE(file.read<double>("/observables/energy/value").back(), -1.75);  // ordered, or two stripes
    EXPECT_GT(file.read<double>("/checkpoint/origin")[0], 0);
  }
}

TEST_F(Start, OfAnotherSizeOrModelIsRefusedWithARemedy) {
  write("wide.txt", 32, 16, [](int, int) { return 0; });
  EXPECT_THAT(refusal({"--start", "wide.txt"}), HasSubstr("has 32 x 16 sites; use --size 32,16"));
  write("three.txt", 16, 16, [](int x, int y) { return x == 5 && y == 7 ? 3 : 0; });
  EXPECT_THAT(refusal("--model hopping --start three.txt"_words),
              HasSubstr("row 7, column 5: 3 is not a state of this model"));
  EXPECT_THAT(refusal("--model octahedron --start three.txt"_words), HasSubstr("are not possible in this model"));
  EXPECT_THAT(refusal({"--start", "none.npy"}), HasSubstr("none.npy: no such file"));
}

}  // namespace
}  // namespace tessera::testing
