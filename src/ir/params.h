/* params.h - the parameters of operators: their text, their parsed form.
**
** A row describes its parameters in one text, a line each:
**     name  type  default  what it means
** and reads them as a C struct with one field a line, in that order, each field 8
** bytes or a list. The default `-` means required. Types and their fields:
**     int  int64_t           int?  NONE for none
**     bool  int64_t, 0 or 1  bool?  NONE for none
**     float  double          float?  NaN for none
**     shape  List of ints    shape?  count -1 for none    (a list may hold None: NONE)
**     floats  List of doubles
**     dtype  int64_t, DType  dtype?  DT_UNKNOWN for none
**     string  const char *   {a,b,c}  int64_t, the choice's place in the list
**     object  void *, of the row's kind (op->object): a graph to run, a fused group    object?  NULL for none
**     key  const Key *, what stands in brackets (ir/index_key.h)
** "None" is accepted for the types with a question mark only. A parameter whose name begins with an underscore is
** inner: our own layers set it, it never counts as given (so no file has it), and nothing lists it. Inner ones
** come last.
**
** Values come from Lua (src/bind) or as MXNet's strings, "(2, 3)", "True", "0.5";
** both give the same struct. Texts that were given are kept for tojson.
*/
#ifndef HL_IR_PARAMS_H
#define HL_IR_PARAMS_H

#include <stdio.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text_buffer.h"
#include "ir/struct_names.h"
#include "ir/index_key.h"
#include "tensor/shape.h"

enum { MAX_PARAMS = 32, MAX_LIST = 512 };

typedef enum ParamKind {
  P_INT,
  P_BOOL,
  P_FLOAT,
  P_SHAPE,
  P_FLOATS,
  P_DTYPE,
  P_STRING,
  P_CHOICE,
  P_KEY,
  P_OBJECT
} ParamKind;

/* What an object parameter is. Params own a reference; copies of a node share its Params, so an object is
** shared by all of them and must not be changed. */
typedef struct ObjectKind {
  const char *name;
  void *(*retain)(void *object);
  void (*release)(void *object);
  bool (*equal)(const void *a, const void *b);     /* NULL: only the same one is */
  uint64_t (*hash)(const void *object);            /* equal ones have one; NULL: of the address */
  Status (*print)(const void *object, Text *out);  /* one line; NULL: the kind's name */
} ObjectKind;

typedef struct List {
  int64_t count;                     /* -1: None */
  union { int64_t i[MAX_DIMS]; double f[MAX_DIMS]; const int64_t *many_i; const double *many_f; } u;
} List;

/* One line of the text. */
struct Param {
  const char *name, *type_text, *default_text, *doc;   /* default_text NULL: required */
  ParamKind kind;
  bool optional;                     /* None is a value */
  const char **choice;               /* P_CHOICE: the words, NULL at the end */
  size_t offset;                     /* of the field in the struct */
};

static inline bool param_inner(const Param *p) { return p->name[0] == '_'; }

/* Parsed parameters. `fields` is the row's struct. */
struct Params {
  int refs;
  const Op *op;
  uint32_t given;                    /* bit i: parameter i was given */
  uint64_t hash;                     /* of the fields; 0: not computed yet */
  char **text;                       /* as written, for each given one; NULL where to be printed from the field */
  void **owned;                      /* long lists and strings */
  int n_owned;
  uint64_t fields[];
};

/* What values the parameter takes, for errors: "int", "{relu,tanh}". Good until the next call. */
const char *param_expected(const Param *param);

/* New parameters at their defaults (required ones zero, not given), refs 1. */
Status params_new(const Op *op, Params **out);
Status params_copy(const Params *p, Params **out);
Params *params_retain(Params *p);
void params_release(Params *p);

/* Parameters from a filled struct, for nodes that operators build. `given` marks all. */
Status params_from(const Op *op, const void *fields, Params **out);

/* Parameters at their defaults in the caller's memory, for one call that is neither recorded nor logged: nothing
** may hold them longer. The row's struct must fit. */
enum { PARAMS_BUFFER = 16 };
typedef union ParamsBuffer { Params params; uint64_t buffer[sizeof(Params) / sizeof(uint64_t) + PARAMS_BUFFER]; } ParamsBuffer;
Params *params_within(ParamsBuffer *buffer, const Op *op);

/* Sets one by MXNet's text, kept as written. */
Status params_set_text(Params *p, int index, const char *text);
Status params_set_int(Params *p, int index, int64_t value);       /* int, bool, float, choice, one-element shape */
Status params_set_float(Params *p, int index, double value);      /* float; int if integral */
Status params_set_bool(Params *p, int index, bool value);
Status params_set_none(Params *p, int index);
void params_set_object(Params *p, int index, void *object);       /* takes a reference of its own */
Status params_set_list(Params *p, int index, const double *values, int count);  /* NaN: None */

Status params_set_key(Params *p, int index, const Key *key);    /* a copy */
void params_lend_key(Params *p, int index, const Key *key);     /* not a copy: the key must outlast the parameters */

/* For code that fills in fields: takes over memory that a field points at (NULL: there was none left); index counts as
** given. */
Status params_own(Params *p, void *copy);
void params_mark_given(Params *p, int index);

/* Fails naming the first required parameter that is missing. */
Status params_complete(const Params *p);

/* Was it given? And all that were, in their order: the first from `from` on, -1 after the last. p may be NULL. */
static inline bool param_given(const Params *p, int index) { return p->given >> index & 1; }
static inline int params_next_given(const Params *p, int from) {
  uint32_t left = p && from < MAX_PARAMS ? p->given >> from : 0;
  return left ? from + __builtin_ctz(left) : -1;
}

int param_index(const Op *op, const char *name);         /* -1 if there is none */
const char *param_nearest(const Op *op, const char *name);

/* The integers of a text such as "(2, 3)" or "2" into values[MAX_LIST]; how many, -1 if it is no such text. */
int params_read_ints(const char *text, int64_t *values);

/* A parameter's value as MXNet writes it: the text as given, or printed. */
Status params_print(const Params *p, int index, Text *out);
bool params_is_default(const Params *p, int index);       /* has it its default, given or not? */
bool params_equal(const Params *a, const Params *b);
uint64_t params_hash(Params *p);

/* Reading a row's text; the registry does it once. *size is the struct's size. */
Status params_parse_spec(const char *text, Param **out, int *count, size_t *size);

static inline const int64_t *list_ints(const List *l) { return l->count > MAX_DIMS ? l->u.many_i : l->u.i; }
static inline const double *list_floats(const List *l) { return l->count > MAX_DIMS ? l->u.many_f : l->u.f; }
Shape list_shape(const List *l);                         /* the list must be short enough */

#endif
