#!/bin/sh
# same_checksums.sh PROGRAM PROGRAM [KIND] - runs tools/checksum.lua by both, prints the lines that differ, and ends with
# the line `N passed, N failed`: the numbers of subjects with equal and with different checksums.
set -eu
one=$1 other=$2
shift 2
lines=$(mktemp -d)
trap 'rm -rf "$lines"' EXIT
"$one" tools/checksum.lua "$@" | sort >"$lines/one"
"$other" tools/checksum.lua "$@" | sort >"$lines/other"
comm -3 "$lines/one" "$lines/other"
passed=$(comm -12 "$lines/one" "$lines/other" | wc -l)
all=$(cat "$lines/one" "$lines/other" | sed 's/  .*//' | sort -u | wc -l)
echo "$passed passed, $((all - passed)) failed"
[ "$all" -gt 0 ] && [ "$passed" -eq "$all" ]
