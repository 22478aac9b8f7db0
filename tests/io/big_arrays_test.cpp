// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>
#include <hdf5.h>

#include <numeric>
#include <random>

#include "io/hdf5_dataset.hpp"
#include "tessera/core/error.hpp"
#include "tessera/io/checkpoint.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"

namespace tessera::io::testing {
namespace {

using Shape = std::vector<std::size_t>;

std::size_t count_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

TEST(Blocks, CoverAnArrayInOrder) {
  for (const Shape& shape : {Shape{}, {1}, {7}, {1000}, {3, 5}, {2, 3, 40}, {4, 1, 9, 2}, {5, 300}, {2, 0, 3}}) {
    for (const std::size_t most : {1, 16, 100, 240, 100000}) {
      SCOPED_TRACE(::testing::PrintToString(shape) + " in blocks of " + std::to_string(most) + " bytes");
      const hdf5::Blocks blocks(shape, 4, most);
      std::size_t next = 0;
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const auto block = blocks[b];
        EXPECT_EQ(block.first, next);
        EXPECT_EQ(block.count, count_of(block.extents));
        EXPECT_LE(4 * block.count, std::max<std::size_t>(most, 4));
        EXPECT_LE(block.count, blocks.elements());
        std::size_t at = 0, last = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
          EXPECT_EQ(block.corner[d] % blocks.shape()[d], 0u);
          at = at * shape[d] + block.corner[d];
          last = last * shape[d] + block.corner[d] + block.extents[d] - 1;
        }
        EXPECT_EQ(at, block.first);
        EXPECT_EQ(last, block.first + block.count - 1) << "the elements stand one after the other";
        next += block.count;
      }
      EXPECT_EQ(next, count_of(shape));
    }
  }
}

/// Smooth in one half and noise in the other one.
template <class T>
std::vector<T> half_noise(std::size_t count) {
  std::vector<T> values(count);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[i] = static_cast<T>(2 * i < count ? static_cast<double>(i / 1000 % 100) : static_cast<double>(state >> 30));
  }
  return values;
}

/// Gives an array, and fails unless it is asked for each element once, in order.
template <class T>
class Giver {
 public:
  explicit Giver(const std::vector<T>& values) : values_(values) {}
  ~Giver() { EXPECT_EQ(next_, values_.size()); }
  Content content() {
    return {nullptr, [this](std::size_t first, std::size_t count, void* to) {
              EXPECT_EQ(first, next_);
              next_ += count;
              std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first), count, static_cast<T*>(to));
            }};
  }

 private:
  const std::vector<T>& values_;
  std::size_t next_ = 0;
};

template <class T>
class BigArrays : public ::testing::Test {};
using ElementTypes = ::testing::Types<std::int8_t, std::uint16_t, std::int32_t, double>;
TYPED_TEST_SUITE(BigArrays, ElementTypes);

/// Small ones of odd lengths, several chunks with the last one cut off, and rows longer than a chunk.
const Shape shapes[] = {{1}, {3, 5}, {1001}, {700, 1500}, {2, 1300003}, {2, 2, 500, 301}};
/// As int32 more than what is packed, or written to a checkpoint, at a time.
const Shape large{70, 513, 510};

template <class T>
void expect_field_reads_back(const Shape& shape, std::size_t replicas) {
  SCOPED_TRACE(::testing::PrintToString(shape) + ", replicas: " + std::to_string(replicas));
  const TemporaryFolder folder;
  const auto values = half_noise<T>(replicas * count_of(shape));
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    const double time = 1;
    add_field(file, "field", "", 1, time, values, shape);
    Giver giver(values);
    file.field({"field", "", 2, std::span(&time, 1), element_type_of<T>(), giver.content(), values.size(), shape});
    publish(file);
  }
  const InputFile back(folder / "run.h5");
  EXPECT_TRUE(back.read_row<T>("/fields/field/value", 0) == values);
  EXPECT_TRUE(back.read_row<T>("/fields/field/value", 1) == values);
}

TYPED_TEST(BigArrays, ReadBackAsFields) {
  for (const Shape& shape : shapes) expect_field_reads_back<TypeParam>(shape, count_of(shape) < 10000 ? 3 : 1);
}

TEST(BigArrays, OfSeveralBatchesReadBackAsFields) { expect_field_reads_back<std::int32_t>(large, 1); }

template <class T>
void expect_entry_reads_back(const Shape& shape) {
  SCOPED_TRACE(::testing::PrintToString(shape));
  const TemporaryFolder folder;
  const auto values = half_noise<T>(count_of(shape));
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  file.provenance(example_provenance());
  file.publish([&](CheckpointWriter& checkpoint) {
    checkpoint.array("whole", values, shape);
    Giver giver(values);
    checkpoint.write("parts", element_type_of<T>(), giver.content(), values.size(), shape, "a");
  });
  const auto back = CheckpointReader::open(folder / "run.h5", "kmc");
  for (const std::string name : {"whole", "parts"}) {
    std::vector<T> read(values.size());
    back.array(name, read, shape);
    EXPECT_TRUE(read == values) << name;
  }
  EXPECT_EQ(InputFile(folder / "run.h5").text_attribute("/checkpoint/parts", "unit"), "a");
}

TYPED_TEST(BigArrays, ReadBackAsCheckpointEntries) {
  for (const Shape& shape : shapes) expect_entry_reads_back<TypeParam>(shape);
}

/// In parts whose lengths are no whole numbers of the checksum's words.
TEST(BigArrays, OfSeveralBatchesReadBackAsCheckpointEntries) {
  expect_entry_reads_back<std::int32_t>(large);
  expect_entry_reads_back<std::int8_t>({3, 17 * 1024 * 1024 + 1});
}

TEST(BigArrays, NoiseIsStoredUncompressed) {
  const TemporaryFolder folder;
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  std::vector<std::int32_t> values(1 << 20);
  std::mt19937 random(1);
  for (auto& value : values) value = static_cast<std::int32_t>(random());
  add_field(file, "noise", "", 1, 1.0, values, {1 << 10, 1 << 10});
  add_field(file, "flat", "", 1, 1.0, std::vector<std::int32_t>(1 << 20, 3), {1 << 10, 1 << 10});
  publish(file);
  const std::string bytes = read_file(folder / "run.h5");
  const auto as_bytes = [](const std::int32_t& first, std::size_t count) {
    return std::string(reinterpret_cast<const char*>(&first), count * sizeof first);
  };
  EXPECT_NE(bytes.find(as_bytes(values[1000], 1000)), std::string::npos);
  EXPECT_LT(bytes.size(), values.size() * sizeof(std::int32_t) + 200000);
}

/// Replaces the values of the field by the same ones in chunks of another shape, neither shuffled nor deflated.
void store_differently(const std::filesystem::path& path, const std::vector<std::int32_t>& values, const Shape& shape) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/fields/height/value", H5P_DEFAULT);
  const hsize_t extents[] = {1, shape[0], shape[1]}, limits[] = {H5S_UNLIMITED, shape[0], shape[1]},
                chunk[] = {2, 7, 9};
  const hid_t space = H5Screate_simple(3, extents, limits), properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 3, chunk);
  const hid_t dataset =
      H5Dcreate2(file, "/fields/height/value", H5T_STD_I32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(dataset, "replicas", H5T_STD_U64LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const std::uint64_t one = 1;
  H5Awrite(attribute, H5T_NATIVE_UINT64, &one);
  for (const hid_t object : {attribute, scalar, dataset, properties, space, file}) H5Idec_ref(object);
}

TEST(BigArrays, AreAppendedToAFileWithAnotherLayout) {
  const TemporaryFolder folder;
  const Shape shape{700, 900};
  const auto first = half_noise<std::int32_t>(count_of(shape)), second = noise(count_of(shape));
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    add_field(file, "height", "", 1, 1.0, first, shape);
    publish(file);
  }
  store_differently(folder / "run.h5", first, shape);
  {
    auto file = OutputFile::append(folder / "run.h5", "kmc");
    add_field(file, "height", "", 2, 2.0, second, shape);
    publish(file);
  }
  const InputFile back(folder / "run.h5");
  EXPECT_TRUE(back.read_row<std::int32_t>("/fields/height/value", 0) == first);
  EXPECT_TRUE(back.read_row<std::int32_t>("/fields/height/value", 1) == second);
}

}  // namespace
}  // namespace tessera::io::testing
