// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <hdf5.h>
#include <sys/stat.h>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

/// A file with rows of two replicas, a field and a history.
void write_small_example(const std::filesystem::path& path) {
  auto file = OutputFile::create(path, "kmc");
  add_row(file, "roughness", "a^2", 1, 0.5, std::vector<double>{1, 2});
  add_field(file, "height", "a", 1, 0.5, std::vector<std::int32_t>(2 * 16, 7), {4, 4});
  file.history({"steps", {"time", "size"}, {"1/k", ""}, {{1}, {2}}});
  testing::publish(file);
}

class HostileFile : public ::testing::Test {
 protected:
  void SetUp() override { write_small_example(path); }

  /// Changes the file as whoever wishes to harm would, and expects that a restart refuses it and leaves it alone.
  template <class Change>
  std::string refusal_after(Change&& change) {
    const std::string whole = read_file(path);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(file, 0);
    change(file);
    EXPECT_GE(H5Fclose(file), 0);
    const std::string changed = read_file(path);
    EXPECT_NE(changed, whole);
    const std::string message = message_of<InputError>([&] { OutputFile::append(path, "kmc"); });
    EXPECT_LE(message.size(), 600 + path.string().size());
    EXPECT_EQ(read_file(path), changed);
    testing::write_bytes(path, whole);
    return message;
  }

  static void replace_by(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& extents,
                         hid_t properties = H5P_DEFAULT) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = extents.empty() ? H5Screate(H5S_SCALAR)
                                        : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << name;
    H5Dclose(dataset);
    H5Sclose(space);
  }

  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "run.h5";
};

TEST_F(HostileFile, NoMemoryIsAllocatedForAnInputOfTwoGigabytes) {
  const auto long_text = [](hid_t file) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (std::size_t{1} << 31) - 1);
    replace_by(file, "provenance/input", type, {});
    H5Tclose(type);
  };
  refusal_after(long_text);
  const auto long_enough = [](hid_t file) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (std::size_t{1} << 26) + 1);
    replace_by(file, "provenance/input", type, {});
    const hid_t input = H5Dopen2(file, "provenance/input", H5P_DEFAULT);
    const std::string text((std::size_t{1} << 26) + 1, 'x');
    H5Dwrite(input, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
    H5Dclose(input);
    H5Tclose(type);
  };
  EXPECT_THAT(refusal_after(long_enough), HasSubstr("/provenance/input"));
}

TEST_F(HostileFile, LinksToOtherFilesAreNotFollowed) {
  write_small_example(folder / "other.h5");
  ::mkfifo((folder / "pipe").c_str(), 0600);  // whoever opens it waits for ever
  const std::string elsewhere = (folder / "pipe").string();
  for (const char* name : {"observables", "observables/roughness/value", "checkpoint", "provenance/input", "note"}) {
    EXPECT_THAT(refusal_after([&](hid_t file) {
                  H5Ldelete(file, name, H5P_DEFAULT);
                  H5Lcreate_external(elsewhere.c_str(), name, file, name, H5P_DEFAULT, H5P_DEFAULT);
                }),
                HasSubstr("is a link to another place"));
    EXPECT_THAT(refusal_after([&](hid_t file) {
                  H5Ldelete(file, name, H5P_DEFAULT);
                  H5Lcreate_soft("/fields", file, name, H5P_DEFAULT, H5P_DEFAULT);
                }),
                HasSubstr("is a link to another place"));
  }
}

TEST_F(HostileFile, ElementsOutsideTheFileAreNotRead) {
  const std::string pipe = (folder / "pipe").string();
  ::mkfifo(pipe.c_str(), 0600);
  for (const char* name : {"checkpoint/progress", "fields/height/step", "note"}) {
    EXPECT_THAT(refusal_after([&](hid_t file) {
                  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
                  H5Pset_external(properties, pipe.c_str(), 0, 8);
                  replace_by(file, name, H5T_STD_I64LE, {1}, properties);
                  H5Pclose(properties);
                }),
                HasSubstr("outside the file"));
    EXPECT_THAT(refusal_after([&](hid_t file) {
                  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
                  const hsize_t one = 1;
                  const hid_t space = H5Screate_simple(1, &one, nullptr);
                  H5Pset_virtual(properties, space, pipe.c_str(), "data", space);
                  replace_by(file, name, H5T_STD_I64LE, {1}, properties);
                  H5Sclose(space);
                  H5Pclose(properties);
                }),
                HasSubstr("outside the file"));
  }
}

TEST_F(HostileFile, ExtentsBeyondTheStoredDataAreNotAllocated) {
  const auto claims = [](const char* name, hid_t type) {
    return [=](hid_t file) { replace_by(file, name, type, {hsize_t{1} << 37}); };
  };
  EXPECT_THAT(refusal_after(claims("observables/roughness/step", H5T_STD_I64LE)), HasSubstr("more elements"));
  EXPECT_THAT(refusal_after(claims("checkpoint/progress", H5T_STD_I64LE)), HasSubstr("more elements"));
  EXPECT_THAT(refusal_after([](hid_t file) {
                const hid_t value = H5Dopen2(file, "fields/height/value", H5P_DEFAULT);
                const hsize_t extents[] = {hsize_t{1} << 40, 2, 4, 4};
                H5Dset_extent(value, extents);
                H5Dclose(value);
              }),
              HasSubstr("more elements"));
}

TEST_F(HostileFile, ImpossibleNumbersOfReplicasAreRefusedAtOnce) {
  // With one replica it would be a field in three dimensions.
  for (const std::uint64_t replicas : {0ull, 3ull, 1'000'000'000ull, 1ull << 60, 1ull << 62}) {
    EXPECT_THAT(refusal_after([&](hid_t file) {
                  const hid_t value = H5Dopen2(file, "fields/height/value", H5P_DEFAULT);
                  const hid_t attribute = H5Aopen(value, "replicas", H5P_DEFAULT);
                  H5Awrite(attribute, H5T_NATIVE_UINT64, &replicas);
                  H5Aclose(attribute);
                  H5Dclose(value);
                }),
                HasSubstr("'replicas', " + std::to_string(replicas) + ", does not fit its shape"));
  }
}

TEST_F(HostileFile, OtherTypesAndShapesAreRefusedAtOnce) {
  for (const char* name :
       {"fields/height/value", "fields/height/step", "fields/height/time", "observables/roughness/step",
        "observables/roughness/time", "observables/roughness/value", "observables/roughness/mean",
        "observables/roughness/error", "history/steps/time", "history/steps/size"}) {
    // All that they claim is stored: it is the type and the shape that are wrong.
    const hid_t stored = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(stored, H5D_ALLOC_TIME_EARLY);
    const std::vector<std::vector<hsize_t>> others{{}, {1}, {2}, {1, 1}, {1, 2, 3, 4, 5}};
    for (const auto& extents : others) {
      refusal_after([&](hid_t file) { replace_by(file, name, H5T_STD_I16LE, extents, stored); });
      refusal_after([&](hid_t file) { replace_by(file, name, H5T_IEEE_F64LE, extents, stored); });
      refusal_after([&](hid_t file) { replace_by(file, name, H5T_STD_REF_OBJ, extents, stored); });
    }
    H5Pclose(stored);
  }
  for (const char* name : {"observables", "observables/roughness", "fields", "fields/height", "history",
                           "history/steps", "provenance", "provenance/restarts", "checkpoint", "h5md", "VTKHDF"})
    refusal_after([&](hid_t file) { replace_by(file, name, H5T_STD_I32LE, {1}); });
}

TEST_F(HostileFile, AttributesOfOtherTypesAreHarmless) {
  const auto set = [](const char* object_name, const char* name, hid_t type, hsize_t count) {
    return [=](hid_t file) {
      const hid_t object = H5Oopen(file, object_name, H5P_DEFAULT);
      H5Adelete(object, name);
      const hid_t space = H5Screate_simple(1, &count, nullptr);
      const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
      EXPECT_GE(attribute, 0);
      H5Aclose(attribute);
      H5Sclose(space);
      H5Oclose(object);
    };
  };
  refusal_after(set("observables/roughness/value", "unit", H5T_STD_I32LE, 3));
  refusal_after(set("fields/height/value", "replicas", H5T_IEEE_F64LE, 1));
  refusal_after(set("fields/height/value", "replicas", H5T_STD_U64LE, 1));  // zero of them
  refusal_after(set("checkpoint/progress", "checksum", H5T_STD_U64LE, 2));
  // What is written over may be of any kind.
  {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    set("h5md", "version", H5T_STD_I32LE, 8000)(file);
    set("/", "format_version", H5T_STD_I64LE, 1)(file);
    H5Fclose(file);
  }
  EXPECT_THAT(message_of<InputError>([&] { OutputFile::append(path, "kmc"); }), HasSubstr("its format is 0"));
  {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t version = H5Aopen(file, "format_version", H5P_DEFAULT);
    const std::int64_t three = 3;
    H5Awrite(version, H5T_NATIVE_INT64, &three);
    H5Aclose(version);
    H5Fclose(file);
  }
  auto file = OutputFile::append(path, "kmc");
  testing::publish(file, 3);
  EXPECT_EQ(InputFile(path).checkpoint().scalar<std::int64_t>("progress"), 3);
}

TEST_F(HostileFile, AGroupThatContainsItselfIsRefused) {
  {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_hard(file, "/", file, "provenance/again", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
  }
  InputFile(path).read_through();
  EXPECT_THAT(refusal_after([](hid_t file) {
                hid_t group = H5Gcreate2(file, "deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                for (int depth = 0; depth < 5000; ++depth) {
                  const hid_t inner = H5Gcreate2(group, "d", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                  H5Gclose(group);
                  group = inner;
                }
                H5Gclose(group);
              }),
              HasSubstr("nested too deeply"));
}

TEST_F(HostileFile, NamesInMessagesAreEscapedAndBounded) {
  const std::string message = refusal_after([](hid_t file) {
    const std::string name = "a\x1b[31m\n" + std::string(3000, 'x');
    H5Gclose(H5Gcreate2(file, ("observables/" + name).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tessera::io::testing
