/* loop_kernels.h - running the subgraphs of loops and conditions. */
#ifndef HL_EXEC_CONTROL_LOOP_KERNELS_H
#define HL_EXEC_CONTROL_LOOP_KERNELS_H

/* Sets the functions that the rows' kernels call. */
void loop_kernels_open(void);

#endif
