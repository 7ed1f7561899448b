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

# per_call PROGRAM CASE: the difference of two processes leaves out starting and tracing
per_call() { echo $((($(count "$1" "$2" 2500) - $(count "$1" "$2" 500)) / 2000)); }

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
