// SPDX-License-Identifier: MIT
// Several options in one text: response files, which compilers take with `@FILE`, and nvcc's lists.
#include "tu/tu_response_p.h"

#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { MAX_RESPONSE_BYTES = 1 << 20 };

static void add_item(Arena *arena, Words *items, const char *text, size_t len)
{
    while (len != 0 && text[len - 1] == ' ') len--;
    while (len != 0 && *text == ' ') text++, len--;
    if (len == 0) return;
    const char *item = arena_strndup(arena, text, len);
    vec_push(arena, items, item);
}

Words tu_split_list(Arena *arena, const char *text)
{
    Words items = {0};
    StrBuf item = {.arena = arena};
    bool is_quoted = false;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == ',' && !is_quoted) {
            add_item(arena, &items, strbuf_text(&item), item.len);
            item.len = 0;
            continue;
        }
        bool is_escape = *at == '\\' && at[1] != '\0';
        if (is_escape && at[1] != ',') strbuf_append_n(&item, at, 1);
        if (is_escape) at++;
        if (*at == '"' && !is_escape) is_quoted = !is_quoted;
        strbuf_append_n(&item, at, 1);
    }
    add_item(arena, &items, strbuf_text(&item), item.len);
    return items;
}

Status tu_read_response_file(Arena *arena, const char *path, Words *words, Err *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "response file '%s': %s", path,
                       strerror(errno));
    struct stat info;
    size_t cap =
        fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
    if (cap > MAX_RESPONSE_BYTES) cap = MAX_RESPONSE_BYTES;
    char *text = arena_alloc(arena, cap + 2);
    size_t len = fread(text, 1, cap + 1, file);
    bool failed = ferror(file) != 0;
    int error = errno;
    fclose(file);
    if (failed) return err_set(err, ST_IO, "response file '%s': %s", path, strerror(error));
    if (len > MAX_RESPONSE_BYTES)
        return err_set(err, ST_LIMIT, "response file '%s': larger than 1 MiB", path);
    text[len] = '\0';
    *words = words_split(arena, text, WORDS_RESPONSE);
    return ST_OK;
}
