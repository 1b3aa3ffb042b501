#!/usr/bin/env bash
# mpi_same.sh PITH MPIRUN RANKS: the command under mpirun writes what it writes alone, byte for byte.
set -euo pipefail
pith=$1 mpirun=$2 ranks=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/ranks-same-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
launch=("$mpirun" --oversubscribe --allow-run-as-root -n "$ranks")

"$pith" synth --items 3000 --classes 7 --long-tail 30 --out toy >/dev/null
input=(--embeddings toy/embeddings.npy --probs toy/probs.npy --quiet)
seq 0 37 2999 >labelled.txt
seq 5 41 2999 | grep -vxFf labelled.txt >excluded.txt

# Everything but times, memory and who shared the work.
summary() { sed -e '/"seconds": {/,/}/d' -e '/"peak_rss_bytes"/d' -e '/"threads"/d' -e '/"ranks"/d' -e '/^  "plan": {/,/^  }/d' "$1/summary.json"; }

compare() {
  "$pith" select "${input[@]}" "$@" --out alone
  case " $* " in
    *" --knn approximate "*) grep -q '"method": "approximate"' alone/summary.json || { echo "too few items for the approximate method"; exit 1; } ;;
  esac
  "${launch[@]}" "$pith" select "${input[@]}" "$@" --threads 1 --out shared
  cmp alone/indices.npy shared/indices.npy
  cmp alone/selection.csv shared/selection.csv
  diff <(summary alone) <(summary shared)
  [ ! -e shared.unfinished ]
  rm -r alone shared
  echo "same: $*"
}
compare --budget 10%
# Starting processes is most of the time: each number of them has its own of the other cases.
case $ranks in
  1) compare --budget 300 --strategy facility-location ;;
  2) compare --budget 700 --strategy submod --metric l2 --neighbors 15 --symmetry mutual ;;
  3) compare --budget 5% --labelled labelled.txt --exclude excluded.txt --boundary-cap proportional ;;
  *)
    # Cells do not pay for fewer.
    "$pith" synth --items 12000 --classes 7 --long-tail 30 --intrinsic 2 --out flat >/dev/null
    toy=("${input[@]}")
    input=(--embeddings flat/embeddings.npy --probs flat/probs.npy --quiet)
    compare --budget 5% --knn approximate --balance class
    input=("${toy[@]}")
    ;;
esac
if [ "$ranks" -eq 3 ]; then
  "$pith" graph --embeddings toy/embeddings.npy --out g.pith --quiet
  compare --budget 5% --graph g.pith
fi
if [ "$ranks" -eq 4 ]; then
  # Shards, whose borders are not those of the ranks.
  "$pith" synth --items 1700 --classes 7 --seed 9 --out more >/dev/null
  for file in embeddings probs; do
    cp toy/$file.npy $file-0.npy
    cp more/$file.npy $file-1.npy
  done
  input=(--embeddings 'embeddings-*.npy' --probs 'probs-*.npy' --quiet)
  compare --budget 5% --uncertainty entropy
fi
[ "$ranks" -eq 2 ] || exit 0

# Errors are said once, with the usual codes, and nobody hangs.
expect() {
  local code=$1 text=$2
  shift 2
  local got=0
  "${launch[@]}" "$pith" "$@" 2>err >out || got=$?
  [ "$got" -eq "$code" ] || { cat err; echo "exit code $got, not $code: $*"; exit 1; }
  [ "$(grep -c "$text" err)" -eq 1 ] || { cat err; echo "not said once: $text"; exit 1; }
}
expect 2 "^pith: --budget: " select "${input[@]}" --budget 0 --out bad
expect 4 "nowhere.npy" select --embeddings nowhere.npy --probs toy/probs.npy --budget 5 --out bad
expect 3 "cannot be shared between ranks" select "${input[@]}" --budget 5 --strategy k-center --out bad
expect 3 "only pith select shares work" info --embeddings toy/embeddings.npy
# A row that only the second rank looks at: what is said is what one process says.
cp toy/embeddings.npy nan.npy
width=$((($(stat -c %s nan.npy) - 128) / 3000))
printf '\000\000\300\177' | dd of=nan.npy bs=1 seek=$((128 + 2900 * width)) conv=notrunc status=none
expect 3 "^pith: nan.npy: row 2900, column 0 (from 0): nan is not a finite number" \
  select --embeddings nan.npy --probs toy/probs.npy --budget 5 --out bad
expect 2 "^pith: --memory is for one process" select "${input[@]}" --budget 5 --memory 1G --out bad
expect 2 "^pith: --plan is for one process" select "${input[@]}" --budget 5 --plan --out bad
expect 2 "^pith: --threads" select "${input[@]}" --budget 5 --threads x --out bad
expect 2 "^pith: --term: scores needs a column" select "${input[@]}" --budget 5 --term scores=1 --out bad
expect 2 "^pith: --distributed bounding is for" select "${input[@]}" --budget 5 --strategy margin --distributed bounding --out bad

# Saved work is that of the very caps and column it was begun with. A folder in the place of a file keeps the result from being written.
unfinished() {
  mkdir -p "kept/summary.json/$1"
  ! "${launch[@]}" "$pith" select "${input[@]}" --budget 20 --threads 1 --checkpoint-seconds 1e-9 --out kept "${@:2}" 2>err || { echo "written all the same"; exit 1; }
  [ -e kept.unfinished ] || { cat err; echo "nothing was saved"; exit 1; }
  rm -r kept
}
again() {
  "$pith" select "${input[@]}" --budget 20 --out alone "$@"
  "${launch[@]}" "$pith" select "${input[@]}" --budget 20 --threads 1 --out kept "$@"
  cmp alone/indices.npy kept/indices.npy
  rm -r alone kept
}
printf '%s\n' 0,3 1,3 2,3 3,3 4,3 5,3 6,3 >caps.csv
# A name that is no UTF-8, as old files have them.
cp caps.csv $'caps\xe9.csv'
"${launch[@]}" "$pith" select "${input[@]}" --budget 20 --balance class --class-cap $'caps\xe9.csv' --out odd
touch odd/report.html
"${launch[@]}" "$pith" select "${input[@]:0:4}" --budget 20 --out odd 2>err >out
[ "$(grep -c 'report.html there is of an earlier run' out)" -eq 1 ] || { cat out err; exit 1; }
unfinished x --balance class --class-cap caps.csv
printf '%s\n' 0,20 1,1 2,1 3,1 4,1 5,1 6,1 >caps.csv
again --balance class --class-cap caps.csv
seq 0 2999 | awk 'BEGIN { print "up,down" } { print $1 "," 3000 - $1 }' >scores.csv
unfinished x --strategy submod --term scores=1 --scores scores.csv:up
again --strategy submod --term scores=1 --scores scores.csv:down
# Copies that do not find each other must not each write the result.
alone=0
SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 "$pith" select "${input[@]}" --budget 5 --out bad 2>err || alone=$?
[ "$alone" -eq 3 ] && grep -q "3 copies were started, but MPI sees one" err || { cat err; exit 1; }
[ ! -e bad ]
