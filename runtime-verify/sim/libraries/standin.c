// SPDX-License-Identifier: MIT
// The handles of one simulated library. Memory is the simulated runtime's.
#include "libraries/standin.h"

#include <cuda_runtime_api.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Index + 1 is the number of a handle.
typedef struct {
    pthread_mutex_t lock;
    bool *is_live;
    uint32_t count, capacity;
} Handles;

// Functions of libraries have no object that the table could belong to.
static Handles *get_handles(void)
{
    static Handles handles = {.lock = PTHREAD_MUTEX_INITIALIZER};
    return &handles;
}

// A handle is an address of nothing, where no program has memory, by its number.
static const uint64_t FIRST_HANDLE = 0x7e00000000000000;
enum { HANDLE_STEP = 0x100 };

// 0 when there is no memory for it.
static uint32_t new_number(void)
{
    Handles *handles = get_handles();
    pthread_mutex_lock(&handles->lock);
    if (handles->count == handles->capacity) {
        uint32_t capacity = handles->capacity == 0 ? 64 : handles->capacity * 2;
        bool *grown = realloc(handles->is_live, capacity * sizeof *grown);
        if (grown != NULL) {
            handles->is_live = grown;
            handles->capacity = capacity;
        }
    }
    uint32_t number = handles->count < handles->capacity ? ++handles->count : 0;
    if (number != 0) handles->is_live[number - 1] = true;
    pthread_mutex_unlock(&handles->lock);
    return number;
}

static bool drop_number(uint64_t number)
{
    Handles *handles = get_handles();
    pthread_mutex_lock(&handles->lock);
    bool is_live = number >= 1 && number <= handles->count && handles->is_live[number - 1];
    if (is_live) handles->is_live[number - 1] = false;
    pthread_mutex_unlock(&handles->lock);
    return is_live;
}

uint32_t standin_acquire(uintptr_t slot, uint32_t error)
{
    uint32_t number = slot != 0 ? new_number() : 0;
    if (number == 0) return error;
    uint64_t handle = FIRST_HANDLE + (uint64_t)number * HANDLE_STEP;
    memcpy((void *)slot, &handle, sizeof handle);
    return 0;
}

uint32_t standin_acquire_int(uintptr_t slot, uint32_t error)
{
    uint32_t number = slot != 0 ? new_number() : 0;
    if (number == 0) return error;
    memcpy((void *)slot, &number, sizeof number);
    return 0;
}

uint32_t standin_acquire_memory(uintptr_t slot, uint32_t error)
{
    enum { ENOUGH = 1 << 20 }; // how much is asked for is not modelled
    return slot != 0 && cudaMalloc((void **)slot, ENOUGH) == cudaSuccess ? 0 : error;
}

uint32_t standin_release(uint64_t handle, uint32_t error)
{
    bool is_handle = handle >= FIRST_HANDLE && (handle - FIRST_HANDLE) % HANDLE_STEP == 0;
    return is_handle && drop_number((handle - FIRST_HANDLE) / HANDLE_STEP) ? 0 : error;
}

uint32_t standin_release_int(uint64_t handle, uint32_t error)
{
    return drop_number((uint32_t)handle) ? 0 : error;
}

uint32_t standin_release_memory(uint64_t handle, uint32_t error)
{
    return cudaFree((void *)(uintptr_t)handle) == cudaSuccess ? 0 : error;
}

uint32_t standin_release_at(uintptr_t slot, uint32_t error)
{
    uint64_t handle = 0;
    if (slot != 0) memcpy(&handle, (const void *)slot, sizeof handle);
    uint32_t result = standin_release(handle, error);
    if (result == 0) memset((void *)slot, 0, sizeof handle);
    return result;
}

void *standin_text(void)
{
    static char text[] = "simulated";
    return text;
}
