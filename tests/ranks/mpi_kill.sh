#!/usr/bin/env bash
# mpi_kill.sh PITH MPIRUN KILLS [ITEMS]: ranks are killed at random times, KILLS times, each time another number of them; the job ends, nobody is
# left behind, and going on from what was saved leads to what one machine writes.
set -euo pipefail
pith=$1 mpirun=$2 kills=$3 items=${4:-12000}
work=$(mktemp -d "${TMPDIR:-/tmp}/ranks-kill-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
"$pith" synth --items "$items" --classes 10 --long-tail 50 --out toy >/dev/null
input=(--embeddings toy/embeddings.npy --probs toy/probs.npy --budget 10% --knn exact --quiet)
"$pith" select "${input[@]}" --out alone

struck=0
for kill in $(seq "$kills"); do
  ranks=$((2 + RANDOM % 3))
  "$mpirun" --oversubscribe --allow-run-as-root -n "$ranks" "$pith" select "${input[@]}" --threads 1 \
    --checkpoint-seconds 0.02 --out shared 2>err &
  job=$!
  sleep "$(printf '0.%02d' $((RANDOM % 100)))"
  victims=()
  while [ ${#victims[@]} -eq 0 ] && kill -0 $job 2>/dev/null; do mapfile -t victims < <(pgrep -P $job || true); done
  if [ ${#victims[@]} -gt 0 ] && kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null; then struck=$((struck + 1)); fi
  # A job that does not end within a minute hangs.
  for _ in $(seq 600); do kill -0 $job 2>/dev/null || break; sleep 0.1; done
  if kill -0 $job 2>/dev/null; then echo "the job hangs"; kill -9 $job; exit 1; fi
  code=0
  wait $job || code=$?
  # What mpirun has killed takes a moment to go.
  for victim in "${victims[@]}"; do
    for _ in $(seq 100); do kill -0 "$victim" 2>/dev/null || break; sleep 0.1; done
    ! kill -0 "$victim" 2>/dev/null || { echo "rank $victim was left behind"; exit 1; }
  done
  if [ $code -ne 0 ]; then
    grep -qi "killed\|signal 9" err || { cat err; echo "the message does not say why"; exit 1; }
    [ ! -e shared ]
    echo "kill $kill: $ranks ranks, code $code, saved: $(ls shared.unfinished 2>/dev/null | tr '\n' ' ')"
  else
    cmp alone/indices.npy shared/indices.npy
    rm -r shared
    echo "kill $kill: too late"
  fi
done
"$mpirun" --oversubscribe --allow-run-as-root -n 3 "$pith" select "${input[@]}" --threads 1 --out shared
cmp alone/indices.npy shared/indices.npy
cmp alone/selection.csv shared/selection.csv
[ ! -e shared.unfinished ]
[ "$struck" -gt 0 ] || { echo "nobody was killed"; exit 1; }
