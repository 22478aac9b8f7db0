// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::testing {

/// A new folder that goes away with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  operator const std::filesystem::path&() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Names of what is in the folder, sorted.
  std::vector<std::string> names() const;

  /// Writes a file into the folder.
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

/// Tests with a folder each.
class InFolder : public ::testing::Test {
 protected:
  const TemporaryFolder folder;
};

/// The whole content of a file.
std::string read_file(const std::filesystem::path& path);

}  // namespace tessera::testing
