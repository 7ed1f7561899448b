#!/bin/sh
# format.sh format|format-check - lays out C by .clang-format and Lua by stylua.toml, or lists the files that differ and
# fails. The first words of each settings file name the formatter's version. If that version is not installed, its files
# are skipped with a message. CLANG_FORMAT and STYLUA replace the programs on PATH.
set -u
cd "$(dirname "$0")/.." || exit 2
what=${1:-}
case $what in format|format-check) ;; *) echo "usage: tools/format.sh format|format-check" >&2; exit 2 ;; esac

# The major version that a settings file requires, and that of a program.
asked() { sed -n '1s/^# [a-z-]* \([0-9][0-9]*\).*/\1/p' "$1"; }
version_of() { "$1" --version 2>/dev/null | sed -n 's/^[^0-9]*\([0-9][0-9]*\)\..*/\1/p' | head -n 1; }

# find_formatter NAME SETTINGS GIVEN: prints a program of the right version; fails with a message if there is none.
find_formatter() {
  major=$(asked "$2")
  for program in ${3:-"$1-$major" "$1"}; do
    [ "$(version_of "$program")" = "$major" ] && { echo "$program"; return 0; }
  done
  echo "$what: $1 $major is not installed: its files are left out" >&2
  return 1
}

# The files of the tree, by their endings.
files() { git ls-files -- "$@"; }

differ=0
if clang_format=$(find_formatter clang-format .clang-format "${CLANG_FORMAT:-}"); then
  if [ "$what" = format ]; then
    files '*.c' '*.h' | xargs "$clang_format" -i || exit 1
  else
    list=$(files '*.c' '*.h' | xargs "$clang_format" --dry-run 2>&1 |
      sed -n 's/^\([^: ]*\):[0-9].*warning.*/\1/p' | uniq)
    for file in $list; do echo "$file: not as clang-format lays it out"; differ=1; done
  fi
fi
if stylua=$(find_formatter stylua stylua.toml "${STYLUA:-}"); then
  if [ "$what" = format ]; then
    files '*.lua' | xargs "$stylua" --respect-ignores || exit 1
  else
    for file in $(files '*.lua'); do
      "$stylua" --respect-ignores --check "$file" >/dev/null 2>&1 ||
        { echo "$file: not as stylua lays it out"; differ=1; }
    done
  fi
fi
[ "$differ" = 0 ] || echo "$what: run 'make format'"
exit "$differ"
