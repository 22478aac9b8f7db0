// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/disks/sweeps_instances.hpp"

#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tuple>

namespace tessera::disks {
namespace {

template <class Space>
class SweepsOn : public AnySweeps {
 public:
  SweepsOn(const Parameters& p, const Geometry& g, const Configuration& start, SweepShape shape)
      : sweeps_(space_, started(g, start, shape.arrangement),
                {p.moves_per_cell, static_cast<float>(p.move_radius), p.shuffle_particles}, p.shuffle_checkerboard,
                p.seed, shape) {}

  void run(std::int64_t first, int count) override { sweeps_.run(first, count); }
  Configuration configuration() const override { return configuration_of(space_, sweeps_.state()); }
  Census census() const override { return take_census(space_, sweeps_.state().cells); }

 private:
  using State = disks::State<typename Space::memory_space>;

  State started(const Geometry& g, const Configuration& start, Arrangement arrangement) const {
    const State state(g, arrangement);
    put_configuration(space_, start, state);
    return state;
  }

  Space space_;
  Sweeps<Space> sweeps_;
};

}  // namespace

template <class Space>
std::unique_ptr<AnySweeps> make_sweeps(const Parameters& p, const Geometry& g, const Configuration& start,
                                       SweepShape shape) {
  return std::make_unique<SweepsOn<Space>>(p, g, start, shape);
}

/// Its explicit instantiation defines make_sweeps() for a tuple of execution spaces.
template <class Spaces>
struct SweepsOnSpaces;
template <class... Spaces>
struct SweepsOnSpaces<std::tuple<Spaces...>> {
  static constexpr std::tuple all{&make_sweeps<Spaces>...};
};
template struct SweepsOnSpaces<ExecutionSpaces>;

}  // namespace tessera::disks
