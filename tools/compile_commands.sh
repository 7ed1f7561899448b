#!/bin/sh
# compile_commands.sh - turns the commands that `make -n V=1` prints into a compilation database: JSON with one entry
# per C source of the tree, one per line. CC is the compiler as it appears in the commands. Sources that the build
# generates are omitted. Objects and headers are removed from commands that also link.
awk -v cc="${CC:-cc}" -v folder="$(pwd)" '
function json(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
index($0, cc " ") == 1 {
  source = ""; command = $1
  for (i = 2; i <= NF; i++) {
    if ($i ~ /^(src|spec|tools|bench)\/.*\.c$/) source = $i
    if ($i !~ /\.[oh]$/ || $(i - 1) == "-o") command = command " " $i
  }
  if (source == "" || source in seen) next
  seen[source] = 1
  printf "%s\n  {\"directory\": %s, \"file\": %s, ", n++ ? "," : "[", json(folder), json(source)
  printf "\"command\": %s}", json(command)
}
END { print n ? "\n]" : "[]" }'
