// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/program/temporary_folder.hpp"

namespace tessera::testing {

/// All that a file of a run holds, byte by byte: of each dataset its shape and elements, and of each object its
/// attributes. Left out is what may depend on the machine: provenance, the input with the options of the machine,
/// diagnostics, and of the checkpoint the step control.
std::map<std::string, std::string> file_content(const std::filesystem::path& path);

/// Fails, naming what differs, unless two files hold the same.
void expect_same_content(const std::filesystem::path& path, const std::filesystem::path& expected);

/// Tests with a folder each.
class InFolder : public ::testing::Test {
 protected:
  const TemporaryFolder folder;
};

}  // namespace tessera::testing
