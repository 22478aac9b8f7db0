// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/docs/shell.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/docs/documents.hpp"

namespace tessera::testing {

Shell::Shell() {
  namespace fs = std::filesystem;
  const fs::path tools = folder_ / "tools";
  fs::create_directory(tools);
  fs::create_directory_symlink(source_folder() / "inputs", folder_ / "inputs");
  folder_.write("tools/tessera",
                "exec bash '" + (source_folder() / "tests/docs/small_tessera.sh").string() + "' \"$@\"\n");
  folder_.write("tools/srun", "exec \"$@\"\n");
  folder_.write("tools/mpirun", "[ \"$1\" = -n ] || exit 1\nshift 2\nexec \"$@\"\n");
  folder_.write("tools/sbatch", "exec bash \"$@\"\n");
  if (std::system("command -v h5dump >/dev/null") != 0) folder_.write("tools/h5dump", "exit 0\n");
  for (const auto& tool : fs::directory_iterator(tools)) {
    std::stringstream text;
    text << std::ifstream(tool.path()).rdbuf();
    std::ofstream(tool.path()) << "#!/bin/sh\n" << text.str();
    fs::permissions(tool.path(), fs::perms::owner_all);
  }
}

ShellResult Shell::run(const std::string& command) const {
  const std::string log = folder_ / "tools/log";
  const std::string line =
      "cd '" + folder_.path().string() + "' && PATH=\"$PWD/tools:$PATH\" TESSERA_PROGRAM='" + TESSERA_PROGRAM +
      "' PYTHONPATH='" + (source_folder() / "python").string() +
      "' PYTHONDONTWRITEBYTECODE=1 TESSERA_PLOT=true SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=8 " + command +
      " >'" + log + "' 2>&1 </dev/null";
  const int status = std::system(line.c_str());
  std::stringstream output;
  output << std::ifstream(log).rdbuf();
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output.str()};
}

ShellResult Shell::bash(const std::string& script) const {
  folder_.write("tools/script", script);
  return run("bash -euo pipefail tools/script");
}

std::optional<ShellResult> Shell::python(const std::string& script, const std::string& modules) const {
  folder_.write("tools/script", script);
  const auto interpreter = python_with(modules);
  if (!interpreter) return std::nullopt;
  return run(*interpreter + " tools/script");
}

std::optional<ShellResult> Shell::bash_with_python(const std::string& script) const {
  const auto interpreter = python_with("h5py, matplotlib");
  if (!interpreter) return std::nullopt;
  return bash("python3() { " + *interpreter + " \"$@\"; }\n" + script);
}

std::optional<std::string> Shell::python_with(const std::string& modules) const {
  static std::map<std::string, std::optional<std::string>> known;  // to import them takes a second
  const auto [found, is_new] = known.try_emplace(modules);
  for (const std::string name : {"python3", "/usr/bin/python3"})
    if (is_new && !found->second && run(name + " -c 'import " + modules + "'").status == 0)
      found->second = "command " + name;
  return found->second;
}

}  // namespace tessera::testing
