/* child_process.h - os.execute, io.popen, reading and writing, for a program that Ctrl-C does not end. */
#ifndef HL_BIND_HOST_CHILD_PROCESS_H
#define HL_BIND_HOST_CHILD_PROCESS_H

#include <lua.h>

/* Replaces os.execute, io.popen, and the read and write of io and of its files by functions whose waits an
** interrupt ends; their results are Lua's. Only ./hybridlua does this, after interrupt_install. */
void process_install(lua_State *L);

/* The program ends by an interrupt: children of io.popen are no longer waited for. */
void process_leave(void);

#endif
