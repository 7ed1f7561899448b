/* embedded.h - the Lua files of lua/hybridlua, made into C by tools/embed.sh. */
#ifndef HL_EMBEDDED_H
#define HL_EMBEDDED_H

#include <stddef.h>

typedef struct EmbeddedFile {
  const char *module;      /* "hybridlua.gluon.block"; NULL ends the list */
  const char *path;        /* "hybridlua/gluon/block.lua" */
  const char *text;
  size_t size;
} EmbeddedFile;

extern const EmbeddedFile embedded_files[];

#endif
