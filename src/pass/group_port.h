/* group_port.h - the kernels of the rows that passes define; they are in exec/program/group_kernels.c. */
#ifndef HL_PASS_GROUP_PORT_H
#define HL_PASS_GROUP_PORT_H

#include "ir/op.h"

Status group_run(Call *c);               /* a group (pass/fusion_group.h) */
Status group_run_epilogue(Call *c);      /* an operator with its epilogue (pass/epilogue.h) */

#endif
