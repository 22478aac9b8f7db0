// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/choose_transport.hpp"

#include <algorithm>
#include <tessera/core/error.hpp>
#include <tessera/parallel/world.hpp>

namespace tessera::program {

parallel::Transport choose_transport(const std::optional<parallel::Transport>& asked,
                                     const std::vector<parallel::Transport>& present,
                                     const std::string& shared_device) {
  const auto connects = [&](parallel::Transport one) {
    return one != parallel::Transport::nccl || shared_device.empty();
  };
  if (!asked) return *std::ranges::find_if(present, connects);
  const std::string option = "--transport " + parallel::transport_name(*asked) + ": ";
  if (std::ranges::find(present, *asked) == present.end()) {
    std::string names;
    for (const auto transport : present) names += (names.empty() ? "" : ", ") + parallel::transport_name(transport);
    throw InputError(option + "is not available with this build and MPI; valid values are " + names);
  }
  if (!connects(*asked)) throw InputError(option + "cannot connect ranks that share the device " + shared_device);
  return *asked;
}

}  // namespace tessera::program
