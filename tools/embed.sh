#!/bin/sh
# embed.sh FILE... writes C: the Lua files as byte arrays, for src/bind/host/embedded_files.h.
# A file lua/hybridlua/gluon/block.lua becomes the module hybridlua.gluon.block, and
# lua/hybridlua/gluon/init.lua the module hybridlua.gluon.
set -eu
echo '#include "bind/host/embedded_files.h"'
n=0
for file in "$@"; do
  n=$((n + 1))
  echo "static const char file$n[] = {"
  od -An -v -tx1 "$file" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
  echo '0};'
done
echo 'const EmbeddedFile embedded_files[] = {'
n=0
for file in "$@"; do
  n=$((n + 1))
  path=${file#lua/}
  module=$(echo "${path%.lua}" | tr / .)
  module=${module%.init}
  echo "  { \"$module\", \"$path\", file$n, sizeof file$n - 1 },"
done
echo '  { 0, 0, 0, 0 } };'
