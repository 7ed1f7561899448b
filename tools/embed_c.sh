#!/bin/sh
# embed_c.sh FILE... writes C: the text of the files, one after another and without their includes of each other,
# for exec/jit/kernel_text.h.
set -eu
echo '#include "exec/jit/kernel_text.h"'
echo 'static const char text[] = {'
cat "$@" | grep -v '^#include "base/' | od -An -v -tx1 | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
echo '0};'
echo 'const char *kernel_text_prelude(void) { return text; }'
