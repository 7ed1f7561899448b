/* child_process.h - os.execute, io.popen, reading and writing, for a program that Ctrl-C does not end. */
#ifndef HL_BIND_HOST_CHILD_PROCESS_H
#define HL_BIND_HOST_CHILD_PROCESS_H

#include <lua.h>

/* Puts functions into the place of os.execute, io.popen, and the read and write of io and of its files, whose waits an
** interrupt ends; their results are Lua's. Only the program does this, after interrupt_install. */
void process_install(lua_State *L);

/* The program ends by an interrupt: what io.popen started is not waited for any more. */
void process_leave(void);

#endif
