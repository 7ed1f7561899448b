/* loop_kernels.h - the kernels of loops and conditions. */
#ifndef HL_EXEC_CONTROL_LOOP_KERNELS_H
#define HL_EXEC_CONTROL_LOOP_KERNELS_H

/* Sets control_engine. */
void loop_kernels_open(void);

#endif
