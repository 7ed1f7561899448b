/* machine.h - what the machine gives us: cores, memory, vector units, time. */
#ifndef HL_BASE_SETTINGS_MACHINE_H
#define HL_BASE_SETTINGS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

int machine_cores(void);         /* the cgroup's CPU quota or the affinity mask, whichever is less; at least 1 */
int64_t machine_memory(void);    /* bytes: the cgroup's limit or the installed memory, whichever is less */
bool machine_has_avx512(void);   /* F, CD, BW, DQ and VL: what OpenBLAS's SkylakeX kernels need */
double machine_seconds(void);    /* of a clock that never goes back */
const char *machine_cpu(void);   /* the processor's name or, on Arm, its numbers */

#endif
