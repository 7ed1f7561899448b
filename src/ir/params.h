/* params.h - the parameters of operators: their text and their parsed form.
**
** A row describes its parameters in one text, one per line:
**     name  type  default  description
** and reads them as a C struct with one field per line in the same order, each field 8 bytes or a list.
** The default `-` means required. Types and their fields:
**     int  int64_t           int?  NONE if None
**     bool  int64_t, 0 or 1  bool?  NONE if None
**     float  double          float?  NaN if None
**     shape  List of ints    shape?  count -1 if None    (an item may be None: NONE)
**     floats  List of doubles
**     dtype  int64_t, DType  dtype?  DT_UNKNOWN if None
**     string  const char *   {a,b,c}  int64_t, the choice's index in the list
**     object  void *, of the row's kind (op->object): a subgraph, a fused group    object?  NULL if None
**     key  const Key *, the key in brackets (ir/index_key.h)
** Only types with a question mark accept "None". Parameters whose names begin with an underscore are
** inner: only our own layers set them, they never count as given (so no file contains them), and
** nothing lists them. Inner ones come last.
**
** Values come from Lua (src/bind) or as MXNet's strings, "(2, 3)", "True", "0.5"; both give the same
** struct. Given texts are kept for tojson.
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

/* The kind of an object parameter. Params own a reference. Copies of a node share its Params, so objects are
** immutable. */
typedef struct ObjectKind {
  const char *name;
  void *(*retain)(void *object);
  void (*release)(void *object);
  bool (*equal)(const void *a, const void *b);     /* NULL: only the same object is equal */
  uint64_t (*hash)(const void *object);            /* the same for equal objects; NULL: hashes the address */
  Status (*print)(const void *object, Text *out);  /* on one line; NULL: prints the kind's name */
} ObjectKind;

typedef struct List {
  int64_t count;                     /* -1: None */
  union { int64_t i[MAX_DIMS]; double f[MAX_DIMS]; const int64_t *many_i; const double *many_f; } u;
} List;

/* One line of the text. */
struct Param {
  const char *name, *type_text, *default_text, *doc;   /* default_text NULL: it is required */
  ParamKind kind;
  bool optional;                     /* None is allowed */
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
  int64_t rounded;                   /* OP_FILLS: the integer given, if float32 rounds it; else 0 */
  char **text;                       /* the given texts; NULL where the field is printed */
  void **owned;                      /* long lists and strings */
  int n_owned;
  uint64_t fields[];
};

/* The values that the parameter accepts, for errors: "int", "{relu,tanh}". Valid until the next call. */
const char *param_expected(const Param *param);

/* New parameters at their defaults (required ones zero, not given), refs 1. */
Status params_new(const Op *op, Params **out);
Status params_copy(const Params *p, Params **out);
Params *params_retain(Params *p);
void params_release(Params *p);

/* Parameters from a filled struct, all marked as given, for nodes that operators build. */
Status params_from(const Op *op, const void *fields, Params **out);

/* Parameters at their defaults in the caller's memory, for one call that is neither recorded nor logged, so that
** nothing retains them. The row's struct must fit. */
enum { PARAMS_BUFFER = 16 };
typedef union ParamsBuffer { Params params; uint64_t buffer[sizeof(Params) / sizeof(uint64_t) + PARAMS_BUFFER]; } ParamsBuffer;
Params *params_within(ParamsBuffer *buffer, const Op *op);

/* Sets a parameter from MXNet's text, which is kept. */
Status params_set_text(Params *p, int index, const char *text);
Status params_set_int(Params *p, int index, int64_t value);       /* int, bool, float, choice, one-element shape */
Status params_set_float(Params *p, int index, double value);      /* float; int if integral */
Status params_set_bool(Params *p, int index, bool value);
Status params_set_none(Params *p, int index);
void params_set_object(Params *p, int index, void *object);       /* retains the object */
Status params_set_list(Params *p, int index, const double *values, int count);  /* NaN: None */

Status params_set_key(Params *p, int index, const Key *key);    /* a copy */
void params_lend_key(Params *p, int index, const Key *key);     /* not copied: the key must outlive the parameters */

/* For code that fills in fields: takes over memory that a field points to, or fails if it is NULL. */
Status params_own(Params *p, void *copy);
void params_mark_given(Params *p, int index);

/* Fails if a required parameter is missing; the error names the first one. */
Status params_complete(const Params *p);

/* Was it given? params_next_given returns the next given one, starting with `from`, or -1. p may be NULL. */
static inline bool param_given(const Params *p, int index) { return p->given >> index & 1; }
static inline int params_next_given(const Params *p, int from) {
  uint32_t left = p && from < MAX_PARAMS ? p->given >> from : 0;
  return left ? from + __builtin_ctz(left) : -1;
}

int param_index(const Op *op, const char *name);         /* -1 if unknown */
const char *param_nearest(const Op *op, const char *name);

/* Reads the integers of a text such as "(2, 3)" or "2" into values[MAX_LIST]. Returns their number, or -1 on other
** texts. */
int params_read_ints(const char *text, int64_t *values);

/* Prints a value as MXNet does: the given text or, without one, the field. */
Status params_print(const Params *p, int index, Text *out);
bool params_is_default(const Params *p, int index);       /* does it equal its default, given or not? */
bool params_equal(const Params *a, const Params *b);
uint64_t params_hash(Params *p);

/* Parses a row's text, once, for the registry. *size: bytes of the struct. */
Status params_parse_spec(const char *text, Param **out, int *count, size_t *size);

static inline const int64_t *list_ints(const List *l) { return l->count > MAX_DIMS ? l->u.many_i : l->u.i; }
static inline const double *list_floats(const List *l) { return l->count > MAX_DIMS ? l->u.many_f : l->u.f; }
Shape list_shape(const List *l);                         /* at most MAX_DIMS items */

#endif
