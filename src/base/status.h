/* status.h - how engine functions fail.
**
** An engine function that can fail returns a Status. Anything but OK means that
** the text of the failure is in a buffer of this thread (status_text), in the
** form `operator: parameter: expected X, got Y`. Nothing in the engine aborts,
** exits or asserts on input; only src/bind turns a status into a Lua error.
*/
#ifndef HL_BASE_STATUS_H
#define HL_BASE_STATUS_H

#include <stdarg.h>

typedef enum Status {
  OK = 0,
  E_INPUT,      /* what the user gave is wrong: shapes, values, names, files */
  E_MEMORY,     /* no memory, or over the byte budget; a collection may help */
  E_IO,         /* the operating system refused a file operation */
  E_INTERRUPT,  /* Ctrl-C arrived while the engine was at work */
  E_INTERNAL,   /* a mistake of ours was met before it did harm */
  E_LUA         /* a Lua callback raised; its error value is kept in src/bind */
} Status;

/* Records the text and returns `code`, so that failing is one statement. */
Status fail_as(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* The usual failure: the user's input. */
#define fail(...) fail_as(E_INPUT, __VA_ARGS__)

/* A small allocation failed: "out of memory: WHAT". */
Status no_memory(const char *what) __attribute__((cold));

/* Puts "WHAT: " in front of the current text; returns `code` unchanged. */
Status fail_within(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Puts another text first, and the current one in brackets after it; returns `code` unchanged. */
Status fail_because(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Appends to the current text; returns `code` unchanged. */
Status fail_append(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* The text of this thread's latest failure. */
const char *status_text(void);

/* Hands a failure on to the caller. */
#define TRY(expression)                       \
  do {                                        \
    Status try_status_ = (expression);        \
    if (try_status_ != OK) return try_status_; \
  } while (0)

/* In a declaration: calls function(&variable) where the variable's block ends, also if TRY leaves it. The variable must
** be initialized. */
#define FREED_BY(function) __attribute__((cleanup(function)))

#endif
