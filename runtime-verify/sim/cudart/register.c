// SPDX-License-Identifier: MIT
// What nvcc's code calls before main: the program's fat binaries, kernels and device variables.
#include "runtime.h"

#include "../core/fatbin.h"

#include <string.h>

// As nvcc lays it down: a wrapper that points to the fat binary.
typedef struct {
    int magic, version;
    const void *data;
    const void *file_name;
} FatBinaryWrapper;

// Declared by no header: nvcc writes the declarations into what it compiles.
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *symbol, char *device_symbol,
                            const char *name, int thread_limit, uint3 *tid, uint3 *bid, dim3 *block,
                            dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *symbol, char *device_symbol, const char *name,
                       int is_external, size_t size, int is_constant, int is_global);
void __cudaRegisterManagedVar(void **handle, void **symbol, char *device_symbol, const char *name,
                              int is_external, size_t size, int is_constant, int is_global);
void __cudaRegisterHostVar(void **handle, const char *name, char *symbol, size_t size);
char __cudaInitModule(void **handle);

// ---- fat binaries ----

void **__cudaRegisterFatBinary(void *wrapper)
{
    // The handle is only ever given back to us.
    return wrapper;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

static const void *image_of(void **handle)
{
    const FatBinaryWrapper *wrapper = (const FatBinaryWrapper *)handle;
    return wrapper ? wrapper->data : NULL;
}

// The size that the image gives itself; it is nvcc's own, in the program's memory.
size_t register_image_size(const void *image)
{
    enum { HEADER_SIZE = 16, SIZE_AT = 8 };
    uint64_t size = 0;
    if (!image) return 0;
    memcpy(&size, (const char *)image + SIZE_AT, sizeof size);
    return HEADER_SIZE + size;
}

// ---- kernels ----

void __cudaRegisterFunction(void **handle, const char *symbol, char *device_symbol,
                            const char *name, int thread_limit, uint3 *tid, uint3 *bid, dim3 *block,
                            dim3 *grid, int *warp_size)
{
    (void)device_symbol, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp_size;
    Runtime *runtime = runtime_get();
    pthread_mutex_lock(&runtime->lock);
    Kernel *kernel = sim_object_new(runtime->sim, SIM_KERNEL, sizeof *kernel, 0);
    kernel->name = name;
    kernel->image = image_of(handle);
    kernel->symbol = symbol;
    HASH_ADD(hh, runtime->kernels, symbol, sizeof kernel->symbol, kernel);
    pthread_mutex_unlock(&runtime->lock);
}

// ---- variables ----

static Variable *add_variable(Runtime *runtime, const void *symbol, const char *name, size_t size,
                              const void *image)
{
    Variable *variable = sim_allocate(sizeof *variable);
    *variable = (Variable){.symbol = symbol, .name = name, .size = size, .image = image};
    variable->blocks =
        sim_allocate((size_t)(runtime->sim->device_count + 1) * sizeof *variable->blocks);
    HASH_ADD(hh, runtime->variables, symbol, sizeof variable->symbol, variable);
    return variable;
}

void __cudaRegisterVar(void **handle, char *symbol, char *device_symbol, const char *name,
                       int is_external, size_t size, int is_constant, int is_global)
{
    (void)device_symbol, (void)is_external, (void)is_constant, (void)is_global;
    Runtime *runtime = runtime_get();
    pthread_mutex_lock(&runtime->lock);
    add_variable(runtime, symbol, name, size, image_of(handle));
    pthread_mutex_unlock(&runtime->lock);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *symbol, size_t size)
{
    (void)handle, (void)name, (void)symbol, (void)size;
}

static void load_initial(const Variable *variable, SimBlock *block)
{
    const void *initial = sim_fatbin_initial(variable->image, register_image_size(variable->image),
                                             variable->name, variable->size);
    if (initial) memcpy(block->bytes->data, initial, variable->size);
}

void __cudaRegisterManagedVar(void **handle, void **symbol, char *device_symbol, const char *name,
                              int is_external, size_t size, int is_constant, int is_global)
{
    (void)device_symbol, (void)is_external, (void)is_constant, (void)is_global;
    Runtime *runtime = runtime_get();
    pthread_mutex_lock(&runtime->lock);
    SimBytes *bytes = sim_bytes_new(size);
    if (bytes) {
        Variable *variable = add_variable(runtime, symbol, name, size, image_of(handle));
        SimBlock *block =
            sim_block_new(runtime->sim, SIM_MANAGED_VARIABLE, (uintptr_t)bytes->data, size, bytes);
        load_initial(variable, block);
        for (int device = 0; device < runtime->sim->device_count; device++)
            variable->blocks[device] = block;
        // The program reads the variable through this pointer.
        *symbol = bytes->data;
        sim_bytes_drop(bytes);
    }
    pthread_mutex_unlock(&runtime->lock);
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

Variable *variable_find(const Runtime *runtime, const void *symbol)
{
    Variable *variable = NULL;
    HASH_FIND(hh, runtime->variables, &symbol, sizeof symbol, variable);
    return variable;
}

SimBlock *variable_block(Runtime *runtime, Variable *variable, int device)
{
    SimBlock **block = &variable->blocks[device];
    if (*block) return *block;
    SimBytes *bytes = sim_bytes_new(variable->size);
    uintptr_t address = bytes ? sim_space_take(runtime->sim, bytes->size) : 0;
    if (address) {
        *block = sim_block_new(runtime->sim, SIM_VARIABLE, address, variable->size, bytes);
        (*block)->device = device;
        load_initial(variable, *block);
    }
    sim_bytes_drop(bytes);
    return *block;
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
    Call call = CALL(WORD(out), WORD(symbol));
    Variable *variable = call.runs ? variable_find(call.runtime, symbol) : NULL;
    if (call.runs && !variable)
        call.error = SIM_INVALID_SYMBOL;
    else if (call.runs)
        *out = (void *)variable_block(call.runtime, variable, call.thread->device)->address;
    return call_end(&call);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    Call call = CALL(WORD(size), WORD(symbol));
    const Variable *variable = call.runs ? variable_find(call.runtime, symbol) : NULL;
    if (call.runs && !variable)
        call.error = SIM_INVALID_SYMBOL;
    else if (call.runs)
        *size = variable->size;
    return call_end(&call);
}
