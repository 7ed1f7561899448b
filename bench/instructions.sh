#!/bin/sh
# instructions.sh PROGRAM [OLDER_PROGRAM] - the number of instructions of one call, by valgrind's callgrind, for each case
# of bench/instructions.lua; with OLDER_PROGRAM also its number and the ratio. Counts do not depend on other load.
#
# Needs valgrind, and builds for x86-64-v3, because valgrind does not know AVX-512: make for-x86-64-v3. Kernels are not
# compiled at run time.
set -eu
here=$(dirname "$0")
program=$1
older=${2:-}
export HYBRIDLUA_JIT=off HYBRIDLUA_NUM_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell

# count PROGRAM CASE N: instructions of a process with N calls
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$here/instructions.lua" "$2" "$3" 2>&1 |
    sed -n 's/.*Collected : //p'
}

# per_call PROGRAM CASE: the median slope between loops of several lengths. Slopes leave out starting and tracing; their
# median leaves out the garbage collections that fall into some of the loops.
per_call() {
  for n in 500 1000 1500 2000 2500 3000; do echo "$n $(count "$1" "$2" "$n")"; done |
    awk '{ n[NR] = $1; count[NR] = $2; for (i = 1; i < NR; i++) print ($2 - count[i]) / ($1 - n[i]) }' |
    sort -g | awk '{ slope[NR] = $1 } END { printf "%d", (slope[int((NR + 1) / 2)] + slope[int(NR / 2) + 1]) / 2 }'
}

number=0
"$program" "$here/instructions.lua" | while read -r name; do
  number=$((number + 1))
  now=$(per_call "$program" "$number")
  if [ -z "$older" ]; then
    printf '%-34s %9d\n' "$name" "$now"
  else
    before=$(per_call "$older" "$number")
    printf '%-34s %9d %9d %s\n' "$name" "$now" "$before" "$(echo "$now $before" | awk '{printf "%.3f", $1 / $2}')"
  fi
done
