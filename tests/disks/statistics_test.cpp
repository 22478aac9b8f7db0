// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <tessera/disks/impl/metropolis.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <vector>

namespace tessera::disks {
namespace {

constexpr int replicas = 200, interval = 20;

/// The sum of uniform numbers, of mean 0 and variance 1.
double noise(Xoshiro& random) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += random.uniform();
  return sum;
}

/// A part of psi6 with exponentially decaying correlations: x' = a x + noise, of this variance.
struct Part {
  double a, variance;

  /// Integrated autocorrelation time, in samples.
  double time() const { return (1 + a) / (1 - a) / 2; }
  double first(Xoshiro& random) const { return std::sqrt(variance) * noise(random); }
  double next(double x, Xoshiro& random) const { return a * x + std::sqrt((1 - a * a) * variance) * noise(random); }
};

/// `psi6_time` of each replica after so many samples of a psi6 that is a sum of the parts.
std::vector<double> psi6_times(const std::vector<Part>& parts, int samples) {
  Parameters p;
  p.particles = 100;
  p.replicas = replicas;
  p.sample_every = interval;
  p.pressure_fit = PressureFit::paper;
  Statistics statistics(p, 0.8);
  Sample sample{std::vector<std::uint64_t>(PairBins::count), 0, 0};
  for (std::size_t r = 0; r < replicas; ++r) {
    Xoshiro random(1000 + r);
    std::vector<double> re, im;
    for (const Part& part : parts) {
      re.push_back(part.first(random));
      im.push_back(part.first(random));
    }
    for (int i = 1; i <= samples; ++i) {
      sample.psi6_re = sample.psi6_im = 0;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        sample.psi6_re += re[k] = parts[k].next(re[k], random);
        sample.psi6_im += im[k] = parts[k].next(im[k], random);
      }
      statistics.add(r, i * interval, sample);
    }
  }
  return statistics.measure()[3].values;
}

struct Known {
  int all = 0, wrong = 0;  ///< times that are numbers; of these by more than a factor of two from the true one
};

Known known(const std::vector<double>& times, double samples) {
  Known k;
  for (const double time : times) {
    if (std::isnan(time)) continue;
    ++k.all;
    const double ratio = time / (samples * interval);
    if (ratio < 0.5 || ratio > 2) ++k.wrong;
  }
  return k;
}

// A time comes from blocks of a 32nd to a 64th of the run. One that is longer than these would come out far too short.
TEST(Psi6Time, IsRightWithinAFactorOfTwoOrNotKnown) {
  const Part part{0.9, 1};
  for (const int run : {5, 10, 30, 50, 70, 85, 100, 125, 150, 200, 300, 450, 1000}) {  // autocorrelation times
    const Known k = known(psi6_times({part}, static_cast<int>(run * part.time())), part.time());
    EXPECT_LE(k.wrong, replicas / 20) << run;
    EXPECT_LE(k.all, run <= 50 ? 0 : replicas) << run;
    EXPECT_GE(k.all, run >= 450 ? replicas * 9 / 10 : 0) << run;
  }
}

TEST(Psi6Time, OfIndependentSamplesIsHalfTheirInterval) {
  for (const int samples : {64, 100, 128, 1000, 4000}) {
    const Known k = known(psi6_times({{0, 1}}, samples), 0.5);
    EXPECT_GE(k.all, replicas * 19 / 20) << samples;
    EXPECT_LE(k.wrong, replicas / 20) << samples;
  }
  for (const double time : psi6_times({{0, 1}}, 63)) EXPECT_TRUE(std::isnan(time));
}

// The order fluctuates fast, and turns so slowly that a run sees a little of that: the time from all blocks is far
// below half a block, and far too short.
TEST(Psi6Time, IsNotKnownWhereASmallPartOfTheOrderIsSlow) {
  const Part fast{0.7, 0.9}, slow{0.999, 0.1};
  for (const double length : {10, 30}) {  // of the slow part's times
    const Known k = known(psi6_times({fast, slow}, static_cast<int>(length * slow.time())),
                          fast.variance * fast.time() + slow.variance * slow.time());
    EXPECT_LE(k.wrong, replicas / 5) << length;
  }
}

TEST(Pressure, HasNoErrorBeforeAPairIsCounted) {
  for (const PressureFit fit : {PressureFit::automatic, PressureFit::paper}) {
    Parameters p;
    p.particles = 2;
    p.pressure_fit = fit;
    Statistics statistics(p, 0.1);
    for (int i = 1; i <= 100; ++i)
      statistics.add(0, i, {std::vector<std::uint64_t>(PairBins::count), i % 2 == 0 ? 1.0 : -1.0, 0});
    for (const Observable& observable : statistics.measure()) {
      if (observable.errors.empty()) continue;
      EXPECT_FALSE(std::isnan(observable.values[0])) << observable.name;
      EXPECT_TRUE(std::isnan(observable.errors[0])) << observable.name;
    }
  }
}

}  // namespace
}  // namespace tessera::disks
