#!/usr/bin/env bash
# full_disk.sh PITH: every command that writes, on a disk that is too small by ever less, then read-only. It ends with code 4 and one line that says
# why, leaves nothing behind, and works once there is room. Needs user namespaces (unshare -Urm), for a small tmpfs without privileges.
set -euo pipefail
pith=$1
if [ "${2:-}" != inside ]; then
  unshare -Urm true 2>/dev/null || { echo "skipped: no user namespaces here"; exit 0; }
  exec unshare -Urm "$0" "$pith" inside
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/full-disk-XXXXXX")
trap 'cd /; umount "$work/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
mkdir disk
mount -t tmpfs -o size=64m tmpfs disk
"$pith" synth --items 3000 --dim 8 --classes 5 --out toy --quiet
"$pith" graph --embeddings toy/embeddings.npy --out toy.pith --quiet
inputs=(--embeddings toy/embeddings.npy --probs toy/probs.npy)
"$pith" select "${inputs[@]}" --budget 300 --out chosen --quiet
awk -F, '{ print NR == 1 ? "index,label" : $2 ",1" }' chosen/selection.csv >labels.csv

fill() { # SIZE: a disk of so many bytes with nothing on it
  umount disk
  mount -t tmpfs -o "size=$1" tmpfs disk
}
tried=0 refused=0
refuse() { # CODE TEXT: of the last command
  [ "$1" -eq 4 ] || { cat err; echo "code $1, not 4: $name"; exit 1; }
  [ "$(wc -l <err)" -eq 1 ] && grep -q "^pith: .*$2" err || { cat err; echo "not one line with '$2': $name"; exit 1; }
  [ -z "$(ls -A disk)" ] || { ls -lA disk; echo "something was left: $name"; exit 1; }
}
try() { # NAME ARGUMENTS...: whole or absent
  name=$1
  shift
  fill 64m
  "$pith" "$@" --quiet >out 2>err || { cat err; echo "does not even work with room: $name"; exit 1; }
  local whole
  whole=$(du -s --apparent-size -B1 disk | cut -f1)
  for part in 0 1 5 20 50 80 95; do
    local size=$((whole * part / 100 / 4096 * 4096 + 4096)) code=0
    fill "$size"
    "$pith" "$@" --quiet >out 2>err || code=$?
    tried=$((tried + 1))
    [ "$code" -eq 0 ] && continue
    refused=$((refused + 1))
    refuse "$code" "No space left on device"
  done
  fill 64m
  mount -o remount,ro disk
  local code=0
  "$pith" "$@" --quiet >out 2>err || code=$?
  refuse "$code" "Read-only file system"
  mount -o remount,rw disk
  "$pith" "$@" --quiet >out 2>err || { cat err; echo "does not work afterwards: $name"; exit 1; }
  echo "$name: whole or absent"
}
try synth synth --items 3000 --dim 8 --classes 5 --out disk/made
try graph graph --embeddings toy/embeddings.npy --out disk/g.pith
try select select "${inputs[@]}" --budget 300 --out disk/chosen
try "select with a graph" select "${inputs[@]}" --graph toy.pith --budget 300 --out disk/chosen
try compare compare "${inputs[@]}" --strategies submod-bal,margin,random --budget 100 --out disk/compared.csv
try report report chosen --out disk/page.html --points 500
try export export chosen --to label-studio --out disk/tasks.json
try import import labels.csv --run chosen --out disk/labelled.csv
try round round disk/rounds "${inputs[@]}" --budget 100
[ "$refused" -ge $((tried / 2)) ] || { echo "only $refused of $tried disks were too small"; exit 1; }

# Standard output, too, may be a full disk.
code=0
"$pith" info --embeddings toy/embeddings.npy >/dev/full 2>err || code=$?
[ "$code" -eq 4 ] && grep -q "cannot write to standard output" err || { cat err; exit 1; }
# And so may standard error, or nobody may listen there: what went wrong is then told by the code alone, and what went well is kept.
for errors in /dev/full closed; do
  told() { # CODE ARGUMENTS...: that pith ends so
    local wanted=$1 code=0
    shift
    if [ "$errors" = closed ]; then "$pith" "$@" 2>&- >out || code=$?; else "$pith" "$@" 2>"$errors" >out || code=$?; fi
    [ "$code" -eq "$wanted" ] || { echo "code $code, not $wanted, with errors to $errors: $*"; exit 1; }
  }
  told 2 nonsense
  told 4 info --embeddings nowhere.npy
  rm -rf again
  told 0 select "${inputs[@]}" --budget 300 --out again
  cmp chosen/indices.npy again/indices.npy
done
# Long enough to tell how far it is.
slow=("${inputs[@]}" --budget 900 --strategy facility-location --facility dense --optimizer naive --measure light --threads 1)
"$pith" select "${slow[@]}" --out slow >out 2>/dev/full || { echo "a selection is lost where nobody can be told how far it is"; exit 1; }
echo "standard error may be full or closed"
# Printed at the end or on the way, it is found out.
code=0
"$pith" --manual markdown >/dev/full 2>err || code=$?
[ "$code" -eq 4 ] && grep -q "cannot write to standard output" err || { cat err; exit 1; }
echo "$refused of $tried disks were too small"
