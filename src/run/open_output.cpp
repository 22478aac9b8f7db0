// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/open_output.hpp"

#include <filesystem>
#include <system_error>

namespace tessera::program {
namespace {

/// Path of the output: --output, else that of the restart, else named after the input file, else after the method.
std::filesystem::path output_path(const RunOptions& run, const std::string& method) {
  if (!run.output.empty()) return run.output;
  if (!run.restart.empty()) return run.restart;
  if (!run.config.empty()) return std::filesystem::path(run.config).stem().string() + ".h5";
  return method + ".h5";
}

}  // namespace

io::OutputFile open_output(const RunOptions& run, const std::string& method) {
  const auto path = output_path(run, method);
  if (run.restart.empty()) return io::OutputFile::create(path, method, run.overwrite);
  std::error_code error;
  if (path == run.restart || std::filesystem::equivalent(path, run.restart, error)) {
    return io::OutputFile::append(run.restart, method);
  }
  return io::OutputFile::continue_from(run.restart, path, method, run.overwrite);
}

}  // namespace tessera::program
