#!/bin/sh
# embed_plain.sh FILE... writes C: plain_texts of ir/plain.h, each file of src/plain by its name without path and ending.
set -eu
echo '#include "ir/plain.h"'
i=0
for file; do
  i=$((i + 1))
  echo "static const char text_$i[] = {"
  od -An -v -tx1 "$file" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
  echo '0};'
done
echo 'const PlainText plain_texts[] = {'
i=0
for file; do
  i=$((i + 1))
  name=${file#src/plain/}
  echo "{ \"${name%.h}\", text_$i },"
done
echo '{ 0 } };'
