// SPDX-License-Identifier: MIT
// Splits option text into words: response files (blanks) and nvcc's comma lists. Quotes and
// backslashes protect a separator and are removed.
#include "tu/tu_response_p.h"

#include "base/str.h"

#include <errno.h>
#include <stdio.h>

enum { MAX_RESPONSE_BYTES = 1 << 20 };

static TuWords split(Arena *arena, const char *text, const char *separators)
{
    TuWords words = {0};
    StrBuf word = {.arena = arena};
    bool in_word = false;
    char quote = '\0';
    for (const char *at = text;; at++) {
        if (*at == '\0' || (quote == '\0' && strchr(separators, *at) != NULL)) {
            if (in_word) vec_push(arena, &words, arena_strdup(arena, strbuf_text(&word)));
            if (*at == '\0') return words;
            word.len = 0;
            if (word.text != NULL) word.text[0] = '\0';
            in_word = false;
            continue;
        }
        in_word = true;
        if (*at == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else {
            if (*at == '\\' && quote != '\'' && at[1] != '\0') at++;
            strbuf_append_n(&word, at, 1);
        }
    }
}

TuWords tu_split_list(Arena *arena, const char *text)
{
    return split(arena, text, ",");
}

Status tu_read_response_file(Arena *arena, const char *path, TuWords *words, Err *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "response file '%s': %s", path,
                       strerror(errno));
    char *text = arena_alloc(arena, MAX_RESPONSE_BYTES + 1);
    size_t len = fread(text, 1, MAX_RESPONSE_BYTES + 1, file);
    bool failed = ferror(file) != 0;
    int error = errno;
    fclose(file);
    if (failed) return err_set(err, ST_IO, "response file '%s': %s", path, strerror(error));
    if (len > MAX_RESPONSE_BYTES)
        return err_set(err, ST_LIMIT, "response file '%s': larger than 1 MiB", path);
    text[len] = '\0';
    *words = split(arena, text, " \t\r\n\f\v");
    return ST_OK;
}
