#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# tessera as the documents call it, for tests: a new run of `tessera kmc` in the plane has 32 x 32 sites, or those of an array to start from, one of `tessera kpz` 128 x
# 128, both at most two replicas, and stopping times and intervals are a twentieth of what they are; likewise times and replicas of
# `tessera sweep kmc`, whose lattices have at most 16 x 16 sites if all have as many. A range of a sweep has at most three values, unless TESSERA_LONG is set. One of `tessera disks` has 100 disks and 400 sweeps, a
# restart of it 600. Points of `tessera sweep disks` and `tessera sweep kpz` have at most two replicas and 100 disks, and a fifth of 1000 sweeps or steps
# or more.
# TESSERA_PROGRAM is the program.
set -euo pipefail

twentieth() { # of a number of at most six decimals, with or without an exponent, or auto, or each of a list; not every machine has awk
  [[ $1 != auto ]] || { echo auto && return; }
  [[ $1 != *,* ]] || { echo "$(twentieth "${1%%,*}"),$(twentieth "${1#*,}")" && return; }
  [[ $1 =~ ^([0-9]+)(\.([0-9]{1,6}))?(e-?[0-9]+)?$ ]] || { echo "small_tessera.sh: $1 is no number like 12.5" >&2 && return 1; }
  local decimals="${BASH_REMATCH[3]:-}000000"
  local millionths=$((BASH_REMATCH[1] * 1000000 + 10#${decimals:0:6}))
  printf '%d.%06d%s' $((millionths / 20 / 1000000)) $((millionths / 20 % 1000000)) "${BASH_REMATCH[4]:-}"
}

[[ "${1:-} ${2:-}" =~ ^((kmc|kpz|disks)\ |sweep\ (kmc|kpz|disks)$) && " $* " != *" --help "* ]] || exec "$TESSERA_PROGRAM" "$@"
command=("$1")
times=(until-time until-events-per-site steps measure-every field-every average-from)
if [[ $1 == sweep ]]; then
  command+=("$2") times=(until-time measure-every average-from)
  shift
fi
method=$1
shift
declare -A value=()
switches=()
while (($#)); do
  key=${1#--}
  case $key in
    overwrite | record-steps | structure-factor | dry-run | quiet | json | change | rows) switches+=("$1") && shift ;;
    *) value[$key]=$2 && shift 2 ;;
  esac
  [[ -n ${TESSERA_LONG:-} || ${command[0]} != sweep || ${value[$key]:-} != *:*:* ]] ||
    value[$key]=$(sed -E 's/(:[^:,;]+:)([4-9]|[1-9][0-9]+)([,;]|$)/\13\3/g' <<<"${value[$key]}")
done

if [[ -n ${value[config]:-} ]]; then
  while IFS='=' read -r key text; do
    key=${key//[[:space:]]/} text=${text//[[:space:]]/}
    case $key in
      replicas | until-time | until-events-per-site | steps | measure-every | field-every | average-from) : "${value[$key]:=$text}" ;;
    esac
  done < <(sed 's/#.*//' "${value[config]}")
fi
if [[ ${command[0]} == sweep && $method != kmc ]]; then
  times=()
  if ((${value[sweeps]:-${value[steps]:-0}} >= 1000)); then
    for key in sweeps steps equilibrate average-from; do
      [[ ! ${value[$key]:-} =~ ^[0-9]+$ ]] || value[$key]=$((value[$key] / 5))
    done
  fi
  if [[ ${value[particles]:-} =~ ^[0-9]+$ ]] && ((value[particles] > 100)); then value[particles]=100; fi
elif [[ $method == disks ]]; then
  value[sweeps]=600 times=()
  if [[ -z ${value[restart]:-} ]]; then
    value[sweeps]=400 value[particles]=100 value[equilibrate]=100 value[sample-every]=10 value[measure-every]=100
    value[field-every]=200
  fi
elif [[ -z ${value[restart]:-} ]]; then
  [[ ${command[0]} == sweep || ${value[start]:-} == *.npy || ${value[size]:-} == *,*,* ]] || value[size]=32
  if [[ ${command[0]} == sweep && ${value[size]:-} =~ ^[0-9]+$ ]] && ((value[size] > 16)); then value[size]=16; fi
  [[ $method == kmc ]] || value[size]=128 value[domain]=0
fi
for key in "${times[@]}"; do
  [[ -z ${value[$key]:-} ]] || value[$key]=$(twentieth "${value[$key]}")
done
if ((${value[replicas]:-1} > 2)); then value[replicas]=2; fi
if [[ -n ${value[backend]:-} ]] && ! "$TESSERA_PROGRAM" info | grep -q "^  ${value[backend]},"; then
  unset 'value[backend]'
fi

words=()
for key in "${!value[@]}"; do words+=("--$key" "${value[$key]}"); done
exec "$TESSERA_PROGRAM" "${command[@]}" "${words[@]}" "${switches[@]}"
