/* interrupt.h - Ctrl-C, from the signal to the top level of the program. */
#ifndef HL_BIND_CORE_INTERRUPT_H
#define HL_BIND_CORE_INTERRUPT_H

#include <lua.h>
#include <stdbool.h>

/* Catches SIGINT for the main state L and this thread, and replaces pcall, xpcall and coroutine.resume, wrap and close
** by functions that propagate interrupts. Only ./hybridlua does this, before any script runs; the module does not.
** A SIGINT that is ignored when the program starts stays ignored: a shell without job control starts background jobs
** that way, and Ctrl-C is not meant for them. */
void interrupt_install(lua_State *L);
void interrupt_uninstall(void);               /* restores the default action, if SIGINT was caught */

/* Raises the interrupt that stopped a kernel. Never returns. */
int interrupt_raise(lua_State *L);

/* Is an interrupt on its way to the top level? */
bool interrupt_pending(void);

/* Called by the top level: clears a pending interrupt. Returns the script's line ("train.lua:12", or ""), or NULL if
** there was no interrupt. */
const char *interrupt_serve(lua_State *L);

#endif
