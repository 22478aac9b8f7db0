// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/check.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/disks/steps/sweeps.hpp>

namespace tessera::disks {

/// Sweeps on an execution space, compiled once for all tests (sweeps_instances.cpp). Where ranks share them out, the
/// configuration is that of the whole at rank 0, and an empty one elsewhere. One process has the grid as it is given,
/// also a part that wraps within itself.
class AnySweeps {
 public:
  virtual ~AnySweeps() = default;
  virtual void run(std::int64_t first, int count) = 0;
  virtual Configuration configuration() const = 0;
  virtual Census census() const = 0;
};

template <class Space>
std::unique_ptr<AnySweeps> make_sweeps(const Parameters& p, const Geometry& g, const Configuration& start,
                                       SweepShape shape = default_sweep_shape<Space>,
                                       const parallel::Distribution& distribution = {});

}  // namespace tessera::disks
