#!/bin/sh
# test.sh [smoke | asan | variants | arm64 | ci | list] - runs the specs and ends with the line `N passed, N failed`,
# the sum of all runs. A run that does not say how it went, or in which no test was, counts as a failure.
#
#   (nothing)  all specs by ./hybridlua; again with a collector that runs all the time, as a job in the background,
#              which ignores Ctrl-C; those of compiled code with the engine's switches against its own mistakes
#              (src/base/settings/debug_switches.h); with the module in plain lua5.4
#   smoke      one or two specs of every layer by ./hybridlua, in less than ten seconds
#   asan       all specs by the sanitizers' build
#   variants   the specs as other processors run them: builds of their own for x86-64-v3 and x86-64-v2, OpenBLAS with
#              other kernels, each from an empty cache of compiled kernels and with random graphs of its own; those of
#              compiled code once more with the full cache
#   arm64      a few specs by the build for arm64 (make arm64), under qemu; and its checksums of whole trainings, which are
#              this processor's
#   ci         make test, make variants and, on x86-64 with Debian, make arm64; repeats at its end what failed
#   list       prints which specs each run has
#
# The first run has all specs, in three processes, so that specs meet what others leave behind. Each other one
# (tools/each_spec.sh) has those whose outcome can depend on what it changes, by folders, and leaves out the tests that
# are called #once:
#
#   collector  what holds Lua objects: all folders, of spec/program what holds some at the prompt, and has Ctrl-C
#   compiled   poison and the memory plan change what compiled code finds in memory
#   module     another Lua, and no program around it: all folders but spec/program, which starts the same program
#              again, and spec/ops and spec/functions, whose kernels are the same; of that, one call of each operator and MXNet's cases
#   processor  numbers, in kernels, in generated code and on the pages: all but the program, the Lua layer's manners,
#              and memory
#   native     on the processor of the first run, if OpenBLAS has the same kernels there: compiled code, random graphs
#   kept       loads kernels instead of compiling them: compiled code
set -u
export HYBRIDLUA_CACHE=build/kernels        # not the user's own
export HYBRIDLUA_STRICT=1                   # a program that continues without fused kernels would hide a mistake
# Ubuntu 22.04 has busted for Lua 5.4, but some of what busted needs for 5.3 only.
export LUA_PATH="${LUA_PATH:-};;spec/support/fallback/?.lua;/usr/share/lua/5.3/?.lua;/usr/share/lua/5.3/?/init.lua"

# The folders of spec that have specs, except some, and the specs beside these folders.
all_but() {
  for folder in spec/*; do
    case " $* " in *" ${folder#spec/} "*) continue ;; esac
    [ -z "$(find "$folder" -name '*_spec.lua')" ] || echo "$folder"
  done
}
first_ops="spec/ops spec/functions"
first_program=spec/program
first_rest=$(all_but ops functions program | tr '\n' ' ')
compiled="spec/exec/tape/autograd_spec.lua spec/exec/tape/autograd_function_spec.lua spec/exec/tape/carried_arrays_spec.lua \
  spec/gluon/hybridize/hybridize_spec.lua spec/ops/nn/dense_softmax_norm_spec.lua spec/ops/ops_spec.lua \
  spec/ops/oracle_spec.lua spec/gluon/trainer_spec.lua"
collector="$(all_but program) spec/program/program_spec.lua spec/program/repl_*spec.lua"
module="$(all_but program ops functions) spec/ops/ops_spec.lua spec/ops/oracle_spec.lua"
processor="$(all_but program language memory) spec/program/examples_spec.lua"
native="$compiled spec/pass/fuzz_spec.lua"
smoke="spec/bind/value/symbol_spec.lua spec/bind/call/call_cache_spec.lua spec/exec/control/loops_spec.lua \
  spec/exec/tape/autograd_spec.lua spec/gluon/hybridize/hybridize_spec.lua spec/gluon/trainer_spec.lua \
  spec/gluon/whole_trainings_spec.lua spec/io/array/named_arrays_spec.lua spec/ir/infer_types_spec.lua \
  spec/language/options_spec.lua spec/ops/oracle_spec.lua spec/ops/index/brackets_spec.lua \
  spec/ops/nn/dense_softmax_norm_spec.lua spec/pass/find_fusions_spec.lua spec/program/script_options_spec.lua"
arm64="spec/kernels/matmul/product_order_spec.lua spec/exec/tape/autograd_spec.lua spec/gluon/hybridize/hybridize_spec.lua \
  spec/gluon/trainer_spec.lua spec/gluon/whole_trainings_spec.lua spec/ops/ops_spec.lua spec/ops/oracle_spec.lua \
  spec/ops/nn/dense_softmax_norm_spec.lua"
again="--exclude-tags=once"                 # for all runs but the first

passed=0
failed=0
log=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$failures"' EXIT

broken() {     # broken TEXT: a failure outside the specs
  echo "error: $1" | tee -a "$failures"
  failed=$((failed + 1))
}

run() {        # run TITLE COMMAND...
  title=$1
  shift
  echo "== $title"
  "$@" >"$log" 2>&1
  code=$?
  grep -v '^[0-9]* passed, [0-9]* failed$' "$log"
  grep -A 8 -e '^failure: ' -e '^error: ' "$log" | grep -v -e '^--$' -e '^[0-9]* passed, [0-9]* failed$' >>"$failures"
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

# Files that are neither git's nor ignored by it; none where there is no git.
strays() { git ls-files --others --exclude-standard 2>/dev/null; }

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
    *"-march=$march"*"${core:+$core kernels}"*) run "$title" tools/each_spec.sh "$@" "$busted" $again -- $specs ;;
    *) broken "$title: this is something else: $info" ;;
  esac
}

variants() {
  if cpu_has $avx512; then core=SkylakeX
  else core= && echo "left out: BLAS kernels for SkylakeX, since this processor has no AVX-512"; fi
  case $(env -u OPENBLAS_CORETYPE ./hybridlua --info) in
    *"${core:+$core kernels}"*) specs=$native ;;
    *) specs=$processor ;;
  esac
  variant "$(./hybridlua --info | sed -n 's/.* with -march=//p')" ./hybridlua "$core" empty 20001 $specs
  if cpu_has $v3; then
    core=Haswell
    make --no-print-directory for-x86-64-v3 || broken "make for-x86-64-v3"
    variant x86-64-v3 build/x86-64-v3/hybridlua Haswell empty 20201 $processor
    variant x86-64-v3 build/x86-64-v3/hybridlua Haswell full 20401 $compiled
  else
    core= && echo "left out: x86-64-v3 and BLAS kernels for Haswell, since this processor has no AVX2"
  fi
  if cpu_has $v2; then
    make --no-print-directory for-x86-64-v2 || broken "make for-x86-64-v2"
    variant x86-64-v2 build/x86-64-v2/hybridlua "$core" empty 20601 $processor
  else
    echo "left out: x86-64-v2, since this processor is older, or no x86-64"
  fi
}

# Runs a command where ./hybridlua is the build for arm64. HYBRIDLUA makes specs try a part of what they try else.
on_arm64() (
  cd build/arm64/tree || exit 1
  export HYBRIDLUA=./hybridlua HYBRIDLUA_CACHE=build/kernels-arm64 HYBRIDLUA_PRODUCTS=200
  "$@"
)

arm64() {
  info=$(on_arm64 ./hybridlua --info)
  case $info in
    *"-march=armv8-a"*) ;;
    *) broken "build/arm64/tree/hybridlua is no build for arm64: $info"; return ;;
  esac
  rm -rf build/arm64/kernels-arm64
  run "specs on arm64" on_arm64 tools/each_spec.sh ./hybridlua "$busted" $again -- $arm64
  if cpu_has $v3; then
    run "checksums on arm64" tools/same_checksums.sh ./hybridlua build/arm64/tree/hybridlua trainings
  else
    echo "left out: checksums on arm64, since this processor has no fused multiply-add to compare with"
  fi
}

# ---- The choice --------------------------------------------------------------------------------

what=${1:-usual}
busted=$(command -v busted) || [ "$what" = ci ] || { broken "busted is missing; run tools/setup.sh test"; what=nothing; }
case $what in
  usual)
    before=$(strays)
    run "specs" tools/each_spec.sh ./hybridlua "$busted" -- --groups "$first_rest" "$first_ops" "$first_program"
    [ "$(strays)" = "$before" ] || broken "specs: they left files behind: $(strays | tr '\n' ' ')"
    HYBRIDLUA_GC=aggressive run "specs, collecting all the time, in the background" in_background \
      tools/each_spec.sh ./hybridlua "$busted" $again -- $collector
    HYBRIDLUA_POISON=1 run "specs, memory poisoned when its time is over" tools/each_spec.sh ./hybridlua "$busted" $again -- $compiled
    HYBRIDLUA_NOPLAN=1 run "specs, no value sharing memory" tools/each_spec.sh ./hybridlua "$busted" $again -- $compiled
    LUA_CPATH="build/?.so;;" run "specs in plain lua5.4" tools/each_spec.sh lua5.4 "$busted" $again -- $module ;;
  smoke)
    run "smoke" ./hybridlua "$busted" $smoke ;;
  asan)
    export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0:quarantine_size_mb=16      # the specs look at the memory in use
    export UBSAN_OPTIONS=print_stacktrace=1
    HYBRIDLUA=build/asan/hybridlua run "specs under ASan and UBSan" \
      tools/each_spec.sh build/asan/hybridlua "$busted" -- --groups "$first_rest" "$first_ops" "$first_program" ;;
  variants)
    variants ;;
  arm64)
    arm64 ;;
  ci)
    run "make test" make --no-print-directory test
    run "make variants" make --no-print-directory variants
    # Ubuntu has its packages for arm64 on servers of their own; an arm64 machine has done all this.
    if grep -q '^ID=debian' /etc/os-release && [ "$(uname -m)" = x86_64 ]; then
      run "make arm64" make --no-print-directory arm64
    else
      echo "left out: make arm64, since this is not Debian on x86-64"
    fi
    cat "$failures" ;;
  list)
    for runs in first_rest first_ops first_program smoke compiled collector module processor native arm64; do eval "echo $runs: \$$runs"; done
    exit ;;
  nothing) ;;
  *)
    broken "test.sh: $what is unknown" ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
