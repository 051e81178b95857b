// SPDX-License-Identifier: MIT
// Programs that load a library themselves ask dlsym for its functions, and get the wrappers. Built
// with optimisation always: see the tail call.
#define _GNU_SOURCE // dlvsym, RTLD_NEXT
#include "handles/wrap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef void *Dlsym(void *handle, const char *symbol);

static Dlsym *own;

static void find_own(void)
{
    // The versions that it has had in the C library: since 2.34, and on x86-64 and AArch64 before.
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions && own == NULL; i++)
        own = (Dlsym *)(uintptr_t)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    if (own == NULL) abort();
}

static Dlsym *get_own(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_own);
    return own;
}

void *wrap_dlsym(void *handle, const char *symbol)
{
    return get_own()(handle, symbol);
}

__attribute__((visibility("default"))) void *dlsym(void *restrict handle,
                                                   const char *restrict symbol)
{
    Dlsym *next = get_own();
    const Wrapped *wrapped = wrap_find(symbol);
    // The tail call leaves the caller's address on the stack, by which the C library tells what
    // comes after it (RTLD_NEXT).
    if (wrapped == NULL || handle == RTLD_NEXT || handle == RTLD_DEFAULT)
        return next(handle, symbol);
    void *found = next(handle, symbol);
    // A library that is made of several has the same function in more than one of them.
    return found != NULL && found == wrap_find_real(wrapped) ? wrapped->wrapper : found;
}
