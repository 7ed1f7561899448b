/* kernel_text.h - groups as C text. */
#ifndef HL_EXEC_JIT_KERNEL_TEXT_H
#define HL_EXEC_JIT_KERNEL_TEXT_H

#include "base/text_buffer.h"
#include "pass/fusion_group.h"

/* Adds the function of a group, from its parameters on: "(char *const *pointer, ...) { ... }".
** The text depends on expressions, dtypes and operands' layouts, not on sizes or scalars, so
** a kernel serves every batch size. */
void kernel_text_of_group(const FusionGroup *g, Text *out);

/* Do both have the same text? Determined without writing it; groups that are alike have the same hash. */
bool kernel_text_alike(const FusionGroup *a, const FusionGroup *b);
uint64_t kernel_text_hash(const FusionGroup *g);

/* The prelude, the text that every file of kernels begins with: scalar_functions.h with what it includes, and
** tree_sum.h. */
const char *kernel_text_prelude(void);

#endif
