# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Completion of tessera in bash. What it offers is read from the program's own help, so that it is never another.

# The words after `tessera` that the help begins its lines with.
_tessera_commands() {
  local first second rest
  while read -r first second rest; do
    [[ $first != tessera || $second == [A-Z]* ]] || echo "$second"
  done < <("$1" --help 2>/dev/null)
  echo "--help"
}

# _tessera_options PROGRAM METHOD: lines "--option ARGUMENT", without an argument where there is none.
_tessera_options() {
  local line form='^  (--[a-z0-9-]+)( ([^ ]+))?  '
  while IFS= read -r line; do
    [[ ! $line =~ $form ]] || echo "${BASH_REMATCH[1]} ${BASH_REMATCH[3]}"
  done < <("$1" "$2" --help 2>/dev/null)
  echo "--help"
}

_tessera() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local option argument word choices=()
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_tessera_commands "$program")" -- "$current")
    return
  fi
  while read -r option argument; do
    if [[ $current == -* ]]; then
      choices+=("$option")
    elif [[ $option == "$previous" ]]; then
      for word in ${argument//|/ }; do
        [[ $word == *[A-Z]* ]] || choices+=("$word")
      done
    fi
  done < <(_tessera_options "$program" "${COMP_WORDS[1]}")
  # Without an offer the shell completes names of files.
  ((${#choices[@]} == 0)) || mapfile -t COMPREPLY < <(compgen -W "${choices[*]}" -- "$current")
}

complete -o default -F _tessera tessera
