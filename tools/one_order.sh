#!/bin/sh
# one_order.sh [small] - checks that the bits of float32, integers and bool do not depend on the build or the machine. The
# checksums of `tools/checksum.lua rows` and `steps` must be the same for
#
#   compilers    the Makefile's gcc and, if installed, other gccs (gcc-11 to gcc-15) and clang; each also compiles the
#                kernels that its program generates
#   processors   x86-64-v3 and, if this processor has AVX-512, x86-64-v4
#   threads      1, 2 and 3
#   OpenBLAS     kernels for Haswell, and those of its own choice
#   modes        eager and hybridized; trainings also continued from files
#
# Prints a line per checksum and fails if one differs. Every program runs eagerly with each number of threads, and with 2
# threads in all modes and with both kinds of OpenBLAS's kernels. small: sizes for a slow machine.
set -u
small=${1:-}
jobs=$(nproc)
log=build/one_order.txt
differ=0
mkdir -p build
: >"$log"

cpu_has() {
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo | cut -d : -f 2) "
  for flag in "$@"; do case $flags in *" $flag "*) ;; *) return 1 ;; esac; done
}

marches=
if cpu_has avx2 fma bmi2; then marches=x86-64-v3; fi
if cpu_has avx512f avx512bw avx512cd avx512dq avx512vl; then marches="$marches x86-64-v4"; fi
[ -n "$marches" ] || { echo "one_order.sh: this processor has no fused multiply-add, and nothing is promised for it"; exit 1; }

compilers=gcc
newest=$(gcc -dumpversion | cut -d . -f 1)
for number in 11 12 13 14 15; do
  if [ "$number" != "$newest" ] && command -v "gcc-$number" >/dev/null; then compilers="$compilers gcc-$number"; fi
done
for name in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do
  if command -v "$name" >/dev/null; then compilers="$compilers $name"; break; fi
done

# checksums TITLE PROGRAM THREADS CORETYPE KIND WAY...: adds a line for each way.
checksums() {
  title=$1 program=$2 threads=$3 core=$4 kind=$5
  shift 5
  found=$(env -u OPENBLAS_CORETYPE ${core:+"OPENBLAS_CORETYPE=$core"} HYBRIDLUA_NUM_THREADS="$threads" \
    HYBRIDLUA_CC="$cc" HYBRIDLUA_CACHE="$cache" "$program" tools/checksum.lua "$kind" "$@" $small 2>&1) ||
    found="$kind failed: $(echo "$found" | head -n 1)"
  echo "$found" | while read -r line; do
    printf '%-22s %d threads  %-8s  %s\n' "$title" "$threads" "${core:-native}" "$line" | tee -a "$log"
  done
}

for cc in $compilers; do
  for march in $marches; do
    folder=build/one_order/$cc-$march
    cache=$folder/kernels
    make --no-print-directory -j"$jobs" CC="$cc" MARCH="$march" BUILD="$folder" "$folder/hybridlua" >"build/one_order.make" 2>&1 ||
      { tail -n 5 build/one_order.make; echo "one_order.sh: $cc for $march: the build failed"; exit 1; }
    for threads in 1 2 3; do
      ways=eager
      if [ "$threads" = 2 ]; then ways=; fi
      checksums "$cc $march" "$folder/hybridlua" "$threads" "" rows $ways
      checksums "$cc $march" "$folder/hybridlua" "$threads" "" steps $ways
    done
    checksums "$cc $march" "$folder/hybridlua" 2 Haswell rows eager
    checksums "$cc $march" "$folder/hybridlua" 2 Haswell steps eager
  done
done

for kind in rows steps; do
  sums=$(grep " $kind " "$log" | awk '{ print $NF }' | sort -u)
  if [ "$(echo "$sums" | wc -l)" = 1 ]; then echo "$kind: one checksum, $sums"
  else
    echo "$kind: different checksums: $(echo "$sums" | tr '\n' ' ')"
    differ=1
  fi
done
exit "$differ"
