// SPDX-License-Identifier: MIT
// Captures stacks, and writes them with the modules that they go through.
#define _GNU_SOURCE // dl_iterate_phdr
#include "record/stacks.h"

#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void stack_capture(RawStack *stack)
{
    void *pcs[STACK_DEPTH];
    int count = backtrace(pcs, STACK_DEPTH);
    stack->count = count > 0 ? (uint32_t)count : 0;
    for (uint32_t i = 0; i < stack->count; i++) stack->pcs[i] = (uint64_t)(uintptr_t)pcs[i];
}

// A module that is being looked for by an address in it.
typedef struct {
    uint64_t pc;
    Module found;
    char path[PATH_MAX];
    char build_id[2 * 32 + 1];
    bool is_found;
} ModuleSearch;

static bool read_range(const struct dl_phdr_info *info, ModuleSearch *search)
{
    Module *module = &search->found;
    module->low = UINT64_MAX;
    module->high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        uint64_t start = info->dlpi_addr + segment->p_vaddr;
        if (start < module->low) module->low = start;
        if (start + segment->p_memsz > module->high) module->high = start + segment->p_memsz;
    }
    return search->pc >= module->low && search->pc < module->high;
}

// Finds the build identifier among the notes of a segment.
static void read_build_id(const char *notes, size_t size, ModuleSearch *search)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
        const ElfW(Nhdr) *note = (const void *)(notes + at);
        size_t name = at + sizeof *note;
        size_t value = name + ((note->n_namesz + 3u) & ~3u);
        size_t end = value + ((note->n_descsz + 3u) & ~3u);
        if (end > size) return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= 32) {
            for (uint32_t i = 0; i < note->n_descsz; i++)
                snprintf(search->build_id + 2 * i, 3, "%02x", (unsigned char)notes[value + i]);
            return;
        }
        at = end;
    }
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    ModuleSearch *search = data;
    if (!read_range(info, search)) return 0;
    search->is_found = true;
    search->found.bias = info->dlpi_addr;
    uint64_t own = (uint64_t)(uintptr_t)visit_module;
    search->found.is_recorder =
        info->dlpi_name[0] != '\0' && own >= search->found.low && own < search->found.high;
    snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
    if (info->dlpi_name[0] == '\0') { // the program itself
        ssize_t len = readlink("/proc/self/exe", search->path, sizeof search->path - 1);
        search->path[len > 0 ? len : 0] = '\0';
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) continue;
        const char *notes = (const char *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
        read_build_id(notes, segment->p_memsz, search);
    }
    return 1;
}

static const Module *find_module(const Stacks *stacks, uint64_t pc)
{
    for (uint32_t i = 0; i < stacks->modules.len; i++) {
        const Module *module = &stacks->modules.items[i];
        if (pc >= module->low && pc < module->high) return module;
    }
    return NULL;
}

const Module *stacks_module(Stacks *stacks, uint64_t pc)
{
    const Module *known = find_module(stacks, pc);
    if (known != NULL) return known;
    ModuleSearch search = {.pc = pc};
    dl_iterate_phdr(visit_module, &search);
    if (!search.is_found) return NULL;
    const char *slash = strrchr(search.path, '/');
    search.found.name = arena_strdup(stacks->arena, slash != NULL ? slash + 1 : search.path);
    vec_push(stacks->arena, &stacks->modules, search.found);
    Line line;
    line_begin(&line, "module");
    line_number(&line, "id", stacks->modules.len);
    line_text(&line, "path", search.path);
    line_text(&line, "build_id", search.build_id);
    writer_put(stacks->writer, &line);
    return vec_last(&stacks->modules);
}

static void put_stack(Stacks *stacks, const RawStack *stack, uint32_t id)
{
    // Modules come first: they write lines of their own.
    for (uint32_t i = 0; i < stack->count; i++) stacks_module(stacks, stack->pcs[i]);
    Line line;
    line_begin(&line, "stack");
    line_number(&line, "id", id);
    line_list_begin(&line, "pcs");
    for (uint32_t i = 0; i < stack->count && line_has_room(&line); i++) {
        const Module *module = find_module(stacks, stack->pcs[i]);
        if (module == NULL || module->is_recorder) continue;
        line_open(&line, '[');
        line_element(&line, module - stacks->modules.items + 1);
        line_element(&line, (int64_t)(stack->pcs[i] - module->bias));
        line_close(&line, '[');
    }
    line_list_end(&line);
    writer_put(stacks->writer, &line);
}

uint32_t stacks_intern(Stacks *stacks, const RawStack *stack)
{
    // Two stacks with the same 64-bit hash are taken to be the same.
    uint64_t hash = 1;
    for (uint32_t i = 0; i < stack->count; i++) hash = hash_mix(hash, stack->pcs[i]);
    if (hash == 0) hash = 1;
    uint32_t cursor = 0, id;
    if (idtable_next(&stacks->ids, hash, &cursor, &id)) return id;
    id = ++stacks->count;
    idtable_add(stacks->arena, &stacks->ids, hash, id);
    put_stack(stacks, stack, id);
    return id;
}
