// SPDX-License-Identifier: MIT
// Reading of whole files. What grows meanwhile is read as far as it reached at first.
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

Status file_read(Arena *arena, const char *path, size_t most, char **text, size_t *len, Err *err)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        int reason = stat(path, &info) != 0 || S_ISREG(info.st_mode) ? errno : EISDIR;
        const char *what =
            reason == EISDIR && !S_ISDIR(info.st_mode) ? "is not a regular file" : strerror(reason);
        return err_set(err, reason == ENOENT ? ST_NOT_FOUND : ST_IO, "%s: %s", path, what);
    }
    if ((uintmax_t)info.st_size > most) {
        fclose(file);
        return err_set(err, ST_LIMIT, "%s: larger than %zu MiB", path, most >> 20);
    }
    *text = arena_alloc(arena, (size_t)info.st_size + 1);
    *len = fread(*text, 1, (size_t)info.st_size, file);
    bool has_failed = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    return has_failed ? err_set(err, ST_IO, "%s: %s", path, strerror(reason)) : ST_OK;
}
