// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <memory>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/simulation.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#include "processes/table_model.hpp"

namespace tessera::kmc {

#if defined(TESSERA_MODELS)
/// The models of a standalone program; those of model files are in tessera_simulations.
using CompiledModels = Models::Types;
#else
/// The models of Tessera, and the models of tables from model files.
using CompiledModels = decltype(std::tuple_cat(
    std::declval<Models::Types>(),
    std::declval<std::tuple<processes::TableModel, processes::ChangingTableModel, processes::FarTableModel,
                            processes::ListedTableModel, processes::GroupModel, processes::FarGroupModel>>()));
#endif

template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model,
                                                   const parallel::Communicator& ranks,
                                                   const std::optional<parallel::GridShape>& grid) {
  return std::make_unique<Simulation<Space, M>>(Space(), parameters, model, ranks, grid);
}

/// Every `Parts`-th of the models, from number `Part` on: a file of instantiations is compiled in several parts,
/// because models take long to compile, especially for GPUs.
template <std::size_t Part, std::size_t Parts, class Models, std::size_t... i>
auto models_of_part(std::index_sequence<i...>) -> decltype(std::tuple_cat(
    std::declval<
        std::conditional_t<i % Parts == Part, std::tuple<std::tuple_element_t<i, Models>>, std::tuple<>>>()...));
template <std::size_t Part, std::size_t Parts, class Models>
using PartOf = decltype(models_of_part<Part, Parts, Models>(std::make_index_sequence<std::tuple_size_v<Models>>()));

/// Explicit instantiation defines make_tile_method() for tuples of execution spaces and of models.
template <class Spaces, class Models>
struct TileMethods;
template <class... Spaces, class Models>
struct TileMethods<std::tuple<Spaces...>, Models> {
  template <class Space, class... M>
  static constexpr auto on(std::tuple<M...>*) {
    return std::tuple(&make_tile_method<Space, M>...);
  }
  static constexpr std::tuple all{on<Spaces>(static_cast<Models*>(nullptr))...};
};

}  // namespace tessera::kmc
