// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// Each wrong call has its message: corpus/refused.txt.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <regex>
#include <string>

#include "tests/fuzz/calls.hpp"
#include "tests/fuzz/option_lines.hpp"
#include "tests/processes/models.hpp"

namespace tessera::testing {
namespace {

const Words run = "kmc --size 32 --until-time 0.5"_words + on_host;

/// The files that the calls name.
void prepare(const TemporaryFolder& folder) {
  for (const Words& words :
       {run + "--output run.h5"_words, "kpz --size 32 --steps 2 --output kpz_run.h5"_words + on_host,
        "disks --particles 64 --sweeps 1 --output disks_run.h5"_words + on_host})
    ASSERT_EQ(call_program(folder.path(), words + Words{"--quiet"}).status, 0);
  const std::string whole = read_file(folder / "run.h5");
  folder.write("cut_0.h5", "");
  folder.write("cut_100.h5", whole.substr(0, 100));
  folder.write("cut_half.h5", whole.substr(0, whole.size() / 2));
  folder.write("cut_last.h5", whole.substr(0, whole.size() - 1));
  folder.write("spins.txt", "1 1\n1 1\n");
  folder.write("overlap.txt", "0 0\n0.5 0.5\n");
  folder.write("three.txt", "0 0 # a comment\n\n1.2 1.2\n2.2 0\n");
  folder.write("word.txt", "0 0\n0 x\n");
  folder.write("far.txt", "1e300 0\n");
  folder.write("zero.txt", std::string("0 0\n3 3") + '\0' + "4\n");
  folder.write("long.txt", "0 0\n3 3 #" + std::string(5000, 'c') + "\n");
  const auto npy = [&](const std::string& name, const std::string& shape, const std::string& data) {
    std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(117, ' ');
    folder.write(name, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + data);
  };
  npy("flat.npy", "4, 4", std::string(16, '\1'));
  npy("cube.npy", "4, 4, 4", std::string(63, '\1') + '\3');
  std::string pile;
  for (int i = 0; i < 40; ++i) pile += "1 1\n";
  folder.write("pile.txt", pile);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string up = process("up", "k", "empty@a", "CO@a"), down = process("down", "1", "CO@a", "empty@a");
  folder.write("m.ini", square_lattice() + up + down);
  folder.write("wrong.ini", square_lattice() + up + down + process("x", "1", "NO@a", "CO@a"));
  folder.write("empty.ini", "\n");
  const std::string space = "[Meta]\nmodel_dimension = 3\n[Species A]\n[Species V]\n[Layer l]\nsite s = (0, 0, 0)\n";
  const std::string jump = "rate_constant = 1\nconditions = V@s + A@s.(0, 0, 1)\nactions = A@s + V@s.(0, 0, 1)\n";
  const std::string start = "[Initial]\nV@s = number 1\n";
  folder.write("space.ini", space + "[Process jump]\n" + jump + start);
  folder.write("wide.ini",
               space + "[Process vanish]\nrate_constant = 1\nconditions = V@s\nactions = A@s\n[Process jump]\n" +
                   std::regex_replace(jump, std::regex("0, 0, 1"), "0, 0, 3") + start);
  folder.write("binary.ini", "\x01\x02");
  folder.write("cold.ini",
               square_lattice() +
                   "[Parameter T]\nvalue = 500\nadjustable = True\n\n[Parameter E]\nvalue = 0\nadjustable = True\n\n" +
                   process("up", "1", "empty@a", "CO@a", "energy = 0.1 + E\n"));
  const std::string far = square_lattice() + up + "[Clusters far]\nmembers = CO@a\nneighbours = a + a.";
  folder.write("far.ini", far + "(64,0,0)\n");
  folder.write("further.ini", far + "(1,0,0), a + a.(0,-32,0)\n");
}

/// The words of a call, whose input file is written.
Words prepared(const TemporaryFolder& folder, const std::string& call) {
  const std::size_t end = std::min(call.find("< "), call.size());
  Words words = words_of_line(call.substr(0, end));
  if (!words.empty() && words[0] == "RUN") words = run + Words(words.begin() + 1, words.end());
  std::string input;
  if (end < call.size())
    for (const std::string& word : words_of_line(call.substr(end + 1))) input += word == "|" ? "\n" : word + " ";
  folder.write("run.ini", input + "\n");
  return input.empty() ? words : words + "--config run.ini"_words;
}

TEST(RefusedCalls, SayWhatIsWrongInOneLineAndWriteNothing) {
  const TemporaryFolder folder;
  prepare(folder);
  folder.write("run.ini", "");
  const Words names = folder.names();
  const std::string whole = read_file(folder / "run.h5");
  std::vector<std::string> faults;
  for (const std::string& line : corpus("refused.txt")) {
    const std::size_t arrow = line.find("=> ");
    const CallEnd end = call_program(folder.path(), prepared(folder, line.substr(0, arrow)));
    std::string fault = fault_of(end, {2});
    if (fault.empty() && end.err.find(line.substr(arrow + 3)) == std::string::npos) fault = end.err;
    if (!fault.empty()) faults.push_back(line + "\n    " + fault);
  }
  EXPECT_TRUE(faults.empty()) << listed(faults);
  EXPECT_EQ(folder.names(), names);
  EXPECT_TRUE(read_file(folder / "run.h5") == whole);
}

}  // namespace
}  // namespace tessera::testing
