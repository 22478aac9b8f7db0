// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>

namespace tessera {

/// The policy of a launch that hands its functor, of up to 4 KiB, to a GPU as a kernel's argument. Without it Kokkos
/// (4.6 to 5.0) puts functors of 512 bytes and more into constant memory, of which there is one, and lets the host wait
/// until the kernel before has read it.
template <class Policy>
auto functor_as_argument(const Policy& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

}  // namespace tessera
