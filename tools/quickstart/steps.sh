# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# What all installation methods use. Messages go to standard error: standard output is the program's.

say() { printf 'quickstart: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# step MESSAGE LOG COMMAND...: runs the command with its output in the log, prints the message if it takes more than a
# moment, and ends quickstart with the end of the log if it fails.
step() {
  local message=$1 log=$2 status=0 ticker
  shift 2
  tick "$message" "$log" &
  ticker=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  ((status == 0)) && return
  tail -n 25 "$log" >&2
  fail "$message failed (exit status $status); all of its output is in $log"
}

# A sleep outlives the step by up to 15 s: it keeps neither locks nor pipes.
tick() {
  local start=$SECONDS count
  exec >/dev/null 8>&- 9>&-
  sleep 2 2>/dev/null
  say "$1 ..."
  while sleep 15 2>/dev/null; do
    count=$(grep -o '^\[ *[0-9]*[/%][0-9]*\]' "$2" 2>/dev/null | tail -n 1) || count=""
    say "$1 ... $((SECONDS - start)) s $count"
  done
}

# lock FILE MESSAGE COMMAND...: excludes other quickstarts by a lock on the file, until unlock or the end. Does not wait for
# the lock if the command finds that nothing is to be done.
lock() {
  locked=1
  exec 9>"$1"
  if ! command -v flock >/dev/null || flock -n 9; then
    return
  elif "${@:3}"; then
    unlock
  else
    say "waiting for another quickstart $2"
    flock 9
  fi
}

unlock() {
  locked=""
  exec 9>&-
}

# Compilers need up to 2 GiB each.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo 2>/dev/null || true)
  [[ -n $memory ]] && ((memory < cores)) && cores=$memory
  echo "$((cores > 0 ? cores : 1))"
}

# prepare_environment PURPOSE: the word after ./quickstart, or "long test". Inside of a root file system there is no git to ask.
prepare_environment() {
  purpose=$1 way_made_from=""
  if command -v git >/dev/null && [[ -e $repository/.git ]]; then
    TESSERA_GIT_REVISION=$(git -C "$repository" -c safe.directory='*' describe --always --abbrev=40 '--exclude=*' \
      --dirty=-modified 2>/dev/null || true)
    export TESSERA_GIT_REVISION
  fi
  configure_options=()
}

generator_options() { command -v ninja >/dev/null && configure_options+=(-G Ninja) || true; }
