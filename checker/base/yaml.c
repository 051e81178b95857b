// SPDX-License-Identifier: MIT
// Input: YAML text. Output: a tree of YamlNode, or the first error with its place. libyaml scans;
// this file builds the tree from its events and refuses what a configuration should not hold:
// anchors and aliases (which also end expansion bombs), tags, several documents, duplicate keys,
// deep nesting, huge files.
#include "base/yaml.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    YAML_MAX_DEPTH = 32,
    YAML_MAX_NODES = 1000000,
};
static const size_t yaml_max_bytes = (size_t)16 * 1024 * 1024;

typedef struct {
    Arena *arena;
    const char *name; // file, for messages
    Err *err;
    yaml_parser_t parser;
    uint32_t nodes; // created so far
    uint32_t depth; // open collections
} YamlReader;

static Status yaml_error_at(Err *err, const char *name, size_t line, size_t column,
                            const char *what)
{
    return err_set(err, ST_SYNTAX, "%s:%zu:%zu: %s", name, line, column, what);
}

Status yaml_error(const YamlNode *node, const char *name, Err *err, const char *format, ...)
{
    if (err == NULL || err->arena == NULL) return ST_SYNTAX;
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(err->arena, format, args);
    va_end(args);
    return yaml_error_at(err, name, node->line, node->column, what);
}

static Status reader_error_at(YamlReader *reader, yaml_mark_t mark, const char *what)
{
    return yaml_error_at(reader->err, reader->name, mark.line + 1, mark.column + 1, what);
}

// libyaml gives no mark for bad bytes, only their offset.
static Status reader_error_bytes(YamlReader *reader, const char *text, size_t len)
{
    size_t line = 1, column = 1;
    size_t offset = reader->parser.problem_offset < len ? reader->parser.problem_offset : len;
    for (size_t i = 0; i < offset; i++) {
        bool is_continuation = ((unsigned char)text[i] & 0xC0) == 0x80;
        if (text[i] == '\n')
            line++, column = 1;
        else if (!is_continuation)
            column++;
    }
    return yaml_error_at(reader->err, reader->name, line, column,
                         "not UTF-8 text, or a control character");
}

static Status reader_error(YamlReader *reader, const char *text, size_t len)
{
    yaml_parser_t *parser = &reader->parser;
    // The scanner never recovers: libyaml is only out of memory when malloc is.
    BUG_ON(parser->error == YAML_MEMORY_ERROR);
    if (parser->error == YAML_READER_ERROR) return reader_error_bytes(reader, text, len);
    return reader_error_at(reader, parser->problem_mark,
                           parser->problem != NULL ? parser->problem : "malformed YAML");
}

static YamlNode *reader_node(YamlReader *reader, YamlKind kind, yaml_mark_t mark)
{
    YamlNode *node = ARENA_NEW(reader->arena, YamlNode);
    node->kind = kind;
    node->line = (uint32_t)mark.line + 1;
    node->column = (uint32_t)mark.column + 1;
    return node;
}

// The tag or anchor that an event carries; both are refused.
static bool event_is_decorated(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL;
    default:
        return event->type == YAML_ALIAS_EVENT;
    }
}

static Status reader_admit(YamlReader *reader, const yaml_event_t *event)
{
    if (event_is_decorated(event))
        return reader_error_at(reader, event->start_mark,
                               "anchors, aliases and tags are not allowed");
    if (++reader->nodes > YAML_MAX_NODES)
        return reader_error_at(reader, event->start_mark, "too many nodes");
    return ST_OK;
}

static Status reader_scalar(YamlReader *reader, const yaml_event_t *event, const YamlNode **out)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t len = event->data.scalar.length;
    if (memchr(text, '\0', len) != NULL)
        return reader_error_at(reader, event->start_mark, "a text may not hold a NUL");
    YamlNode *node = reader_node(reader, YAML_SCALAR, event->start_mark);
    node->text = arena_strndup(reader->arena, text, len);
    node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    *out = node;
    return ST_OK;
}

// An open collection: what the next node is added to.
typedef struct {
    YamlNode *node;
    const YamlNode *key; // of mappings: read, its value not yet
} YamlOpen;

static Status reader_add(YamlReader *reader, YamlOpen *open, const YamlNode *node)
{
    BUG_ON(open->node == NULL);
    if (open->node->kind == YAML_SEQUENCE) {
        vec_push(reader->arena, &open->node->items, node);
        return ST_OK;
    }
    if (open->key == NULL) {
        if (node->kind != YAML_SCALAR)
            return yaml_error(node, reader->name, reader->err, "a key must be a plain text");
        open->key = node;
        return ST_OK;
    }
    YamlPair pair = {.key = open->key, .value = node};
    vec_push(reader->arena, &open->node->pairs, pair);
    open->key = NULL;
    return ST_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const YamlNode *x = *(const YamlNode *const *)a, *y = *(const YamlNode *const *)b;
    int order = strcmp(x->text, y->text);
    if (order != 0) return order;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

static Status reader_check_keys(YamlReader *reader, const YamlNode *mapping)
{
    uint32_t count = mapping->pairs.len;
    if (count < 2) return ST_OK;
    const YamlNode **keys = ARENA_ARRAY(reader->arena, const YamlNode *, count);
    for (uint32_t i = 0; i < count; i++) keys[i] = mapping->pairs.items[i].key;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1]->text, keys[i]->text) != 0) continue;
        return yaml_error(keys[i], reader->name, reader->err,
                          "duplicate key '%s' (first on line %u)", keys[i]->text,
                          (unsigned)keys[i - 1]->line);
    }
    return ST_OK;
}

// One event inside the document; `stack[0]` holds the root as the only item of a sequence.
static Status reader_event(YamlReader *reader, const yaml_event_t *event, YamlOpen *stack)
{
    const YamlNode *node = NULL;
    Status status;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
    case YAML_ALIAS_EVENT:
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        status = reader_admit(reader, event);
        if (status != ST_OK) return status;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        // libyaml pairs starts and ends.
        BUG_ON(reader->depth == 0);
        node = stack[reader->depth--].node;
        BUG_ON(node == NULL);
        return reader_check_keys(reader, node);
    default:
        return ST_OK;
    }
    if (event->type == YAML_SCALAR_EVENT) {
        status = reader_scalar(reader, event, &node);
        return status == ST_OK ? reader_add(reader, &stack[reader->depth], node) : status;
    }
    if (reader->depth == YAML_MAX_DEPTH)
        return reader_error_at(reader, event->start_mark, "nested too deeply");
    YamlKind kind = event->type == YAML_MAPPING_START_EVENT ? YAML_MAPPING : YAML_SEQUENCE;
    YamlNode *opened = reader_node(reader, kind, event->start_mark);
    status = reader_add(reader, &stack[reader->depth], opened);
    stack[++reader->depth] = (YamlOpen){.node = opened};
    return status;
}

static Status reader_run(YamlReader *reader, const char *text, size_t len, const YamlNode **root)
{
    YamlOpen stack[YAML_MAX_DEPTH + 1] = {0};
    stack[0].node = reader_node(reader, YAML_SEQUENCE, (yaml_mark_t){0});
    uint32_t documents = 0;
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event)) return reader_error(reader, text, len);
        Status status = ST_OK;
        if (event.type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            status = reader_error_at(reader, event.start_mark, "more than one document");
        else
            status = reader_event(reader, &event, stack);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (status != ST_OK) return status;
    }
    const YamlNode *top = stack[0].node->items.len != 0 ? stack[0].node->items.items[0] : NULL;
    bool is_empty =
        top == NULL || (top->kind == YAML_SCALAR && !top->is_quoted && top->text[0] == '\0');
    *root = is_empty ? reader_node(reader, YAML_MAPPING, (yaml_mark_t){0}) : top;
    return ST_OK;
}

Status yaml_parse(Arena *arena, const char *name, const char *text, size_t len,
                  const YamlNode **root, Err *err)
{
    if (len > yaml_max_bytes) return yaml_error_at(err, name, 1, 1, "the file is too large");
    YamlReader reader = {.arena = arena, .name = name, .err = err};
    BUG_ON(!yaml_parser_initialize(&reader.parser));
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text, len);
    Status status = reader_run(&reader, text, len, root);
    yaml_parser_delete(&reader.parser);
    return status;
}

Status yaml_read_file(Arena *arena, const char *path, const char **out, size_t *out_len, Err *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s", path,
                       strerror(errno));
    // Grown as read, so that pipes and files without a size work too; at most one byte more than is
    // admitted.
    size_t cap = 64 * 1024, len = 0;
    char *text = arena_alloc(arena, cap);
    while (!feof(file) && !ferror(file) && len <= yaml_max_bytes) {
        if (len == cap) {
            char *grown = arena_alloc(arena, cap * 2);
            text = memcpy(grown, text, len);
            cap *= 2;
        }
        len += fread(text + len, 1, cap - len, file);
    }
    Status status = ferror(file) ? err_set(err, ST_IO, "%s: %s", path, strerror(errno)) : ST_OK;
    fclose(file);
    *out = text;
    *out_len = len;
    return status;
}

Status yaml_parse_file(Arena *arena, const char *path, const YamlNode **root, Err *err)
{
    const char *text = NULL;
    size_t len = 0;
    Status status = yaml_read_file(arena, path, &text, &len, err);
    return status == ST_OK ? yaml_parse(arena, path, text, len, root, err) : status;
}

const YamlNode *yaml_get(const YamlNode *mapping, const char *key)
{
    if (mapping->kind != YAML_MAPPING) return NULL;
    for (uint32_t i = 0; i < mapping->pairs.len; i++) {
        if (strcmp(mapping->pairs.items[i].key->text, key) == 0)
            return mapping->pairs.items[i].value;
    }
    return NULL;
}

Status yaml_bool(const YamlNode *node, const char *name, const char *key, bool *out, Err *err)
{
    bool is_plain = node->kind == YAML_SCALAR && !node->is_quoted;
    bool is_true = is_plain && strcmp(node->text, "true") == 0;
    if (!is_true && !(is_plain && strcmp(node->text, "false") == 0))
        return yaml_error(node, name, err, "%s must be true or false", key);
    *out = is_true;
    return ST_OK;
}

Status yaml_int(const YamlNode *node, const char *name, const char *key, int64_t *out, Err *err)
{
    bool is_plain = node->kind == YAML_SCALAR && !node->is_quoted;
    bool has_digits =
        is_plain && node->text[strspn(node->text, "-0123456789")] == '\0' && node->text[0] != '\0';
    char *end = NULL;
    errno = 0;
    long long value = has_digits ? strtoll(node->text, &end, 10) : 0;
    if (!has_digits || errno != 0 || *end != '\0')
        return yaml_error(node, name, err, "%s must be an integer", key);
    *out = value;
    return ST_OK;
}

Status yaml_text(const YamlNode *node, const char *name, const char *key, const char **out,
                 Err *err)
{
    if (node->kind != YAML_SCALAR || node->text[0] == '\0')
        return yaml_error(node, name, err, "%s must be a text", key);
    *out = node->text;
    return ST_OK;
}
