/* compile_text.h - C text compiled to functions by the system's compiler, in the background.
**
** A Module is one file of text. A request does not wait: the compiler runs as another process, and the caller polls
** later. The compiled library stays in a cache on disk, keyed by the text, the compiler, its flags and the CPU.
**   HYBRIDLUA_JIT    see base/settings/debug_switches.h
**   HYBRIDLUA_CC     the compiler, perhaps with arguments; by default cc, gcc or clang
**   HYBRIDLUA_CACHE  the cache's directory; by default $XDG_CACHE_HOME/hybridlua or ~/.cache/hybridlua;
**                    /tmp/hybridlua-UID if it cannot be written
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
  int n_functions;           /* kernel0, kernel1, ...; a library that lacks one is rejected */
  JitState state;
  void *handle;              /* from dlopen */
  pid_t process;             /* the running compiler */
  char work[40];             /* KEY.XXXXXX: the name of its files */
  double asked, seconds;     /* time of the request; seconds from then until the functions were ready */
  bool from_cache;
  char *error;               /* why compiling failed */
  struct Module *next;
} Module;

/* Can kernels be compiled? *why: the reason if not, such as no compiler. */
bool compile_enabled(const char **why);

/* The compiler's command or why there is none, and the cache's folder or why there is none; other fields are "" or
** NULL. */
typedef struct CompilePlaces { const char *compiler, *no_compiler, *cache, *no_cache; } CompilePlaces;
CompilePlaces compile_places(void);

/* The module of a text, which is copied, with n_functions functions. A module that is loaded or cached is ready now. */
Status module_of_text(const char *text, int n_functions, Module **out);
Module *module_retain(Module *m);
void module_release(Module *m);

/* Checks, at most once per millisecond, whether compilers have finished. */
JitState module_poll(Module *m);

/* Between these two calls no thread starts or awaits a compiler, so that fork copies a consistent list of modules. */
void compile_hold(void);
void compile_unhold(void);

/* In a child made by fork(): leaves running compilers to the parent, and starts none. Ready modules stay usable. */
void compile_be_worker(void);

/* A function of a ready module; not NULL for kernel0 to the last of n_functions. */
void *module_function(const Module *m, const char *name);

#endif
