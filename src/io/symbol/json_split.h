/* json_split.h - splitting a JSON text into parts, without parsing them.
**
** One cJSON tree of a graph with a million nodes would need a gigabyte. So the text is checked once (brackets, nesting,
** zero bytes), and then passed to cJSON node by node. There is no recursion, and every byte is visited a fixed number
** of times.
*/
#ifndef HL_IO_SYMBOL_JSON_SPLIT_H
#define HL_IO_SYMBOL_JSON_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct JsonText {
  const char *name;            /* the file, for errors */
  const char *at;
  size_t n;
} JsonText;

typedef struct JsonSpan { size_t from, to; } JsonSpan;      /* bytes of the text */

/* Checks that the text is one object with balanced brackets and complete strings, nested at most LIMIT_JSON_NESTING
** deep, without zero bytes, literal or as \u0000. */
Status json_check(const JsonText *t, JsonSpan *object);

/* An iterator over the parts of an object or array. */
typedef struct JsonParts {
  const JsonText *text;
  size_t at, end;
  bool first;
} JsonParts;

/* `part` must be an array or an object, depending on `bracket`; `what` names it in errors. */
Status json_parts(const JsonText *t, JsonSpan part, char bracket, const char *what, JsonParts *out);
Status json_next_member(JsonParts *p, bool *more, JsonSpan *key, JsonSpan *value);    /* key without quotes */
Status json_next_element(JsonParts *p, bool *more, JsonSpan *value);

/* Fails with the file and the offset in the error. */
Status json_wrong(const JsonText *t, size_t offset, const char *format, ...)
  __attribute__((format(printf, 3, 4), cold));

#endif
