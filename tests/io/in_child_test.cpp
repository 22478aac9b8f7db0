// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/in_child.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "io/failure.hpp"
#include "tessera/core/error.hpp"
#include "tests/io/io_test.hpp"

namespace tessera::io::testing {
namespace {

TEST(InChild, ChangesNothingInTheParent) {
  int value = 1;
  io::in_child([&] { value = 2; });
  EXPECT_EQ(value, 1);
}

TEST(InChild, ReturnsExceptionsToTheParent) {
  const std::string reason(200'000, 'r');  // more than a pipe holds
  EXPECT_EQ(message_of<InputError>([&] { io::in_child([&] { throw InputError(reason); }); }), reason);
  EXPECT_EQ(message_of<Failure>([&] { io::in_child([&] { throw Failure(reason); }); }), reason);
  EXPECT_EQ(message_of<std::runtime_error>([&] { io::in_child([&] { throw std::out_of_range("far"); }); }), "far");
}

TEST(InChild, AnExitInALibraryEndsOnlyTheChild) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGKILL}) {
    EXPECT_THAT(message_of<Failure>([&] { io::in_child([&] { std::raise(signal); }); }),
                ::testing::HasSubstr("crashes"));
  }
  EXPECT_THROW(io::in_child([] { std::_Exit(0); }), Failure);
}

/// As that of the program.
extern "C" void remember_nothing(int) {}

TEST(InChild, ASignalToStopEndsTheChild) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction handled {
    }, before{};
    handled.sa_handler = remember_nothing;
    ASSERT_EQ(sigaction(signal, &handled, &before), 0);
    EXPECT_THAT(message_of<RunError>([&] { io::in_child([&] { std::raise(signal); }); }),
                ::testing::StartsWith("signal " + std::to_string(signal)));
    handled.sa_handler = SIG_IGN;
    ASSERT_EQ(sigaction(signal, &handled, nullptr), 0);
    EXPECT_NO_THROW(io::in_child([&] { std::raise(signal); })) << "what the program was started to ignore";
    ASSERT_EQ(sigaction(signal, &before, nullptr), 0);
  }
}

#if defined(__linux__)
TEST(InChild, EndsWithItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    io::in_child([&] {
      const pid_t child = ::getpid();
      if (::write(ends[1], &child, sizeof child) == sizeof child)
        for (;;) ::pause();
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  pid_t child = 0;
  ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  constexpr int patience = 10'000;  // milliseconds
  pollfd end{ends[0], POLLIN, 0};
  const bool ended = ::poll(&end, 1, patience) == 1;  // the child was the last who could write
  EXPECT_TRUE(ended);
  if (!ended) ::kill(child, SIGKILL);
  ::close(ends[0]);
}
#endif

TEST(InChild, DoesNotHoldTheLockOfItsParent) {
  const testing::TemporaryFolder folder;
  const Descriptor lock(folder / "lock", O_RDWR | O_CREAT);
  ASSERT_TRUE(lock.valid());
  struct stat named {};
  ASSERT_EQ(::stat((folder / "lock").c_str(), &named), 0);
  const auto look = [&] {
    struct stat open {};
    if (::fstat(lock.get(), &open) == 0 && open.st_ino == named.st_ino) throw Failure("it is open");
  };
  EXPECT_NO_THROW(io::in_child(look, lock));
  EXPECT_THROW(io::in_child(look), Failure);
}

TEST(InChild, ReportsToAParentThatIgnoresItsChildren) {
  struct sigaction ignored {
  }, before{};
  ignored.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(SIGCHLD, &ignored, &before), 0);
  EXPECT_NO_THROW(io::in_child([] {}));
  EXPECT_THROW(io::in_child([] { throw Failure("no"); }), Failure);
  ASSERT_EQ(sigaction(SIGCHLD, &before, nullptr), 0);
}

}  // namespace
}  // namespace tessera::io::testing
