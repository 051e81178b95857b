// SPDX-License-Identifier: MIT
// Look-ups in the table of API functions.
#include "record/api.h"

#include <ctype.h>
#include <string.h>

// Length of the name without one suffix of the toolkit's, the same length when it has none.
static size_t strip_suffix(const char *name, size_t len)
{
    static const char *const thread_suffixes[] = {"_ptds", "_ptsz"};
    for (size_t i = 0; i < sizeof thread_suffixes / sizeof *thread_suffixes; i++) {
        size_t suffix = strlen(thread_suffixes[i]);
        if (len > suffix && strncmp(name + len - suffix, thread_suffixes[i], suffix) == 0)
            return len - suffix;
    }
    size_t digits = len;
    while (digits > 0 && isdigit((unsigned char)name[digits - 1])) digits--;
    bool has_version = digits < len && digits > 2 && name[digits - 1] == 'v';
    return has_version && name[digits - 2] == '_' ? digits - 2 : len;
}

// The first variant of exactly that name, or NULL.
static const ApiFunction *find_first(const char *name, size_t len)
{
    size_t low = 0, high = api_function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *candidate = api_functions[middle].name;
        int order = strncmp(candidate, name, len);
        if (order == 0 && candidate[len] != '\0') order = 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == api_function_count) return NULL;
    const char *candidate = api_functions[low].name;
    return strncmp(candidate, name, len) == 0 && candidate[len] == '\0' ? &api_functions[low]
                                                                        : NULL;
}

const ApiFunction *api_find(const char *name, int arg_count)
{
    size_t len = strlen(name);
    const ApiFunction *function = find_first(name, len);
    for (size_t shorter; function == NULL; len = shorter) {
        shorter = strip_suffix(name, len);
        if (shorter == len) return NULL;
        function = find_first(name, shorter);
    }
    const ApiFunction *end = api_functions + api_function_count;
    for (const char *first = function->name; function != end; function++) {
        if (strcmp(function->name, first) != 0) break;
        if (arg_count >= function->min_args && arg_count <= function->max_args) return function;
    }
    return NULL;
}

bool api_fits(const ApiEffect *release, uint16_t kind)
{
    for (; kind != API_NONE; kind = api_resources[kind].same_as) {
        for (size_t i = 0; i < release->fits_count; i++) {
            if (release->fits[i] == kind) return true;
        }
    }
    return false;
}
