/* op_in_files.h - the flag of internal rows that files of training steps may call. Inference of such a row checks all
** that its kernels rely on, since a file may call it with any operands. It is the bit after the flags in ir/op.h. */
#ifndef HL_IR_OP_IN_FILES_H
#define HL_IR_OP_IN_FILES_H

enum { OP_IN_FILES = 1 << 17 };

#endif
