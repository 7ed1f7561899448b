/* step_updates.c - see step_updates.h. */
#include "exec/program/step_updates.h"

#include <string.h>

bool step_updates_equal(const StepUpdate *a, const StepUpdate *b, int n) {
  for (int u = 0; u < n; u++, a++, b++) {
    if (a->rule != b->rule || a->zeros != b->zeros || a->clips != b->clips) return false;
    if (a->warns != b->warns || memcmp(&a->max_norm, &b->max_norm, sizeof a->max_norm) != 0) return false;
    if (!a->rule && !a->zeros && !a->clips) continue;
    if (a->n != b->n || memcmp(a->input, b->input, (size_t)a->n * sizeof *a->input) != 0) return false;
  }
  return true;
}

Status step_updates_copy(const StepUpdate *from, int n, Bump *bump, StepUpdate **to) {
  *to = BUMP_ARRAY(bump, n, StepUpdate);
  TRY(bump->status);
  for (int u = 0; u < n; u++) {
    (*to)[u] = from[u];
    (*to)[u].input = NULL;
    (*to)[u].weight = (*to)[u].state = NULL;
    (*to)[u].missed = NULL;
    if (from[u].n == 0) continue;
    int *input = BUMP_ARRAY(bump, from[u].n, int);
    TRY(bump->status);
    memcpy(input, from[u].input, (size_t)from[u].n * sizeof *input);
    (*to)[u].input = input;
  }
  return OK;
}

Type step_numbers_type(const StepUpdate *u) {
  return (Type){ .dtype = DT_FLOAT64, .shape = { .ndim = 2, .dim = { u->n, 1 + u->rule->info->n_params } } };
}

Status step_update_params(const StepUpdate *u, Params **out) {
  const Op *row = op_with_role(ROLE_UPDATE);
  Params *p;
  TRY(params_new(row, &p));
  Status s = params_set_text(p, param_index(row, "rule"), u->rule->name);
  if (s == OK) s = params_set_int(p, param_index(row, "num_weights"), u->n);
  if (s == OK) s = params_set_int(p, param_index(row, "states"), u->n_states);
  if (s != OK) params_release(p);
  else *out = p;
  return s;
}

Status step_clip_params(const StepUpdate *u, Params **out) {
  const Op *row = op_with_role(ROLE_CLIP);
  Params *p;
  TRY(params_new(row, &p));
  Status s = params_set_float(p, param_index(row, "max_norm"), u->max_norm);
  if (s == OK) s = params_set_int(p, param_index(row, "num_arrays"), u->n);
  if (s == OK) s = params_set_bool(p, param_index(row, "_in_place"), true);
  if (s != OK) params_release(p);
  else *out = p;
  return s;
}

double *bound_update_row(const BoundUpdate *b, const Op *rule, const Array *weight, Array *const *state, int n_states,
                         int *at) {
  const StepUpdate *u = b->update;
  int k = *at;
  if (rule != u->rule || n_states != u->n_states) return NULL;
  while (k < u->n && u->weight[k] != weight) k++;
  if (k == u->n) return NULL;
  const void *const *data = b->data + k * (2 + n_states);
  const Leaf *leaf = weight->node ? weight->node->leaf : NULL;
  if (data[0] != weight->t.data || !leaf || data[1] != leaf->grad.data) return NULL;
  for (int i = 0; i < n_states; i++)
    if (u->state[k * n_states + i] != state[i] || data[2 + i] != state[i]->t.data) return NULL;
  *at = k + 1;
  return (double *)b->numbers->data + (size_t)k * (1 + (size_t)rule->info->n_params);
}
