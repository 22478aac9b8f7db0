// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/in_child.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "io/failure.hpp"
#include "tessera/core/error.hpp"
#include "tests/io/io_test.hpp"

namespace tessera::io {
namespace {

using testing::message_of;

TEST(InChild, WhatIsChangedIsForgotten) {
  int value = 1;
  in_child([&] { value = 2; });
  EXPECT_EQ(value, 1);
}

TEST(InChild, WhatIsThrownComesBack) {
  const std::string reason(200'000, 'r');  // more than a pipe holds
  EXPECT_EQ(message_of<InputError>([&] { in_child([&] { throw InputError(reason); }); }), reason);
  EXPECT_EQ(message_of<Failure>([&] { in_child([&] { throw Failure(reason); }); }), reason);
  EXPECT_EQ(message_of<std::runtime_error>([&] { in_child([&] { throw std::out_of_range("far"); }); }), "far");
}

TEST(InChild, ALibraryThatEndsTheProcessEndsTheChildAlone) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGKILL}) {
    EXPECT_THAT(message_of<Failure>([&] { in_child([&] { std::raise(signal); }); }),
                ::testing::HasSubstr("breaks down"));
  }
  EXPECT_THROW(in_child([] { std::_Exit(0); }), Failure);
}

TEST(InChild, AParentThatIgnoresItsChildrenLearnsOfThemToo) {
  struct sigaction ignored{}, before{};
  ignored.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(SIGCHLD, &ignored, &before), 0);
  EXPECT_NO_THROW(in_child([] {}));
  EXPECT_THROW(in_child([] { throw Failure("no"); }), Failure);
  ASSERT_EQ(sigaction(SIGCHLD, &before, nullptr), 0);
}

}  // namespace
}  // namespace tessera::io
