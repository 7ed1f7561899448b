/* interrupt.h - Ctrl-C, from the signal to the top level of the program. */
#ifndef HL_BIND_CORE_INTERRUPT_H
#define HL_BIND_CORE_INTERRUPT_H

#include <lua.h>
#include <stdbool.h>

/* Catches SIGINT for the main state L and this thread, and replaces pcall, xpcall and
** coroutine's resume, wrap and close by functions that pass interrupts on. Only ./hybridlua
** does this, before any script runs; require "hybridlua" elsewhere does not. A SIGINT
** that is ignored when the program starts stays ignored to the end: a shell without job
** control starts its background jobs like that, and Ctrl-C is not meant for them. */
void interrupt_install(lua_State *L);
void interrupt_uninstall(void);               /* Ctrl-C kills again, if it was caught */

/* Raises the interrupt that a kernel stopped for. Never returns. */
int interrupt_raise(lua_State *L);

/* Is one on its way to the top level? */
bool interrupt_pending(void);

/* The top level serves the interrupt: none is pending any longer. Returns where the script was ("train.lua:12", or ""),
** NULL if there was no interrupt. */
const char *interrupt_serve(lua_State *L);

#endif
