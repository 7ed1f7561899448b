/* op_read.c - parses the texts of a row, once.
**
** Filling the registry parses the rows of src/ops. Other rows, for objects that one file makes and uses (a fused group,
** a recorded call), are parsed on first use.
*/
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "ir/op.h"

static Status split_words(const char *text, const char ***out, int *count) {
  char *copy = object_text(text);
  const char **words = object_new((strlen(text) / 2 + 2) * sizeof *words);
  *out = words;
  *count = 0;
  if (!copy || !words) return no_memory("operators");
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) words[(*count)++] = word;
  if (*count == 0) object_free(copy);
  return OK;
}

/* Drops the texts, so that defaults print from their fields. */
static void forget_texts(Params *defaults, int n_params) {
  defaults->given = 0;
  for (int i = 0; defaults->text && i < n_params; i++) object_free(defaults->text[i]);
  object_free(defaults->text);
  defaults->text = NULL;
}

static Status read_params(Op *op, OpInfo *info) {
  Param *param;
  size_t size;
  TRY(params_parse_spec(op->params, &param, &info->n_params, &size));
  if (size != op->params_size) return fail("the parameter text does not describe its struct");
  info->param = param;
  TRY(params_new(op, &info->defaults));
  info->defaults->refs = 1 << 30;
  for (int i = 0; i < info->n_params; i++) {
    if (op->flags & OP_VARIADIC && param[i].kind == P_INT && strncmp(param[i].name, "num_", 4) == 0) info->count = i;
    if (strcmp(param[i].name, "_check") == 0) info->check = i;
    if (strcmp(param[i].name, "num_args") == 0) info->num_args = i;
    if (info->n_inputs == 0 && strcmp(param[i].name, "shape") == 0) info->shape = i;
    if (info->n_inputs == 0 && strcmp(param[i].name, "dtype") == 0) info->dtype = i;
    if (param[i].kind == P_OBJECT && !op->object) return fail("it has object parameters, but no kind for them");
    if (param[i].default_text) TRY(params_set_text(info->defaults, i, param[i].default_text));
  }
  forget_texts(info->defaults, info->n_params);
  return OK;
}

static Status read_texts(Op *op, OpInfo *info) {
  info->count = info->num_args = info->check = info->shape = info->dtype = -1;
  TRY(split_words(op->inputs ? op->inputs : "", &info->input, &info->n_inputs));
  TRY(split_words(op->outputs ? op->outputs : "output", &info->output, &info->n_outputs));
  TRY(split_words(op->aliases ? op->aliases : "", &info->alias, &info->n_aliases));
  if (info->n_inputs > 0) {
    char *last = (char *)info->input[info->n_inputs - 1];
    size_t n = strlen(last);
    info->variadic = n > 3 && strcmp(last + n - 3, "...") == 0;
    if (info->variadic) last[n - 3] = '\0';
  }
  return read_params(op, info);
}

Status op_read(Op *op, const char *family) {
  OpInfo *info = object_new(sizeof *info);
  if (!info) return no_memory("operators");
  info->family = family;
  op->info = info;
  Status s = read_texts(op, info);
  for (const Kernel *k = op->own_kernels; k && k->op; k++) op_add_kernel(op, k);
  if (s == OK) return OK;
  op->info = NULL;
  object_free(info);
  return s;
}

Status op_declare(Op *op) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static _Thread_local const Op *latest;      /* consecutive calls usually declare the same row */
  if (latest == op) return OK;
  pthread_mutex_lock(&lock);
  Status s = op->info ? OK : op_read(op, NULL);
  pthread_mutex_unlock(&lock);
  if (s != OK) return fail_within(s, "%s", op->name);
  latest = op;
  return OK;
}
