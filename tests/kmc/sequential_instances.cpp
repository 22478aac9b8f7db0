// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#define TESSERA_INSTANTIATE
#include "tests/kmc/sequential_instances.hpp"
