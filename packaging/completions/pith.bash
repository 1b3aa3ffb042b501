# Completion of pith for bash. Commands, options and values are asked of pith itself, so they are always its own.
_pith_words() {
  case $1 in
    serve) pith-serve --manual words 2>/dev/null ;;
    train | embed | experiment) pith-train --manual words 2>/dev/null ;;
    *) pith --manual words 2>/dev/null ;;
  esac
}

_pith() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} candidates
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    candidates=$(_pith_words | awk -F'\t' '$2 == "" && $3 == "" { print $1 }')
    mapfile -t COMPREPLY < <(compgen -W "$candidates --help --version" -- "$current")
    return
  fi
  if [[ $current == -* ]]; then
    candidates=$(_pith_words "$command" | awk -F'\t' -v command="$command" '$1 == command && $2 != "" { print $2 }')
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
    return
  fi
  # Values that are words with bars between are offered; anything else may be a file.
  candidates=$(_pith_words "$command" | awk -F'\t' -v command="$command" -v option="$before" \
    '$1 == command && $2 == option && $3 ~ /^[a-z0-9-]+([|][a-z0-9-]+)+$/ { gsub(/[|]/, " ", $3); print $3 }')
  if [ -n "$candidates" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _pith pith
