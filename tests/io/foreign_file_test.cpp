// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

#include "tessera/core/error.hpp"
#include "tests/io/io_test.hpp"
#include "tests/io/system_calls.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

using Values = std::vector<double>;

/// Gives a file its time of modification anew, in whole seconds or as another one has it.
void set_time(const std::filesystem::path& path, const timespec& time) {
  const timespec times[] = {{0, UTIME_OMIT}, time};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

class ForeignFile : public InFolder {
 protected:
  /// A file of a run in the folder, of this number of steps.
  void write_run(const char* name, std::int64_t progress) const {
    auto file = OutputFile::create(folder / name, "kmc", true);
    publish_heights(file, progress);
  }
};

TEST_F(ForeignFile, AFileThatAnotherProgramWroteIsKept) {
  const auto path = folder / "run.h5";
  write_run("other.h5", 9);
  const auto end_after = [&](OutputFile& file, const std::string& bytes) {
    write_bytes(path, bytes);  // to the same inode
    const std::string message = message_of<RunError>([&] { publish_heights(file, 2); });
    EXPECT_THAT(message, AllOf(HasSubstr("cannot write"), HasSubstr("another program has ")));
    EXPECT_TRUE(read_file(path) == bytes) << "it is left as it is";
  };
  for (const std::string& bytes : {read_file(folder / "other.h5"), std::string("a text"), std::string()}) {
    {
      auto file = OutputFile::create(path, "kmc", true);
      publish_heights(file, 1);
      end_after(file, bytes);
    }
    {
      auto file = OutputFile::create(path, "kmc", true);
      publish_heights(file, 1);
      add_field(file, "height", "a", 2, 0.5, Values{1, 2}, {1, 2});  // the copy that is written next has begun
      end_after(file, bytes);
    }
    write_run("run.h5", 1);
    {
      auto file = OutputFile::append(path, "kmc");
      end_after(file, bytes);
    }
    auto file = OutputFile::create(path, "kmc", true);
    end_after(file, bytes + "more");
  }
  EXPECT_THAT(folder.names(), ElementsAre("other.h5", "run.h5"));
}

TEST_F(ForeignFile, OtherContentOfTheSameSizeAndTimeIsDetected) {
  const auto path = folder / "run.h5";
  write_run("other.h5", 9);
  const std::string foreign = read_file(folder / "other.h5");
  auto file = OutputFile::create(path, "kmc");
  publish_heights(file, 1);
  ASSERT_EQ(std::filesystem::file_size(path), foreign.size());
  struct stat before {};
  ASSERT_EQ(::stat(path.c_str(), &before), 0);
  write_bytes(path, foreign);
  set_time(path, before.st_mtim);
  EXPECT_THROW(publish_heights(file, 2), RunError);
  EXPECT_TRUE(read_file(path) == foreign);
}

TEST_F(ForeignFile, AFileThatIsContinuedElsewhereIsNotChanged) {
  write_run("run.h5", 1);
  write_run("other.h5", 9);
  auto file = OutputFile::continue_from(folder / "run.h5", folder / "new.h5", "kmc");
  write_bytes(folder / "run.h5", read_file(folder / "other.h5"));
  EXPECT_THAT(message_of<RunError>([&] { publish_heights(file, 2); }), HasSubstr("another program has "));
  EXPECT_THAT(folder.names(), ElementsAre(".new.h5.lock", "other.h5", "run.h5"));
}

TEST_F(ForeignFile, AFileThatChangesDuringReadingIsNotContinued) {
  write_run("run.h5", 1);
  write_run("other.h5", 9);
  const std::string foreign = read_file(folder / "other.h5") + "more";
  system_calls.after_child = [&] { write_bytes(folder / "run.h5", foreign); };
  try {
    OutputFile::append(folder / "run.h5", "kmc");
    if (std::exchange(system_calls.after_child, nullptr)) GTEST_SKIP() << "cannot stand before the system's calls here";
    ADD_FAILURE() << "it is continued";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("another program has replaced or changed it while it was read; try again"));
  }
  EXPECT_TRUE(read_file(folder / "run.h5") == foreign);
}

TEST_F(ForeignFile, AFileWithTheSameContentIsAccepted) {
  const auto path = folder / "run.h5";
  auto file = OutputFile::create(path, "kmc");
  std::int64_t progress = 0;
  const auto continues_after = [&](const std::string& after) {
    SCOPED_TRACE(after);
    publish_heights(file, ++progress);
    EXPECT_EQ(progress_of(path), progress);
    EXPECT_EQ(rows_of(path), static_cast<std::size_t>(progress));
  };
  continues_after("nothing");
  read_file(path);
  std::filesystem::copy_file(path, folder / "copy.h5");
  continues_after("reading and copying");
  ::chmod(path.c_str(), 0640);
  continues_after("other permissions");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  set_time(path, {status.st_mtim.tv_sec, 0});
  continues_after("a time that was rounded");
  set_time(path, {status.st_mtim.tv_sec - 1, 0});
  add_field(file, "height", "a", ++progress, 0.5, Values{1, 2}, {1, 2});
  set_time(path, {status.st_mtim.tv_sec - 2, 0});
  publish(file, progress);
  EXPECT_EQ(rows_of(path), static_cast<std::size_t>(progress));
  std::filesystem::copy_file(path, folder / "copy.h5", std::filesystem::copy_options::overwrite_existing);
  std::filesystem::rename(folder / "copy.h5", path);
  continues_after("another number");
}

}  // namespace
}  // namespace tessera::io::testing
