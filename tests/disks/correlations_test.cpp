// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/host_samples.hpp>
#include <tessera/disks/sequential.hpp>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/disks/any_simulation.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/matchers.hpp"

namespace tessera::disks {
namespace {

Parameters some_disks(std::int64_t particles, double packing_fraction) {
  Parameters p;
  p.particles = particles;
  p.packing_fraction = packing_fraction;
  p.sweeps = 40;
  p.sample_every = 10;
  p.r_max = 5;
  p.g6 = true;
  p.q_max = 9;
  return p;
}

/// S of wave vector number `k`.
double plain_structure_factor(const std::vector<Point>& points, const AveragedFunction& s, std::size_t k) {
  std::complex<double> sum;
  for (const Point& r : points)
    sum += std::polar(1.0, s.arguments[0].values[k] * r[0] + s.arguments[1].values[k] * r[1]);
  return std::norm(sum) / static_cast<double>(points.size());
}

/// g(r), g6(r) and S(q) of several configurations, by sums over all pairs with their images, and over all disks.
struct Plain {
  std::vector<double> pairs, products, intensities;

  void add(const std::vector<Point>& points, const Point& box, const Parameters& p, const AveragedFunction& s) {
    const std::size_t rings = static_cast<std::size_t>(p.r_max * p.g_bins);
    pairs.resize(rings);
    products.resize(rings);
    std::vector<std::complex<double>> orders(points.size());
    std::vector<int> neighbours(points.size());
    for (const bool count : {false, true}) {
      for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < points.size(); ++j)
          for (int u = -3; u <= 3; ++u)
            for (int v = -3; v <= 3; ++v) {
              if (i == j && u == 0 && v == 0) continue;
              const std::complex<double> d(points[j][0] + u * box[0] - points[i][0],
                                           points[j][1] + v * box[1] - points[i][1]);
              if (!count && std::abs(d) < 1.5) {
                orders[i] += std::polar(1.0, 6 * std::arg(d));
                ++neighbours[i];
              }
              if (!count || std::abs(d) >= p.r_max) continue;
              const auto ring = static_cast<std::size_t>(std::abs(d) * p.g_bins);
              ++pairs[ring];
              products[ring] += std::real(std::conj(orders[i]) * orders[j]);
            }
      for (std::size_t i = 0; !count && i < points.size(); ++i) orders[i] /= std::max(1, neighbours[i]);
    }
    intensities.resize(s.arguments[0].values.size());
    for (std::size_t k = 0; k < intensities.size(); ++k) intensities[k] += plain_structure_factor(points, s, k);
  }

  /// Without the configurations that `first` has.
  Plain after(const Plain& first) const {
    Plain later = *this;
    for (const auto of : {&Plain::pairs, &Plain::products, &Plain::intensities})
      for (std::size_t i = 0; i < (first.*of).size(); ++i) (later.*of)[i] -= (first.*of)[i];
    return later;
  }

  void expect_equal(const std::vector<AveragedFunction>& functions, std::size_t replica, int samples, const Point& box,
                    const Parameters& p) const {
    const auto value = [&](const char* name, std::size_t i) {
      const AveragedFunction f = find(functions, name);
      return f.values.at(replica * f.arguments.at(0).values.size() + i);
    };
    const double n = static_cast<double>(p.particles);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double r = static_cast<double>(i) / p.g_bins, end = static_cast<double>(i + 1) / p.g_bins;
      EXPECT_DOUBLE_EQ(find(functions, "g").arguments[0].values[i], (r + end) / 2);
      const double area = std::numbers::pi * (end * end - r * r);
      EXPECT_NEAR(value("g", i), pairs[i] / samples / n / (n / (box[0] * box[1]) * area), 1e-9) << r;
      const double g6 = value("g6", i);
      if (pairs[i] == 0) {
        EXPECT_TRUE(std::isnan(g6)) << r;
      } else {
        EXPECT_NEAR(g6, products[i] / pairs[i], 1e-6) << r;
      }
    }
    EXPECT_GT(intensities.size(), 5);
    for (std::size_t k = 0; k < intensities.size(); ++k)
      EXPECT_NEAR(value("S", k), intensities[k] / samples, 1e-4 * std::sqrt(intensities[k] / samples) + 1e-8 * n) << k;
  }
};

/// Takes each sample apart; `make(p)` makes a simulation.
template <class Make>
void expect_plain_sums(const Parameters& p, const Make& make) {
  SCOPED_TRACE(std::to_string(p.particles) + " disks");
  const auto simulation = make(p);
  EXPECT_TRUE(std::isnan(find(simulation->functions(), "S").values[0])) << "before a sample";
  std::vector<Plain> plain(static_cast<std::size_t>(p.replicas)), first = plain;
  const double from = p.sweeps / 2;
  int samples = 0, later_samples = 0;
  for (double time = p.sample_every; time <= p.sweeps; time += p.sample_every, ++samples) {
    simulation->advance(time);
    const auto points = simulation->points();
    const AveragedFunction s = find(simulation->functions(), "S");
    later_samples += time > from;
    for (std::size_t r = 0; r < plain.size(); ++r) plain[r].add(points[r], simulation->box(), p, s);
    if (time <= from) first = plain;
  }
  for (std::size_t r = 0; r < plain.size(); ++r) {
    plain[r].expect_equal(simulation->functions(), r, samples, simulation->box(), p);
    plain[r].after(first[r]).expect_equal(simulation->functions(from), r, later_samples, simulation->box(), p);
  }
  EXPECT_EQ(simulation->functions(from)[0].samples, static_cast<std::uint64_t>(later_samples));
  EXPECT_EQ(simulation->functions(from - 1)[0].from, from);
}

std::vector<Parameters> correlated_systems() {
  Parameters dense = some_disks(120, 0.7), tiny = some_disks(6, 0.25), one = some_disks(150, 0.1);
  dense.replicas = 2;
  dense.r_max = 5.25;
  dense.g_bins = 20;
  one.aspect = 3;
  return {dense, tiny, one};
}

template <class Space>
class DisksCorrelations : public ::testing::Test {};
TYPED_TEST_SUITE(DisksCorrelations, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

TYPED_TEST(DisksCorrelations, EqualSumsOverAllPairsAndDisks) {
  for (const Parameters& p : correlated_systems())
    expect_plain_sums(p, [](const Parameters& some) { return make_simulation<TypeParam>(some); });
}

TEST(SequentialCorrelations, EqualSumsOverAllPairsAndDisks) {
  for (const Parameters& p : correlated_systems())
    expect_plain_sums(p, [](const Parameters& some) { return make_sequential(some); });
}

// The factors are rounded to multiples of 2^-16. Errors of independent disks move S(q) by 1.2e-5 sqrt(S(q)), so that by
// chance none of these wave vectors moves by eight times as much, and the mean of all moves by 1e-7.
TYPED_TEST(DisksCorrelations, OfRoundedFactorsAreThoseOfPlainSumsWithoutBias) {
  Parameters p = some_disks(400, 0.6);
  p.replicas = 3;
  p.sweeps = p.sample_every = 10;
  p.q_max = 15;
  const auto simulation = make_simulation<TypeParam>(p);
  simulation->advance(10);
  const AveragedFunction s = find(simulation->functions(), "S");
  const std::size_t waves = s.arguments[0].values.size();
  double sum = 0, squares = 0;
  for (std::size_t r = 0; r < 3; ++r) {
    const auto points = simulation->points()[r];
    for (std::size_t k = 0; k < waves; ++k) {
      const double plain = plain_structure_factor(points, s, k);
      const double moved = (s.values[r * waves + k] - plain) / std::sqrt(plain);
      EXPECT_LT(std::abs(moved), 1e-4) << k;
      sum += moved;
      squares += moved * moved;
    }
  }
  const auto count = static_cast<double>(3 * waves);
  EXPECT_GT(count, 10'000);
  EXPECT_LT(std::abs(sum / count), 1e-6);
  EXPECT_NEAR(std::sqrt(squares / count), 1.25e-5, 0.1e-5);
}

// The integers that are summed depend on the configuration only.
TYPED_TEST(DisksCorrelations, HaveTheSameBitsOnAllBackends) {
  for (const Parameters& p : correlated_systems()) {
    const auto here = make_simulation<TypeParam>(p);
    const auto host = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
    here->advance(p.sweeps);
    host->advance(p.sweeps);
    MemoryArchive one, other;
    here->save(one);
    host->save(other);
    EXPECT_EQ(one.values<double>("correlations"), other.values<double>("correlations"));
  }
}

// A triangular lattice of 8 columns and 8 rows, with disks that hardly move: S(q) = N at the reciprocal vectors, and 0
// at all others; all bonds have one orientation.
TYPED_TEST(DisksCorrelations, OfALatticeHaveItsBraggPeaksAndFullOrder) {
  Parameters p = some_disks(64, 0.5);
  p.aspect = 2 / std::sqrt(3.0);
  p.move_radius = least_move_radius;
  p.sweeps = p.sample_every = 1;
  const Point box{box_width(p), box_height(p)};
  std::vector<Point> points;
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      points.push_back({(column + row % 2 / 2.0 + 0.1) * box[0] / 8, (row + 0.1) * box[1] / 8});
  const auto simulation = make_simulation<TypeParam>(p, {points});
  simulation->advance(1);
  const auto functions = simulation->functions();
  const AveragedFunction s = find(functions, "S");
  int reciprocal = 0;
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    const auto number = [&](std::size_t axis) {
      return static_cast<int>(std::lround(s.arguments[axis].values[k] * box[axis] / (2 * std::numbers::pi)));
    };
    const int x = number(0), y = number(1);
    const bool is_reciprocal = x % 8 == 0 && y % 4 == 0 && (x / 8 + y / 4) % 2 == 0;
    reciprocal += is_reciprocal;
    EXPECT_NEAR(s.values[k], is_reciprocal ? 64 : 0, 64e-4) << x << ", " << y;
  }
  EXPECT_GE(reciprocal, 3);
  for (const double g6 : find(functions, "g6").values) EXPECT_TRUE(std::isnan(g6) || std::abs(g6 - 1) < 1e-4) << g6;
  // Neighbours are at one distance, six for each disk.
  const AveragedFunction g = find(functions, "g");
  const double distance = box[0] / 8, density = 64 / (box[0] * box[1]);
  double neighbours = 0;
  for (std::size_t i = 0; i < g.values.size(); ++i) {
    const double r = g.arguments[0].values[i];
    if (r < 1.2 * distance) neighbours += g.values[i] * density * 2 * std::numbers::pi * r / p.g_bins;
  }
  EXPECT_NEAR(neighbours, 6, 1e-9);
  MemoryArchive archive;
  simulation->save(archive);
  make_simulation<TypeParam>(p, {points})->load(archive);  // S(q) of all disks in phase is not refused
}

// In the limit of no density g(r) is exp(-u / k_B T), a step. The next order is the area that the two excluded circles
// share; the next but one, of the order of the density squared, is 1e-3 here.
TEST(PairDistribution, OfDiluteDisksIsAStepFunction) {
  constexpr std::size_t replicas = 400;
  Parameters p = some_disks(200, 0.02);
  p.replicas = replicas;
  p.start = Start::random;  // of so few disks as good as in equilibrium
  p.sweeps = 10;
  p.sample_every = 5;
  p.r_max = 2;
  p.g_bins = 2;
  p.q_max = 0;
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  simulation->advance(p.sweeps);
  const AveragedFunction g = find(simulation->functions(), "g");
  const double density = static_cast<double>(p.particles) / (simulation->box()[0] * simulation->box()[1]);
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> values;
    for (std::size_t r = 0; r < replicas; ++r) values.push_back(g.values[4 * r + i]);
    const auto [value, error] = analysis::mean_of(values);
    double expected = 0, area = 0;  // the mean over the ring
    for (int k = 0; k < 1000; ++k) {
      const double r = 0.5 * (static_cast<double>(i) + (k + 0.5) / 1000);
      const double lens = 2 * std::acos(r / 2) - r / 2 * std::sqrt(4 - r * r);
      expected += r < 1 ? 0 : r * (1 + density * lens) * (1 - 1 / static_cast<double>(p.particles));
      area += r;
    }
    if (i < 2) {
      EXPECT_EQ(value, 0);
    } else {
      EXPECT_NEAR(value, expected / area, 5 * error) << i;  // by chance 1e-6 of all seeds
      EXPECT_LT(error, 0.02);
    }
  }
}

TYPED_TEST(DisksCorrelations, ContinueFromACheckpoint) {
  for (const int replicas : {1, 2}) {
    Parameters p = some_disks(100, 0.6);
    p.replicas = replicas;
    p.sweeps = 150;
    p.sample_every = 1;
    const auto whole = make_simulation<TypeParam>(p), part = make_simulation<TypeParam>(p),
               rest = make_simulation<TypeParam>(p);
    whole->advance(150);
    part->advance(77);
    MemoryArchive archive;
    part->save(archive);
    rest->load(archive);
    rest->advance(150);
    const auto expected = whole->functions(), functions = rest->functions();
    ASSERT_EQ(functions.size(), 3);
    for (std::size_t f = 0; f < 3; ++f) {
      EXPECT_EQ(functions[f].errors.empty(), replicas > 1);
      for (std::size_t i = 0; i < functions[f].values.size(); ++i) {
        if (std::isnan(expected[f].values[i])) continue;  // a ring without a pair
        EXPECT_EQ(functions[f].values[i], expected[f].values[i]);
        if (replicas > 1) continue;
        EXPECT_TRUE(functions[f].errors[i] == expected[f].errors[i] || std::isnan(expected[f].errors[i]));
      }
    }
  }
}

/// With this number of disks a sample takes some tenths of a second on one core.
Parameters with_a_long_sample(std::int64_t particles) {
  Parameters p = some_disks(particles, 0.6);
  p.q_max = 14;
  p.sweeps = p.sample_every = 1;
  return p;
}

/// Stops a run in its sample, if the sample is long enough to be seen, and continues it and its checkpoint.
template <class Make>
double expect_same_sample_after_a_stop(const Parameters& p, const Make& make) {
  const auto whole = make(p), part = make(p), rest = make(p);
  whole->advance(1);
  int looks = 0;
  part->advance(1, [&] { return looks++ == 0; });
  const double stopped = part->time();
  MemoryArchive expected, middle, continued, restarted;
  part->save(middle);
  EXPECT_EQ(disks::find(part->measure(), "samples").values[0], stopped < 1 ? 0 : 1);
  part->advance(1);
  rest->load(middle);
  EXPECT_EQ(rest->time(), stopped);
  rest->advance(1);
  whole->save(expected);
  part->save(continued);
  rest->save(restarted);
  for (const MemoryArchive* const archive : {&continued, &restarted}) {
    EXPECT_FALSE(archive->has("sample_due"));
    for (const char* name : {"correlations", "last_sample"})
      EXPECT_EQ(archive->values<double>(name), expected.values<double>(name));
    EXPECT_EQ(archive->values<std::int64_t>("sweeps"), std::vector<std::int64_t>{1});
  }
  return stopped;
}

TYPED_TEST(DisksCorrelations, OfAnInterruptedSampleAreTheSame) {
  const double stopped = expect_same_sample_after_a_stop(
      with_a_long_sample(6000), [](const Parameters& p) { return make_simulation<TypeParam>(p); });
  EXPECT_TRUE(stopped == 0.5 || stopped == 1);
}

TEST(SequentialCorrelations, OfAnInterruptedSampleAreTheSame) {
  EXPECT_EQ(
      expect_same_sample_after_a_stop(with_a_long_sample(2500), [](const Parameters& p) { return make_sequential(p); }),
      0.5);
}

// Without a clock: a stop before each disk and each wave vector.
TEST(SequentialCorrelations, AreComputedInPartsOfAnySize) {
  Parameters p = some_disks(60, 0.5);
  const auto simulation = make_sequential(p);
  const CorrelationPlan plan(p, simulation->box());
  const auto points = simulation->points()[0];
  PartOfSample whole, parts;
  EXPECT_TRUE(whole.take(points, simulation->box(), plan, [] { return true; }));
  std::size_t stops = 0;
  for (bool goes = true; !parts.take(points, simulation->box(), plan, [&] { return goes = !goes; }); ++stops) {
  }
  EXPECT_EQ(stops, 60 + plan.waves.size());
  EXPECT_EQ(parts.sample, whole.sample);
}

// What a dry run leaves out it estimates, from a part.
TYPED_TEST(DisksCorrelations, AreEstimatedFromAPartOfASample) {
  Parameters p = with_a_long_sample(6000);
  p.sweeps = 1000;
  const auto simulation = make_simulation<TypeParam>(p);
  const double estimate = simulation->leave_out_functions() / 1000;
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const double begin = now();
  simulation->advance(2);
  EXPECT_EQ(simulation->time(), 2);
  EXPECT_TRUE(std::isnan(find(simulation->functions(), "S").values[0]));
  const auto other = make_simulation<TypeParam>(p);
  const double without = now() - begin, start = now();
  other->advance(1);
  const double with = now() - start;
  EXPECT_GT(estimate, 0);
  if (with > 0.2) {  // else too short to be measured
    EXPECT_LT(without, with);
    EXPECT_LT(estimate, 20 * with);
    EXPECT_GT(estimate, with / 20);
  }
}

TYPED_TEST(DisksCorrelations, OfAReplicaEqualThoseOfTheSingleRunWithItsSeed) {
  Parameters p = some_disks(100, 0.6);
  p.replicas = 3;
  p.sample_every = 1;
  const auto all = make_simulation<TypeParam>(p);
  all->advance(p.sweeps);
  p.replicas = 1;
  p.seed += 2;
  const auto single = make_simulation<TypeParam>(p);
  single->advance(p.sweeps);
  for (const AveragedFunction& one : single->functions()) {
    const AveragedFunction of_all = find(all->functions(), one.name);
    for (std::size_t i = 0; i < one.values.size(); ++i)
      EXPECT_TRUE(std::isnan(one.values[i]) || of_all.values[2 * one.values.size() + i] == one.values[i]) << one.name;
  }
}

TEST(Correlations, RefuseImpossibleRanges) {
  Parameters p = some_disks(100, 0.6);
  const auto refused = [&](auto member, auto value) {
    Parameters changed = p;
    changed.*member = value;
    return complaint([&] { validate(changed); });
  };
  EXPECT_THAT(refused(&Parameters::r_max, 5.8), HasSubstr("--r-max 5.8: must lie in [0, 5.72"));
  EXPECT_THAT(refused(&Parameters::r_max, -1.0), HasSubstr("--r-max -1: must lie in [0, "));
  EXPECT_THAT(refused(&Parameters::g_bins, 500), HasSubstr("--g-bins 500: must lie in [1, 409]"));
  EXPECT_THAT(refused(&Parameters::r_max, 0.0), HasSubstr("--g6 true: requires --r-max above 0"));
  EXPECT_THAT(refused(&Parameters::q_max, 1e9), HasSubstr("--q-max 1e+09: must lie in [0, "));
  EXPECT_EQ(refused(&Parameters::r_max, 5.7), "");
}

}  // namespace
}  // namespace tessera::disks
