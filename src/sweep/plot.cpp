// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/plot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace tessera::program {

std::string plot_command(const SweepFolder& folder) { return "python3 -m tessera_io.plot " + folder.path().string(); }

bool plot(const SweepFolder& folder) {
  std::string path = folder.path().string();
  std::string python = "python3", option = "-m", module = "tessera_io.plot", quiet = "--quiet";
  const std::array<char*, 6> words{python.data(), option.data(), module.data(), path.data(), quiet.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const bool started = posix_spawnp(&child, python.c_str(), &actions, nullptr, words.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  while (started && waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tessera::program
