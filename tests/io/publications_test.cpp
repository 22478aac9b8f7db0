// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <optional>

#include "io/atomic_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/io/system_calls.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;

/// Many publications of one file.
class Publications : public InFolder {
 protected:
  const std::filesystem::path path = folder / "run.h5";

  /// Publication number `n`, from 1, with new rows and another state; every third has an entry that the others lack.
  static void add(OutputFile& file, int n, std::size_t elements = 300, std::size_t state = 500) {
    const double time = n;
    add_row(file, "energy", "J", n, n < 5 ? Times(time) : Times({time, time + 0.5}), Values{time, -time});
    file.history({"steps", {"size"}, {""}, {{time, time / 2}}});
    auto heights = noise(elements), numbers = noise(state);
    heights[0] = numbers[0] = n;
    add_field(file, "height", "a", n, time, heights, {1, elements});
    file.particles("disks", "sigma", n, time, {5, 5}, {{{1, time / 100}}});
    file.provenance(example_provenance());
    file.publish([&](CheckpointWriter& checkpoint) {
      checkpoint.array("numbers", numbers);
      checkpoint.scalar("progress", std::int64_t{n});
      if (n % 3 == 0) checkpoint.array("sometimes", noise(700));
    });
  }

  /// Expects the file of the publications up to number `last`; returns that.
  static int expect_sound(const std::filesystem::path& file, int last) {
    const InputFile back(file);
    back.read_through();
    const auto checkpoint = back.checkpoint();
    if (last == 0) last = static_cast<int>(checkpoint.scalar<std::int64_t>("progress"));
    EXPECT_EQ(checkpoint.scalar<std::int64_t>("progress"), last);
    const std::size_t state = checkpoint.shape("numbers").at(0), elements = back.shape("/fields/height/value").at(2);
    EXPECT_EQ(checkpoint.has("sometimes"), last % 3 == 0);
    if (last % 3 == 0) {
      EXPECT_EQ(back.read<std::int32_t>("/checkpoint/sometimes"), noise(700));
    }
    auto numbers = noise(state), heights = noise(elements);
    numbers[0] = last;
    EXPECT_TRUE(back.read<std::int32_t>("/checkpoint/numbers") == numbers);
    EXPECT_EQ(back.shape("/fields/height/value").at(0), static_cast<std::size_t>(last));
    EXPECT_EQ(back.shape("/history/steps/size").at(0), 2 * static_cast<std::size_t>(last));
    for (int n = 1; n <= last; ++n) {
      const auto row = static_cast<std::size_t>(n - 1);
      heights[0] = n;
      EXPECT_TRUE(back.read_row<std::int32_t>("/fields/height/value", row) == heights) << n << " of " << last;
      EXPECT_THAT(back.read_row<double>("/observables/energy/value", row), ElementsAre(n, -n));
      EXPECT_EQ(back.read_row<double>("/observables/energy/time", row).at(0), n);
      EXPECT_EQ(back.read_row<double>("/particles/disks/position/value", row).at(1), n / 100.0);
    }
    return last;
  }

  /// Adds a group as another program does.
  void annotate(const char* name) const {
    const hid_t open = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(open, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(group, 0);
    H5Gclose(group);
    EXPECT_GE(H5Fclose(open), 0);
  }

  /// Overwrites the numbers of a dataset as another program does.
  void overwrite(const char* name) const {
    const hid_t open = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(open, name, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, std::vector<int>(10000).data()), 0);
    H5Dclose(dataset);
    EXPECT_GE(H5Fclose(open), 0);
  }

  /// Whether versions of a file can be written anew here.
  bool can_write_anew() const {
    write_bytes(folder / "probe", "");
    const bool can = is_unused(folder / "probe");
    std::filesystem::remove(folder / "probe");
    return can;
  }
};

TEST_F(Publications, WriteWhatIsNewTwice) {
  if (!can_write_anew()) GTEST_SKIP() << "the file system does not know which files are open";
  for (const auto& [elements, state] : {std::pair{150000, 20000}, std::pair{100, 1000000}}) {
    constexpr int count = 20;
    system_calls.written = 0;
    auto file = OutputFile::create(path, "kmc", true);
    for (int n = 1; n <= count; ++n) add(file, n, static_cast<std::size_t>(elements), static_cast<std::size_t>(state));
    expect_sound(path, count);
    const std::uint64_t size = std::filesystem::file_size(path);
    if (system_calls.written < size) GTEST_SKIP() << "cannot stand before the system's calls here";
    EXPECT_LT(system_calls.written, 5 * size / 2 + count * (4 * static_cast<std::uint64_t>(state)));
  }
}

TEST_F(Publications, NeverChangeAVersionThatSomebodyReads) {
  auto file = OutputFile::create(path, "kmc");
  std::vector<std::pair<std::ifstream, std::string>> readers;
  for (int n = 1; n <= 9; ++n) {
    add(file, n);
    expect_sound(path, n);
    if (n == 3 || n == 4 || n == 6) readers.emplace_back(std::ifstream(path, std::ios::binary), read_file(path));
    if (n == 7) std::filesystem::create_hard_link(path, folder / "link.h5");
  }
  for (auto& [stream, content] : readers)
    EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(stream), {}) == content);
  expect_sound(folder / "link.h5", 7);
}

TEST_F(Publications, KeepWhatOthersAddToTheFile) {
  auto file = OutputFile::create(path, "kmc");
  for (int n = 1; n <= 8; ++n) {
    add(file, n);
    if (n == 3) annotate("b");
    if (n == 4) H5Fclose(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    if (n == 5) annotate("a");
    if (n == 6) ::chmod(path.c_str(), 0640);
  }
  expect_sound(path, 8);
  EXPECT_TRUE(InputFile(path).has("/a"));
  EXPECT_TRUE(InputFile(path).has("/b"));
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
}

TEST_F(Publications, DoNotUseAVersionThatOthersChangeLater) {
  auto file = OutputFile::create(path, "kmc");
  std::optional<std::fstream> other;
  for (int n = 1; n <= 11; ++n) {
    if (n == 4) other.emplace(path, std::ios::binary | std::ios::in | std::ios::out);
    if (n == 8) {
      add_field(file, "other", "", n, n, noise(3), {3});  // the copy that is written next has begun
      overwrite("fields/height/value");
    }
    add(file, n);
    if (n == 4) *other << std::string(4000, 'x');
    other.reset();
    expect_sound(path, n);
  }
}

TEST_F(Publications, AreOnTheDiskBeforeTheirNames) {
  system_calls.too_early = 0;
  auto file = OutputFile::create(path, "kmc");
  for (int n = 1; n <= 5; ++n) add(file, n);
  EXPECT_EQ(system_calls.too_early, 0);
}

TEST_F(Publications, KilledAnywhereLeaveACompleteFile) {
  constexpr int last = 5;
  int killed = 0, before = 0;
  for (int calls = 0;; ++calls) {
    std::filesystem::remove(path);
    const int status = in_child([&] {
      system_calls.left = calls;
      auto file = OutputFile::create(path, "kmc");
      for (int n = 1; n <= last; ++n) add(file, n);
    });
    const int reached = std::filesystem::exists(path) ? expect_sound(path, 0) : 0;
    ASSERT_GE(reached, before) << "after " << calls << " calls";
    before = reached;
    if (WIFEXITED(status)) break;
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    ++killed;
    // Often enough in every publication.
    if (reached > 0 && calls % 10 == 0) {
      auto file = OutputFile::append(path, "kmc");
      EXPECT_THAT(folder.names(), ElementsAre(".run.h5.lock", "run.h5")) << "files of the killed run";
      for (int n = reached + 1; n <= last + 2; ++n) add(file, n);
      expect_sound(path, last + 2);
    }
  }
  if (killed == 0) GTEST_SKIP() << "cannot stand before the system's calls here";
  EXPECT_GT(killed, 100);
  EXPECT_EQ(before, last);
}

}  // namespace
}  // namespace tessera::io::testing
