/* json_split.h - cuts a JSON text into its parts without reading them.
**
** A graph of a million nodes as one tree of cJSON would take a gigabyte; so the text is
** first looked through once (brackets, nesting, zero bytes), and then handed to cJSON a
** node at a time. No recursion, and every byte is walked over a fixed number of times.
*/
#ifndef HL_IO_SYMBOL_JSON_SPLIT_H
#define HL_IO_SYMBOL_JSON_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct JsonText {
  const char *name;            /* for errors: the file */
  const char *at;
  size_t n;
} JsonText;

typedef struct JsonSpan { size_t from, to; } JsonSpan;      /* bytes of the text */

/* One object fills the text; its brackets and strings are balanced, it is nested at most
** LIMIT_JSON_NESTING deep and holds no zero byte, written out or as \u0000. */
Status json_check(const JsonText *t, JsonSpan *object);

/* The parts of an object or array one after the other. */
typedef struct JsonParts {
  const JsonText *text;
  size_t at, end;
  bool first;
} JsonParts;

/* `part` must be an array (or an object: `bracket` says which); `what` names it in errors. */
Status json_parts(const JsonText *t, JsonSpan part, char bracket, const char *what, JsonParts *out);
Status json_next_member(JsonParts *p, bool *more, JsonSpan *key, JsonSpan *value);    /* key without quotes */
Status json_next_element(JsonParts *p, bool *more, JsonSpan *value);

/* Fails naming the file and the offset. */
Status json_wrong(const JsonText *t, size_t offset, const char *format, ...)
  __attribute__((format(printf, 3, 4), cold));

#endif
