// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

/// Defined where code for a GPU is compiled. __CUDA_ARCH__ alone stands where NVIDIA's instructions do.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_ON_GPU
#endif
