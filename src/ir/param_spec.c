/* param_spec.c - parses the parameter text of a row: lines of name, type, default, description. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "ir/params.h"

static const struct { const char *name; ParamKind kind; size_t size; } kinds[] = {
  { "int", P_INT, 8 },
  { "bool", P_BOOL, 8 },
  { "float", P_FLOAT, 8 },
  { "shape", P_SHAPE, sizeof(List) },
  { "floats", P_FLOATS, sizeof(List) },
  { "dtype", P_DTYPE, 8 },
  { "string", P_STRING, 8 },
  { "object", P_OBJECT, 8 },
  { "key", P_KEY, 8 },
};

/* Skips spaces at *at and cuts the text before the next character of `ends`; *at is left after it. */
static char *next_text(char **at, const char *ends) {
  char *from = *at + strspn(*at, " ");
  char *end = from + strcspn(from, ends);
  *at = *end ? end + 1 : end;
  *end = '\0';
  return from;
}

/* Splits "{relu,tanh}" into words. */
static Status read_choices(Param *param) {
  size_t n = 1, length = strlen(param->type_text);
  for (const char *c = param->type_text; *c; c++) n += *c == ',';
  char *words = object_text(param->type_text + 1);
  param->choice = object_new((n + 1) * sizeof *param->choice);
  if (!words || !param->choice) return no_memory("operator parameters");
  words[strcspn(words, "}")] = '\0';
  n = 0;
  for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) param->choice[n++] = word;
  param->kind = P_CHOICE;
  param->optional = param->type_text[length - 1] == '?';
  return OK;
}

static Status read_type(Param *param, size_t *size) {
  if (param->type_text[0] == '{') {
    *size = 8;
    return read_choices(param);
  }
  size_t length = strlen(param->type_text);
  param->optional = length > 0 && param->type_text[length - 1] == '?';
  if (param->optional) length--;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strlen(kinds[k].name) != length || memcmp(kinds[k].name, param->type_text, length) != 0) continue;
    param->kind = kinds[k].kind;
    *size = kinds[k].size;
    return OK;
  }
  return fail("parameter %s: type '%s' is not known", param->name, param->type_text);
}

/* Cuts the next line of *at into the words of a parameter; a line may end early. */
static void read_line(char **at, Param *p) {
  char *line = next_text(at, "\n");
  p->name = next_text(&line, " ");
  p->type_text = next_text(&line, " ");
  p->default_text = next_text(&line, " ");
  p->doc = line + strspn(line, " ");
  if (strcmp(p->default_text, "-") == 0) p->default_text = NULL;
}

/* The parameters and their texts are two blocks: all rows together are read at start-up and kept. */
Status params_parse_spec(const char *text, Param **out, int *count, size_t *size) {
  Param params[MAX_PARAMS] = { 0 };
  int n = 0;
  size_t offset = 0, bytes = 0;
  *out = NULL;
  char *words = text ? object_text(text) : NULL;
  if (text && !words) return no_memory("operator parameters");
  for (char *at = words; at && *at; n++) {
    if (n == MAX_PARAMS) return fail("more than %d parameters", MAX_PARAMS);
    Param *p = &params[n];
    read_line(&at, p);
    TRY(read_type(p, &bytes));
    p->offset = offset;
    offset += bytes;
  }
  if (n > 0 && !(*out = object_new((size_t)n * sizeof **out))) return no_memory("operator parameters");
  if (n > 0) memcpy(*out, params, (size_t)n * sizeof **out);
  *count = n;
  *size = offset;
  return OK;
}
