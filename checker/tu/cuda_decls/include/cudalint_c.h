// SPDX-License-Identifier: MIT
// For the library headers: C linkage, and functions that take anything.
#pragma once
#pragma clang system_header
#ifdef __cplusplus
#define CUDALINT_C_BEGIN extern "C" {
#define CUDALINT_C_END }
#define CUDALINT_ANY ...
#else
#define CUDALINT_C_BEGIN
#define CUDALINT_C_END
#define CUDALINT_ANY
#endif
