// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <signal.h>
#include <unistd.h>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/io/system_calls.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;

/// A file system without locks, as long as this lives.
class NoLocks {
 public:
  NoLocks() { system_calls.locks = false; }
  NoLocks(const NoLocks&) = delete;
  NoLocks& operator=(const NoLocks&) = delete;
  ~NoLocks() { system_calls.locks = true; }

  /// Whether this program's calls are the ones that the library makes.
  bool effective() {
    const TemporaryFolder folder;
    const int before = system_calls.refused_locks;
    OutputFile::create(folder / "run.h5", "kmc");
    return system_calls.refused_locks > before;
  }
};

class NameClaims : public InFolder {};

TEST_F(NameClaims, RefuseASecondWriterAndNameTheFirst) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    const std::string process = "process " + std::to_string(::getpid()) + " on ";
    EXPECT_THAT(message_of<InputError>([&] { OutputFile::create(folder / "run.h5", "kpz"); }),
                AllOf(HasSubstr("another run"), HasSubstr(process)));
    publish(file);
    EXPECT_THAT(message_of<InputError>([&] { OutputFile::create(folder / "run.h5", "kpz", true); }),
                HasSubstr("another run"));
    EXPECT_THAT(message_of<InputError>([&] { OutputFile::append(folder / "run.h5", "kmc"); }),
                HasSubstr("another run"));
    OutputFile::create(folder / "other.h5", "kmc");
  }
  OutputFile::append(folder / "run.h5", "kmc");
  EXPECT_THAT(folder.names(), ElementsAre("run.h5")) << "locks go with their runs";
}

TEST_F(NameClaims, ExcludeOtherProcessesUntilTheProcessEnds) {
  const auto opens = [&] {
    return in_child([&] {
      try {
        OutputFile::create(folder / "run.h5", "kmc");
      } catch (const InputError&) {
        ::_exit(2);
      }
    });
  };
  {
    const auto file = OutputFile::create(folder / "run.h5", "kmc");
    EXPECT_EQ(WEXITSTATUS(opens()), 2);
  }
  const int status = in_child([&] {
    const auto file = OutputFile::create(folder / "run.h5", "kmc");
    ::raise(SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_THAT(folder.names(), ElementsAre(".run.h5.lock"));
  EXPECT_EQ(opens(), 0) << "what a killed run left is taken over";
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_F(NameClaims, AdmitOneOfManyThatStartAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const auto winners = folder / "winners";
    write_bytes(winners, "");
    const int status = in_child([&] {
      for (int copy = 0; copy < 3; ++copy) {
        if (::fork() == 0) break;
      }
      try {
        auto file = OutputFile::create(folder / "run.h5", "kmc", true);
        std::ofstream(winners, std::ios::app) << "+" << std::flush;
        ::usleep(1000);
        std::ofstream(winners, std::ios::app) << "-" << std::flush;
      } catch (const InputError&) {
      }
      while (::wait(nullptr) > 0) continue;
    });
    ASSERT_EQ(status, 0);
    const std::string order = read_file(winners);
    ASSERT_NE(order, "");
    EXPECT_EQ(order.find("++"), std::string::npos) << "two had it at once: " << order;
  }
}

TEST_F(NameClaims, IgnoreALockFileThatIsRemovedWhileItIsOpened) {
  system_calls.vanishing = folder / ".run.h5.lock";
  const auto file = OutputFile::create(folder / "run.h5", "kmc");
  if (!system_calls.vanishing.empty()) GTEST_SKIP() << "cannot stand before the system's calls here";
  EXPECT_THAT(folder.names(), ElementsAre(".run.h5.lock"));
  EXPECT_THROW(OutputFile::create(folder / "run.h5", "kmc"), InputError);
}

TEST_F(NameClaims, KeepAFileOfAnotherProgram) {
  const auto refusal = [&](OutputFile& file) {
    write_bytes(folder / "other", "of somebody else");
    std::filesystem::rename(folder / "other", folder / "run.h5");
    EXPECT_THAT(message_of<RunError>([&] { publish_heights(file, 2); }),
                HasSubstr("another program has written a file of this name"));
    EXPECT_EQ(read_file(folder / "run.h5"), "of somebody else");
    std::filesystem::remove(folder / "run.h5");
  };
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    refusal(file);
  }
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    publish(file, 1);
    refusal(file);
  }
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    publish(file, 1);
  }
  {
    auto file = OutputFile::append(folder / "run.h5", "kmc");
    refusal(file);
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_F(NameClaims, WriteAFileAgainThatWasMovedAway) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  publish_heights(file, 1);
  std::filesystem::rename(folder / "run.h5", folder / "kept.h5");
  publish_heights(file, 2);
  EXPECT_EQ(progress_of(folder / "kept.h5"), 1);
  EXPECT_EQ(progress_of(folder / "run.h5"), 2);
  EXPECT_EQ(rows_of(folder / "run.h5"), 2u);
}

TEST_F(NameClaims, ContinueTheFileAsItWasWhenOpened) {
  auto source = OutputFile::create(folder / "run.h5", "kmc");
  publish_heights(source, 1);
  auto other = OutputFile::continue_from(folder / "run.h5", folder / "other.h5", "kmc");
  publish_heights(source, 2);
  EXPECT_EQ(other.continued().checkpoint().scalar<std::int64_t>("progress"), 1);
  publish_heights(other, 5);
  EXPECT_EQ(rows_of(folder / "other.h5"), 2u);
  EXPECT_THROW(other.continued(), std::invalid_argument);
  EXPECT_THROW(OutputFile::create(folder / "new.h5", "kmc").continued(), std::invalid_argument);
}

TEST_F(NameClaims, AdmitTheFirstPublicationWithoutLocks) {
  NoLocks no_locks;
  if (!no_locks.effective()) GTEST_SKIP() << "cannot stand before the system's calls here";
  auto first = OutputFile::create(folder / "run.h5", "kmc");
  {
    // As on another host.
    const int status = in_child([&] {
      auto second = OutputFile::create(folder / "run.h5", "kmc");
      publish_heights(second, 2);
    });
    ASSERT_EQ(status, 0);
  }
  EXPECT_THAT(message_of<RunError>([&] { publish_heights(first, 1); }),
              HasSubstr("another program has written a file of this name"));
  EXPECT_EQ(progress_of(folder / "run.h5"), 2);
  EXPECT_THAT(folder.names(), ElementsAre("run.h5"));
}

TEST_F(NameClaims, KeepTemporaryFilesOfOtherHostsWithoutLocks) {
  NoLocks no_locks;
  if (!no_locks.effective()) GTEST_SKIP() << "cannot stand before the system's calls here";
  const int status = in_child([&] {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    add_field(file, "height", "a", 1, 0.5, Values{1, 2}, {1, 2});
    ::raise(SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(folder.names().size(), 1u) << "the temporary of the killed run";
  const std::string dead = folder.names()[0];
  const std::string elsewhere = dead + "x";
  write_bytes(folder / elsewhere, "");
  OutputFile::create(folder / "run.h5", "kmc");
  EXPECT_THAT(folder.names(), ElementsAre(elsewhere));
}

TEST_F(NameClaims, KeepOtherFilesOfTheFolder) {
  write_bytes(folder / "run.h5.xmf", "notes");
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  publish_heights(file, 1);
  EXPECT_EQ(read_file(folder / "run.h5.xmf"), "notes");
  EXPECT_EQ(progress_of(folder / "run.h5"), 1);
}

TEST_F(NameClaims, RepeatInterruptedSystemCalls) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  const int before = system_calls.interrupted;
  system_calls.interrupts = true;
  for (const int progress : {1, 2, 3}) {
    publish_heights(file, progress);
    EXPECT_EQ(progress_of(folder / "run.h5"), progress);
    EXPECT_EQ(rows_of(folder / "run.h5"), static_cast<std::size_t>(progress));
  }
  system_calls.interrupts = false;
  if (system_calls.interrupted == before) GTEST_SKIP() << "cannot stand before the system's calls here";
}

}  // namespace
}  // namespace tessera::io::testing
