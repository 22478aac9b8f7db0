# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors

# tessera_add_program(<name> <header> <class>...)
#
# A standalone program: `tessera` with user-defined models of kmc in place of the built-in ones. The executable <name> has
# `--model` and options of the classes that the header defines (docs/writing_a_model.md). With an installed Tessera, use
# find_package(tessera REQUIRED COMPONENTS program), which sets tessera_SOURCE_DIR to the installed sources.
function(tessera_add_program name header)
  set(CMAKE_UNITY_BUILD OFF)
  get_filename_component(header "${header}" ABSOLUTE)
  list(JOIN ARGN ", " classes)
  set(models "${CMAKE_CURRENT_BINARY_DIR}/${name}_models.hpp")
  file(
    CONFIGURE
    OUTPUT "${models}"
    CONTENT "#pragma once

#include <tessera/kmc/model_list.hpp>

#include \"@header@\"

namespace tessera::kmc {
using Models = ModelList<@classes@>;
}
"
    @ONLY
  )
  set(source "${tessera_SOURCE_DIR}/src")
  # Files that depend on the models are compiled again; all others are in the libraries of the program.
  add_executable(
    ${name} "${source}/main.cpp" "${source}/methods/kmc.cpp" "${source}/simulations/kmc_sequential.cpp"
  )
  target_compile_definitions(${name} PRIVATE "TESSERA_MODELS=\"${models}\"")
  target_link_libraries(${name} PRIVATE tessera::program_methods)
  set(targets ${name})
  get_target_property(spaces tessera::simulations TESSERA_SPACES)
  foreach(space IN LISTS spaces)
    add_library(${name}_${space} OBJECT "${source}/simulations/kmc_parallel.cpp")
    target_compile_definitions(
      ${name}_${space} PRIVATE "TESSERA_MODELS=\"${models}\"" TESSERA_EXECUTION_SPACE=Kokkos::${space} TESSERA_PART=0
                               TESSERA_PARTS=1
    )
    target_include_directories(${name}_${space} PRIVATE "${source}")
    target_link_libraries(${name}_${space} PRIVATE tessera::tessera)
    list(APPEND targets ${name}_${space})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_${space}>)
  endforeach()
  if(COMMAND tessera_warnings)
    foreach(target IN LISTS targets)
      tessera_warnings(${target})
    endforeach()
  endif()
endfunction()
