# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# A Kokkos that CMake finds on the machine.

way_kokkos_is_set_up() { [[ -s $state/kokkos-found ]]; }

way_kokkos_set_up() {
  local found=$state/kokkos-found compiler name
  if [[ ! -s $found ]]; then
    probe_for_kokkos "$found" || return 1
    # Whatever led CMake there leads it there again in a later shell.
    for name in CMAKE_PREFIX_PATH HDF5_ROOT BOOST_ROOT Boost_ROOT GTest_ROOT; do
      [[ -z ${!name:-} ]] || printf 'export %s=%q\n' "$name" "${!name}"
    done >"$found.environment"
  fi
  # shellcheck source=/dev/null
  source "$found.environment"
  compiler=$(sed -n 's/^compiler=//p' "$found")
  if [[ -n $compiler ]]; then
    [[ -x $compiler ]] || { why_not="the compiler $compiler has gone; remove $state to start anew" && return 1; }
    configure_options+=("-DCMAKE_CXX_COMPILER=$compiler")
  fi
  configure_options+=("-DKokkos_DIR=$(sed -n 's/^Kokkos_DIR=//p' "$found")")
  generator_options
}

way_kokkos_inside() { "$@"; }

way_kokkos_exec() { exec "$@"; }

# probe_for_kokkos FILE: asks CMake, and writes what was found to the file.
probe_for_kokkos() {
  local probe=$state/kokkos-probe missing
  command -v cmake >/dev/null || { why_not="there is no CMake" && return 1; }
  rm -rf "$probe"
  if ! cmake -S "$repository/tools/quickstart/probe" -B "$probe" >"$probe.log" 2>&1 || [[ ! -s $probe/found ]]; then
    why_not="CMake and a C++ compiler did not work together (see $probe.log)"
    return 1
  fi
  if ! grep -q '^Kokkos_DIR=.' "$probe/found"; then
    why_not="CMake found no Kokkos 4.6 or newer (Kokkos_ROOT can say where one is)"
    return 1
  fi
  missing=$(sed -n 's/^missing=//p' "$probe/found")
  if [[ -n $missing ]]; then
    why_not="there is a Kokkos in $(sed -n 's/^Kokkos_DIR=//p' "$probe/found"), but CMake found no $missing; install it"
    say "$why_not, or another installation method is used"
    return 1
  fi
  say "using the Kokkos in $(sed -n 's/^Kokkos_DIR=//p' "$probe/found")"
  mv "$probe/found" "$1"
  rm -rf "$probe"
}
