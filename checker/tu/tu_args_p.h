// SPDX-License-Identifier: MIT
// Compiler arguments of any spelling in, the few that matter out.
#ifndef CUDALINT_TU_TU_ARGS_P_H
#define CUDALINT_TU_TU_ARGS_P_H

#include "tu/tu.h"

typedef enum { TU_LANG_BY_NAME, TU_LANG_CUDA, TU_LANG_C } TuLanguage;

// What the arguments say. Strings are allocated in the arena given to tu_args_translate, or
// borrowed from the arguments.
struct TuArgs {
    // For clang, in order: -I -isystem -iquote -idirafter -D -U -include, glued or paired.
    Vec(const char *) flags;
    // Of those, the directories: used when looking for missing includes.
    Vec(const char *) include_dirs;
    const char *cxx_standard; // "gnu++17", "c++14", ...
    const char *c_standard;   // "gnu17", "c99", ...
    TuLanguage language;      // -x
    bool per_thread_stream;   // the default stream is one per thread
    // Folders of a CUDA Toolkit: its headers come after the bundled ones, which the preamble fits.
    Vec(const char *) toolkit_dirs;
};

// Whether `file` is parsed as C.
bool tu_args_is_c(const TuArgs *args, const char *file);
// Whether `file` is C++ that the host's compiler compiles: by its name, as nobody says otherwise.
bool tu_args_is_host(const TuArgs *args, const char *file);

#endif
