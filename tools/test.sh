#!/bin/sh
# test.sh [asan | variants | ci] - runs the specs and ends with the line `N passed, N failed`, the
# sum of all runs. A run that does not say how it went, or in which no test was, counts as a failure.
#
#   (nothing)  all specs by ./hybridlua; all again with a collector that runs all the time; those of
#              compiled code with the engine's switches against its own mistakes (src/base/debug.h);
#              all with the module in plain lua5.4, as a job in the background, which ignores Ctrl-C
#   asan       all specs by the sanitizers' build
#   variants   all specs as other processors run them: builds of their own for x86-64-v3 and x86-64-v2, OpenBLAS with
#              other kernels, each from an empty cache of compiled kernels and with random graphs of its own; those of
#              compiled code once more with the full cache
#   ci         make test, then make variants
set -u
export HYBRIDLUA_CACHE=build/kernels        # not the user's own
# Ubuntu 22.04 has busted for Lua 5.4, but some of what busted needs for 5.3 only.
export LUA_PATH="${LUA_PATH:-};;spec/support/fallback/?.lua;/usr/share/lua/5.3/?.lua;/usr/share/lua/5.3/?/init.lua"
compiled="spec/engine/autograd_spec.lua spec/engine/hybridize_spec.lua spec/ops/nn_spec.lua spec/ops/ops_spec.lua \
  spec/ops/oracle_spec.lua spec/gluon/trainer_spec.lua"                # those of compiled code
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

broken() {     # broken TEXT: a failure that is no spec's
  echo "$1"
  failed=$((failed + 1))
}

run() {        # run TITLE COMMAND...
  title=$1
  shift
  echo "== $title"
  "$@" >"$log" 2>&1
  code=$?
  grep -v '^[0-9]* passed, [0-9]* failed$' "$log"
  verdict=$(grep '^[0-9]* passed, [0-9]* failed$' "$log" | tail -n 1)
  if [ -z "$verdict" ]; then
    broken "$title: ended without a verdict (exit status $code)"
    return
  fi
  echo "$title: $verdict"
  p=${verdict%% passed*}
  f=${verdict#*, }
  f=${f%% failed*}
  passed=$((passed + p))
  failed=$((failed + f))
  [ $((p + f)) -gt 0 ] || broken "$title: no test was run"
  [ "$code" -eq 0 ] || [ "$f" -gt 0 ] || broken "$title: exit status $code"
}

# As a shell without job control runs `command &`.
in_background() { (trap '' INT QUIT; exec "$@"); }

# ---- What other processors would do ----------------------------------------------------------

# The flags of /proc/cpuinfo that make a level of the x86-64 ABI, and those that OpenBLAS's SkylakeX kernels need.
v2="cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
v3="$v2 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"
avx512="$v3 avx512f avx512cd avx512bw avx512dq avx512vl"

cpu_has() {    # cpu_has FLAG...
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo | cut -d : -f 2) "
  for flag in "$@"; do case $flags in *" $flag "*) ;; *) return 1 ;; esac; done
}

# variant MARCH PROGRAM CORE CACHE SEED SPECS...: specs by a build for MARCH, with OpenBLAS's kernels for CORE ("": those
# of its choice), a cache of generated kernels that is `empty`, or `full` from before, and random graphs from SEED on.
variant() {
  march=$1 program=$2 core=$3 kept=$4 seed=$5
  shift 5
  specs=$*
  title="specs, -march=$march${core:+, BLAS kernels for $core}, $kept kernel cache"
  cache=build/kernels-$march
  [ "$kept" = full ] || rm -rf "$cache"
  set -- env -u OPENBLAS_CORETYPE ${core:+"OPENBLAS_CORETYPE=$core"} HYBRIDLUA="$program" HYBRIDLUA_CACHE="$cache" \
    HYBRIDLUA_FUZZ_FIRST="$seed" "$program"
  info=$("$@" --info)
  case $info in
    *"-march=$march"*"${core:+$core kernels}"*) run "$title" "$@" "$busted" $specs ;;
    *) broken "$title: this is something else: $info" ;;
  esac
}

variants() {
  if cpu_has $avx512; then core=SkylakeX
  else core= && echo "left out: BLAS kernels for SkylakeX, since this processor has no AVX-512"; fi
  variant "$(./hybridlua --info | sed -n 's/.* with -march=//p')" ./hybridlua "$core" empty 20001 spec
  if cpu_has $v3; then
    core=Haswell
    make --no-print-directory for-x86-64-v3 || broken "make for-x86-64-v3"
    variant x86-64-v3 build/x86-64-v3/hybridlua Haswell empty 20201 spec
    variant x86-64-v3 build/x86-64-v3/hybridlua Haswell full 20401 $compiled spec/engine/fusion_spec.lua spec/engine/fuzz_spec.lua
  else
    core= && echo "left out: x86-64-v3 and BLAS kernels for Haswell, since this processor has no AVX2"
  fi
  if cpu_has $v2; then
    make --no-print-directory for-x86-64-v2 || broken "make for-x86-64-v2"
    variant x86-64-v2 build/x86-64-v2/hybridlua "$core" empty 20601 spec
  else
    echo "left out: x86-64-v2, since this processor is older, or no x86-64"
  fi
}

# ---- The choice --------------------------------------------------------------------------------

what=${1:-usual}
busted=$(command -v busted) || [ "$what" = ci ] || { broken "busted is missing; run tools/setup.sh test"; what=nothing; }
case $what in
  usual)
    run "specs" ./hybridlua "$busted" spec
    HYBRIDLUA_GC=aggressive run "specs, collecting all the time" ./hybridlua "$busted" spec
    HYBRIDLUA_POISON=1 run "specs, memory poisoned when its time is over" ./hybridlua "$busted" $compiled
    HYBRIDLUA_NOPLAN=1 run "specs, no value sharing memory" ./hybridlua "$busted" $compiled
    LUA_CPATH="build/?.so;;" run "specs in plain lua5.4, in the background" in_background lua5.4 "$busted" spec ;;
  asan)
    export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0:quarantine_size_mb=16      # the specs look at the memory in use
    export UBSAN_OPTIONS=print_stacktrace=1
    HYBRIDLUA=build/asan/hybridlua run "specs under ASan and UBSan" build/asan/hybridlua "$busted" spec ;;
  variants)
    variants ;;
  ci)
    run "make test" make --no-print-directory test
    run "make variants" make --no-print-directory variants ;;
  nothing) ;;
  *)
    broken "test.sh: $what is unknown" ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
