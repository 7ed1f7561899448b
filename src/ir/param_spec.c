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

/* Skips spaces at *at and copies the text up to a character of `ends`, where *at is left. */
static char *next_text(const char **at, const char *ends) {
  const char *from = *at + strspn(*at, " ");
  const size_t n = strcspn(from, ends);
  *at = from + n;
  char *text = object_new(n + 1);
  return text ? memcpy(text, from, n) : NULL;
}

static char *next_word(const char **at) { return next_text(at, " \n"); }

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

Status params_parse_spec(const char *text, Param **out, int *count, size_t *size) {
  Param *params = object_new(MAX_PARAMS * sizeof *params);
  int n = 0;
  size_t offset = 0, bytes = 0;
  if (!params) return no_memory("operator parameters");
  for (const char *at = text ? text : ""; *at; n++) {
    if (n == MAX_PARAMS) return fail("more than %d parameters", MAX_PARAMS);
    Param *p = &params[n];
    p->name = next_word(&at);
    p->type_text = next_word(&at);
    char *value = next_word(&at);
    p->doc = next_text(&at, "\n");
    at += *at == '\n';
    if (!p->name || !p->type_text || !value || !p->doc) return no_memory("operator parameters");
    p->default_text = value;
    if (strcmp(value, "-") == 0) {
      p->default_text = NULL;
      object_free(value);
    }
    TRY(read_type(p, &bytes));
    p->offset = offset;
    offset += bytes;
  }
  *out = params;
  *count = n;
  *size = offset;
  return OK;
}
