/* status.h - how engine functions fail.
**
** An engine function that can fail returns a Status. Unless it is OK, a thread-local buffer (status_text) holds the
** error text, of the form `operator: parameter: expected X, got Y`. The engine never aborts, exits or asserts because
** of input; only src/bind turns a Status into a Lua error.
*/
#ifndef HL_BASE_STATUS_H
#define HL_BASE_STATUS_H

#include <stdarg.h>

#include "base/script_origin.h"

typedef enum Status {
  OK = 0,
  E_INPUT,      /* the user's input is wrong: shapes, values, names, files */
  E_MEMORY,     /* no memory, or the byte budget is exceeded; a collection may help */
  E_IO,         /* the operating system refused a file operation */
  E_INTERRUPT,  /* Ctrl-C during the engine's work */
  E_INTERNAL,   /* a bug of ours, detected before it did harm */
  E_LUA         /* a Lua callback raised; its error value is kept in src/bind */
} Status;

/* Records the text and returns `code`, so that failing is one statement. */
Status fail_as(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* The usual failure: the user's input. */
#define fail(...) fail_as(E_INPUT, __VA_ARGS__)

/* Fails with "out of memory: WHAT". */
Status no_memory(const char *what) __attribute__((cold));

/* Puts "WHAT: " in front of the current text; returns `code` unchanged. */
Status fail_within(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Puts another text first, and the current one in brackets after it; returns `code` unchanged. */
Status fail_because(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Appends to the current text; returns `code` unchanged. */
Status fail_append(Status code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* The text of this thread's latest failure. */
const char *status_text(void);

/* The script's line that the failure belongs to; 0, as fail_as sets it: the line that is running. */
void status_set_line(Origin line);
Origin status_line(void);

/* Returns a failure to the caller. */
#define TRY(expression)                       \
  do {                                        \
    Status try_status_ = (expression);        \
    if (try_status_ != OK) return try_status_; \
  } while (0)

/* In a declaration: calls function(&variable) where the variable's block ends, even if TRY leaves it. The variable must
** be initialized. */
#define FREED_BY(function) __attribute__((cleanup(function)))

#endif
