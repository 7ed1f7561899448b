/* json_split.c - see json_split.h. cJSON checks the content of strings and numbers. */
#include "io/symbol/json_split.h"

#include <stdio.h>
#include <string.h>

#include "io/file/file_limits.h"

Status json_wrong(const JsonText *t, size_t offset, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fail("%s: offset %zu: %s", t->name, offset, text);
}

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

static size_t skip_space(const JsonText *t, size_t at) {
  while (at < t->n && is_space(t->at[at])) at++;
  return at;
}

/* The offset after the string that begins at `at`; t->n + 1 if it has no end. */
static size_t string_end(const JsonText *t, size_t at) {
  for (at++; at < t->n; at++) {
    if (t->at[at] == '\\') at++;
    else if (t->at[at] == '"') return at + 1;
  }
  return t->n + 1;
}

static Status check_string(const JsonText *t, size_t from, size_t to) {
  if (to > t->n) return json_wrong(t, from, "expected the string that begins here to end");
  for (size_t i = from; i + 5 < to; i++) {
    if (t->at[i] != '\\') continue;
    if (memcmp(t->at + i, "\\u0000", 6) == 0) return json_wrong(t, i, "expected text, got a zero byte (\\u0000)");
    i++;
  }
  return OK;
}

Status json_check(const JsonText *t, JsonSpan *object) {
  char open[LIMIT_JSON_NESTING];
  int depth = 0;
  size_t at = skip_space(t, 0);
  const char *zero = memchr(t->at, '\0', t->n);
  if (zero) return json_wrong(t, (size_t)(zero - t->at), "expected text, got a zero byte");
  if (at == t->n || t->at[at] != '{') return json_wrong(t, at, "expected a JSON object, which begins with '{'");
  object->from = at;
  do {
    char c = t->at[at];
    if (c == '"') {
      size_t end = string_end(t, at);
      TRY(check_string(t, at, end));
      at = end;
      continue;
    }
    if (c == '{' || c == '[') {
      if (depth == LIMIT_JSON_NESTING)
        return json_wrong(t, at, "expected at most %d levels of brackets", LIMIT_JSON_NESTING);
      open[depth++] = c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open[depth - 1] != c) return json_wrong(t, at, "expected '%c', got '%c'", open[depth - 1], c);
      depth--;
    }
    at++;
  } while (depth > 0 && at < t->n);
  if (depth > 0) return json_wrong(t, t->n, "expected '%c', got the end of the text (it is cut off)", open[depth - 1]);
  object->to = at;
  at = skip_space(t, at);
  return at == t->n ? OK : json_wrong(t, at, "expected the end of the text, got '%.20s'", t->at + at);
}

/* The offset after the value that begins at `at`, in a text that passed json_check. */
static size_t value_end(const JsonText *t, size_t at) {
  int depth = 0;
  for (;;) {
    char c = t->at[at];
    if (c == '"') {
      at = string_end(t, at);
    } else {
      if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':' || is_space(c))) return at;
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      at++;
    }
    if (depth == 0 && (c == '"' || c == '}' || c == ']')) return at;
  }
}

Status json_parts(const JsonText *t, JsonSpan part, char bracket, const char *what, JsonParts *out) {
  if (t->at[part.from] != bracket)
    return json_wrong(t, part.from, "%s: expected %s, got '%.20s'", what, bracket == '[' ? "an array" : "an object",
                      t->at + part.from);
  *out = (JsonParts){ .text = t, .at = part.from + 1, .end = part.to - 1, .first = true };
  return OK;
}

/* Moves to the next part, past a comma unless it is the first. */
static Status next_part(JsonParts *p, bool *more) {
  const JsonText *t = p->text;
  p->at = skip_space(t, p->at);
  *more = p->at < p->end;
  if (*more && !p->first) {
    if (t->at[p->at] != ',') return json_wrong(t, p->at, "expected ',', got '%.20s'", t->at + p->at);
    p->at = skip_space(t, p->at + 1);
    if (p->at >= p->end) return json_wrong(t, p->at, "expected a value after ','");
  }
  p->first = false;
  return OK;
}

static Status take_value(JsonParts *p, JsonSpan *value) {
  *value = (JsonSpan){ p->at, value_end(p->text, p->at) };
  if (value->to == value->from) return json_wrong(p->text, p->at, "expected a value, got '%.20s'", p->text->at + p->at);
  p->at = value->to;
  return OK;
}

Status json_next_element(JsonParts *p, bool *more, JsonSpan *value) {
  TRY(next_part(p, more));
  return *more ? take_value(p, value) : OK;
}

Status json_next_member(JsonParts *p, bool *more, JsonSpan *key, JsonSpan *value) {
  const JsonText *t = p->text;
  TRY(next_part(p, more));
  if (!*more) return OK;
  if (t->at[p->at] != '"') return json_wrong(t, p->at, "expected a name in quotes, got '%.20s'", t->at + p->at);
  size_t end = string_end(t, p->at);
  *key = (JsonSpan){ p->at + 1, end - 1 };
  p->at = skip_space(t, end);
  if (t->at[p->at] != ':') return json_wrong(t, p->at, "expected ':', got '%.20s'", t->at + p->at);
  p->at = skip_space(t, p->at + 1);
  return take_value(p, value);
}
