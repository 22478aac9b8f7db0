// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/program/process.hpp"

/// Calls of the program in forked children, without starting it anew: thousands in a minute, each within limits that do
/// not depend on how busy the machine is.
namespace tessera::testing {

/// How a call ended.
struct CallEnd {
  int status = -1;  ///< exit status, or 1000 + signal if one ended the process
  std::string err;  ///< standard error
};

/// What is wrong with the end of a call, empty if nothing is: the exit status must be one of these, and 1 and 2 come
/// with one line on standard error, printable and no longer than a few lines of a
/// terminal.
std::string fault_of(const CallEnd& end, const std::set<int>& allowed);

/// Runs the program's main function with these words in a child, in this folder, to the end of the process. The child
/// is ended by SIGKILL after `cpu_seconds` of processor time, by SIGALRM after many more of wall time, and may take a
/// GiB of memory besides the stacks of threads.
CallEnd call_program(const std::filesystem::path& folder, const Words& words, int cpu_seconds = 20);

/// The same for many calls that do not start Kokkos, hundreds of them in one child: calls judge(n, end) for each
/// n < count, in a child or here.
void call_program_often(const std::filesystem::path& folder, std::size_t count,
                        const std::function<Words(std::size_t)>& words,
                        const std::function<std::string(std::size_t, const CallEnd&)>& judge,
                        std::vector<std::string>& faults);

/// The faults as one text, the first of them in full.
std::string listed(const std::vector<std::string>& faults);

/// Random cases of a test: `standard` of them, 400 times as many in the long tests, few where Kokkos has to start a
/// device each time. TESSERA_FUZZ_CASES overrides it.
std::size_t case_count(std::size_t standard);

/// Their seed, 1 unless TESSERA_FUZZ_SEED gives another one; printed.
std::uint64_t case_seed();

/// The lines of a file of tests/fuzz/corpus that are neither empty nor comments.
std::vector<std::string> corpus(const std::string& file);

}  // namespace tessera::testing
