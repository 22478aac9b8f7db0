// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "simulations/kmc_simulation.hpp"

namespace tessera::kmc {

/// This file is compiled in several parts, each with every TESSERA_PARTS-th model of the list, because models take long
/// to compile, especially for GPUs.
template <std::size_t... i>
auto models_of_part(std::index_sequence<i...>) -> decltype(std::tuple_cat(
    std::declval<std::conditional_t<i % TESSERA_PARTS == TESSERA_PART,
                                    std::tuple<std::tuple_element_t<i, ModelsAndTables>>, std::tuple<>>>()...));
using ModelsOfPart = decltype(models_of_part(std::make_index_sequence<std::tuple_size_v<ModelsAndTables>>()));

template struct TileMethods<std::tuple<TESSERA_EXECUTION_SPACE>, ModelsOfPart>;

}  // namespace tessera::kmc
