/* kernel_text.c - the readable C function of a fusion group, with one line per member.
**
** Values are numbered, inputs first, then members: v0, v1, ... The tree of a row's expression is printed with values in
** place of operands (ir/expression/expression.h):
**     const float v3 = v0 * hl_sigmoid32(v1);    
** Each row of elements is computed in the loops of fusion_group_schedule. Folds have the bits of the operators'
** kernels: TREE_FOLD of base/math/tree_sum.h along rows, the blocks of rows of ops/reduce/sum_mean_max.c along columns.
*/
#include "exec/jit/kernel_text.h"

#include <stdio.h>
#include <string.h>

#include "base/math/tree_sum.h"

typedef struct KernelWriter {
  const FusionGroup *g;
  Schedule s;
  Text *out;
  bool have[MOST_MEMBERS], loaded[MOST_POINTERS];      /* members and inputs already written in the current loop */
} KernelWriter;

static DType dtype_of(const FusionGroup *g, int value) {
  return value < g->n_in ? g->input[value].dtype : g->member[value - g->n_in].dtype;
}

/* ---- Expressions -------------------------------------------------------------------------------- */

enum { WORD = 64 };

/* What the names of a member's expression stand for: operands and scalars. Scalars are constants of their own, because
** compilers do not vectorise a choice whose branches load. */
typedef struct Words { char text[MOST_NAMES][WORD]; const char *at[MOST_NAMES]; } Words;

static void name_operands(const KernelWriter *w, const GroupMember *m, const char *indent, Words *words) {
  const Elementwise *e = m->elementwise;
  for (int i = 0; i < MOST_NAMES; i++) words->at[i] = words->text[i];
  for (int i = 0; i < m->n_in; i++) {
    const bool truth = e->condition && e->slots[i] == 'a' && dtype_of(w->g, m->operand[i]) != m->dtype;
    char *word = words->text[strchr(ELEMENT_SLOTS, e->slots[i]) - ELEMENT_SLOTS];
    snprintf(word, WORD, truth ? "(v%d != 0)" : "v%d", m->operand[i]);
  }
  for (int i = 0; i < m->n_scalars; i++) {
    char scalar[32], value[WORD];
    snprintf(scalar, sizeof scalar, "scalar[%d]", m->scalar + i);
    dialect_convert(&dialect_gnu_c, m->dtype, scalar, value, sizeof value);
    snprintf(words->text[FIRST_SCALAR_NAME + i], WORD, "s%d", m->scalar + i);
    text_format(w->out, "%sconst %s s%d = %s;\n", indent, dtype_c_name(m->dtype), m->scalar + i, value);
  }
}

static void write_value(KernelWriter *w, int m, const char *indent) {
  const GroupMember *member = &w->g->member[m];
  const char *type = dtype_c_name(member->dtype);
  Words words;
  if (!member->elementwise) {
    text_format(w->out, "%sconst %s v%d = v%d;\n", indent, type, w->g->n_in + m, member->operand[0]);
    return;
  }
  name_operands(w, member, indent, &words);
  text_format(w->out, "%sconst %s v%d = ", indent, type, w->g->n_in + m);
  expression_print(member->elementwise->tree, &dialect_gnu_c, member->dtype, words.at, w->out);
  text_format(w->out, ";    /* %s */\n", member->op->name);
}

/* Writes an expression of a fold, in which y is the fold's value. */
static void write_fold_expression(KernelWriter *w, int m, const Expression *tree, const char *count) {
  const GroupMember *fold = &w->g->member[m];
  char x[WORD], y[WORD], total[WORD];
  snprintf(x, sizeof x, "v%d", fold->operand[0]);
  snprintf(y, sizeof y, "v%d", w->g->n_in + m);
  snprintf(total, sizeof total, "total%d%s", m, w->g->kind == GROUP_COLUMNS ? "[i]" : "");
  const char *const words[] = { [FOLD_X] = x, [FOLD_Y] = y, [FOLD_TOTAL] = total, [FOLD_COUNT] = count };
  expression_print(tree, &dialect_gnu_c, fold->dtype, words, w->out);
}

/* ---- Addresses ------------------------------------------------------------------------------------- */

/* The offset of row `row` of input k, in elements. */
static void write_offset(KernelWriter *w, int k) {
  int n = w->g->n_outer, first = 2 + n + k * n;
  if (n == 0) text_put(w->out, "0");
  else if (n == 1) text_format(w->out, "row * dim[%d]", first);
  else
    for (int i = 0; i < n; i++) text_format(w->out, "%sat%d * dim[%d]", i ? " + " : "", i, first + i);
}

/* Writes at0, at1, ...: the row's index along each outer dimension. */
static void write_place(KernelWriter *w, const char *indent) {
  int n = w->g->n_outer;
  if (n < 2) return;
  text_format(w->out, "%sint64_t rest = row;\n", indent);
  for (int i = n - 1; i > 0; i--)
    text_format(w->out, "%sconst int64_t at%d = rest %% dim[%d]; rest /= dim[%d];\n", indent, i, 2 + i, 2 + i);
  text_format(w->out, "%sconst int64_t at0 = rest;\n", indent);
}

/* xN: a pointer to the row of input N, plus `more`; vN: the value of an input with one value per row. */
static void write_inputs(KernelWriter *w, const char *indent, const char *more) {
  const FusionGroup *g = w->g;
  for (int k = 0; k < g->n_in; k++) {
    const char *type = dtype_c_name(g->input[k].dtype);
    if (g->input[k].inner) {
      text_format(w->out, "%sconst %s *const x%d = (const %s *)pointer[%d] + ", indent, type, k, type, k);
      write_offset(w, k);
      text_format(w->out, "%s;\n", more);
    } else {
      text_format(w->out, "%sconst %s v%d = ((const %s *)pointer[%d])[", indent, type, k, type, k);
      write_offset(w, k);
      text_put(w->out, "];\n");
    }
  }
}

static void write_outputs(KernelWriter *w, const char *indent, const char *place) {
  const FusionGroup *g = w->g;
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    if (member->output < 0 || member->level != LEVEL_ELEMENT) continue;
    const char *type = dtype_c_name(member->dtype);
    text_format(w->out, "%s%s *const y%d = (%s *)pointer[%d] + %s;\n", indent, type, m, type, g->n_in + member->output,
                place);
  }
}

/* ---- Elements ------------------------------------------------------------------------------------------ */

/* Writes value `value` of element i after the values that it needs. Members that an earlier loop stored are loaded. */
static void write_needed(KernelWriter *w, int value, int loop, const char *indent) {
  const FusionGroup *g = w->g;
  if (value < g->n_in) {
    if (w->loaded[value] || !g->input[value].inner) return;
    w->loaded[value] = true;
    text_format(w->out, "%sconst %s v%d = x%d[i];\n", indent, dtype_c_name(g->input[value].dtype), value, value);
    return;
  }
  int m = value - g->n_in;
  const GroupMember *member = &g->member[m];
  if (w->have[m] || member->level != LEVEL_ELEMENT) return;
  w->have[m] = true;
  if (w->s.kept[m] && loop != 2 * w->s.stage[m]) {
    const char *where = w->s.buffer[m] >= 0 ? "buffer" : "y";
    text_format(w->out, "%sconst %s v%d = %s%d[i];\n", indent, dtype_c_name(member->dtype), value, where, m);
    return;
  }
  for (int i = 0; i < member->n_in; i++) write_needed(w, member->operand[i], loop, indent);
  write_value(w, m, indent);
}

static void begin_loop(KernelWriter *w) {
  memset(w->have, 0, sizeof w->have);
  memset(w->loaded, 0, sizeof w->loaded);
}

/* The loop that computes and stores the members kept by this stage. Stores come last, because an output may share the
** memory of an input. */
static void write_storing(KernelWriter *w, int stage, const char *indent) {
  const FusionGroup *g = w->g;
  bool any = false;
  char deeper[32];
  for (int m = 0; m < g->n_members; m++) any = any || (w->s.kept[m] && w->s.stage[m] == stage);
  if (!any) return;
  snprintf(deeper, sizeof deeper, "%s  ", indent);
  begin_loop(w);
  text_format(w->out, "%sIVDEP\n%sfor (int64_t i = 0; i < n; i++) {\n", indent, indent);
  for (int m = 0; m < g->n_members; m++)
    if (w->s.kept[m] && w->s.stage[m] == stage) write_needed(w, g->n_in + m, 2 * stage, deeper);
  for (int m = 0; m < g->n_members; m++)
    if (w->s.kept[m] && w->s.stage[m] == stage)
      text_format(w->out, "%s%s%d[i] = v%d;\n", deeper, w->s.buffer[m] >= 0 ? "buffer" : "y", m, g->n_in + m);
  text_format(w->out, "%s}\n", indent);
}

/* Writes v = the fold of the row. */
static void write_folding(KernelWriter *w, int m, const Expression *element, const Expression *finish,
                          const char *indent) {
  const GroupMember *fold = &w->g->member[m];
  char deeper[32];
  snprintf(deeper, sizeof deeper, "%s  ", indent);
  begin_loop(w);
  text_format(w->out, "%sdouble fold%d;\n%sTREE_FOLD_AFTER(fold%d, %s, double, n, %s, %s,\n", indent, m, indent, m,
              dtype_c_name(fold->dtype), fold->folding->start, fold->folding->step);
  write_needed(w, fold->operand[0], 2 * w->s.stage[m] + 1, deeper);
  text_format(w->out, "%s, ", deeper);
  write_fold_expression(w, m, element, "n");
  text_format(w->out, ");\n%sconst double total%d = %s((double)(%s), fold%d);\n%sv%d = ", indent, m,
              fold->folding->step, fold->folding->start, m, indent, w->g->n_in + m);
  write_fold_expression(w, m, finish, "n");
  text_format(w->out, ";    /* %s */\n", fold->op->name);
}

static void write_fold(KernelWriter *w, int m, const char *indent) {
  const Folding *folding = w->g->member[m].folding;
  char deeper[32];
  snprintf(deeper, sizeof deeper, "%s  ", indent);
  text_format(w->out, "%s%s v%d;\n%s{\n", indent, dtype_c_name(w->g->member[m].dtype), w->g->n_in + m, indent);
  write_folding(w, m, folding->element_tree, folding->finish_tree, deeper);
  text_format(w->out, "%s}\n", indent);
  for (const FoldAgain *again = folding->again; again && again->when; again++) {
    text_format(w->out, "%s%sif (", indent, again == folding->again ? "" : "else ");
    write_fold_expression(w, m, again->when_tree, "n");
    text_put(w->out, ") {\n");
    write_folding(w, m, again->element_tree, again->finish_tree, deeper);
    text_format(w->out, "%s}\n", indent);
  }
}

/* ---- The three kinds ------------------------------------------------------------------------------------- */

static void write_stages(KernelWriter *w, const char *indent) {
  const FusionGroup *g = w->g;
  for (int stage = 0; stage < w->s.n_stages; stage++) {
    for (int m = 0; m < g->n_members; m++)                 /* values of the whole row */
      if (g->member[m].level == LEVEL_ROW && !g->member[m].folding && w->s.stage[m] == stage) write_value(w, m, indent);
    write_storing(w, stage, indent);
    for (int m = 0; m < g->n_members; m++)
      if (g->member[m].folding && w->s.stage[m] == stage) write_fold(w, m, indent);
  }
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    if (member->output >= 0 && member->level == LEVEL_ROW)
      text_format(w->out, "%s((%s *)pointer[%d])[row] = v%d;\n", indent, dtype_c_name(member->dtype),
                  g->n_in + member->output, g->n_in + m);
  }
}

static void write_rows(KernelWriter *w) {
  const FusionGroup *g = w->g;
  text_put(w->out, "  const int64_t n = dim[0];\n");
  for (int m = 0; m < g->n_members; m++)
    if (w->s.buffer[m] >= 0)
      text_format(w->out, "  _Alignas(64) %s buffer%d[%d];\n", dtype_c_name(g->member[m].dtype), m, TREE_KEPT);
  text_put(w->out, "  for (int64_t row = first; row < last; row++) {\n");
  write_place(w, "    ");
  write_inputs(w, "    ", "");
  write_outputs(w, "    ", "row * n");
  write_stages(w, "    ");
  text_put(w->out, "  }\n");
}

/* A run of elements, which may begin and end inside rows. */
static void write_elements(KernelWriter *w) {
  text_put(w->out, "  const int64_t width = dim[0];\n"
                   "  int64_t row = first / width, begin = first % width;\n"
                   "  for (int64_t at = first, n; at < last; at += n, row++, begin = 0) {\n"
                   "    n = width - begin < last - at ? width - begin : last - at;\n");
  write_place(w, "    ");
  write_inputs(w, "    ", " + begin");
  write_outputs(w, "    ", "at");
  write_storing(w, 0, "    ");
  text_put(w->out, "  }\n");
}

/* A run of elements of one long row. */
static void write_run(KernelWriter *w) {
  text_put(w->out, "  const int64_t n = last - first;\n");
  write_inputs(w, "  ", " + first");
  write_outputs(w, "  ", "first");
  write_storing(w, 0, "  ");
}

/* The loop over one row of a block: stores kept members and adds terms to the folds' parts. */
static void write_column_loop(KernelWriter *w, const char *indent) {
  const FusionGroup *g = w->g;
  char deeper[32];
  snprintf(deeper, sizeof deeper, "%s  ", indent);
  begin_loop(w);
  text_format(w->out, "%sIVDEP\n%sfor (int64_t i = 0; i < n; i++) {\n", indent, indent);
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    if (w->s.kept[m]) write_needed(w, g->n_in + m, 2 * w->s.stage[m], deeper);
    if (!member->folding) continue;
    write_needed(w, member->operand[0], 0, deeper);
    text_format(w->out, "%sconst %s term%d = ", deeper, dtype_c_name(member->dtype), m);
    write_fold_expression(w, m, member->folding->element_tree, "rows");
    text_format(w->out, ", folded%d = part%d[i];\n%sTREE_STEP(%s, part%d[i], %s, folded%d, term%d);\n", m, m, deeper,
                dtype_c_name(member->dtype), m, member->folding->step, m, m);
  }
  for (int m = 0; m < g->n_members; m++)
    if (w->s.kept[m]) text_format(w->out, "%sy%d[i] = v%d;\n", deeper, m, g->n_in + m);
  text_format(w->out, "%s}\n", indent);
}

/* Folds a block of columns in the order of base/math/tree_sum.h. */
static void write_columns(KernelWriter *w) {
  const FusionGroup *g = w->g;
  const GroupMember *fold[MOST_MEMBERS];
  int of[MOST_MEMBERS], n_folds = 0;      /* member indices of the folds */
  for (int m = 0; m < g->n_members; m++)
    if (g->member[m].folding) {
      of[n_folds] = m;
      fold[n_folds++] = &g->member[m];
    }
  text_format(w->out, "  enum { COLUMNS = %d, ROWS = TREE_ROWS };\n", GROUP_COLUMN_BLOCK);
  text_put(w->out, "  const int64_t width = dim[0], rows = dim[1];\n"
                   "  for (int64_t block = first; block < last; block++) {\n"
                   "    const int64_t column = block * COLUMNS, n = width - column < COLUMNS ? width - column : "
                   "COLUMNS;\n");
  for (int k = 0; k < n_folds; k++) {
    text_format(w->out, "    double total%d[COLUMNS], group%d[COLUMNS];\n    %s part%d[COLUMNS];\n", of[k], of[k],
                dtype_c_name(fold[k]->dtype), of[k]);
    text_format(w->out, "    for (int64_t i = 0; i < n; i++) total%d[i] = (double)(%s);\n", of[k],
                fold[k]->folding->start);
  }
  text_put(w->out, "    for (int64_t at = 0; at < rows; at += ROWS) {\n"
                   "      const int64_t end = at + ROWS < rows ? at + ROWS : rows;\n");
  for (int k = 0; k < n_folds; k++)
    text_format(w->out, "      for (int64_t i = 0; i < n; i++) part%d[i] = (%s)(%s);\n", of[k],
                dtype_c_name(fold[k]->dtype), fold[k]->folding->start);
  text_put(w->out, "      for (int64_t row = at; row < end; row++) {\n");
  write_place(w, "        ");
  write_inputs(w, "        ", " + column");
  write_outputs(w, "        ", "row * width + column");
  write_column_loop(w, "        ");
  text_put(w->out, "      }\n");
  for (int k = 0; k < n_folds; k++)
    text_format(w->out,
                "      TREE_JOIN_PARTS(double, total%d, group%d, part%d, n, at, end, rows, (double)(%s), %s);\n", of[k],
                of[k], of[k], fold[k]->folding->start, fold[k]->folding->step);
  text_put(w->out, "    }\n");
  for (int k = 0; k < n_folds; k++) {
    text_format(w->out,
                "    for (int64_t i = 0; i < n; i++) ((%s *)pointer[%d])[column + i] = ", dtype_c_name(fold[k]->dtype),
                g->n_in + fold[k]->output);
    write_fold_expression(w, of[k], fold[k]->folding->finish_tree, "rows");
    text_format(w->out, ";    /* %s */\n", fold[k]->op->name);
  }
  text_put(w->out, "  }\n");
}

void kernel_text_of_group(const FusionGroup *g, Text *out) {
  KernelWriter w = { .g = g, .out = out };
  fusion_group_schedule(g, &w.s);
  text_put(out, "(char *const *pointer, const int64_t *dim, const double *scalar, int64_t first, int64_t last) {\n");
  if (g->kind == GROUP_COLUMNS) write_columns(&w);
  else if (g->kind == GROUP_MAP && g->n_outer > 0) write_elements(&w);
  else if (g->kind == GROUP_MAP) write_run(&w);
  else write_rows(&w);
  text_put(out, "}\n");
}

/* ---- Equal texts----------------------------------------------------------------------------------------- */

/* Does fusion_group_schedule make buffers? Only this part of a text depends on a size. */
static bool has_long_rows(const FusionGroup *g) { return g->kind == GROUP_ROWS && g->n > TREE_KEPT; }

static bool members_alike(const GroupMember *a, const GroupMember *b) {
  if (a->op != b->op || a->elementwise != b->elementwise || a->folding != b->folding || a->dtype != b->dtype)
    return false;
  if (a->level != b->level || a->n_in != b->n_in || a->scalar != b->scalar || a->n_scalars != b->n_scalars)
    return false;
  return a->output == b->output && memcmp(a->operand, b->operand, (size_t)a->n_in * sizeof *a->operand) == 0;
}

bool kernel_text_alike(const FusionGroup *a, const FusionGroup *b) {
  if (a->kind != b->kind || a->n_in != b->n_in || a->n_out != b->n_out || a->n_members != b->n_members) return false;
  if (a->n_outer != b->n_outer || has_long_rows(a) != has_long_rows(b)) return false;
  for (int k = 0; k < a->n_in; k++)
    if (a->input[k].dtype != b->input[k].dtype || a->input[k].inner != b->input[k].inner) return false;
  for (int m = 0; m < a->n_members; m++)
    if (!members_alike(&a->member[m], &b->member[m])) return false;
  return true;
}

uint64_t kernel_text_hash(const FusionGroup *g) {
  uint64_t h = (uint64_t)g->kind << 32 | (uint64_t)g->n_in << 16 | (uint64_t)g->n_members;
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    h = (h ^ (uint64_t)(uintptr_t)member->op) * 0x9E3779B97F4A7C15u;
    h = (h ^ (uint64_t)(member->output + 1)) * 0xBF58476D1CE4E5B9u;
    for (int i = 0; i < member->n_in; i++) h = (h ^ (uint64_t)member->operand[i]) * 0x94D049BB133111EBu;
  }
  return h ^ h >> 31;
}
