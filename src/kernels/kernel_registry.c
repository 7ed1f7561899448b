/* kernel_registry.c - the list of all tables of kernels. ops/op_registry.c enters them into the rows at start-up. */
#include "kernels/kernel_registry.h"

#define TABLE(table) table,
const Kernel *const kernel_tables[] = { EACH_KERNEL_TABLE(TABLE) NULL };
