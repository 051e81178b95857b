// SPDX-License-Identifier: MIT
// OpenGL interoperability of the driver API.
#pragma once
#pragma clang system_header
#include <cuda.h>
#include <cudalint_c.h>
CUDALINT_C_BEGIN
typedef enum {
    CU_GL_DEVICE_LIST_ALL = 1, CU_GL_DEVICE_LIST_CURRENT_FRAME, CU_GL_DEVICE_LIST_NEXT_FRAME,
} CUGLDeviceList;
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *, unsigned, unsigned);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *, unsigned, unsigned, unsigned);
CUresult cuGLGetDevices(unsigned *, CUdevice *, unsigned, CUGLDeviceList);
CUresult cuGLCtxCreate(CUcontext *, unsigned, CUdevice);
CUresult cuGLInit(void);
CUDALINT_C_END
