// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>

namespace tessera {

/// Launch policy that passes a functor of up to 4 KiB as a kernel argument. Otherwise Kokkos (4.6 to 5.0) copies
/// functors of 512 bytes or more to one buffer in constant memory, and the host waits until the previous kernel has
/// read it.
template <class Policy>
auto functor_as_argument(const Policy& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

}  // namespace tessera
