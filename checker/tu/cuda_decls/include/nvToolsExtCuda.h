// SPDX-License-Identifier: MIT
// NVTX: names for the driver API's devices, contexts, streams and events.
#pragma once
#pragma clang system_header
#include <cuda.h>
#include <nvToolsExt.h>
CUDALINT_C_BEGIN
void nvtxNameCuDeviceA(CUdevice, const char *);
void nvtxNameCuContextA(CUcontext, const char *);
void nvtxNameCuStreamA(CUstream, const char *);
void nvtxNameCuEventA(CUevent, const char *);
void nvtxNameCuDeviceW(CUdevice, const wchar_t *);
void nvtxNameCuContextW(CUcontext, const wchar_t *);
void nvtxNameCuStreamW(CUstream, const wchar_t *);
void nvtxNameCuEventW(CUevent, const wchar_t *);
CUDALINT_C_END
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
