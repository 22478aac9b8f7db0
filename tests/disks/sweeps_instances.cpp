// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/disks/sweeps_instances.hpp"

#include <span>
#include <tessera/disks/state/shared_configuration.hpp>
#include <tuple>

#include "tests/execution_spaces.hpp"

namespace tessera::disks {
namespace {

template <class Space>
class SweepsOn : public AnySweeps {
 public:
  SweepsOn(const Parameters& p, const Geometry& g, const Configuration& start, SweepShape shape,
           const parallel::Distribution& distribution)
      : geometry_(g),
        distribution_(distribution),
        sweeps_(space_, p, distribution.is_serial() ? g : part_of(g, distribution), shape, distribution) {
    put_configuration(space_, distribution.is_serial() ? start : scatter_configuration(start, g, distribution),
                      sweeps_.state());
    sweeps_.exchange_ghosts();
  }

  void run(std::int64_t first, int count) override { sweeps_.run(first, count); }
  Configuration configuration() const override {
    Configuration c = configuration_of(space_, sweeps_.state());
    if (distribution_.is_serial()) return c;
    distribution_.ranks.sum(std::span(c.moves));
    return gather_configuration(c, geometry_, distribution_);
  }
  Census census() const override { return take_census(space_, sweeps_.state().cells, distribution_.ranks); }

 private:
  Geometry geometry_;
  parallel::Distribution distribution_;
  Space space_;
  Sweeps<Space> sweeps_;
};

}  // namespace

template <class Space>
std::unique_ptr<AnySweeps> make_sweeps(const Parameters& p, const Geometry& g, const Configuration& start,
                                       SweepShape shape, const parallel::Distribution& distribution) {
  return std::make_unique<SweepsOn<Space>>(p, g, start, shape, distribution);
}

/// Its explicit instantiation defines make_sweeps() for a tuple of execution spaces.
template <class Spaces>
struct SweepsOnSpaces;
template <class... Spaces>
struct SweepsOnSpaces<std::tuple<Spaces...>> {
  static constexpr std::tuple all{&make_sweeps<Spaces>...};
};
template struct SweepsOnSpaces<testing::TupleOfSpaces>;

}  // namespace tessera::disks
