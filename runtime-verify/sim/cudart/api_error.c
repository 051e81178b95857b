// SPDX-License-Identifier: MIT
// Errors: their names, and the last one of the thread.
#include "runtime.h"

typedef struct {
    int code;
    const char *name, *text;
} ErrorText;

static const ErrorText texts[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "errors.def"
#undef ERROR
};

static const ErrorText *text_of(cudaError_t error)
{
    static const ErrorText unknown = {-1, "unrecognized error code", "unrecognized error code"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].code == (int)error) return &texts[i];
    return &unknown;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return text_of(error)->name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return text_of(error)->text;
}

cudaError_t cudaPeekAtLastError(void)
{
    Call call = call_begin(__func__, NULL, 0);
    return call_end_with_last_error(&call, false);
}

cudaError_t cudaGetLastError(void)
{
    Call call = call_begin(__func__, NULL, 0);
    return call_end_with_last_error(&call, true);
}
