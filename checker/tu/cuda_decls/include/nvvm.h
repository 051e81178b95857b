// SPDX-License-Identifier: MIT
// libNVVM: the compiler of NVVM IR.
#pragma once
#pragma clang system_header
#include <cudalint_c.h>
#include <stddef.h>

CUDALINT_C_BEGIN

typedef enum {
    NVVM_SUCCESS = 0, NVVM_ERROR_OUT_OF_MEMORY, NVVM_ERROR_PROGRAM_CREATION_FAILURE,
    NVVM_ERROR_IR_VERSION_MISMATCH, NVVM_ERROR_INVALID_INPUT, NVVM_ERROR_INVALID_PROGRAM, NVVM_ERROR_INVALID_IR,
    NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_NO_MODULE_IN_PROGRAM, NVVM_ERROR_COMPILATION, NVVM_ERROR_CANCELLED,
} nvvmResult;
typedef struct _nvvmProgram *nvvmProgram;

const char *nvvmGetErrorString(nvvmResult);
nvvmResult nvvmVersion(int *, int *);
nvvmResult nvvmIRVersion(int *, int *, int *, int *);
nvvmResult nvvmCreateProgram(nvvmProgram *);
nvvmResult nvvmDestroyProgram(nvvmProgram *);
nvvmResult nvvmAddModuleToProgram(nvvmProgram, const char *, size_t, const char *);
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram, const char *, size_t, const char *);
nvvmResult nvvmCompileProgram(nvvmProgram, int, const char **);
nvvmResult nvvmVerifyProgram(nvvmProgram, int, const char **);
nvvmResult nvvmGetCompiledResultSize(nvvmProgram, size_t *);
nvvmResult nvvmGetCompiledResult(nvvmProgram, char *);
nvvmResult nvvmGetProgramLogSize(nvvmProgram, size_t *);
nvvmResult nvvmGetProgramLog(nvvmProgram, char *);

CUDALINT_C_END
