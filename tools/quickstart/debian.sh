# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# A Debian-unstable root file system: made once with mmdebstrap from the mirror that the machine's own apt uses. Builds and
# tests run in it with bubblewrap; of the machine they see all but /usr and /etc at the same paths, and /usr in
# .quickstart/machine. The program needs of it
# only the libraries, so that it is started as a process like any other: signals and exit status are its own.

readonly debian_root=$state/root
readonly debian_packages=(base-files bash dash coreutils sed grep g++ cmake ninja-build libhdf5-dev libboost-program-options-dev
  nlohmann-json3-dev libgtest-dev libgmock-dev libbenchmark-dev libkokkos-dev libopenmpi-dev openmpi-bin python3-h5py python3-matplotlib python3-scipy)
# What only tests need, and what only the long ones do: a third of the time and of the disk.
readonly debian_test_packages=(ca-certificates git gzip python3-gsd python3-mdanalysis python3-pandas python3-pip python3-setuptools python3-venv
  python3-wheel python3-xarray util-linux)
readonly debian_long_test_packages=(clang hipcc libomp-dev python3-vtk9)
# What `quickstart shell --with` adds, by its word.
declare -rA debian_extras=([jupyter]="jupyter-notebook jupyter-nbconvert python3-ipykernel" [ffmpeg]="ffmpeg")

# UCX, which Debian's Open MPI uses, patches mmap when it is loaded. That takes 0.4 s at each start of the program, and
# is needed only for networks between machines.
export UCX_MEM_MMAP_HOOK_MODE=${UCX_MEM_MMAP_HOOK_MODE:-none}

way_debian_is_set_up() {
  local packages
  list_debian_packages
  has_packages "${packages[@]}" && command -v bwrap >/dev/null
}

# Sets packages to those that this call needs, and those of the kinds that the root has.
list_debian_packages() {
  local word of_word
  packages=("${debian_packages[@]}")
  if [[ $purpose == *test ]] || has_packages "${debian_test_packages[@]}"; then packages+=("${debian_test_packages[@]}"); fi
  if [[ $purpose == "long test" ]] || has_packages "${debian_long_test_packages[@]}"; then packages+=("${debian_long_test_packages[@]}"); fi
  for word in "${!debian_extras[@]}"; do
    read -ra of_word <<<"${debian_extras[$word]}"
    if [[ " ${extras[*]-} " == *" $word "* ]] || has_packages "${of_word[@]}"; then packages+=("${of_word[@]}"); fi
  done
}

way_debian_set_up() {
  local packages
  list_debian_packages
  remove_old_roots
  if ! has_packages "${packages[@]}" && ! set_up_debian_root "${packages[@]}"; then
    [[ -f $debian_root/packages ]] || return 1
    say "$why_not; tests that need what the root file system lacks are skipped"
  elif ! command -v bwrap >/dev/null; then
    install_debian_tools || return 1
  fi
  exec 8>>"$debian_root/in-use"
  ! command -v flock >/dev/null || flock --shared 8
  find_debian_bindings
  [[ $purpose != *test ]] || leave_out_psm2
  configure_options+=(-G Ninja -DTESSERA_ENABLE_MPI=ON)
  way_made_from=$(head -n 1 "$debian_root/packages")
}

# set_up_debian_root PACKAGES...: a root with these packages, instead of the one that is there, if there is one.
set_up_debian_root() {
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
  make_debian_root "$@"
}

# has_packages PACKAGES...: whether the root was made with them.
has_packages() {
  local package
  for package in "$@"; do
    grep -qx "$package" "$debian_root/packages" 2>/dev/null || return 1
  done
}

# A root with more packages takes the place of one that others may be in; that one goes when the last has left it.
remove_old_roots() {
  local root
  for root in "$state"/root.old.*; do
    [[ -d $root ]] || continue
    ! command -v flock >/dev/null || flock --exclusive --nonblock "$root/in-use" true || continue
    rm -rf "$root" || true
  done
}

# Sets other_compilers to those that check the sources in a test: the machine's own g++, which is older than the root's, and the
# root's clang++. The g++ finds its own headers relative to its path; headers of C and all libraries are the root's.
find_debian_compilers() {
  local as_root=()
  if ((EUID == 0)) && ! command -v g++ >/dev/null; then install_packages g++ >"$state/g++.log" 2>&1 || true; fi
  if [[ -x /usr/bin/g++ ]] && (($(/usr/bin/g++ -dumpversion | cut -d. -f1) >= 12)); then
    other_compilers+=("$state/machine/usr/bin/g++")
  fi
  if has_packages clang; then other_compilers+=(/usr/bin/clang++); fi
}

way_debian_inside() {
  bwrap "${debian_bindings[@]}" --chdir "$PWD" --die-with-parent -- "$@"
}

way_debian_exec() {
  local start
  find_debian_start "$1"
  unset LD_PRELOAD
  exec "${start[@]}" "${@:2}"
}

# find_debian_start PROGRAM: sets start to the words that start the program, or one of the root, outside of the root.
find_debian_start() {
  local loader=("$debian_root"/usr/lib*/ld-linux*.so.*) libraries=("$debian_root"/usr/lib/*-linux-gnu*)
  start=("${loader[0]}" --argv0 "$1" --library-path "${libraries[0]}" "$1")
}

# Sets python to a command that starts the root's Python as a process like any other. Matplotlib works in the root alone.
make_debian_python() {
  local start
  python=$state/python3
  find_debian_start "$debian_root/usr/bin/python3"
  printf '#!/usr/bin/env bash\nPYTHONHOME=%q exec%s "$@"\n' "$debian_root/usr" "$(printf ' %q' "${start[@]}")" >"$python.$$"
  chmod +x "$python.$$"
  mv "$python.$$" "$python"
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

# Sets debian_mirror to the first of the machine's own package sources that has Debian unstable, and debian_snapshot to
# what names the versions of its packages.
find_debian_mirror() {
  local release=$state/InRelease candidate
  while read -r candidate; do
    rm -f "$release"
    if /usr/lib/apt/apt-helper -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=1 \
      download-file "$candidate/dists/unstable/InRelease" "$release" >"$state/mirror.log" 2>&1 </dev/null &&
      grep -qx 'Origin: Debian' "$release" && grep -qx 'Suite: unstable' "$release"; then
      debian_mirror=$candidate
      debian_snapshot=$(sha256sum <"$release")
      rm -f "$release"
      return
    fi
  done < <(apt-get --print-uris update 2>/dev/null | sed -n "s|^'\([^']*\)/dists/.*|\1|p" | awk '!seen[$0]++')
  rm -f "$release"
  why_not="none of the package sources of this machine's apt gives Debian unstable (is the network there?)"
  return 1
}

# make_debian_root PACKAGES...
make_debian_root() {
  local unfinished=$state/root.unfinished mode=root options=$state/apt-options library certificates
  ((EUID == 0)) || mode=chrootless
  rm -rf "$unfinished"
  # How apt reaches the network is this machine's own business; unstable may be frozen at a date by the mirror.
  (umask 077 && { apt-config dump | grep -E '^Acquire::(http|https|Retries)\b' || true; } >"$options")
  echo 'Acquire::Check-Valid-Until "false";' >>"$options"
  step "making a Debian-unstable root file system (once, a minute or two)" "$state/root.log" \
    mmdebstrap --mode="$mode" --variant=extract --format=directory --aptopt="$options" \
    --include="$(IFS=, && echo "$*")" unstable "$unfinished" "$debian_mirror"
  rm -f "$options"
  # Kokkos' CMake files name two archives that are empty, and that Debian's package leaves out.
  for library in "$unfinished"/usr/lib/*-linux-gnu*/libkokkoscore.so; do
    for name in algorithms simd; do
      [[ -e ${library%core.so}$name.a ]] || printf '!<arch>\n' >"${library%core.so}$name.a"
    done
  done
  # What update-alternatives would do when the packages are configured; NumPy needs the first, CMake the others.
  for library in "$unfinished"/usr/lib/*-linux-gnu*/{blas/libblas,lapack/liblapack}.so.3; do
    [[ ! -e $library ]] || ln -sf "$(basename "$(dirname "$library")")/${library##*/}" "${library%/*/*}/"
  done
  for name in mpicc mpiexec mpirun; do
    [[ ! -e $unfinished/usr/bin/$name.openmpi || -e $unfinished/usr/bin/$name ]] || ln -s "$name.openmpi" "$unfinished/usr/bin/$name"
  done
  # What update-ca-certificates would do; pip reads them even where it needs no network.
  certificates=$unfinished/etc/ssl/certs/ca-certificates.crt
  [[ ! -d $unfinished/usr/share/ca-certificates ]] ||
    find "$unfinished/usr/share/ca-certificates" -name '*.crt' -exec cat {} + >"$certificates"
  printf '%s\n' "${debian_snapshot%% *}" "$@" >"$unfinished/packages"
  touch "$unfinished/in-use"
  [[ ! -d $debian_root ]] || mv "$debian_root" "$debian_root.old.$$" || fail "could not rename $debian_root"
  mv "$unfinished" "$debian_root" || fail "could not rename $unfinished to $debian_root"
}

# Open MPI loads PSM2, for networks between machines, which measures a clock for 0.1 s. Tests start thousands of programs: they
# have an empty library in its place, made in the root.
leave_out_psm2() {
  local libraries=("$debian_root"/usr/lib/*-linux-gnu*/libpsm2.so.2) library empty=$debian_root/libpsm2.so.2
  library=$(readlink -e "${libraries[0]}") || return 0
  library=${library#"$(readlink -e "$debian_root")"}
  # shellcheck disable=SC2016
  [[ -s $empty ]] || way_debian_inside bash -c 'set -euo pipefail
    echo "PSM2_1.0 { *; };" >"$2.map"
    nm -D --defined-only "$1" | sed -n "s/.* [TW] \([a-z0-9_]*\)@.*/int \1(void) { return 1; }/p" |
      gcc -x c - -shared -fPIC -o "$2.unfinished" -Wl,-soname,libpsm2.so.2 "-Wl,--version-script=$2.map"
    mv "$2.unfinished" "$2"' bash "$library" "$empty" &>"$state/psm2.log" || return 0
  debian_bindings+=(--ro-bind "$empty" "$library")
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
  mkdir -p "$state/machine/usr"
  debian_bindings+=(--ro-bind /usr "$state/machine/usr")
  debian_bindings+=(--setenv PATH /usr/bin:/usr/sbin)
  # The root is read-only and has no bytecode of its Python modules: to compile them takes a second at each start.
  debian_bindings+=(--setenv PYTHONPYCACHEPREFIX "$state/bytecode" --unsetenv PYTHONDONTWRITEBYTECODE)
  for name in LD_LIBRARY_PATH LD_PRELOAD PYTHONHOME PYTHONPATH CC CXX CPPFLAGS CFLAGS CXXFLAGS LDFLAGS CPATH LIBRARY_PATH CMAKE_PREFIX_PATH \
    CMAKE_GENERATOR Kokkos_ROOT Kokkos_DIR HDF5_ROOT HDF5_DIR BOOST_ROOT Boost_ROOT Boost_DIR GTest_ROOT GTest_DIR; do
    debian_bindings+=(--unsetenv "$name")
  done
}
