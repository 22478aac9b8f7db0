# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Spack, with the environment of spack.yaml, or of spack/cpu/spack.yaml on a machine without an NVIDIA GPU.

way_spack_is_set_up() { [[ -f $state/spack/complete ]]; }

way_spack_set_up() {
  local environment=$state/spack activation
  command -v spack >/dev/null || { why_not="there is no command spack" && return 1; }
  if [[ ! -f $environment/complete ]]; then
    mkdir -p "$environment"
    write_spack_environment "$environment/spack.yaml"
    say "Spack now builds what Tessera needs; the first time this may take an hour"
    step "installing with Spack" "$state/spack.log" spack --env-dir "$environment" install
    touch "$environment/complete"
  fi
  activation=$(spack env activate --sh --dir "$environment") || fail "Spack could not activate $environment"
  set +u
  eval "$activation"
  set -u
  local view=$environment/.spack-env/view
  # Kokkos brings nvcc_wrapper without CUDA, too.
  if grep -q '^[^#]*kokkos@.*+cuda' "$environment/spack.yaml"; then
    configure_options+=("-DCMAKE_CXX_COMPILER=$view/bin/nvcc_wrapper")
  fi
  configure_options+=("-DCMAKE_PREFIX_PATH=$view")
  generator_options
}

way_spack_inside() { "$@"; }

way_spack_exec() { exec "$@"; }

# write_spack_environment FILE: the environment for this machine's GPU, if it has one: what is built for CUDA does not start
# without.
write_spack_environment() {
  local capability
  if capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d '.\n') &&
    [[ $capability =~ ^[0-9]+$ ]]; then
    sed "s/cuda_arch=[0-9]*/cuda_arch=$capability/" "$repository/spack.yaml" >"$1"
  else
    cp "$repository/spack/cpu/spack.yaml" "$1"
  fi
}
