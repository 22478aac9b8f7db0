// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tessera/core/error.hpp>
#include <tessera/kmc/model.hpp>
#include <tuple>
#include <utility>
#include <vector>

/// Lists of models from which the user of a program chooses. A simulation of a given model does not need a list.
namespace tessera::kmc {

/// Entry of a list: members that a listed model has in addition to those of the Model concept. A parameter of several
/// models is one option; its entries must be equal.
struct ModelEntry {
  std::string_view name, title;                ///< value of the option --model, and name in messages and plots
  std::span<const ModelParameter> parameters;  ///< arguments of its constructor in order; empty if the model has none

  /// Whether the model has a parameter of this name.
  constexpr bool takes(std::string_view parameter) const {
    return std::ranges::any_of(parameters, [&](const ModelParameter& p) { return parameter == p.name; });
  }
};

namespace detail {

template <Model M>
constexpr ModelEntry entry_of() {
  ModelEntry entry{M::name, M::title, {}};
  if constexpr (requires { M::parameters; }) entry.parameters = M::parameters;
  return entry;
}

constexpr bool same(const ModelParameter& a, const ModelParameter& b) {
  const std::string_view a_name = a.name, a_argument = a.argument, a_help = a.help, a_symbol = a.symbol;
  return a_name == b.name && a_argument == b.argument && a_help == b.help && a_symbol == b.symbol &&
         a.initial == b.initial && a.least == b.least && a.most == b.most && a.of_start == b.of_start;
}

/// Whether model names are distinct, and parameters of the same name are equal.
template <std::size_t Count>
constexpr bool consistent(const std::array<ModelEntry, Count>& models) {
  for (std::size_t i = 0; i < Count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (models[i].name == models[j].name) return false;
      for (const ModelParameter& a : models[i].parameters)
        for (const ModelParameter& b : models[j].parameters)
          if (std::string_view(a.name) == b.name && !same(a, b)) return false;
    }
  return true;
}

template <Model... M>
inline constexpr std::array<ModelEntry, sizeof...(M)> entries{entry_of<M>()...};

/// The parameters of the models, each once.
inline std::vector<ModelParameter> distinct_parameters(std::span<const ModelEntry> models) {
  std::vector<ModelParameter> all;
  for (const ModelEntry& model : models)
    for (const ModelParameter& one : model.parameters)
      if (!ModelEntry{{}, {}, all}.takes(one.name)) all.push_back(one);
  return all;
}

}  // namespace detail

/// A list of the models M. The first one is the default.
template <Model... M>
struct ModelList {
  using Types = std::tuple<M...>;                                                               ///< the models
  static constexpr const std::array<ModelEntry, sizeof...(M)>& models = detail::entries<M...>;  ///< their entries
  /// Parameters of all models, each once.
  static const std::vector<ModelParameter>& parameters() {
    static const std::vector<ModelParameter> all = detail::distinct_parameters(detail::entries<M...>);
    return all;
  }

  static_assert(detail::consistent(detail::entries<M...>), "models share a name, or disagree on a parameter");
};

/// A model of a list, and values of the parameters of all its models.
template <class List>
struct ChoiceFrom {
  std::size_t index = 0;       ///< index of the model in List::models
  std::vector<double> values;  ///< by index in List::parameters()

  ChoiceFrom() {
    for (const ModelParameter& one : List::parameters()) values.push_back(one.initial);
  }

  /// Throws InputError if the list has no model of this name.
  explicit ChoiceFrom(std::string_view name) : ChoiceFrom() {
    while (index < List::models.size() && List::models[index].name != name) ++index;
    if (index == List::models.size()) throw InputError("there is no model '" + std::string(name) + "'");
  }

  const ModelEntry& model() const { return List::models[index]; }  ///< entry of the chosen model

  /// Throws InputError if a parameter of any model is out of its bounds.
  void check() const {
    for (const ModelParameter& one : List::parameters())
      if (const double value = (*this)[one.name]; !(value >= one.least && value <= one.most))
        refuse(one.name, value, "must lie in [", one.least, ", ", one.most, "]");
  }

  /// Value of a parameter. Throws InputError if no model of the list has a parameter of this name.
  double& operator[](std::string_view parameter) { return values[index_of(parameter)]; }
  double operator[](std::string_view parameter) const { return values[index_of(parameter)]; }  ///< the same

 private:
  static std::size_t index_of(std::string_view parameter) {
    for (std::size_t i = 0; i < List::parameters().size(); ++i)
      if (List::parameters()[i].name == parameter) return i;
    throw InputError("no model has a parameter '" + std::string(parameter) + "'");
  }
};

/// A model of type M with the chosen values of its parameters.
template <Model M, class List>
M make_model(const ChoiceFrom<List>& choice) {
  constexpr std::size_t count = detail::entry_of<M>().parameters.size();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return M(choice[detail::entry_of<M>().parameters[I].name]...);
  }
  (std::make_index_sequence<count>());
}

/// Calls use(model) with the chosen model, and returns the result, whose type must not depend on the model.
template <class List, class Use, std::size_t I = 0>
auto visit_model(const ChoiceFrom<List>& choice, const Use& use) {
  if constexpr (I + 1 < List::models.size())
    if (choice.index != I) return visit_model<List, Use, I + 1>(choice, use);
  return use(make_model<std::tuple_element_t<I, typename List::Types>>(choice));
}

}  // namespace tessera::kmc
