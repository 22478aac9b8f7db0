// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/space/lattices.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/parallel/distribution.hpp>
#include <tessera/simulation/simulation_interface.hpp>

#include "processes/tables.hpp"

/// Simulations of the models in three dimensions, without their types.
namespace tessera::kmc::space {

/// A model and its lattice.
struct Choice {
  std::string model;           ///< ising, potts or hopping
  std::string lattice = "sc";  ///< sc, bcc or fcc
  int states = 3;              ///< of potts
  double coupling = 0;         ///< of ising and potts
  double order = 1;            ///< magnetisation or order at time 0
  double attraction = 0;       ///< of hopping
  double coverage = 0.5;       ///< likewise

  /// The result of use(model) for a model on lattice L.
  template <class L, class Use>
  auto visit_on(const Use& use) const {
    if (model == "ising") return use(Ising<L>(coupling, order));
    if (model == "potts") return use(Potts<L>(coupling, states, order));
    return use(Hopping<L>(attraction, coverage));
  }
  template <class Use>
  auto visit(const Use& use) const {
    if (lattice == "bcc") return visit_on<BodyCentredCubic>(use);
    if (lattice == "fcc") return visit_on<FaceCentredCubic>(use);
    return visit_on<SimpleCubic>(use);
  }
  /// Sites of the array along x, y and z of a cubic cell.
  std::array<int, 3> sites_of_cell() const {
    return visit([]<class M>(const M&) { return M::Lattice::sites_of_cell; });
  }
};

/// The planes of an array with these sides, in pairs, divided among ranks.
inline parallel::Distribution distribute(const Parameters& p, const parallel::Communicator& ranks,
                                         const std::optional<parallel::GridShape>& grid) {
  return {ranks,
          {.nx = 1,
           .ny = p.nz / 2,
           .least = 12,
           .unit = "pairs of planes",
           .whole = "lattice",
           .advice = " or a larger --size along z"},
          grid};
}

/// By tiles, on an execution space and a lattice; in `p` the sides are those of the array of sites, whose planes are
/// distributed among ranks in pairs (distribute()). Defined for all built spaces.
template <class Space, class L>
std::unique_ptr<SimulationInterface> make_tiles_on(const Choice& choice, const Parameters& p,
                                                   const parallel::Distribution& distribution);
/// The same on the chosen lattice.
template <class Space>
std::unique_ptr<SimulationInterface> make_tiles(const Choice& choice, const Parameters& p,
                                                const parallel::Distribution& distribution = {}) {
  if (choice.lattice == "bcc") return make_tiles_on<Space, BodyCentredCubic>(choice, p, distribution);
  if (choice.lattice == "fcc") return make_tiles_on<Space, FaceCentredCubic>(choice, p, distribution);
  return make_tiles_on<Space, SimpleCubic>(choice, p, distribution);
}
/// The same for a model from a file whose has_tiles() is true.
template <class Space>
std::unique_ptr<SimulationInterface> make_tiles(const processes::Tables& tables, const Parameters& p,
                                                const parallel::Distribution& distribution = {});
/// One event after the other, by Parameters::method.
std::unique_ptr<SimulationInterface> make_sequential(const Choice& choice, const Parameters& p);
/// The same for a model from a file.
std::unique_ptr<SimulationInterface> make_sequential(const processes::Tables& tables, const Parameters& p);
/// Bytes of a site where the method runs, without kept sums.
constexpr std::size_t bytes_of_site(Method method) {
  return method == Method::bkl ? 11 : method == Method::waiting_time ? 57 : 13;
}
/// Largest number of ghost planes at either end of a rank's (Box::slab).
inline constexpr int most_ghosts = 12;
/// Smallest side of the array for tiles on any backend.
inline constexpr int least_side_for_tiles = 32;
/// Largest sum of ReachInSpace::reads and ::concerns of a model from a file for tiles.
inline constexpr int largest_reach_for_tiles = 8;

}  // namespace tessera::kmc::space
