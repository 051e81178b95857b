// SPDX-License-Identifier: MIT
// The CUDA runtime as host code sees it: types, values, prototypes. Used when no toolkit is given. In C++ the functions have
// C++ linkage, so that the signatures of different toolkits can stand side by side; in C it serves .c files.
#pragma once
#pragma clang system_header
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Include guards of the real headers: sources test them.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define CUDART_VERSION 13000
#define CUDALINT_HAVE_TEXREF 0
#define CUDART_CB
#define CUDARTAPI
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(a) __attribute__((aligned(a)))
#ifndef __cplusplus
#define __host__
#define __device__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#endif

#include <cudalint_rt_api.h>
#ifdef __cplusplus
#include <cudalint_rt_cxx.h>
#endif
