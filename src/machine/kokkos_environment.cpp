// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/backend.hpp"

#include <dlfcn.h>

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <tessera/core/error.hpp>

#include "options/shown_text.hpp"
#include "options/value_text.hpp"

namespace tessera::program {
namespace {

[[noreturn]] void refuse(const char* variable, const std::string& what) {
  throw InputError("environment variable " + std::string(variable) + "=" + quoted_word(std::getenv(variable)) + ": " +
                   what);
}

/// Value of the variable in lower case; "" if it is not set.
std::string lower_case(const char* variable) {
  const char* value = std::getenv(variable);
  std::string text = value == nullptr ? "" : value;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void check_number(const char* variable, int least) {
  if (std::getenv(variable) == nullptr) return;
  int number = 0;
  try {
    read_value(std::getenv(variable), number);
  } catch (const InputError& error) {
    refuse(variable, error.what());
  }
  if (number < least) refuse(variable, "must be at least " + std::to_string(least));
}

void check_switch(const char* variable) {
  if (std::getenv(variable) == nullptr) return;
  constexpr std::array<std::string_view, 6> words{"yes", "true", "1", "no", "false", "0"};
  if (std::ranges::find(words, lower_case(variable)) == words.end()) refuse(variable, "must be yes or no");
}

/// Checks the first library in the list, which is the one that Kokkos loads.
void check_tool([[maybe_unused]] const char* variable) {
#if defined(KOKKOS_ENABLE_LIBDL)
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  const std::string list = value, library = list.substr(0, list.find(';'));
  if (library.empty()) return;
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse(variable, dlerror());
  constexpr std::array functions{
      "init_library",        "finalize_library", "begin_parallel_for", "begin_parallel_reduce",
      "push_profile_region", "profile_event",    "allocate_data",      "begin_fence",
      "declare_metadata",    "parse_args",       "declare_input_type"};
  if (std::ranges::none_of(
          functions, [&](const std::string& name) { return dlsym(handle, ("kokkosp_" + name).c_str()) != nullptr; }))
    refuse(variable, "is not a Kokkos tool");
#endif
}

}  // namespace

void check_kokkos_environment() {
  check_number("KOKKOS_NUM_THREADS", 1);
  check_number("KOKKOS_DEVICE_ID", 0);
  for (const char* variable : {"KOKKOS_DISABLE_WARNINGS", "KOKKOS_PRINT_CONFIGURATION", "KOKKOS_TUNE_INTERNALS"})
    check_switch(variable);
  const char* map = std::getenv("KOKKOS_MAP_DEVICE_ID_BY");
  if (map != nullptr && std::string_view(map) != "random" && std::string_view(map) != "mpi_rank")
    refuse("KOKKOS_MAP_DEVICE_ID_BY", "must be random or mpi_rank");
#if defined(KOKKOS_ENABLE_CUDA)
  if (std::getenv("KOKKOS_VISIBLE_DEVICES") != nullptr)
    refuse("KOKKOS_VISIBLE_DEVICES",
           "is not supported; use CUDA_VISIBLE_DEVICES to limit the devices and --device to choose one");
#endif
  const char *old = std::getenv("KOKKOS_PROFILE_LIBRARY"), *tools = std::getenv("KOKKOS_TOOLS_LIBS");
  if (old != nullptr && tools != nullptr && std::string_view(old) != tools)
    refuse("KOKKOS_PROFILE_LIBRARY", "differs from KOKKOS_TOOLS_LIBS, which replaces it");
  check_tool(tools != nullptr ? "KOKKOS_TOOLS_LIBS" : "KOKKOS_PROFILE_LIBRARY");
}

}  // namespace tessera::program
