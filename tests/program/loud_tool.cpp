// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

// A Kokkos tool that prints to standard output as long as there is a process.

#include <cstdint>
#include <cstdio>
#include <iostream>

namespace {

struct AtExit {
  ~AtExit() { std::puts("tool: at exit"); }
} at_exit;

}  // namespace

extern "C" void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {
  std::cout << "tool: begin" << std::endl;
}
extern "C" void kokkosp_finalize_library() { std::puts("tool: end"); }
