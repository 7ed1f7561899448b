/* child_process.h - interruptible os.execute, io.popen, reading and writing, for the program. */
#ifndef HL_BIND_HOST_CHILD_PROCESS_H
#define HL_BIND_HOST_CHILD_PROCESS_H

#include <lua.h>

/* Replaces os.execute, io.popen, io.read, io.write and these methods of files by functions that an interrupt ends;
** their results are Lua's. Only ./hybridlua does this, after interrupt_install. */
void process_install(lua_State *L);

/* Called when an interrupt ends the program: children of io.popen are no longer waited for. */
void process_leave(void);

#endif
