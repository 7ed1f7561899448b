/* symbol_json.h - graphs as MXNet's JSON, "-symbol.json".
**
** The text is the same to the byte as from MXNet 1.9.1. Files of any version since 0.8 are read, and older ones
** upgraded like in MXNet. Every written text can be read, because the limits of io/file/file_limits.h apply to both.
*/
#ifndef HL_IO_SYMBOL_SYMBOL_JSON_H
#define HL_IO_SYMBOL_SYMBOL_JSON_H

#include "ir/node.h"

/* Reads the outputs of the graph in a text of n bytes followed by '\0'. `name` is the text's name in errors, `origin`
** the line of the nodes. The caller releases the nodes of the entries and frees the list. */
Status symbol_json_load(const char *name, const char *text, size_t n, Origin origin, Entry **outputs, int *n_outputs);
Status symbol_json_load_file(const char *path, Origin origin, Entry **outputs, int *n_outputs);

/* Write the graph that computes the outputs. np: the outputs are np's, so that MXNet reads the file under npx.set_np.
** own: nodes that MXNet cannot express have a form that only hybridlua reads (OWN_FORM); without it they are errors. */
Status symbol_json_print(const Entry *outputs, int n, bool np, bool own, Text *out);
Status symbol_json_save(const char *path, const Entry *outputs, int n, bool np);

#endif
