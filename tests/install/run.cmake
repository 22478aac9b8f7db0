# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Installs BUILD, moves the installation, then configures USER_PROGRAM against it, builds its PROGRAMS and runs them.
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit status ${status}: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIGURATION}" --prefix "${WORK}/installed")
file(RENAME "${WORK}/installed" "${WORK}/moved")

file(GLOB_RECURSE package_files "${WORK}/moved/*.cmake")
foreach(file IN LISTS package_files)
  file(READ "${file}" text)
  string(FIND "${text}" "${BUILD}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${file} names the build folder")
  endif()
endforeach()

# Optimised as the user's project says, then not at all: to compile takes longer than to run.
set(quickly "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${USER_PROGRAM}" -B "${WORK}/build"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}" "-Dtessera_ROOT=${WORK}/moved"
    "-DKokkos_DIR=${KOKKOS}" "-DKokkosKernels_DIR=${KOKKOS_KERNELS}" "-DHDF5_ROOT=${HDF5}"
    "-DHDF5_USE_STATIC_LIBRARIES=${HDF5_STATIC}" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"
    "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=$<1:${WORK}/programs>" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
)
if(NOT GENERATOR MATCHES "Multi-Config")
  file(READ "${WORK}/build/compile_commands.json" commands)
  if(NOT commands MATCHES " -O[23] ")
    message(FATAL_ERROR "the user's program is built without optimisation:\n${commands}")
  endif()
endif()
set(together "-DCMAKE_PROJECT_lattice_gas_INCLUDE=${CMAKE_CURRENT_LIST_DIR}/user_programs.cmake")
if(NVCC)  # which takes one level of optimisation, and precompiles no headers
  unset(together)
endif()
run("${CMAKE_COMMAND}" "${quickly}" ${together} "${WORK}/build")
run("${CMAKE_COMMAND}" --build "${WORK}/build" --config "${CONFIGURATION}" --parallel 2 --target ${PROGRAMS})
file(READ "${USER_PROGRAM}/../../../docs/library.md" text)
file(READ "${USER_PROGRAM}/../../../docs/parallel.md" of_ranks)
string(APPEND text "${of_ranks}")
foreach(program IN LISTS PROGRAMS)
  run("${CMAKE_COMMAND}" -E chdir "${WORK}" "${WORK}/programs/${program}")
  message(STATUS "${output}")
  # The same on every machine.
  string(FIND "${text}" "<!-- output of ${program} -->\n```text\n${output}```" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "docs/library.md and docs/parallel.md have not the output of ${program}")
  endif()
endforeach()
if("lattice_gas" IN_LIST PROGRAMS AND NOT EXISTS "${WORK}/lattice_gas.h5")
  message(FATAL_ERROR "lattice_gas.h5 has not been written")
endif()

if(PROGRAM)
  # A standalone program with a user-defined model, by what is installed.
  unset(ENV{TESSERA})
  run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${OWN_PROGRAM}" -B "${WORK}/own"
      "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}" "-Dtessera_ROOT=${WORK}/moved"
      "-DKokkos_DIR=${KOKKOS}" "-DKokkosKernels_DIR=${KOKKOS_KERNELS}" "-DHDF5_ROOT=${HDF5}"
      "-DHDF5_USE_STATIC_LIBRARIES=${HDF5_STATIC}" "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=$<1:${WORK}/programs>/own" "${quickly}"
  )
  run("${CMAKE_COMMAND}" --build "${WORK}/own" --config "${CONFIGURATION}" --parallel 2)
  run("${WORK}/programs/own/lattice_gas" kmc --size 64 --until-time 1 --attraction 0.5 --output "${WORK}/own.h5")
  foreach(file IN ITEMS "man/man1/tessera.1" "bash-completion/completions/tessera" "zsh/site-functions/_tessera"
                        "modulefiles/tessera/${VERSION}"
  )
    if(NOT EXISTS "${WORK}/moved/share/${file}")
      message(FATAL_ERROR "share/${file} has not been installed")
    endif()
  endforeach()
  run("${WORK}/moved/${PROGRAM}" --version)
  string(FIND "${output}" "${VERSION}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "the installed program does not tell its version ${VERSION}: ${output}")
  endif()
  # Python finds the package where the module file says that it is.
  file(STRINGS "${WORK}/moved/share/modulefiles/tessera/${VERSION}" line REGEX PYTHONPATH)
  string(REGEX REPLACE ".*prefix (.*)\\]" "${WORK}/moved/\\1" place "${line}")
  find_program(python3 python3)
  if(python3)
    run("${CMAKE_COMMAND}" -E env "PYTHONPATH=${place}" "${python3}" -c "print(*map(vars(__import__('tessera_io')).get, ('__file__', '__version__')))")
    if(NOT output MATCHES "^${WORK}/moved/.* ${VERSION}\n")
      message(FATAL_ERROR "Python does not find the installed package in ${place}: ${output}")
    endif()
  endif()
  # A sweep has the Python package that is installed, not that of the sources.
  file(APPEND "${WORK}/moved/share/tessera/python/tessera_io/sweeps/__init__.py" "print('the installed package')\n")
  if(python3)
    run("${CMAKE_COMMAND}" -E chdir "${WORK}" "${WORK}/moved/${PROGRAM}" sweep kmc --size 16 --seed 1,2 --until-time 1)
    if(NOT output MATCHES "the installed package.*2 of 2 points finished")
      message(FATAL_ERROR "the installed program makes no sweep: ${output}")
    endif()
  endif()
endif()
