// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/models.hpp>

#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/kmc/triangular_ising.hpp"

namespace tessera::kmc {

template <Model M>
Snapshot<M> sequential(const Parameters& p, const M& model, double until) {
  WaitingTimeSimulation<M> simulation(p, model);
  simulation.advance(until);
  return snapshot<M>(simulation);
}
template Snapshot<SolidOnSolid> sequential(const Parameters&, const SolidOnSolid&, double);
template Snapshot<Ising> sequential(const Parameters&, const Ising&, double);
template Snapshot<Potts> sequential(const Parameters&, const Potts&, double);
template Snapshot<Hopping> sequential(const Parameters&, const Hopping&, double);
template Snapshot<Kawasaki> sequential(const Parameters&, const Kawasaki&, double);
template Snapshot<Epitaxy> sequential(const Parameters&, const Epitaxy&, double);
template Snapshot<Octahedron> sequential(const Parameters&, const Octahedron&, double);
template Snapshot<Contact> sequential(const Parameters&, const Contact&, double);
template Snapshot<Crowd> sequential(const Parameters&, const Crowd&, double);
template Snapshot<Distant<3, 1>> sequential(const Parameters&, const Distant<3, 1>&, double);
template Snapshot<Distant<4, 2>> sequential(const Parameters&, const Distant<4, 2>&, double);
template Snapshot<Species> sequential(const Parameters&, const Species&, double);
template Snapshot<Adsorption> sequential(const Parameters&, const Adsorption&, double);
template Snapshot<Programmed> sequential(const Parameters&, const Programmed&, double);
template Snapshot<Repulsion> sequential(const Parameters&, const Repulsion&, double);
template Snapshot<Sandpile> sequential(const Parameters&, const Sandpile&, double);
template Snapshot<TriangularGas> sequential(const Parameters&, const TriangularGas&, double);
template Snapshot<::TriangularIsing> sequential(const Parameters&, const ::TriangularIsing&, double);

}  // namespace tessera::kmc
