// SPDX-License-Identifier: MIT
// Kernels: what they are called, what a launch may ask for, and which memory its arguments name.
// None is ever executed.
#define _DEFAULT_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Kernel *kernel_find(const Runtime *runtime, const void *function)
{
    Kernel *kernel = NULL;
    HASH_FIND(hh, runtime->kernels, &function, sizeof function, kernel);
    return kernel ? kernel : sim_object_find(runtime->sim, WORD(function), SIM_KERNEL);
}

static void read_parameters(Kernel *kernel)
{
    if (kernel->is_read) return;
    kernel->is_read = true;
    kernel->parameters = sim_allocate(SIM_PARAMETERS_MOST * sizeof *kernel->parameters);
    kernel->parameter_count = sim_fatbin_parameters(
        kernel->image, register_image_size(kernel->image), kernel->name, kernel->parameters);
}

static bool is_valid(const Configuration *c)
{
    enum { THREADS_MOST = 1024, Z_MOST = 64, GRID_MOST = 65535, GRID_X_MOST = 0x7fffffff };
    if (!c->grid.x || !c->grid.y || !c->grid.z || !c->block.x || !c->block.y || !c->block.z)
        return false;
    if (c->block.x > THREADS_MOST || c->block.y > THREADS_MOST || c->block.z > Z_MOST) return false;
    if ((uint64_t)c->block.x * c->block.y * c->block.z > THREADS_MOST) return false;
    return c->grid.x <= GRID_X_MOST && c->grid.y <= GRID_MOST && c->grid.z <= GRID_MOST;
}

// Is it memory of the program that the device cannot reach? A page that is mapped, and no block.
static bool is_program_memory(const Sim *sim, uint64_t address)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    unsigned char resident = 0;
    if (address < page || sim_memory_is_device_address(sim, address)) return false;
    return mincore((void *)(address / page * page), 1, &resident) == 0;
}

static void use_block(SimWork *work, SimBlock *block)
{
    for (size_t i = 0; i < work->use_count; i++)
        if (work->uses[i] == block) return;
    work->uses[work->use_count++] = block;
}

// Words of the arguments: those in live blocks are uses; a whole argument that points to the
// program's own memory makes the kernel fault, as it does on a device that cannot reach pageable
// memory.
static void read_arguments(const Sim *sim, void *const *arguments, KernelLaunch *launch)
{
    const Kernel *kernel = launch->kernel;
    size_t words = 0;
    for (int i = 0; i < kernel->parameter_count; i++)
        words += kernel->parameters[i].size / sizeof(uint64_t);
    launch->words = sim_allocate((words + 1) * sizeof *launch->words);
    launch->work->uses = sim_allocate((words + 1) * sizeof(SimBlock *));
    for (int i = 0; i < kernel->parameter_count; i++) {
        size_t size = kernel->parameters[i].size;
        for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
            uint64_t word = 0;
            memcpy(&word, (const char *)arguments[i] + at, sizeof word);
            launch->words[launch->word_count++] = word;
            SimBlock *block = sim_memory_find(sim, word);
            if (block)
                use_block(launch->work, block);
            else if (size == sizeof word && is_program_memory(sim, word))
                launch->work->faults = true;
        }
    }
}

SimError kernel_prepare(const Runtime *runtime, const void *function,
                        const Configuration *configuration, void *const *arguments,
                        KernelLaunch *out)
{
    *out = (KernelLaunch){0};
    Kernel *kernel = kernel_find(runtime, function);
    if (!kernel) return SIM_INVALID_FUNCTION;
    if (!is_valid(configuration)) return SIM_INVALID_CONFIGURATION;
    read_parameters(kernel);
    out->kernel = kernel;
    out->work = sim_work_new(SIM_WORK_KERNEL);
    if (arguments) read_arguments(runtime->sim, arguments, out);
    return SIM_OK;
}

// ---- asking about kernels ----

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    enum { THREADS_MOST = 1024, SHARED_BYTES = 49152, ARCHITECTURE = 90, REGISTERS = 32 };
    Call call = CALL(WORD(out), WORD(function));
    if (call.runs && !kernel_find(call.runtime, function))
        call.error = SIM_INVALID_FUNCTION;
    else if (call.runs && !out)
        call.error = SIM_INVALID_VALUE;
    else if (call.runs) {
        memset(out, 0, sizeof *out);
        out->maxThreadsPerBlock = THREADS_MOST;
        out->maxDynamicSharedSizeBytes = SHARED_BYTES;
        out->numRegs = REGISTERS;
        out->binaryVersion = out->ptxVersion = ARCHITECTURE;
    }
    return call_end(&call);
}

static cudaError_t only_check(Call *call, const void *function)
{
    if (call->runs && !kernel_find(call->runtime, function)) call->error = SIM_INVALID_FUNCTION;
    return call_end(call);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    Call call = CALL(WORD(function), attribute, WORD(value));
    return only_check(&call, function);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    Call call = CALL(WORD(function), config);
    return only_check(&call, function);
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    Call call = CALL(WORD(name), WORD(function));
    const Kernel *kernel = call.runs ? kernel_find(call.runtime, function) : NULL;
    if (kernel && name) *name = kernel->name;
    return only_check(&call, function);
}

cudaError_t cudaGetKernel(cudaKernel_t *out, const void *function)
{
    Call call = CALL(WORD(out), WORD(function));
    const Kernel *kernel = call.runs ? kernel_find(call.runtime, function) : NULL;
    if (kernel && out) *out = (cudaKernel_t)kernel->object.handle;
    return only_check(&call, function);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *function)
{
    Call call = CALL(WORD(out), WORD(function));
    const Kernel *kernel = call.runs ? kernel_find(call.runtime, function) : NULL;
    if (kernel && out) *out = (cudaFunction_t)kernel->object.handle;
    return only_check(&call, function);
}

static SimError active_blocks(const Call *call, int *blocks, const void *function, int threads)
{
    enum { THREADS_OF_PROCESSOR = 2048, BLOCKS_OF_PROCESSOR = 32 };
    if (!kernel_find(call->runtime, function)) return SIM_INVALID_FUNCTION;
    if (!blocks || threads <= 0) return SIM_INVALID_VALUE;
    int fit = THREADS_OF_PROCESSOR / threads;
    *blocks = fit < BLOCKS_OF_PROCESSOR ? fit : BLOCKS_OF_PROCESSOR;
    return SIM_OK;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared)
{
    Call call = CALL(WORD(blocks), WORD(function), WORD(threads), shared);
    if (call.runs) call.error = active_blocks(&call, blocks, function, threads);
    return call_end(&call);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    Call call = CALL(WORD(blocks), WORD(function), WORD(threads), shared, flags);
    if (call.runs) call.error = active_blocks(&call, blocks, function, threads);
    return call_end(&call);
}
