// SPDX-License-Identifier: MIT
// The simulated libraries (cuBLAS, cuFFT, ...): each call succeeds and does nothing, but that
// handles are handed out and taken back. A handle is never given twice, and one that is taken back
// twice, or was never given, is refused. The functions are generated (tables/emit_libraries.c); each
// library has handles of its own.
#ifndef RUNTIME_VERIFY_SIM_STANDIN_H
#define RUNTIME_VERIFY_SIM_STANDIN_H

#include <stdint.h>

// Puts a new handle, an int, new memory where `slot` points; returns 0, or `error` when that is nowhere.
uint32_t standin_acquire(uintptr_t slot, uint32_t error);
uint32_t standin_acquire_int(uintptr_t slot, uint32_t error);
uint32_t standin_acquire_memory(uintptr_t slot, uint32_t error);
// Takes it back; returns 0, or `error` when it is none.
uint32_t standin_release(uint64_t handle, uint32_t error);
uint32_t standin_release_int(uint64_t handle, uint32_t error);
uint32_t standin_release_memory(uint64_t handle, uint32_t error);
// The same for what stands where `slot` points; it is null then.
uint32_t standin_release_at(uintptr_t slot, uint32_t error);
// What functions that return a text or an object return.
void *standin_text(void);

#endif
