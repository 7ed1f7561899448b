/* compile_text.h - C text made into functions by the system's compiler, in the background.
**
** A Module is one file of text. Asking for it never waits: the compiler runs as a process
** of its own, and whoever asked looks again later. What it made stays in a cache on disk,
** keyed by the text, the compiler, its flags and the CPU.
**   HYBRIDLUA_JIT    see base/settings/debug_switches.h
**   HYBRIDLUA_CC     the compiler, with arguments if need be; else cc, gcc or clang
**   HYBRIDLUA_CACHE  the cache's directory; else $XDG_CACHE_HOME/hybridlua or ~/.cache/hybridlua;
**                    where that cannot be written, /tmp/hybridlua-UID
*/
#ifndef HL_EXEC_JIT_COMPILE_TEXT_H
#define HL_EXEC_JIT_COMPILE_TEXT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

typedef enum JitState { JIT_WAITING, JIT_COMPILING, JIT_READY, JIT_FAILED } JitState;

typedef struct Module {
  int refs;
  char key[33];              /* hexadecimal */
  char *text;
  int n_functions;           /* kernel0, kernel1, ...: a library without them all is no good */
  JitState state;
  void *handle;              /* of dlopen */
  pid_t process;             /* the compiler's, while it runs */
  char work[40];             /* KEY.XXXXXX: what its files are called */
  double asked, seconds;     /* when, and how long it took until the functions were there */
  bool from_cache;
  char *error;               /* why there will be no functions */
  struct Module *next;
} Module;

/* Is there any point in asking? *why says why not: switched off, or no compiler. */
bool compile_enabled(const char **why);

/* The compiler's command, or why there is none; the cache's folder, or why there is none. "" and NULL: nothing
** to say. */
typedef struct CompilePlaces { const char *compiler, *no_compiler, *cache, *no_cache; } CompilePlaces;
CompilePlaces compile_places(void);

/* The module of a text, which is copied, with so many functions; ready at once if it is loaded or in the cache. */
Status module_of_text(const char *text, int n_functions, Module **out);
Module *module_retain(Module *m);
void module_release(Module *m);

/* Looks whether the compiler has finished; at most once a millisecond. */
JitState module_poll(Module *m);

/* Between these no thread starts or awaits a compiler: fork copies the list of modules whole. */
void compile_hold(void);
void compile_unhold(void);

/* This is a child made by fork(): compilers at work are its maker's, and it starts none. What is ready stays. */
void compile_be_worker(void);

void *module_function(const Module *m, const char *name);   /* of a module that is ready: never NULL for those it was to
                                                         ** have */

#endif
