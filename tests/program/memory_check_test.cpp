// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <new>
#include <string>
#include <tessera/core/error.hpp>

namespace {

using tessera::Backend;
using tessera::MemoryNeeded;
using tessera::program::AvailableMemory;

std::string message(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available) {
  try {
    check_memory(needed, backend, available);
  } catch (const tessera::InputError& error) {
    return error.what();
  }
  return "";
}

constexpr std::size_t gibibyte = std::size_t{1} << 30;

TEST(MemoryCheck, OnACpuComparesWithHostMemory) {
  const MemoryNeeded needed{3 * gibibyte, 2 * gibibyte};
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    EXPECT_EQ(message(needed, backend, {5 * gibibyte, 0}), "");
    EXPECT_EQ(message(needed, backend, {5 * gibibyte - 1, 9 * gibibyte}),
              "the run needs 5 GiB of host memory, but 5 GiB are available; use a smaller system or fewer replicas");
    EXPECT_EQ(message(needed, backend, {}), "") << "nothing is known";
    EXPECT_EQ(message(needed, backend, {gibibyte, 0, true}),
              "the run needs 5 GiB of host memory, but ulimit leaves 1 GiB; raise that limit, or use a smaller system "
              "or fewer replicas");
  }
}

TEST(MemoryCheck, OnADeviceComparesWithDeviceMemory) {
  const MemoryNeeded needed{3 * gibibyte, 2 * gibibyte};
  EXPECT_EQ(message(needed, Backend::cuda, {3 * gibibyte, 2 * gibibyte}), "");
  EXPECT_EQ(message(needed, Backend::cuda, {2 * gibibyte, 2 * gibibyte}),
            "the run needs 3 GiB of host memory, but 2 GiB are available; use a smaller system or fewer replicas");
  EXPECT_EQ(message(needed, Backend::cuda, {3 * gibibyte, gibibyte / 2}),
            "the run needs 2 GiB of device memory, but 0.5 GiB are available; use a smaller system or fewer replicas");
  EXPECT_EQ(message(needed, Backend::cuda, {}), "");
}

#if !defined(TESSERA_SANITIZED)  // which ends the program
TEST(MemoryCheck, ReportsALimitOfTheProcess) {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  constexpr rlim_t left = 64 << 20;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit limit{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + left, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  const AvailableMemory available = tessera::program::available_for({});
  const std::string shortage = tessera::program::memory_shortage();
  setrlimit(RLIMIT_AS, &before);
  EXPECT_THAT(shortage, ::testing::HasSubstr(", and ulimit -v allows "));
  EXPECT_THAT(shortage, ::testing::HasSubstr("; raise that limit, or use a smaller system"));
  ASSERT_TRUE(available.host.has_value());
  EXPECT_LE(*available.host, left);
  EXPECT_TRUE(available.host_limited);
}

TEST(AShortage, IsExplainedForEveryFailedAllocation) {
  const auto before = std::get_new_handler();
  tessera::program::explain_bad_alloc();
  tessera::program::check_memory({.host = 3 * gibibyte}, tessera::Backend::serial, {});
  std::string text;
  try {
    ::operator delete(::operator new (std::size_t{1} << 62));
  } catch (const std::bad_alloc& error) {
    text = error.what();
  }
  std::set_new_handler(before);
  EXPECT_THAT(text, ::testing::StartsWith("out of memory: the process has "));
  EXPECT_THAT(text, ::testing::HasSubstr("the run needs about 3 GiB"));
  EXPECT_THAT(text, ::testing::HasSubstr("use a smaller system, fewer replicas or fewer threads"));
}
#endif

}  // namespace
