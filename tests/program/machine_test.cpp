// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "machine/threads.hpp"
#include "tests/program/temporary_folder.hpp"

namespace {

using tessera::program::available_memory;
using tessera::program::core_quota;

/// A machine whose /proc and /sys hold what a test writes there.
class FakeMachine : public tessera::testing::TemporaryFolder {
 public:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path() / name).parent_path());
    TemporaryFolder::write(name, content);
  }
};

TEST(Machine, WithoutControlGroupsHasTheMemoryOfTheSystem) {
  const FakeMachine machine;
  EXPECT_FALSE(available_memory(machine.path()).has_value());
  EXPECT_FALSE(core_quota(machine.path()).has_value());
  machine.write("proc/meminfo", "MemTotal:  9000 kB\nMemFree: 1 kB\nMemAvailable:    2000 kB\n");
  EXPECT_EQ(available_memory(machine.path()), 2000u * 1024);
}

TEST(Machine, HasTheSmallestMemoryOfProcessLimits) {
  using tessera::program::left_by_limits;
  const FakeMachine machine;
  EXPECT_FALSE(left_by_limits(machine.path()).has_value());
  machine.write("proc/self/status", "VmSize:\t     300 kB\nVmData:\t     100 kB\n");
  machine.write("proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                "Max data size             unlimited            unlimited            bytes\n"
                "Max address space         unlimited            unlimited            bytes\n");
  EXPECT_FALSE(left_by_limits(machine.path()).has_value());
  machine.write("proc/self/limits",
                "Max data size             614400               unlimited            bytes\n"
                "Max address space         1024000              unlimited            bytes\n");
  EXPECT_EQ(left_by_limits(machine.path()), 500u * 1024);
  machine.write("proc/self/limits", "Max address space         409600               1024000              bytes\n");
  EXPECT_EQ(left_by_limits(machine.path()), 100u * 1024);
  machine.write("proc/self/limits", "Max address space         1000                 1024000              bytes\n");
  EXPECT_EQ(left_by_limits(machine.path()), 0u) << "lowered since";
}

TEST(Machine, HasTheSmallestMemoryOfControlGroupsV2) {
  const FakeMachine machine;
  machine.write("proc/meminfo", "MemAvailable: 2000000 kB\n");
  machine.write("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
  machine.write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
  machine.write("sys/fs/cgroup/slurm/job_7/step_0/memory.current", "500\n");
  machine.write("sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
  EXPECT_EQ(available_memory(machine.path()), 2000000u * 1024);
  EXPECT_FALSE(core_quota(machine.path()).has_value());

  machine.write("sys/fs/cgroup/slurm/job_7/memory.max", "10000\n");
  machine.write("sys/fs/cgroup/slurm/job_7/memory.current", "6000\n");
  machine.write("sys/fs/cgroup/slurm/job_7/memory.stat", "anon 2500\ninactive_file 1000\nactive_file 500\n");
  machine.write("sys/fs/cgroup/slurm/job_7/cpu.max", "150000 100000\n");
  machine.write("sys/fs/cgroup/slurm/cpu.max", "400000 100000\n");
  EXPECT_EQ(available_memory(machine.path()), 10000u - (6000 - 1500));
  EXPECT_EQ(core_quota(machine.path()), 1.5);
}

TEST(Machine, HasTheSmallestMemoryOfControlGroupsV1) {
  const FakeMachine machine;
  machine.write("proc/meminfo", "MemAvailable: 2000000 kB\n");
  machine.write("proc/self/cgroup", "7:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n2:cpuset:/docker/abc\n");
  // As in a container, whose own group is the outermost one that it sees.
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
  machine.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(available_memory(machine.path()), 0u);
  EXPECT_EQ(core_quota(machine.path()), 0.5);
  machine.write("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 3000\n");
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(available_memory(machine.path()), 2000u);
  EXPECT_FALSE(core_quota(machine.path()).has_value());
}

TEST(CoreLoad, CoversTheCoresOfThisProcess) {
  const FakeMachine machine;
  EXPECT_FALSE(tessera::program::core_time({}, machine.path()).has_value());
  machine.write("proc/stat",
                "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 100 0 0 900 0 0 0 0 0 0\ncpu1 100 100 50 600 50 10 20 70 40 0\n"
                "cpu10 1000 0 0 0 0 0 0 0 0 0\nintr 3\n");
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto one = tessera::program::core_time({1}, machine.path());
  ASSERT_TRUE(one.has_value());
  EXPECT_DOUBLE_EQ(one->busy, 350 / ticks) << "all but idle and waiting for disks";
  EXPECT_DOUBLE_EQ(one->all, 1000 / ticks);
  const auto all = tessera::program::core_time({}, machine.path());
  EXPECT_EQ(all->cores, 3);
  EXPECT_DOUBLE_EQ(all->busy, 1450 / ticks);
}

TEST(CoreLoad, CountsTheCoresThatOthersUse) {
  using tessera::program::busy_cores;
  EXPECT_NEAR(*busy_cores({10, 100, 4}, {10.8, 102, 4}, 0), 1.6, 1e-9) << "0.8 s of half a second of four cores";
  EXPECT_NEAR(*busy_cores({10, 100, 4}, {10.8, 102, 4}, 0.5), 0.6, 1e-9);
  EXPECT_EQ(*busy_cores({10, 100, 4}, {10.8, 102, 4}, 2), 0);
  EXPECT_FALSE(busy_cores({10, 100, 4}, {10, 100, 4}, 0).has_value()) << "no time between them";
  const tessera::program::CoreLoad load;
  if (const auto others = load.others()) {
    EXPECT_GE(*others, 0);
    EXPECT_LE(*others, load.cores());
  }
}

TEST(CoreLoad, IsReportedIfThreadsLackCores) {
  using tessera::program::crowded;
  EXPECT_EQ(crowded(8, 8, 0.2), "");
  EXPECT_EQ(crowded(2, 8, 3), "") << "there is room for both";
  EXPECT_EQ(crowded(1, 2, 2), "") << "waits for nobody";
  EXPECT_EQ(crowded(8, 8, 2.96),
            "other programs use 3 of the 8 cores, which slows down threads that wait for each other; "
            "--threads 5 may be faster than 8");
  EXPECT_THAT(crowded(2, 2, 2), ::testing::HasSubstr("--threads 1 may"));
}

TEST(Machine, DescribesThisMachine) {
  if (!std::filesystem::exists("/proc/meminfo")) GTEST_SKIP() << "no /proc";
  ASSERT_TRUE(available_memory().has_value());
  EXPECT_GT(*available_memory(), 0u);
}

}  // namespace
