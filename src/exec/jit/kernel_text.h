/* kernel_text.h - the C text of fusion groups. */
#ifndef HL_EXEC_JIT_KERNEL_TEXT_H
#define HL_EXEC_JIT_KERNEL_TEXT_H

#include "base/text_buffer.h"
#include "pass/fusion_group.h"

/* Appends the parameters and the body of a group's function: "(char *const *pointer, ...) { ... }". They depend on
** expressions, dtypes and layouts, not on sizes or scalars, so a kernel serves every batch size. */
void kernel_text_of_group(const FusionGroup *g, Text *out);

/* Do both have the same text? Groups with the same text have the same hash. */
bool kernel_text_alike(const FusionGroup *a, const FusionGroup *b);
uint64_t kernel_text_hash(const FusionGroup *g);

/* The prelude of every file of kernels: typed_functions.h with its includes, and tree_sum.h. */
const char *kernel_text_prelude(void);

#endif
