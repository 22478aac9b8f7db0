// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <gmock/gmock.h>

#include <filesystem>

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

TEST(Machine, DescribesThisMachine) {
  if (!std::filesystem::exists("/proc/meminfo")) GTEST_SKIP() << "no /proc";
  ASSERT_TRUE(available_memory().has_value());
  EXPECT_GT(*available_memory(), 0u);
}

}  // namespace
