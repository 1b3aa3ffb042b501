#!/usr/bin/env bash
# mpi_kill.sh PITH MPIRUN KILLS [ITEMS] [METHOD]: ranks are killed, KILLS times, each time another number of them: at any time, during the
# search for neighbours, once the graph is saved, within the greedy, once the result is there. The job ends, nobody is left behind, the
# result is absent or whole, and going on from what was saved leads to what one machine writes. METHOD: exact or approximate.
set -euo pipefail
pith=$1 mpirun=$2 kills=$3 items=${4:-12000} method=${5:-exact}
work=$(mktemp -d "${TMPDIR:-/tmp}/ranks-kill-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
"$pith" synth --items "$items" --classes 10 --long-tail 50 --intrinsic 12 --out toy >/dev/null
input=(--embeddings toy/embeddings.npy --probs toy/probs.npy --budget 40% --knn "$method" --quiet)
"$pith" select "${input[@]}" --out alone
grep -q "\"method\": \"$method\"" alone/summary.json || { echo "$items items are too few for the $method method"; exit 1; }

launch() { exec "$mpirun" --oversubscribe --allow-run-as-root -n "$1" "$pith" select "${input[@]}" --threads 1 --checkpoint-seconds 0.02 --out shared; }
saved() { compgen -G "shared.unfinished/$1" >/dev/null; }
running() { kill -0 $job 2>/dev/null; }

moments=("any time" "search" "graph" "greedy" "end")
declare -A struck
for kill in $(seq "$kills"); do
  ranks=$((2 + RANDOM % 3))
  moment=${moments[kill % 5]}
  # What the kill waits for must not be there from before.
  case $moment in search | graph) rm -rf shared.unfinished ;; greedy) rm -f shared.unfinished/picks ;; esac
  launch $ranks 2>err &
  job=$!
  case $moment in
    "any time") sleep "$(printf '0.%02d' $((RANDOM % 100)))" ;;
    search) while running && ! saved 'met-*' && ! saved 'found-*'; do sleep 0.01; done ;;
    graph) while running && ! saved 'rows-*'; do sleep 0.01; done ;;
    greedy) while running && ! saved picks; do sleep 0.002; done ;;
    end) while running && [ ! -e shared ]; do sleep 0.002; done ;;
  esac
  victims=()
  while [ ${#victims[@]} -eq 0 ] && running; do mapfile -t victims < <(pgrep -P $job || true); done
  hit=no
  if [ ${#victims[@]} -gt 0 ] && kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null; then hit=yes; fi
  # A job that does not end within a minute hangs.
  for _ in $(seq 600); do running || break; sleep 0.1; done
  if running; then echo "the job hangs"; kill -9 $job; exit 1; fi
  code=0
  wait $job || code=$?
  # What mpirun has killed takes a moment to go.
  for victim in "${victims[@]}"; do
    for _ in $(seq 100); do kill -0 "$victim" 2>/dev/null || break; sleep 0.1; done
    ! kill -0 "$victim" 2>/dev/null || { echo "rank $victim was left behind"; exit 1; }
  done
  if [ -e shared ]; then
    # Nobody was killed, or one who had nothing left to do but to end, which mpirun may call a job that "terminated normally".
    cmp alone/indices.npy shared/indices.npy
    cmp alone/selection.csv shared/selection.csv
    rm -r shared
    echo "kill $kill ($moment): too late, code $code"
  elif [ $code -ne 0 ]; then
    [ $hit = no ] || struck[$moment]=$((${struck[$moment]:-0} + 1))
    grep -qi "killed\|signal 9" err || { cat err; echo "the message does not say why"; exit 1; }
    echo "kill $kill ($moment): $ranks ranks, code $code, saved: $(ls shared.unfinished 2>/dev/null | tr '\n' ' ')"
  else
    echo "kill $kill ($moment): code 0 without a result"
    exit 1
  fi
done
(launch 3)
cmp alone/indices.npy shared/indices.npy
cmp alone/selection.csv shared/selection.csv
[ ! -e shared.unfinished ]
[ ${#struck[@]} -gt 0 ] || { echo "nobody was killed"; exit 1; }
for moment in "${!struck[@]}"; do echo "$moment: ${struck[$moment]} kills"; done
