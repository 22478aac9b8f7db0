# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# A Debian-unstable root file system: made once with mmdebstrap from the mirror that the machine's own apt uses. Builds and
# tests run in it with bubblewrap; of the machine they see all but /usr and /etc, at the same paths. The program needs of it
# only the libraries, so that it is started as a process like any other: signals and exit status are its own.

readonly debian_root=$state/root
readonly debian_packages=(base-files bash dash coreutils sed grep g++ cmake ninja-build libhdf5-dev libboost-program-options-dev
  libgtest-dev libgmock-dev libbenchmark-dev libkokkos-dev python3-h5py python3-matplotlib)

way_debian_set_up() {
  if [[ ! -d $debian_root ]]; then
    if ! command -v apt-get >/dev/null || [[ ! -e /etc/debian_version ]]; then
      why_not="this is no Debian machine"
      return 1
    fi
    install_debian_tools || return 1
    local complaint
    complaint=$(bwrap --dev-bind / / true 2>&1) || {
      why_not="$complaint (in a container, bubblewrap needs CAP_SYS_ADMIN or user namespaces)"
      return 1
    }
    find_debian_mirror || return 1
    make_debian_root
  elif ! command -v bwrap >/dev/null; then
    install_debian_tools || return 1
  fi
  find_debian_bindings
  configure_options+=(-G Ninja)
}

way_debian_inside() {
  bwrap "${debian_bindings[@]}" --chdir "$PWD" --die-with-parent -- "$@"
}

way_debian_exec() {
  local program=$1 loader libraries
  shift
  loader=("$debian_root"/usr/lib*/ld-linux*.so.*)
  libraries=("$debian_root"/usr/lib/*-linux-gnu*)
  unset LD_PRELOAD
  exec "${loader[0]}" --argv0 "$program" --library-path "${libraries[0]}" "$program" "$@"
}

install_debian_tools() {
  local tools=() as_root=()
  command -v mmdebstrap >/dev/null || tools+=(mmdebstrap)
  command -v bwrap >/dev/null || tools+=(bubblewrap)
  ((${#tools[@]})) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      why_not="it needs ${tools[*]}; let an administrator run: apt-get install ${tools[*]}"
      return 1
    fi
    as_root=(sudo -n)
  fi
  step "installing ${tools[*]}" "$state/tools.log" install_packages "${tools[@]}"
}

install_packages() {
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@")
  "${install[@]}" || { "${as_root[@]}" apt-get update && "${install[@]}"; }
}

# Sets debian_mirror to the first of the machine's own package sources that has Debian unstable.
find_debian_mirror() {
  local release=$state/InRelease candidate
  while read -r candidate; do
    rm -f "$release"
    if /usr/lib/apt/apt-helper -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=1 \
      download-file "$candidate/dists/unstable/InRelease" "$release" >"$state/mirror.log" 2>&1 </dev/null &&
      grep -qx 'Origin: Debian' "$release" && grep -qx 'Suite: unstable' "$release"; then
      rm -f "$release"
      debian_mirror=$candidate
      return
    fi
  done < <(apt-get --print-uris update 2>/dev/null | sed -n "s|^'\([^']*\)/dists/.*|\1|p" | awk '!seen[$0]++')
  rm -f "$release"
  why_not="none of the package sources of this machine's apt gives Debian unstable (is the network there?)"
  return 1
}

make_debian_root() {
  local unfinished=$state/root.unfinished mode=root options=$state/apt-options library
  ((EUID == 0)) || mode=chrootless
  rm -rf "$unfinished"
  # How apt reaches the network is this machine's own business; unstable may be frozen at a date by the mirror.
  (umask 077 && { apt-config dump | grep -E '^Acquire::(http|https|Retries)\b' || true; } >"$options")
  echo 'Acquire::Check-Valid-Until "false";' >>"$options"
  step "making a Debian-unstable root file system (once, under a minute)" "$state/root.log" \
    mmdebstrap --mode="$mode" --variant=extract --format=directory --aptopt="$options" \
    --include="$(IFS=, && echo "${debian_packages[*]}")" unstable "$unfinished" "$debian_mirror"
  rm -f "$options"
  # Kokkos' CMake files name two archives that are empty, and that Debian's package leaves out.
  for library in "$unfinished"/usr/lib/*-linux-gnu*/libkokkoscore.so; do
    for name in algorithms simd; do
      [[ -e ${library%core.so}$name.a ]] || printf '!<arch>\n' >"${library%core.so}$name.a"
    done
  done
  # What update-alternatives would do when the packages are configured; NumPy needs them.
  for library in "$unfinished"/usr/lib/*-linux-gnu*/{blas/libblas,lapack/liblapack}.so.3; do
    [[ ! -e $library ]] || ln -sf "$(basename "$(dirname "$library")")/${library##*/}" "${library%/*/*}/"
  done
  mv "$unfinished" "$debian_root" || fail "could not rename $unfinished to $debian_root"
}

find_debian_bindings() {
  local path name
  debian_bindings=(--ro-bind "$debian_root/usr" /usr --ro-bind "$debian_root/etc" /etc)
  for path in "$debian_root"/*; do
    [[ -L $path ]] && debian_bindings+=(--symlink "$(readlink "$path")" "/${path##*/}")
  done
  for path in /*; do
    name=${path#/}
    case $name in
      usr | etc | bin | sbin | lib | lib[0-9]* | libx32 | boot | lost+found) ;;
      dev) debian_bindings+=(--dev-bind /dev /dev) ;;
      proc | sys) debian_bindings+=(--ro-bind "$path" "$path") ;;
      *)
        if [[ -L $path ]]; then
          debian_bindings+=(--symlink "$(readlink "$path")" "$path")
        elif [[ -d $path ]]; then
          debian_bindings+=(--bind-try "$path" "$path")
        fi
        ;;
    esac
  done
  debian_bindings+=(--setenv PATH /usr/bin:/usr/sbin)
  for name in LD_LIBRARY_PATH LD_PRELOAD CC CXX CPPFLAGS CFLAGS CXXFLAGS LDFLAGS CPATH LIBRARY_PATH CMAKE_PREFIX_PATH \
    CMAKE_GENERATOR Kokkos_ROOT Kokkos_DIR HDF5_ROOT HDF5_DIR BOOST_ROOT Boost_ROOT Boost_DIR GTest_ROOT GTest_DIR; do
    debian_bindings+=(--unsetenv "$name")
  done
}
