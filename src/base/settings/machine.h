/* machine.h - the machine's cores, memory, vector units and clock. */
#ifndef HL_BASE_SETTINGS_MACHINE_H
#define HL_BASE_SETTINGS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

int machine_cores(void);         /* the smaller of the cgroup's CPU quota and the affinity mask; at least 1 */
int64_t machine_memory(void);    /* bytes: the smaller of the cgroup's limit and the installed memory */
bool machine_has_avx512(void);   /* F, CD, BW, DQ and VL, which OpenBLAS's SkylakeX kernels need */
double machine_seconds(void);    /* of the monotonic clock */
const char *machine_cpu(void);   /* the processor's name or, on Arm, its numbers */

#endif
