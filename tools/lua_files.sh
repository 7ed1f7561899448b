#!/bin/sh
# lua_files.sh - prints the files of lua/, in the order in which they are embedded: first those that
# `require "hybridlua"` loads, so that they share pages and a start maps few of them into memory.
#
# These are the files reached by requires outside of functions: without indentation, or as a field of a table.
set -eu
export LC_ALL=C
files=$(find lua -name '*.lua' | sort)
awk '
  function module_of(file) {
    gsub(/^lua\/|\.lua$/, "", file)
    sub(/\/init$/, "", file)
    gsub("/", ".", file)
    return file
  }
  function visit(module, needed, n, i) {
    if (!(module in file_of) || seen[module]++) return
    print file_of[module]
    n = split(needs[module], needed, " ")
    for (i = 1; i <= n; i++) visit(needed[i])
  }
  FNR == 1 { module = module_of(FILENAME); file_of[module] = FILENAME; order[++n_files] = module }
  /^([^ -].*|  [a-z_]+ = )?require "hybridlua/ {
    match($0, /require "[^"]*"/)
    needs[module] = needs[module] " " substr($0, RSTART + 9, RLENGTH - 10)
  }
  END {
    visit("hybridlua")
    for (i = 1; i <= n_files; i++) if (!seen[order[i]]) print file_of[order[i]]
  }' $files
