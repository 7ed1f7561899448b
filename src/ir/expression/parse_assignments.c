/* parse_assignments.c - see assignments.h. */
#include "ir/expression/assignments.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_ASSIGNMENTS = 32 };

static const char *after_spaces(const char *at) {
  while (isspace((unsigned char)*at)) at++;
  return at;
}

static int find_name(const Assignments *all, const char *word, size_t length) {
  for (int i = 0; i < all->n_names; i++)
    if (strlen(all->names[i].word) == length && memcmp(all->names[i].word, word, length) == 0) return i;
  return -1;
}

static Status add_name(Assignments *all, const char *word, size_t length, NameType type, int *index) {
  char *copy = object_text(word);
  if (!copy) return no_memory("assignments");
  copy[length] = '\0';
  *index = all->n_names++;
  all->names[*index] = (ExpressionName){ copy, type };
  return OK;
}

/* Reads one assignment and its semicolon. Names of n_elements and those of bits in *differing are not numbers. */
static Status read_assignment(Assignments *all, const char *text, const char **at, int n_elements,
                              uint32_t *differing) {
  Assignment *a = &all->at[all->n];
  const char *word = after_spaces(*at);
  size_t length = 0;
  while (isalnum((unsigned char)word[length]) || word[length] == '_') length++;
  *at = after_spaces(word + length);
  if (length == 0 || **at != '=') return fail("assignments '%s': expected a name and = at '%s'", text, word);
  if (all->n == MOST_ASSIGNMENTS || all->n_names == MOST_NAMES)
    return fail("assignments '%s': expected fewer assignments, got another at '%s'", text, word);
  a->name = find_name(all, word, length);
  if (a->name >= n_elements) return fail("assignments '%s': expected a new name or an operand at '%s'", text, word);
  ++*at;
  TRY(expression_parse_until(text, at, ';', all->names, &a->value));
  ++*at;
  a->constant = a->name < 0 && !(expression_names_used(a->value) & *differing);
  if (a->name < 0) {
    const bool exact = expression_root(a->value)->kind == EXPRESSION_CAST;
    TRY(add_name(all, word, length, exact ? NAME_OF_DOUBLE : NAME_OF_LOOP, &a->name));
  }
  if (!a->constant) *differing |= 1u << a->name;
  all->n++;
  return OK;
}

Status assignments_parse(const char *text, const ExpressionName *known, int n_known, int n_elements,
                         Assignments **out) {
  Assignments *all = object_new(sizeof *all);
  if (!all) return no_memory("assignments");
  *all = (Assignments){ .n_known = n_known, .n_names = n_known };
  all->names = object_new((MOST_NAMES + 1) * sizeof *all->names);
  all->at = object_new(MOST_ASSIGNMENTS * sizeof *all->at);
  if (!all->names || !all->at) return no_memory("assignments");
  if (n_known > MOST_NAMES)
    return fail("assignments '%s': expected at most %d names, got %d", text, MOST_NAMES, n_known);
  memcpy(all->names, known, (size_t)n_known * sizeof *known);
  uint32_t differing = (1u << n_elements) - 1;
  for (const char *at = after_spaces(text); *at; at = after_spaces(at))
    TRY(read_assignment(all, text, &at, n_elements, &differing));
  *out = all;
  return OK;
}
