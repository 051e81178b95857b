// SPDX-License-Identifier: MIT
// Reads CUDALINT_FAIL: K | FUNCTION[:K] | FUNCTION@MODULE+0xLOW-0xHIGH[,...]
#include "record/fail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool fail_is_set(const FailSpec *spec)
{
    return spec->number != 0 || spec->function != NULL;
}

// Reads a number to the end of the text.
static Status read_count(const char *text, uint64_t *number, Err *err)
{
    char *end;
    *number = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (*number == 0 || *end != '\0')
        return err_set(err, ST_USAGE, "'%s' is not the number of a call (1, 2, ...)", text);
    return ST_OK;
}

static bool read_address(const char **at, char stop, uint64_t *address)
{
    if ((*at)[0] != '0' || (*at)[1] != 'x' || !isxdigit((unsigned char)(*at)[2])) return false;
    char *end;
    *address = strtoull(*at, &end, 16);
    bool is_good = *end == stop || (stop == '\0' && *end == ',');
    *at = end;
    return is_good;
}

// MODULE+0xLOW-0xHIGH, at the comma or the end afterwards. A module's name may hold any character
// but a comma.
static Status read_range(Arena *arena, const char **at, FailSpec *spec, Err *err)
{
    const char *text = *at;
    const char *end = text + strcspn(text, ",");
    const char *plus = end;
    while (plus > text && *plus != '+') plus--;
    FailRange range = {.module = arena_strndup(arena, text, (size_t)(plus - text))};
    const char *address = plus + 1;
    bool is_good = plus > text && read_address(&address, '-', &range.low);
    if (is_good) {
        address++;
        is_good = read_address(&address, '\0', &range.high) && range.low < range.high;
    }
    if (!is_good) return err_set(err, ST_USAGE, "'%s' is not MODULE+0xLOW-0xHIGH", text);
    vec_push(arena, &spec->ranges, range);
    *at = end;
    return ST_OK;
}

Status fail_parse(Arena *arena, const char *text, FailSpec *spec, Err *err)
{
    *spec = (FailSpec){0};
    if (text[0] == '\0') return ST_OK;
    if (isdigit((unsigned char)text[0])) return read_count(text, &spec->number, err);
    size_t len = strcspn(text, ":@");
    if (len == 0) return err_set(err, ST_USAGE, "'%s' names no function", text);
    spec->function = arena_strndup(arena, text, len);
    const char *at = text + len;
    if (*at == ':') return read_count(at + 1, &spec->number, err);
    while (*at != '\0') {
        at++; // '@' or ','
        Status status = read_range(arena, &at, spec, err);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}
