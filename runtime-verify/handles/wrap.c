// SPDX-License-Identifier: MIT
// What all wrappers do: find the recorder, tell it, find the library's function.
#define _GNU_SOURCE // RTLD_NEXT, dlinfo
#include "handles/wrap.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const LibraryRecorder *open_recorder(void)
{
    const char *path = getenv("CUDALINT_RECORDER");
    void *library = path != NULL ? dlopen(path, RTLD_NOW) : NULL;
    void *symbol = library != NULL ? wrap_dlsym(library, LIBRARY_RECORDER) : NULL;
    if (path != NULL && symbol == NULL)
        fprintf(stderr, "cudalint: error: handles of libraries are not recorded: %s\n", dlerror());
    return symbol != NULL ? ((LibraryRecorderGet *)(uintptr_t)symbol)() : NULL;
}

static const LibraryRecorder *recorder;

static void set_recorder(void)
{
    recorder = open_recorder();
}

static const LibraryRecorder *get_recorder(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_recorder);
    return recorder;
}

static int compare_symbol(const void *symbol, const void *wrapped)
{
    return strcmp(symbol, ((const Wrapped *)wrapped)->symbol);
}

const Wrapped *wrap_find(const char *symbol)
{
    return bsearch(symbol, wrapped_functions, wrapped_count, sizeof *wrapped_functions,
                   compare_symbol);
}

// Looks into each loaded file, in the order in which they were loaded: a library that a plug-in
// brought along is in nobody's global scope.
static void *find_in_files(const Wrapped *wrapped)
{
    struct link_map *first = NULL;
    void *program = dlopen(NULL, RTLD_LAZY), *found = NULL;
    if (program == NULL || dlinfo(program, RTLD_DI_LINKMAP, &first) != 0) first = NULL;
    for (const struct link_map *map = first; map != NULL && found == NULL; map = map->l_next) {
        void *file = map->l_name[0] != '\0' ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (file == NULL) continue;
        found = wrap_dlsym(file, wrapped->symbol);
        if (found == wrapped->wrapper) found = NULL;
        dlclose(file);
    }
    if (program != NULL) dlclose(program);
    return found;
}

void *wrap_find_real(const Wrapped *wrapped)
{
    static _Atomic(void *) known[WRAPPED_MOST];
    _Atomic(void *) *slot = &known[wrapped - wrapped_functions];
    void *real = atomic_load(slot);
    if (real != NULL) return real;
    real = wrap_dlsym(RTLD_NEXT, wrapped->symbol);
    if (real == NULL) real = find_in_files(wrapped);
    atomic_store(slot, real);
    return real;
}

bool wrap_enter(size_t index, WrappedCall *call, const uint64_t *words, uint32_t count)
{
    const Wrapped *wrapped = &wrapped_functions[index];
    memset(call, 0, sizeof *call);
    call->real = wrap_find_real(wrapped);
    call->is_missing = call->real == NULL;
    if (call->is_missing) {
        fprintf(stderr, "cudalint: error: no loaded library has %s\n", wrapped->symbol);
        return false;
    }
    call->recorder = get_recorder();
    if (call->recorder == NULL) return true;
    call->call.arg_count = count < TRACK_MAX_ARGS ? count : TRACK_MAX_ARGS;
    memcpy(call->call.args, words, call->call.arg_count * sizeof *words);
    return call->recorder->enter(call->recorder->tracker, &call->call, wrapped->function);
}

uint32_t wrap_leave(WrappedCall *call, uint32_t result)
{
    if (call->is_missing) return 1;
    if (call->recorder == NULL) return result;
    return (uint32_t)call->recorder->leave(call->recorder->tracker, &call->call, (int32_t)result);
}
