#!/bin/sh
# test.sh [asan] - runs the specs and ends with the line `N passed, N failed`, the sum of
# all runs. Without an argument: all specs by ./hybridlua, all again with a collector that
# runs all the time, those of compiled code with the engine's switches against its own mistakes
# (src/base/debug.h), and the module in plain lua5.4. A run that does not say how it went counts
# as a failure.
set -u
export HYBRIDLUA_CACHE=build/kernels        # not the user's own
# Ubuntu 22.04 has busted for Lua 5.4, but some of what busted needs for 5.3 only.
export LUA_PATH="${LUA_PATH:-};;spec/support/fallback/?.lua;/usr/share/lua/5.3/?.lua;/usr/share/lua/5.3/?/init.lua"
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {        # run TITLE COMMAND...
  title=$1
  shift
  echo "== $title"
  "$@" >"$log" 2>&1
  code=$?
  grep -v '^[0-9]* passed, [0-9]* failed$' "$log"
  verdict=$(grep '^[0-9]* passed, [0-9]* failed$' "$log" | tail -n 1)
  if [ -z "$verdict" ]; then
    echo "$title: ended without a verdict (exit status $code)"
    failed=$((failed + 1))
    return
  fi
  echo "$title: $verdict"
  p=${verdict%% passed*}
  f=${verdict#*, }
  f=${f%% failed*}
  passed=$((passed + p))
  failed=$((failed + f))
  [ "$code" -eq 0 ] || [ "$f" -gt 0 ] || failed=$((failed + 1))
}

busted=$(command -v busted) || { echo "busted is missing; run tools/setup.sh test"; echo "0 passed, 1 failed"; exit 1; }
if [ "${1:-}" = asan ]; then
  export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0:quarantine_size_mb=16      # the specs look at the memory in use
  export UBSAN_OPTIONS=print_stacktrace=1
  HYBRIDLUA=build/asan/hybridlua run "specs under ASan and UBSan" build/asan/hybridlua "$busted" spec
else
  run "specs" ./hybridlua "$busted" spec
  HYBRIDLUA_GC=aggressive run "specs, collecting all the time" ./hybridlua "$busted" spec
  compiled="spec/autograd_spec.lua spec/hybridize_spec.lua spec/nn_spec.lua spec/ops_spec.lua spec/oracle_spec.lua spec/trainer_spec.lua"
  HYBRIDLUA_POISON=1 run "specs, memory poisoned when its time is over" ./hybridlua "$busted" $compiled
  HYBRIDLUA_NOPLAN=1 run "specs, no value sharing memory" ./hybridlua "$busted" $compiled
  LUA_CPATH="build/?.so;;" run "specs in plain lua5.4" lua5.4 "$busted" spec
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
