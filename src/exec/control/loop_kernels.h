/* control.h - running the subgraphs of loops and conditions. */
#ifndef HL_EXEC_CONTROL_H
#define HL_EXEC_CONTROL_H

/* Puts the engine in place that the rows' kernels call. */
void control_open(void);

#endif
