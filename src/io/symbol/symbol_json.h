/* symbol_json.h - graphs as MXNet's JSON, "-symbol.json".
**
** Written to the byte as MXNet 1.9.1 does; read from files of any version since 0.8, older
** ones are brought up to date as MXNet brings them. What is written can be read again:
** the limits of io/file/file_limits.h hold for both.
*/
#ifndef HL_IO_SYMBOL_SYMBOL_JSON_H
#define HL_IO_SYMBOL_SYMBOL_JSON_H

#include "ir/node.h"

/* The outputs of the graph in a text of n bytes followed by '\0'. `name` is what errors
** call the text, `origin` the line that the nodes are said to come from. The caller
** releases the nodes of the entries and frees the list. */
Status symbol_json_load(const char *name, const char *text, size_t n, Origin origin, Entry **outputs, int *n_outputs);
Status symbol_json_load_file(const char *path, Origin origin, Entry **outputs, int *n_outputs);

/* The graph that computes these. */
Status symbol_json_print(const Entry *outputs, int n, Text *out);
Status symbol_json_save(const char *path, const Entry *outputs, int n);

#endif
