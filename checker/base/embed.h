// SPDX-License-Identifier: MIT
// Files embedded in the binary at build time, one table a group, sorted by path. cmake/Embed.cmake
// generates them.
#ifndef CUDALINT_BASE_EMBED_H
#define CUDALINT_BASE_EMBED_H

#include <stddef.h>

typedef struct {
    const char *path; // relative to the group's folder, with '/': "include/cuda_runtime.h"
    const char *text; // the file's bytes, NUL-terminated
    size_t len;       // bytes, without the NUL
} EmbeddedFile;

// checker/tu/cuda_decls/: the preamble and the bundled CUDA headers.
extern const EmbeddedFile embed_decls[];
extern const size_t embed_decls_count;

// checker/model/data/*.yaml: what library functions do.
extern const EmbeddedFile embed_model_data[];
extern const size_t embed_model_data_count;

// rules/*/rule.md: the rules' pages; the path is "leak/rule.md".
extern const EmbeddedFile embed_rule_pages[];
extern const size_t embed_rule_pages_count;

#endif
