// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;

/// Publishes a small file, then lets `limit` make the disk too small and tries to publish a big one.
void expect_full_disk_harmless(const std::filesystem::path& path, const std::function<void()>& limit,
                               const std::string& reason, bool by_checkpoint) {
  const auto big = noise(1 << 20);
  std::string message;
  {
    auto file = OutputFile::create(path, "kmc");
    for (const int n : {1, 2, 3}) {
      add_field(file, "height", "a", n, 0.5, noise(4), {2, 2});
      publish(file, n);
    }
    limit();
    file.provenance(testing::example_provenance());
    const auto publish_big = [&] {
      file.publish([&](CheckpointWriter& checkpoint) { checkpoint.array("heights", big); });
    };
    if (by_checkpoint) {
      message = message_of<RunError>(publish_big);
    } else {
      message = message_of<RunError>([&] { add_field(file, "spectrum", "", 4, 1.0, big, {1024, 1024}); });
      EXPECT_THAT(message_of<RunError>(publish_big), HasSubstr("earlier attempt failed"));
    }
  }
  EXPECT_THAT(message, AllOf(HasSubstr("cannot write '" + path.string() + "'"), HasSubstr(reason)));
  const InputFile back(path);
  EXPECT_EQ(back.checkpoint().scalar<std::int64_t>("progress"), 3);
  EXPECT_EQ(back.shape("/fields/height/value"), (std::vector<std::size_t>{3, 2, 2}));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
    names.push_back(entry.path().filename().string());
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("run.h5")) << "nothing of the failed attempt is left";
}

void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Exits normally, so that HDF5 cleans up as it does at the end of the program.
void run_to_exit(const std::function<void()>& checks) {
  EXPECT_EXIT(
      {
        checks();
        std::exit(::testing::Test::HasFailure() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "^$");
}

TEST(FullDisk, KeepsThePublishedFileIfAFieldOrCheckpointDoesNotFit) {
  for (const bool by_checkpoint : {false, true}) {
    for (const rlim_t bytes : {rlim_t{100000}, rlim_t{1000000}, rlim_t{3000000}}) {
      const TemporaryFolder folder;
      run_to_exit([&] {
        expect_full_disk_harmless(
            folder / "run.h5", [&] { limit_file_size(bytes); }, std::strerror(EFBIG), by_checkpoint);
      });
    }
  }
}

/// Mounts a file system of 2 MiB, which this process alone sees; as an ordinary user where the kernel lets it.
bool mount_small_file_system(const std::filesystem::path& path) {
  const std::string user = std::to_string(::geteuid()), group = std::to_string(::getegid());
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    write_bytes("/proc/self/setgroups", "deny");
    write_bytes("/proc/self/uid_map", user + " " + user + " 1");
    write_bytes("/proc/self/gid_map", group + " " + group + " 1");
    if (read_file("/proc/self/uid_map").empty()) return false;  // where /proc is read-only
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tessera-test", path.c_str(), "tmpfs", 0, "size=2m") == 0;
}

TEST(FullDisk, KeepsThePublishedFileOnARealFileSystem) {
  const TemporaryFolder folder;
  const int mounted = in_child([&] { ::_exit(mount_small_file_system(folder.path()) ? 0 : 77); });
  if (WIFEXITED(mounted) && WEXITSTATUS(mounted) == 77) GTEST_SKIP() << "cannot mount a file system here";
  for (const bool by_checkpoint : {false, true}) {
    run_to_exit([&] {
      ASSERT_TRUE(mount_small_file_system(folder.path()));
      expect_full_disk_harmless(
          folder / "run.h5", [] {}, std::strerror(ENOSPC), by_checkpoint);
    });
  }
  EXPECT_TRUE(folder.names().empty()) << "all was in that file system";
}

TEST(FullDisk, IsHarmlessAtEveryWrite) {
  const TemporaryFolder folder;
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    publish(file, 1);
  }
  const std::string published = read_file(folder / "run.h5");
  int failures = 0, successes = 0;
  for (rlim_t bytes = 0; successes < 3; bytes += 1024) {
    ASSERT_LT(bytes, 1000000u) << "the disk was never big enough";
    const int status = in_child([&] {
      limit_file_size(bytes);
      auto file = OutputFile::append(folder / "run.h5", "kmc");
      add_row(file, "energy", "J", 1, 0.5, Values{1});
      try {
        add_field(file, "height", "a", 1, 0.5, noise(400), {20, 20});
        publish(file, 2);
      } catch (const RunError&) {
        std::exit(7);
      }
      std::exit(0);
    });
    ASSERT_TRUE(WIFEXITED(status)) << "crashed with room for " << bytes << " bytes";
    ASSERT_THAT(WEXITSTATUS(status), ::testing::AnyOf(0, 7));
    failures += WEXITSTATUS(status) == 7;
    if (WEXITSTATUS(status) == 7) {
      ASSERT_TRUE(read_file(folder / "run.h5") == published);
      ASSERT_THAT(folder.names(), ElementsAre(".run.h5.lock", "run.h5")) << "exit() in the middle leaves the lock";
    } else {
      ++successes;
      ASSERT_EQ(InputFile(folder / "run.h5").checkpoint().scalar<std::int64_t>("progress"), 2);
      write_bytes(folder / "run.h5", published);
    }
  }
  EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace tessera::io::testing
