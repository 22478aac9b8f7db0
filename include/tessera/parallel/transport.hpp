// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::parallel {

/// The way of data from the memory of one rank's device to that of another one's. No result depends on it.
enum class Transport {
  staged,  ///< by way of host memory and MPI: always there
  mpi,     ///< MPI that takes pointers to device memory
  nccl,    ///< NVIDIA's library, in the order of a stream
};

}  // namespace tessera::parallel
