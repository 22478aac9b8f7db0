// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <limits>
#include <tessera/core/error.hpp>

#include "tests/complaint.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/matchers.hpp"

namespace tessera::testing {
namespace {

using kpz::Parameters;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Parameters with_waiting_times(Parameters p) {
  p.replicas = 2;
  p.waiting_times = {2, 5, 40};
  return p;
}

std::unique_ptr<AnySimulation> fresh(const Parameters& p) {
  return p.method == kpz::Method::sequential ? make_sequential(p) : make_simulation<OneThread>(p);
}

/// What a run has saved after ten Monte Carlo steps.
MemoryArchive saved(const Parameters& p) {
  const auto simulation = fresh(p);
  for (const double time : {0.0, 4.0, 8.0}) {
    simulation->advance(time);
    simulation->measure();
  }
  simulation->advance(10);
  MemoryArchive archive;
  simulation->save(archive);
  return archive;
}

/// One element of an entry that is replaced.
struct Change {
  std::string entry;
  std::size_t element;
  double value;
  std::string refused;  ///< the entry that the message names, if it is another one
};

template <class T>
MemoryArchive changed(const MemoryArchive& archive, const Change& change) {
  MemoryArchive result = archive;
  auto values = result.values<T>(change.entry);
  values.at(change.element) = static_cast<T>(change.value);
  result.array(change.entry, values, result.shape(change.entry), "");
  return result;
}

void expect_refused(const Parameters& p, const MemoryArchive& archive, const std::string& entry) {
  const auto simulation = fresh(p);
  EXPECT_THAT(complaint([&] { simulation->load(archive); }),
              AllOf(HasSubstr("invalid checkpoint entry '" + entry + "'"), Not(HasSubstr("\n"))));
}

/// The parallel schemes, one of each kind of layer, and the sequential method.
std::vector<Parameters> all_methods() {
  std::vector<Parameters> methods;
  for (Parameters p : all_schemes(small_lattice())) methods.push_back(with_waiting_times(p));
  methods.push_back(methods.front());
  methods.back().method = kpz::Method::sequential;
  for (std::size_t i = 0; i < methods.size(); i += 2) methods[i].q = 0.5;
  return methods;
}

TEST(LoadedCheckpoint, OfTheSameRunIsAccepted) {
  for (const Parameters& p : all_methods()) {
    SCOPED_TRACE(describe(p));
    const MemoryArchive archive = saved(p);
    const auto simulation = fresh(p);
    simulation->load(archive);
    MemoryArchive again;
    simulation->save(again);
    EXPECT_EQ(again.values<std::uint32_t>("surface"), archive.values<std::uint32_t>("surface"));
    simulation->advance(12);
    expect_surfaces(*simulation);
  }
}

TEST(LoadedCheckpoint, IsRefusedIfNoRunCanHaveWrittenIt) {
  for (const Parameters& p : all_methods()) {
    SCOPED_TRACE(describe(p));
    const MemoryArchive archive = saved(p);
    const bool sequential = p.method == kpz::Method::sequential;
    const std::string count = sequential ? "attempts" : "intervals";
    for (const Change& change : {Change{count, 0, 0x1p63, count},
                                 {count, 0, 0, "accepted"},
                                 {"streams", 1, 0, "streams"},
                                 {"streams", 3, 0, "streams"},
                                 {"accepted", 0, 0x1p60, "accepted"},
                                 {"accepted", 0, 1, "accepted"},
                                 {"accepted", 3, 1, "accepted"}}) {
      SCOPED_TRACE(change.entry);
      expect_refused(p, changed<std::uint64_t>(archive, change), change.refused);
    }
    for (const std::string entry : {"surface", "kept_surface_0", "kept_surface_1"})
      for (const std::size_t word : {0, 77, 2 * 128 + 5})
        expect_refused(p, changed<std::uint32_t>(archive, {entry, word, 0, ""}), entry);
    // A surface, but one that is two layers higher.
    MemoryArchive inverted = archive;
    for (std::uint32_t& word : inverted.values<std::uint32_t>("surface")) word = ~word;
    expect_refused(p, inverted, "accepted");
    for (const Change& change : {Change{"measured_time", 0, nan, ""},
                                 {"measured_time", 0, infinity, ""},
                                 {"measured_time", 0, 1000, ""},
                                 {"measured_time", 0, -1, ""},
                                 {"measured_before_time", 0, 1000, ""},
                                 {"measured_before_time", 0, -infinity, ""},
                                 {"measured_quantities", 0, -1, ""},
                                 {"measured_quantities", 0, infinity, ""},
                                 {"measured_before_quantities", 2, -infinity, ""},
                                 {"kept_times", 0, nan, ""},
                                 {"kept_times", 0, 1, ""},
                                 {"kept_times", 1, 1000, ""},
                                 {"kept_times", 1, infinity, ""},
                                 {"kept_times", 2, 40, ""}}) {
      SCOPED_TRACE(change.entry + " " + std::to_string(change.value));
      expect_refused(p, changed<double>(archive, change), change.entry);
    }
    for (const std::string entry : {"measured_accepted", "measured_before_accepted"})
      expect_refused(p, changed<std::uint64_t>(archive, {entry, 0, 0x1p62, ""}), entry);
  }
}

/// It is no surface, or one of another number of octahedra.
TEST(LoadedCheckpoint, IsRefusedWithAnyWrongBit) {
  Parameters p = small_lattice();
  p.q = 0.5;
  const MemoryArchive archive = saved(p);
  for (std::size_t bit = 0; bit < 128; ++bit) {
    MemoryArchive changed = archive;
    changed.values<std::uint32_t>("surface").at(20 + bit / 32) ^= 1u << (bit % 32);
    EXPECT_THROW(fresh(p)->load(changed), InputError) << bit;
  }
}

/// Slopes that add up to 0 around every square, and do not along the rows: all bits are the same.
TEST(LoadedCheckpoint, IsRefusedIfItsSurfaceDoesNotClose) {
  const Parameters p = with_waiting_times(small_lattice());
  MemoryArchive archive = saved(p);
  for (std::uint32_t& word : archive.values<std::uint32_t>("surface")) word = 0;
  expect_refused(p, archive, "surface");
}

template <class Space>
class LoadedOn : public ::testing::Test {};
TYPED_TEST_SUITE(LoadedOn, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(LoadedOn, EveryBackendIsRefusedIfNoRunCanHaveWrittenIt) {
  const Parameters p = with_waiting_times(small_lattice());
  const MemoryArchive archive = saved(p);
  const auto simulation = make_simulation<TypeParam>(p);
  simulation->load(archive);
  EXPECT_THROW(simulation->load(changed<std::uint64_t>(archive, {"streams", 1, 0, ""})), InputError);
  EXPECT_THROW(simulation->load(changed<std::uint32_t>(archive, {"surface", 5, 0, ""})), InputError);
  EXPECT_THROW(simulation->load(changed<std::uint64_t>(archive, {"accepted", 1, 1, ""})), InputError);
}

TEST(KpzParameters, HaveBoundsWithoutOverflow) {
  const auto expect_bad = [](const Parameters& p, const std::string& message) {
    EXPECT_THAT(complaint([&] { kpz::validate(p); }), HasSubstr(message));
  };
  constexpr int largest = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
  for (const auto method : {kpz::Method::domain, kpz::Method::sequential}) {
    Parameters base = small_lattice();
    base.method = method;
    const auto with = [&](const auto& change) {
      Parameters p = base;
      change(p);
      return p;
    };
    for (const int value : {largest, least, 0, -1, 1 << 30}) {
      expect_bad(with([&](Parameters& p) { p.nx = value; }), "--size");
      expect_bad(with([&](Parameters& p) { p.ny = value; }), "--size");
      expect_bad(with([&](Parameters& p) { p.replicas = value; }), "--replicas");
    }
    expect_bad(with([](Parameters& p) {
                 p.nx = p.ny = kpz::largest_side;
                 p.replicas = 2;
               }),
               "--replicas 2");
    for (const double value : {0.0, -1.0, nan, infinity, 1e300, 1e10})
      expect_bad(with([&](Parameters& p) { p.steps = value; }), "--steps");
    expect_bad(with([](Parameters& p) {
                 p.nx = p.ny = kpz::largest_side;
                 p.steps = 1e9;
               }),
               "--steps 1e+09: must be at most 1.04858e+06");
    expect_bad(with([](Parameters& p) {
                 for (int i = 0; i < 2000; ++i) p.waiting_times.push_back(i);
               }),
               "--waiting-times");
  }
  for (const int value : {largest, least, -1, 3, 512}) {
    Parameters p = small_lattice();
    p.domain = value;
    expect_bad(p, "--domain");
    p.nx = p.ny = kpz::largest_side;
    p.domain = 16;
    p.device_layer = kpz::DeviceLayer::dead_border;
    expect_bad(p, "--domain 16: gives too many domains");
    p = small_lattice();
    p.device_layer = kpz::DeviceLayer::dead_border;
    p.border = value == 3 ? 32 : value;
    expect_bad(p, "--border");
    p = small_lattice();
    p.thread_cell_x = value == 3 ? 7 : value;
    expect_bad(p, "--thread-cell");
  }
}

}  // namespace
}  // namespace tessera::testing
