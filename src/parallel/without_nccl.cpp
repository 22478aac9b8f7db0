// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <stdexcept>

#include "parallel/nccl.hpp"

namespace tessera::parallel {

bool have_nccl() { return false; }

std::unique_ptr<Nccl> make_nccl(const Communicator&) { throw std::logic_error("this build has no NCCL"); }

}  // namespace tessera::parallel
