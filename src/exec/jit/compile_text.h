/* compile_text.h - C text compiled to functions by the system's compiler, in the background.
**
** A Module is one file of text. Requesting it never waits: the compiler runs as a process
** of its own, and the caller polls later. The compiled library stays in a cache on disk,
** keyed by the text, the compiler, its flags and the CPU.
**   HYBRIDLUA_JIT    see base/settings/debug_switches.h
**   HYBRIDLUA_CC     the compiler, with arguments if need be; else cc, gcc or clang
**   HYBRIDLUA_CACHE  the cache's directory; else $XDG_CACHE_HOME/hybridlua or ~/.cache/hybridlua;
**                    if that cannot be written, /tmp/hybridlua-UID
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
  int n_functions;           /* kernel0, kernel1, ...: a library without all of them is not used */
  JitState state;
  void *handle;              /* of dlopen */
  pid_t process;             /* the compiler's, while it runs */
  char work[40];             /* KEY.XXXXXX: the name of its files */
  double asked, seconds;     /* time of the request, and how long it took until the functions were ready */
  bool from_cache;
  char *error;               /* why there will be no functions */
  struct Module *next;
} Module;

/* Can kernels be compiled? *why says why not: switched off, or no compiler. */
bool compile_enabled(const char **why);

/* The compiler's command, or why there is none; the cache's folder, or why there is none. The field that does not apply
** is "" or NULL. */
typedef struct CompilePlaces { const char *compiler, *no_compiler, *cache, *no_cache; } CompilePlaces;
CompilePlaces compile_places(void);

/* The module of a text, which is copied, with n_functions functions; ready at once if it is loaded or in the cache. */
Status module_of_text(const char *text, int n_functions, Module **out);
Module *module_retain(Module *m);
void module_release(Module *m);

/* Checks whether the compiler has finished; at most once per millisecond. */
JitState module_poll(Module *m);

/* Between these no thread starts or awaits a compiler, so that fork copies the list of modules whole. */
void compile_hold(void);
void compile_unhold(void);

/* In a child made by fork(): running compilers belong to its parent, and it starts none. Ready modules stay. */
void compile_be_worker(void);

/* A function of a module that is ready; never NULL for those that it was requested with. */
void *module_function(const Module *m, const char *name);

#endif
