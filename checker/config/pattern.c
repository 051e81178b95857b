// SPDX-License-Identifier: MIT
// Matching of path patterns: the set of places in the path that the pattern read so far can reach, so
// that the cost is their product, whatever the pattern.
#include "config/pattern.h"

#include "base/bits.h"

#include <string.h>

typedef struct {
    const char *path;
    uint32_t len;
    BitSet reached; // offsets into the path
} Matcher;

static bool is_name_start(const Matcher *matcher, uint32_t at)
{
    return at == 0 || matcher->path[at - 1] == '/';
}

// One character of the path, unless `c` says which.
static void match_character(Matcher *matcher, char c)
{
    for (uint32_t i = matcher->len + 1; i-- > 0;) {
        bool was = i > 0 && bits_has(&matcher->reached, i - 1);
        bool fits = was && (c == '?' ? matcher->path[i - 1] != '/' : matcher->path[i - 1] == c);
        if (fits)
            bits_add(&matcher->reached, i);
        else
            bits_remove(&matcher->reached, i);
    }
}

// Any characters, within a name or across.
static void match_any(Matcher *matcher, bool crosses)
{
    for (uint32_t i = 0; i < matcher->len; i++)
        if (bits_has(&matcher->reached, i) && (crosses || matcher->path[i] != '/'))
            bits_add(&matcher->reached, i + 1);
}

// "**" and a slash: any folders, or none.
static void match_folders(Matcher *matcher)
{
    bool is_on = false;
    for (uint32_t i = 0; i <= matcher->len; i++) {
        is_on |= bits_has(&matcher->reached, i);
        if (is_on && is_name_start(matcher, i))
            bits_add(&matcher->reached, i);
        else
            bits_remove(&matcher->reached, i);
    }
}

// Reads one element off the pattern.
static const char *match_element(Matcher *matcher, const char *pattern)
{
    if (strncmp(pattern, "**/", 3) == 0) {
        match_folders(matcher);
        return pattern + 3;
    }
    if (pattern[0] == '*' && pattern[1] == '*') {
        match_any(matcher, true);
        return pattern + 2;
    }
    if (pattern[0] == '*')
        match_any(matcher, false);
    else
        match_character(matcher, pattern[0]);
    return pattern + 1;
}

bool pattern_means(const char *pattern, const char *path)
{
    Arena *arena = arena_new("pattern");
    Matcher matcher = {.path = path, .len = (uint32_t)strlen(path)};
    matcher.reached = bits_new(arena, matcher.len + 1);
    while (strncmp(pattern, "./", 2) == 0) pattern += 2;
    size_t end = strlen(pattern);
    while (end > 0 && pattern[end - 1] == '/') end--;
    bool is_anchored = memchr(pattern, '/', end) != NULL;
    if (pattern[0] == '/') pattern++, end -= end != 0;
    bits_add(&matcher.reached, 0);
    if (!is_anchored) match_folders(&matcher);
    const char *stop = pattern + end;
    while (pattern < stop) pattern = match_element(&matcher, pattern);
    bool is_meant = false;
    for (uint32_t i = 0; i <= matcher.len; i++)
        is_meant |= bits_has(&matcher.reached, i) && (i == matcher.len || path[i] == '/');
    arena_free(arena);
    return is_meant && end != 0;
}
