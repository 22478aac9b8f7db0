// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::parallel {

/// How data move between the memory of GPUs. Results do not depend on it.
enum class Transport {
  staged,  ///< through host memory and MPI: always available
  mpi,     ///< MPI with support for device pointers
  nccl,    ///< NVIDIA's NCCL, in the order of a stream
};

}  // namespace tessera::parallel
