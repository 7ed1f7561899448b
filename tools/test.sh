#!/bin/sh
# test.sh [smoke | asan | variants | arm64 | ci | list] - runs the specs and ends with the line `N passed, N failed`,
# the sum of all runs. A run without a verdict, or without any test, counts as a failure.
#
#   (nothing)  all specs by ./hybridlua; some again with a collector that runs all the time, in a background job that
#              ignores Ctrl-C; those of compiled code with the engine's own checks
#              (src/base/settings/debug_switches.h); some with the module in plain lua5.4
#   smoke      one or two specs of every layer by ./hybridlua, in less than ten seconds
#   asan       all specs by the sanitizers' build
#   variants   the specs as other processors run them: builds for x86-64-v3 and x86-64-v2, and OpenBLAS with other
#              kernels, each with an empty cache of compiled kernels and its own random graphs; those of compiled code
#              again with the full cache
#   arm64      a few specs by the build for arm64 (make arm64), under qemu; the checksums of whole trainings must equal
#              this processor's
#   ci         make test, make variants and, on x86-64 with Debian, make arm64; ends with a list of the failures
#   list       prints the specs of each run
#
# The first run has all specs, each folder in one process, so that specs meet the leftovers of others; those of
# spec/memory, which collect garbage all the time, have a process each. Each later run (tools/each_spec.sh) has the
# folders whose results can depend on its change, without the tests called #once:
#
#   collector  specs with Lua objects: all folders except spec/plain, but of spec/program only the prompt and Ctrl-C
#   compiled   specs of compiled code, whose memory the switches for poison and planning change
#   module     another Lua, without the program: all folders except spec/program, which starts the same program again,
#              and those of kernels and generated code, which are the same; of these, one call of each operator and
#              MXNet's cases
#   processor  numbers from kernels and from generated code
#   older      the same without fused multiply-add: fewer folders, since no kernels are written for these processors
#   native     compiled code and random graphs on the first run's processor, if OpenBLAS has the same kernels there
#   kept       compiled code, with kernels loaded instead of compiled
set -u
export HYBRIDLUA_CACHE=build/kernels        # not the user's own
export HYBRIDLUA_STRICT=1                   # otherwise a program without fused kernels would continue and hide a mistake
# Ubuntu 22.04 has busted for Lua 5.4, but some of its dependencies for 5.3 only.
export LUA_PATH="${LUA_PATH:-};;spec/support/fallback/?.lua;/usr/share/lua/5.3/?.lua;/usr/share/lua/5.3/?/init.lua"

# The folders of spec with specs, except those named, and the specs directly in spec.
all_but() {
  for folder in spec/*; do
    case " $* " in *" ${folder#spec/} "*) continue ;; esac
    [ -z "$(find "$folder" -name '*_spec.lua')" ] || echo "$folder"
  done
}
first_folders="spec/pass spec/ops spec/program spec/gluon spec/exec $(all_but pass ops program gluon exec memory | grep -v '_spec\.lua$') \
  $(find spec/memory -name '*_spec.lua' | sort)"
first_folders=$(echo $first_folders)        # on one line
first_files=$(echo spec/*_spec.lua)
compiled="spec/exec/tape/autograd_spec.lua spec/exec/tape/autograd_function_spec.lua spec/exec/tape/carried_arrays_spec.lua \
  spec/gluon/hybridize/hybridize_spec.lua spec/ops/nn/dense_softmax_norm_spec.lua spec/ops/ops_spec.lua \
  spec/ops/oracle_spec.lua spec/gluon/trainer_spec.lua"
collector="$(all_but program plain) spec/program/program_spec.lua spec/program/repl_*spec.lua"
module="$(all_but program ops functions plain kernels ir pass) spec/ops/ops_spec.lua spec/ops/oracle_spec.lua"
processor="spec/exec spec/functions spec/gluon spec/kernels spec/ops spec/pass spec/plain spec/program/examples_spec.lua"
older="$compiled spec/exec/jit spec/functions spec/kernels spec/pass $(find spec/ops -mindepth 1 -maxdepth 1 -type d)"
native="$compiled spec/pass/fuzz_spec.lua"
smoke="spec/bind/value/symbol_spec.lua spec/bind/call/call_cache_spec.lua spec/exec/control/loops_spec.lua \
  spec/exec/tape/autograd_spec.lua spec/gluon/hybridize/hybridize_spec.lua spec/gluon/trainer_spec.lua \
  spec/gluon/whole_trainings_spec.lua spec/io/array/named_arrays_spec.lua spec/ir/infer_types_spec.lua \
  spec/language/options_spec.lua spec/ops/oracle_spec.lua spec/ops/index/brackets_spec.lua \
  spec/ops/nn/dense_softmax_norm_spec.lua spec/pass/find_fusions_spec.lua spec/program/script_options_spec.lua"
arm64="spec/kernels/matmul/product_order_spec.lua spec/exec/tape/autograd_spec.lua spec/gluon/hybridize/hybridize_spec.lua \
  spec/gluon/trainer_spec.lua spec/gluon/whole_trainings_spec.lua spec/ops/ops_spec.lua spec/ops/oracle_spec.lua \
  spec/ops/nn/dense_softmax_norm_spec.lua"
again="--exclude-tags=once"                 # for all runs except the first

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

# Files that git neither tracks nor ignores; none without git.
strays() { git ls-files --others --exclude-standard 2>/dev/null; }

# Runs a command like a shell without job control runs `command &`.
in_background() { (trap '' INT QUIT; exec "$@"); }

# ---- Other processors ----------------------------------------------------------

# The flags of /proc/cpuinfo for each level of the x86-64 ABI, and those that OpenBLAS's SkylakeX kernels need.
v2="cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
v3="$v2 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"
avx512="$v3 avx512f avx512cd avx512bw avx512dq avx512vl"

cpu_has() {    # cpu_has FLAG...
  flags=" $(grep -m 1 '^flags' /proc/cpuinfo | cut -d : -f 2) "
  for flag in "$@"; do case $flags in *" $flag "*) ;; *) return 1 ;; esac; done
}

# variant MARCH PROGRAM CORE CACHE SEED SPECS...: runs specs by a build for MARCH, with OpenBLAS's kernels for CORE ("":
# its choice), a cache of generated kernels that is `empty` or `full`, and random graphs that start with SEED.
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
    variant x86-64-v2 build/x86-64-v2/hybridlua "$core" empty 20601 $older
  else
    echo "left out: x86-64-v2, since this processor is older, or no x86-64"
  fi
}

# Runs a command in a folder where ./hybridlua is the build for arm64. With HYBRIDLUA set, specs try fewer cases.
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
    run "specs" tools/each_spec.sh ./hybridlua "$busted" -- --groups $first_folders "$first_files"
    [ "$(strays)" = "$before" ] || broken "specs: they left files behind: $(strays | tr '\n' ' ')"
    HYBRIDLUA_GC=aggressive run "specs, collecting all the time, in the background" in_background \
      tools/each_spec.sh ./hybridlua "$busted" $again -- $collector
    HYBRIDLUA_POISON=1 run "specs, memory poisoned when its time is over" tools/each_spec.sh ./hybridlua "$busted" $again -- $compiled
    HYBRIDLUA_NOPLAN=1 run "specs, no value sharing memory" tools/each_spec.sh ./hybridlua "$busted" $again -- $compiled
    LUA_CPATH="build/?.so;;" run "specs in plain lua5.4" tools/each_spec.sh lua5.4 "$busted" $again -- $module ;;
  smoke)
    run "smoke" ./hybridlua "$busted" $smoke ;;
  asan)
    export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0:quarantine_size_mb=16      # the specs measure memory
    export UBSAN_OPTIONS=print_stacktrace=1
    HYBRIDLUA=build/asan/hybridlua run "specs under ASan and UBSan" \
      tools/each_spec.sh build/asan/hybridlua "$busted" -- --groups $first_folders "$first_files" ;;
  variants)
    variants ;;
  arm64)
    arm64 ;;
  ci)
    run "make test" make --no-print-directory test
    run "make variants" make --no-print-directory variants
    # Ubuntu's packages for arm64 are on other servers; an arm64 machine needs no emulation.
    if grep -q '^ID=debian' /etc/os-release && [ "$(uname -m)" = x86_64 ]; then
      run "make arm64" make --no-print-directory arm64
    else
      echo "left out: make arm64, since this is not Debian on x86-64"
    fi
    cat "$failures" ;;
  list)
    for runs in first_folders first_files smoke compiled collector module processor older native arm64; do eval "echo $runs: \$$runs"; done
    exit ;;
  nothing) ;;
  *)
    broken "test.sh: $what is unknown" ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
