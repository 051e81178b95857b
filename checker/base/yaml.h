// SPDX-License-Identifier: MIT
// Strict YAML: a small tree of mappings, sequences and scalars with the place of each, for model
// data and configuration. One document; no anchors, aliases, tags or duplicate keys. Scalars are
// text: the reader of the tree says what each must be.
#ifndef CUDALINT_BASE_YAML_H
#define CUDALINT_BASE_YAML_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { YAML_SCALAR, YAML_MAPPING, YAML_SEQUENCE } YamlKind;

typedef struct YamlNode YamlNode;

typedef struct {
    const YamlNode *key; // always a scalar
    const YamlNode *value;
} YamlPair;

struct YamlNode {
    YamlKind kind;
    uint32_t line;               // from 1
    uint32_t column;             // from 1, in characters
    const char *text;            // scalars: NUL-terminated, holds no other NUL
    bool is_quoted;              // scalars: quoted or block style, so `"true"` is a text
    Vec(YamlPair) pairs;         // mappings, in file order
    Vec(const YamlNode *) items; // sequences
};

// Parses UTF-8 text. `name` stands for the file in messages: "name:line:column: what is wrong". An
// empty document is an empty mapping. The tree is allocated in `arena`.
Status yaml_parse(Arena *arena, const char *name, const char *text, size_t len,
                  const YamlNode **root, Err *err);
// The bytes of a file, for yaml_parse, which refuses what is too large.
Status yaml_read_file(Arena *arena, const char *path, const char **text, size_t *len, Err *err);
// Both.
Status yaml_parse_file(Arena *arena, const char *path, const YamlNode **root, Err *err);

// The value of a key, or NULL; NULL also when the node is no mapping.
const YamlNode *yaml_get(const YamlNode *mapping, const char *key);

// Each reads a scalar or fails with "name:line:column: KEY must be ...".
Status yaml_bool(const YamlNode *node, const char *name, const char *key, bool *out, Err *err);
Status yaml_int(const YamlNode *node, const char *name, const char *key, int64_t *out, Err *err);
Status yaml_text(const YamlNode *node, const char *name, const char *key, const char **out,
                 Err *err);

// Records a failure at the node: "name:line:column: message". Returns ST_SYNTAX.
Status yaml_error(const YamlNode *node, const char *name, Err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
