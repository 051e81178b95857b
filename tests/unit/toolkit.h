// SPDX-License-Identifier: MIT
// Where a CUDA toolkit is, for tests that hold our data against its headers. Included by
// test_model_headers.c and test_tu_headers.c.
#ifndef CUDALINT_TESTS_TOOLKIT_H
#define CUDALINT_TESTS_TOOLKIT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    SKIPPED = 77,          // what ctest takes as "skipped"
    KNOWN_VERSION = 13000, // CUDART_VERSION of the toolkit that our data was written from
};

static bool has_headers(const char *root)
{
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, "%s/include/cuda_runtime_api.h", root);
    return stat(path, &info) == 0;
}

// CUDA_PATH, CUDA_HOME or the usual place; NULL when there is none.
static const char *find_toolkit(void)
{
    const char *roots[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (roots[i] != NULL && has_headers(roots[i])) return roots[i];
    }
    return NULL;
}

#endif
