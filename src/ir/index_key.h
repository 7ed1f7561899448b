/* index_key.h - what stands in the brackets of x[...]: the key of an array, its text, and what it selects.
**
** A key is a list of parts, one an axis from the first on, in NumPy's meaning:
**     3         that place; the axis goes away       1:3, ::-1   begin:end:step
**     None      a new axis of 1                      ...         all axes that nothing else is said of
**     @         the places that an index array names; the arrays are operands beside the key, in order
** Index arrays broadcast against each other. Their axes come where the first of them stood or, where a slice or
** a new axis lies between two of them, first of all; beside them a single place counts as an array.
** Against a shape a key gives a Selection. It is checked there, so a key may be older than the shape.
**
** A key is a parameter of the rows in ops/index/index_rows.c; index arrays are inputs. bind/value/bracket_key.c reads
** keys from Lua values, exec/eager/eager_index.c applies them to arrays and has the rules of writing in place.
*/
#ifndef HL_IR_INDEX_KEY_H
#define HL_IR_INDEX_KEY_H

#include "base/status.h"
#include "base/text_buffer.h"
#include "tensor/strided_region.h"

typedef enum KeyKind { KEY_SLICE, KEY_SINGLE, KEY_NEW, KEY_REST, KEY_ARRAY } KeyKind;

typedef struct KeyPart {
  KeyKind kind;
  int64_t begin, end, step;     /* of a slice as given, NONE where left out; a single place is `begin` */
} KeyPart;

enum { MOST_KEY_PARTS = 2 * MAX_DIMS + 1 };

typedef struct Key {
  int n;
  KeyPart part[MOST_KEY_PARTS];
} Key;

extern const KeyPart KEY_WHOLE;               /* ":" */

/* ---- Text ---- */

bool key_part_read(const char **at, KeyPart *out);   /* one part, up to a comma or the end; false for what is none */
bool key_read(const char *text, Key *out);           /* "1:3, ::2, -1", "..., 0", "@, None" */
void key_print(const Key *key, Text *out);           /* a text that key_read takes */

bool key_equal(const Key *a, const Key *b);
size_t key_bytes(const Key *key);                       /* of a copy, which has no capacity for further parts */

/* How many index arrays it names. */
static inline int key_arrays(const Key *key) {
  int n = 0;
  for (int i = 0; i < key->n; i++) n += key->part[i].kind == KEY_ARRAY;
  return n;
}

/* ---- Against a shape ---- */

/* The elements that a key selects. Where there are index arrays `region` leaves their places out: element
** (i0, i1, ..) is at region's offset and strides (0 for the arrays' axes), plus place times the array's stride
** for each index array. */
typedef struct Selection {
  Region region;                /* its shape is that of x[key] */
  int first, chosen;            /* axes [first, first + chosen) of it are those of the index arrays */
  int n_arrays;
  int axis[MAX_DIMS];           /* which axis of x each index array is for */
} Selection;

/* `arrays` is the shape that the index arrays broadcast to. Where shapes are known in part, so is the selection's; of
** unknown ndim only what depends on no shape is checked. Errors begin with "index: ". */
Status key_select(const Key *key, const Shape *x, const Shape *arrays, Selection *out);

/* The element of x that the selection begins with; 0 where it is empty. */
static inline size_t selection_begin(const Selection *s) {
  return shape_size(&s->region.shape) > 0 ? (size_t)s->region.offset : 0;
}

/* Fails: the place is not on that axis. */
Status key_out_of_range(int64_t place, int axis, const Shape *x);

#endif
