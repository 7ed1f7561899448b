/* mode.c - see mode.h. */
#include "exec/mode.h"

_Thread_local Running running_own, *running_bound;
