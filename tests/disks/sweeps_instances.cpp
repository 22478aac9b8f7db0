// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/disks/sweeps_instances.hpp"

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

#if defined(KOKKOS_ENABLE_SERIAL)
template std::unique_ptr<AnySweeps> make_sweeps<Kokkos::Serial>(const Parameters&, const Geometry&,
                                                                const Configuration&, SweepShape);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
template std::unique_ptr<AnySweeps> make_sweeps<Kokkos::OpenMP>(const Parameters&, const Geometry&,
                                                                const Configuration&, SweepShape);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
template std::unique_ptr<AnySweeps> make_sweeps<Kokkos::Cuda>(const Parameters&, const Geometry&, const Configuration&,
                                                              SweepShape);
#endif

}  // namespace tessera::disks
