// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

#include <iostream>
#include <numeric>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

/// A file with a bit of everything.
void write_example(const std::filesystem::path& path) {
  auto file = OutputFile::create(path, "kmc");
  add_row(file, "roughness", "a^2", 1, 0.5, std::vector<double>{1, 2});
  add_field(file, "height", "a", 1, 0.5, std::vector<std::int32_t>(2 * 16, 7), {4, 4});
  file.provenance(testing::example_provenance());
  file.publish([](CheckpointWriter& checkpoint) {
    std::vector<double> times(200);
    std::iota(times.begin(), times.end(), 0.5);
    checkpoint.array("times", times, {20, 10}, "1/k");
    checkpoint.array("heights", std::vector<std::int32_t>(200, 3), {20, 10});
    checkpoint.scalar("step", std::uint64_t{12345});
    checkpoint.text("model", "sos");
  });
}

std::string refusal(const std::filesystem::path& path) {
  const std::string by_reader = message_of<InputError>([&] { CheckpointReader::open(path, "kmc"); });
  const std::string by_writer = message_of<InputError>([&] { OutputFile::append(path, "kmc"); });
  EXPECT_EQ(by_reader, by_writer);
  EXPECT_THAT(by_reader, HasSubstr("'" + path.string() + "'"));
  return by_reader;
}

/// Changes the file behind Tessera's back.
template <class Change>
void change(const std::filesystem::path& path, Change&& action) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  action(file);
  ASSERT_GE(H5Fclose(file), 0);
}

void set_format_version(hid_t file, int version) {
  const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &version);
  H5Aclose(attribute);
}

class DamagedFile : public InFolder {};

TEST_F(DamagedFile, OtherFilesAreRefusedWithTheReason) {
  EXPECT_THAT(refusal(folder / "none.h5"), HasSubstr("no such file"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("not a regular file"));
  write_bytes(folder / "empty.h5", "");
  EXPECT_THAT(refusal(folder / "empty.h5"), HasSubstr("not an HDF5 file"));
  write_bytes(folder / "text.h5", "seed = 7, and more text than a signature has");
  EXPECT_THAT(refusal(folder / "text.h5"), HasSubstr("not an HDF5 file"));
  H5Fclose(H5Fcreate((folder / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_THAT(refusal(folder / "foreign.h5"), HasSubstr("Tessera did not write it"));
}

TEST_F(DamagedFile, AnotherMethodOrFormatIsRefused) {
  write_example(folder / "run.h5");
  EXPECT_THAT(message_of<InputError>([&] { CheckpointReader::open(folder / "run.h5", "kpz"); }),
              HasSubstr("method 'kmc', not 'kpz'"));
  EXPECT_THAT(message_of<InputError>([&] { OutputFile::append(folder / "run.h5", "kpz"); }),
              HasSubstr("method 'kmc', not 'kpz'"));
  for (const int format : {0, 1, 2, 4}) {
    change(folder / "run.h5", [&](hid_t file) { set_format_version(file, format); });
    EXPECT_THAT(refusal(folder / "run.h5"),
                HasSubstr("its format is " + std::to_string(format) +
                          ", and this version of Tessera reads format 3 alone; use the version that wrote it, 0.1.0"));
  }
  change(folder / "run.h5", [](hid_t file) { H5Adelete(file, "method"); });
  EXPECT_THAT(message_of<InputError>([&] { InputFile(folder / "run.h5"); }), HasSubstr("'method'"));
}

TEST_F(DamagedFile, ChecksumDetectsAnAlteredCheckpoint) {
  write_example(folder / "run.h5");
  change(folder / "run.h5", [](hid_t file) {
    const hid_t entry = H5Dopen2(file, "checkpoint/step", H5P_DEFAULT);
    const std::uint64_t other = 12344;
    H5Dwrite(entry, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &other);
    H5Dclose(entry);
    H5Lmove(file, "checkpoint/heights", file, "checkpoint/spins", H5P_DEFAULT, H5P_DEFAULT);
  });
  const auto checkpoint = CheckpointReader::open(folder / "run.h5", "kmc");
  std::vector<std::int32_t> heights(200);
  EXPECT_THAT(message_of<InputError>([&] { checkpoint.scalar<std::uint64_t>("step"); }),
              AllOf(HasSubstr("'step'"), HasSubstr("checksum")));
  EXPECT_THAT(message_of<InputError>([&] {
                checkpoint.array("spins", heights, {20, 10});
              }),
              HasSubstr("checksum"))
      << "the name counts too";
  EXPECT_EQ(checkpoint.text("model"), "sos");
}

TEST_F(DamagedFile, TruncationIsReported) {
  write_example(folder / "run.h5");
  const auto size = std::filesystem::file_size(folder / "run.h5");
  for (const auto kept : {size - 1, size / 2, std::uintmax_t{100}}) {
    std::filesystem::resize_file(folder / "run.h5", kept);
    EXPECT_THAT(refusal(folder / "run.h5"), HasSubstr("truncated"));
  }
}

/// What a run that continues the example adds to it.
void continue_example(OutputFile& file) {
  add_row(file, "roughness", "a^2", 2, 1.5, std::vector<double>{3, 4});
  add_field(file, "height", "a", 2, 1.5, std::vector<std::int32_t>(2 * 16, 8), {4, 4});
  file.provenance(testing::example_provenance());
  file.publish([](CheckpointWriter& checkpoint) { checkpoint.scalar("step", std::uint64_t{12346}); });
}

/// Whether the continued file holds the rows of both parts.
bool holds_both_parts(const std::filesystem::path& path) {
  const InputFile file(path);
  file.read_through();
  std::vector<std::int32_t> heights(2 * 16, 7);
  heights.insert(heights.end(), 2 * 16, 8);
  return file.read<double>("/observables/roughness/value") == std::vector<double>{1, 2, 3, 4} &&
         file.read<double>("/observables/roughness/time") == std::vector<double>{0.5, 1.5} &&
         file.read<std::int32_t>("/fields/height/value") == heights;
}

/// Restarts from a file that may be damaged anyhow. Returns 0 if everything read is as it was written and the run can
/// write on, 1 if an InputError says what is wrong at the beginning; anything else is a defect of the reader.
int restart(const std::filesystem::path& path) {
  try {
    const auto checkpoint = CheckpointReader::open(path, "kmc");
    std::vector<double> times(200), expected(200);
    std::vector<std::int32_t> heights(200);
    std::iota(expected.begin(), expected.end(), 0.5);
    checkpoint.array("times", times, {20, 10});
    checkpoint.array("heights", heights, {20, 10});
    const bool right = times == expected && heights == std::vector<std::int32_t>(200, 3) &&
                       checkpoint.scalar<std::uint64_t>("step") == 12345 && checkpoint.text("model") == "sos";
    if (!right) return 2;
    {
      auto file = OutputFile::append(path, "kmc");
      continue_example(file);
    }
    return holds_both_parts(path) ? 0 : 2;
  } catch (const InputError&) {
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 3;
  }
}

struct Tally {
  int right = 0, refused = 0;
};

/// Restarts from the damaged bytes `damage(n)`, n = 0 .. count - 1, in child processes that a crash or a hang ends.
template <class Damage>
Tally restart_from_damaged(int count, Damage&& damage) {
  const TemporaryFolder folder;
  Tally tally;
  constexpr int batch = 50;
  for (int first = 0; first < count; first += batch) {
    const auto progress = folder / "progress";
    const int status = in_child([&] {
      const rlimit seconds{60, 60};  // of processor time, however busy the machine is
      ::setrlimit(RLIMIT_CPU, &seconds);
      int right = 0, refused = 0;
      for (int n = first; n < std::min(count, first + batch); ++n) {
        write_bytes(folder / "run.h5", damage(n));
        write_bytes(progress, "case " + std::to_string(n));
        const int outcome = restart(folder / "run.h5");
        if (outcome > 1) ::_exit(outcome);
        (outcome == 0 ? right : refused) += 1;
      }
      write_bytes(progress, std::to_string(right) + " " + std::to_string(refused));
    });
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status) << " in " << read_file(progress);
    EXPECT_EQ(WEXITSTATUS(status), 0) << read_file(progress)
                                      << (WEXITSTATUS(status) == 2 ? ": wrong data" : ": wrong exception");
    if (status != 0) return tally;
    std::ifstream counts(progress);
    int right = 0, refused = 0;
    counts >> right >> refused;
    tally.right += right;
    tally.refused += refused;
  }
  return tally;
}

TEST_F(DamagedFile, EveryTruncationIsRefused) {
  write_example(folder / "whole.h5");
  const std::string whole = read_file(folder / "whole.h5");
  constexpr int count = 200;
  const auto tally = restart_from_damaged(count, [&](int n) {
    // The last bytes one by one, the rest evenly.
    return whole.substr(0, n < 100 ? whole.size() - 1 - static_cast<std::size_t>(n)
                                   : whole.size() * static_cast<std::size_t>(n - 100) / (count - 100));
  });
  EXPECT_EQ(tally.refused, count);
}

TEST_F(DamagedFile, DamagedMetadataIsFoundBeforeWriting) {
  write_example(folder / "whole.h5");
  const std::string whole = read_file(folder / "whole.h5");
  // Object headers, heaps and their free space, B-trees, indices of chunks.
  std::vector<std::size_t> pieces;
  for (const char* signature : {"OHDR", "OCHK", "FRHP", "FHDB", "FHIB", "FSHD", "FSSE", "BTHD", "BTLF", "BTIN", "EAHD",
                                "EAIB", "EADB", "EASB"}) {
    for (auto at = whole.find(signature); at != std::string::npos; at = whole.find(signature, at + 1))
      pieces.push_back(at);
  }
  ASSERT_GT(pieces.size(), 30u);
  const auto tally = restart_from_damaged(static_cast<int>(2 * pieces.size()), [&](int n) {
    std::string damaged = whole;
    damaged[pieces[static_cast<std::size_t>(n / 2)] + (n % 2 == 0 ? 2 : 9)] ^= 4;
    return damaged;
  });
  EXPECT_EQ(tally.right + tally.refused, static_cast<int>(2 * pieces.size()));
  EXPECT_GT(tally.refused, 30);
}

TEST_F(DamagedFile, FlippedBitsAreRefusedOrHarmless) {
  write_example(folder / "whole.h5");
  const std::string whole = read_file(folder / "whole.h5");
  constexpr int count = 200;  // a fault of one flip in fifty is missed with a probability of 2 %
  constexpr std::uint64_t state = 0x9e3779b97f4a7c15u;
  const auto next = [&](int n) {
    std::uint64_t mixed = state * static_cast<std::uint64_t>(n + 1);
    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9u;
    return mixed ^ (mixed >> 32);
  };
  const auto tally = restart_from_damaged(count, [&](int n) {
    std::string damaged = whole;
    // One bit for most, several bytes at once for every fourth.
    for (int k = 0; k < (n % 4 == 3 ? 8 : 1); ++k) {
      const auto random = next(8 * n + k);
      damaged[(random >> 8) % damaged.size()] ^= static_cast<char>(n % 4 == 3 ? random | 1 : 1u << (random & 7));
    }
    return damaged;
  });
  EXPECT_EQ(tally.right + tally.refused, count);
  EXPECT_GT(tally.right, 0) << "some bits of a small file are padding";
  EXPECT_GT(tally.refused, 50);
}

}  // namespace
}  // namespace tessera::io::testing
