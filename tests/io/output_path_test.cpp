// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"
#include "tests/ordinary_user.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;

class OutputPath : public InFolder {};

TEST_F(OutputPath, NoFileExistsBeforeTheFirstPublication) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    add_row(file, "energy", "J", 1, 0.5, Values{1});
    EXPECT_THAT(folder.names(), ElementsAre(".run.h5.lock"));
    add_field(file, "height", "a", 1, 0.5, Values{1, 2}, {1, 2});
    EXPECT_FALSE(std::filesystem::exists(folder / "run.h5"));
  }
  EXPECT_THAT(folder.names(), IsEmpty()) << "an unpublished run leaves nothing";
}

TEST_F(OutputPath, PublicationLeavesNoOtherFile) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    add_field(file, "height", "a", 1, 0.5, Values{1, 2}, {1, 2});
    publish(file);
  }
  EXPECT_THAT(folder.names(), ElementsAre("run.h5"));
}

TEST_F(OutputPath, BadPathsAreRefusedBeforeTheRun) {
  const auto refusal = [](const std::filesystem::path& path) {
    return message_of<InputError>([&] { OutputFile::create(path, "kmc"); });
  };
  write_bytes(folder / "text", "hello");
  EXPECT_THAT(refusal(folder / "none" / "run.h5"), AllOf(HasSubstr("none"), HasSubstr("does not exist")));
  EXPECT_THAT(refusal(folder / "text" / "run.h5"), HasSubstr("not a directory"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("is a directory"));
  EXPECT_THAT(refusal(folder.path() / ""), HasSubstr("is not the name of a file"));
  EXPECT_THAT(refusal("/dev/full"), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal(folder / "text"), HasSubstr("exists"));
  EXPECT_THAT(refusal(folder / std::string(250, 'a')),
              AllOf(HasSubstr("its name is too long: it has 250 bytes"), HasSubstr("use at most")));
  EXPECT_THAT(refusal(folder.path() / std::string(300, 'a') / "run.h5"),
              AllOf(HasSubstr("File name too long (a name has"), HasSubstr("use a shorter path")));
  EXPECT_THAT(refusal("/proc/self/run.h5"), HasSubstr("may write to"));
  EXPECT_EQ(read_file(folder / "text"), "hello");
  EXPECT_THAT(folder.names(), ElementsAre("text"));
}

TEST_F(OutputPath, ADirectoryWithoutWritePermissionIsRefused) {
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const int status = in_child([&] {
    if (!tessera::testing::become_ordinary_user()) ::_exit(98);
    const std::string message = message_of<InputError>([&] { OutputFile::create(folder / "run.h5", "kmc"); });
    ::_exit(message.find("Permission denied") != std::string::npos ? 0 : 1);
  });
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(OutputPath, TheOldFileIsReplacedWhenTheNewOneIsComplete) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    add_field(file, "height", "a", 1, 0.5, Values{1, 2}, {1, 2});
    publish(file);
  }
  ASSERT_THAT(folder.names(), ElementsAre("run.h5"));
  write_bytes(folder / "run.h5", "old");
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc", true);
    add_field(file, "overlap", "", 1, 0.5, Values{1, 2}, {2});
    EXPECT_EQ(read_file(folder / "run.h5"), "old");
  }
  EXPECT_EQ(read_file(folder / "run.h5"), "old");
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc", true);
    publish(file);
  }
  EXPECT_EQ(InputFile(folder / "run.h5").method(), "kmc");
  EXPECT_THAT(folder.names(), ElementsAre("run.h5"));
}

TEST_F(OutputPath, ASymbolicLinkStaysALinkToTheFile) {
  std::filesystem::create_directory(folder / "store");
  {
    auto file = OutputFile::create(folder / "store" / "run.h5", "kmc");
    publish(file);
  }
  std::filesystem::create_symlink(folder / "store" / "run.h5", folder / "link.h5");
  auto file = OutputFile::append(folder / "link.h5", "kmc");
  publish(file, 41);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.h5"));
  EXPECT_EQ(InputFile(folder / "store" / "run.h5").checkpoint().scalar<std::int64_t>("progress"), 41);
}

TEST_F(OutputPath, ASymbolicLinkToAMissingFileIsFollowed) {
  std::filesystem::create_directory(folder / "store");
  std::filesystem::create_symlink("store/next.h5", folder / "link.h5");
  std::filesystem::create_symlink("run.h5", folder / "store" / "next.h5");
  {
    auto file = OutputFile::create(folder / "link.h5", "kmc");
    publish(file);
  }
  EXPECT_THAT(folder.names(), ElementsAre("link.h5", "store"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.h5"));
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "store" / "run.h5")));
  std::filesystem::create_symlink("none/run.h5", folder / "lost.h5");
  EXPECT_THAT(message_of<InputError>([&] { OutputFile::create(folder / "lost.h5", "kmc"); }),
              HasSubstr("does not exist"));
  std::filesystem::create_symlink("circle.h5", folder / "circle.h5");
  EXPECT_THAT(message_of<InputError>([&] { OutputFile::create(folder / "circle.h5", "kmc"); }),
              HasSubstr("symbolic links"));
}

TEST_F(OutputPath, TheWorkingDirectoryMayHaveALongName) {
  const int status = in_child([&] {
    std::filesystem::current_path(folder.path());
    for (std::size_t bytes = folder.path().string().size(); bytes <= 1024; bytes += 101) {
      std::filesystem::create_directory(std::string(100, 'd'));
      std::filesystem::current_path(std::string(100, 'd'));
    }
    for (const bool continued : {false, true}) {
      auto file = continued ? OutputFile::append("run.h5", "kmc") : OutputFile::create("run.h5", "kmc");
      add_field(file, "height", "a", 1, 0.5, Values{1, 2}, {1, 2});
      publish(file, 2);
    }
    ::_exit(InputFile("run.h5").checkpoint().scalar<std::int64_t>("progress") == 2 ? 0 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(OutputPath, AKilledRunKeepsTheOldFileAndTheNextRunRemovesItsTemporaryFile) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    add_field(file, "height", "a", 1, 0.5, noise(4), {2, 2});
    publish(file, 1);
  }
  const std::string published = read_file(folder / "run.h5");
  const int status = in_child([&] {
    auto file = OutputFile::append(folder / "run.h5", "kmc");
    add_field(file, "height", "a", 2, 1.0, noise(4), {2, 2});
    file.provenance(testing::example_provenance());
    file.publish([](CheckpointWriter&) { ::raise(SIGKILL); });
  });
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  EXPECT_TRUE(read_file(folder / "run.h5") == published);
  EXPECT_EQ(folder.names().size(), 3u) << "the killed run's temporary and lock are there";
  // Nobody else writes the file: what another host left is as dead as what was left here.
  write_bytes(folder / ".run.h5.tmp-1-elsewhere", "");
  for (const auto& name : {".run.h5.tmp-12x", ".run.h5.tmp-", ".other.h5.tmp-1-elsewhere"})
    write_bytes(folder / name, "");
  { const auto file = OutputFile::append(folder / "run.h5", "kmc"); }
  EXPECT_THAT(folder.names(), ElementsAre(".other.h5.tmp-1-elsewhere", ".run.h5.tmp-", ".run.h5.tmp-12x", "run.h5"))
      << "only what runs of this file left behind goes";
}

volatile std::sig_atomic_t interrupted = 0;

TEST_F(OutputPath, AnInterruptDuringPublicationIsHarmless) {
  interrupted = 0;
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) { interrupted = interrupted + 1; };  // without SA_RESTART: system calls return early
  ::sigaction(SIGALRM, &action, &before);
  const itimerval often{{0, 200}, {0, 200}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  const auto heights = noise(1 << 20);
  for (int round = 0; round < 5; ++round) {
    auto file = OutputFile::create(folder / "run.h5", "kmc", true);
    add_field(file, "height", "a", 1, 0.5, heights, {1024, 1024});
    publish(file, round);
    add_field(file, "height", "a", 2, 0.5, heights, {1024, 1024});
    publish(file, round);
  }
  const itimerval never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  EXPECT_GT(interrupted, 10);
  const InputFile back(folder / "run.h5");
  EXPECT_EQ(back.read_row<std::int32_t>("/fields/height/value", 0), heights);
  EXPECT_EQ(back.read_row<std::int32_t>("/fields/height/value", 1), heights);
}

TEST_F(OutputPath, AnExceptionInACheckpointKeepsThePublishedFile) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  publish(file, 1);
  const std::string published = read_file(folder / "run.h5");
  EXPECT_THROW(file.publish([](CheckpointWriter& checkpoint) {
    checkpoint.scalar("progress", std::int64_t{2});
    throw RunError("the device is lost");
  }),
               RunError);
  EXPECT_TRUE(read_file(folder / "run.h5") == published);
  EXPECT_THAT(folder.names(), ElementsAre(".run.h5.lock", "run.h5"));
  EXPECT_THAT(message_of<RunError>([&] { publish(file, 3); }), HasSubstr("earlier attempt failed"));
}

}  // namespace
}  // namespace tessera::io::testing
