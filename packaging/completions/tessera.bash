# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Completion of tessera in bash. What it offers is read from the program's own help, so that it is never another.

# _tessera_commands PROGRAM [COMMAND]: the words after `tessera` that the help begins its lines with; after a COMMAND of
# which the help says `tessera COMMAND METHOD` the methods.
_tessera_commands() {
  local first second rest takes_method=0 all=() methods=()
  while read -r first second rest; do
    [[ $first == tessera && $second != [A-Z]* ]] || continue
    all+=("$second")
    [[ $rest != "["* ]] || methods+=("$second")
    [[ $second != "${2:-}" || $rest != METHOD* ]] || takes_method=1
  done < <("$1" --help 2>/dev/null)
  if (($# == 1)); then
    echo "${all[*]} --help"
  elif ((takes_method)); then
    echo "${methods[*]}"
  fi
}

# _tessera_options PROGRAM WORD...: lines "--option ARGUMENT", without an argument where there is none, of all words that
# have a help.
_tessera_options() {
  local program=$1 word line form='^  (--[a-z0-9-]+)( ([^ ]+))?  '
  shift
  for word in "$@"; do
    [[ $word == [a-z]* && ! -e $word ]] || continue
    while IFS= read -r line; do
      [[ ! $line =~ $form ]] || echo "${BASH_REMATCH[1]} ${BASH_REMATCH[3]}"
    done < <("$program" "$word" --help all 2>/dev/null)
  done
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
  if ((COMP_CWORD == 2)) && [[ $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_tessera_commands "$program" "$previous")" -- "$current")
    ((${#COMPREPLY[@]} == 0)) || return
  fi
  while read -r option argument; do
    if [[ $current == -* ]]; then
      choices+=("$option")
    elif [[ $option == "$previous" ]]; then
      for word in ${argument//|/ }; do
        [[ $word == *[A-Z]* ]] || choices+=("$word")
      done
    fi
  done < <(_tessera_options "$program" "${COMP_WORDS[@]:1:2}")
  # Without an offer the shell completes names of files.
  ((${#choices[@]} == 0)) || mapfile -t COMPREPLY < <(compgen -W "${choices[*]}" -- "$current")
}

complete -o default -F _tessera tessera
