// SPDX-License-Identifier: MIT
// nvJitLink: linking at run time.
#pragma once
#pragma clang system_header
#include <cudalint_c.h>
#include <stddef.h>
#include <stdint.h>

CUDALINT_C_BEGIN

typedef enum {
    NVJITLINK_SUCCESS = 0, NVJITLINK_ERROR_UNRECOGNIZED_OPTION, NVJITLINK_ERROR_MISSING_ARCH,
    NVJITLINK_ERROR_INVALID_INPUT, NVJITLINK_ERROR_PTX_COMPILE, NVJITLINK_ERROR_NVVM_COMPILE,
    NVJITLINK_ERROR_INTERNAL, NVJITLINK_ERROR_THREADPOOL, NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
    NVJITLINK_ERROR_FINALIZE, NVJITLINK_ERROR_NULL_INPUT, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
    NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, NVJITLINK_ERROR_ARCH_MISMATCH, NVJITLINK_ERROR_OUTDATED_LIBRARY,
    NVJITLINK_ERROR_MISSING_FATBIN, NVJITLINK_ERROR_UNRECOGNIZED_ARCH, NVJITLINK_ERROR_UNSUPPORTED_ARCH,
    NVJITLINK_ERROR_LTO_NOT_ENABLED,
} nvJitLinkResult;
typedef enum {
    NVJITLINK_INPUT_NONE = 0, NVJITLINK_INPUT_CUBIN, NVJITLINK_INPUT_PTX, NVJITLINK_INPUT_LTOIR,
    NVJITLINK_INPUT_FATBIN, NVJITLINK_INPUT_OBJECT, NVJITLINK_INPUT_LIBRARY, NVJITLINK_INPUT_INDEX,
    NVJITLINK_INPUT_ANY = 10,
} nvJitLinkInputType;
typedef struct nvJitLink *nvJitLinkHandle;

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *, uint32_t, const char *const *);
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *);
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle, nvJitLinkInputType, const void *, size_t, const char *);
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle, nvJitLinkInputType, const char *);
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle);
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle, size_t *);
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle, void *);
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle, size_t *);
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle, char *);
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle, size_t *);
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle, char *);
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle, size_t *);
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle, char *);
nvJitLinkResult nvJitLinkVersion(unsigned *, unsigned *);

CUDALINT_C_END
