#!/bin/sh
# each_spec.sh COMMAND... -- PATH... - runs every spec file at the paths by COMMAND FILE, one per processor at a time (4 at
# most). It prints their output and ends with the sum, `N passed, N failed`.
# each_spec.sh COMMAND... -- --groups PATHS... - the same by COMMAND PATHS: each argument is a group of paths for one
# process.
#
# Each file has its own process, because a garbage collection visits everything that a process has loaded. With a
# collector that runs all the time, or in plain Lua, one process for all files takes three times as long.
set -u
command=
while [ $# -gt 0 ] && [ "$1" != -- ]; do command="$command $1"; shift; done
shift
export command
logs=$(mktemp -d)
export logs
trap 'rm -rf "$logs"' EXIT
jobs=$(nproc)
[ "$jobs" -le 4 ] || jobs=4
failed=0
if [ "${1:-}" = --groups ]; then
  shift
  printf '%s\n' "$@" >"$logs/list"
else
  find "$@" -name '*_spec.lua' >"$logs/found" || failed=1      # a path does not exist
  sort "$logs/found" >"$logs/list"
fi
# The output of a line's paths goes to NUMBER.log, their exit code to NUMBER.code. xargs would join a line that ends with a
# blank to the next one.
sed 's/ *$//' "$logs/list" | cat -n | xargs -P "$jobs" -L 1 sh -c \
  'number=$1; shift; $command "$@" >"$logs/$number.log" 2>&1; echo $? >"$logs/$number.code"' sh

passed=0 number=0
while read -r file; do
  number=$((number + 1))
  code=$(cat "$logs/$number.code")
  grep -v -e '^[0-9]* passed, [0-9]* failed$' -e '^[0-9.]* s of CPU$' -e '^$' "$logs/$number.log"
  verdict=$(grep '^[0-9]* passed, [0-9]* failed$' "$logs/$number.log" | tail -n 1)
  p=${verdict%% passed*} f=${verdict#*, }
  f=${f%% failed*}
  if [ -z "$verdict" ] || { [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; }; then
    echo "error: $file: exit status $code, and no failure is reported"
    p=0 f=1
  fi
  passed=$((passed + p)) failed=$((failed + f))
done <"$logs/list"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
