// SPDX-License-Identifier: MIT
// Looks up addresses in ELF files and their debug information.
#include "read/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    Dwfl *dwfl;
    Dwfl_Module *module; // NULL: the file cannot be read
    Dwarf_Addr bias;     // of the file's own addresses here
} SymbolFile;

struct Symbols {
    Arena *arena;
    StrPool *strings;
    Vec(SymbolFile *) files;
};

Symbols *symbols_new(Arena *arena, StrPool *strings)
{
    Symbols *symbols = ARENA_NEW(arena, Symbols);
    symbols->arena = arena;
    symbols->strings = strings;
    return symbols;
}

bool path_ends_with(const char *path, const char *end)
{
    size_t path_len = strlen(path), end_len = strlen(end);
    if (path_len < end_len || strcmp(path + path_len - end_len, end) != 0) return false;
    return path_len == end_len || end[0] == '/' || path[path_len - end_len - 1] == '/';
}

static void close_dwfl(void *dwfl)
{
    dwfl_end(dwfl);
}

static SymbolFile *open_file(Symbols *symbols, const char *path)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    SymbolFile *file = ARENA_NEW(symbols->arena, SymbolFile);
    file->path = path;
    vec_push(symbols->arena, &symbols->files, file);
    file->dwfl = dwfl_begin(&callbacks);
    if (file->dwfl == NULL) return file;
    arena_defer(symbols->arena, close_dwfl, file->dwfl);
    dwfl_report_begin(file->dwfl);
    file->module = dwfl_report_offline(file->dwfl, path, path, -1);
    dwfl_report_end(file->dwfl, NULL, NULL);
    GElf_Addr bias = 0;
    if (file->module != NULL && dwfl_module_getelf(file->module, &bias) == NULL)
        file->module = NULL;
    file->bias = bias;
    return file;
}

static SymbolFile *find_file(Symbols *symbols, const char *path)
{
    for (uint32_t i = 0; i < symbols->files.len; i++) {
        if (strcmp(symbols->files.items[i]->path, path) == 0) return symbols->files.items[i];
    }
    return open_file(symbols, path);
}

// The compilation unit that an address lies in, also without a table of addresses.
static Dwarf_Die *find_unit(SymbolFile *file, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(file->module, address, bias);
    if (unit != NULL) return unit;
    while ((unit = dwfl_module_nextcu(file->module, unit, bias)) != NULL) {
        if (dwarf_haspc(unit, address - *bias) == 1) return unit;
    }
    return NULL;
}

static const char *die_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    const char *plain = dwarf_diename(die);
    return plain != NULL ? plain : name;
}

// File and line of the call that was inlined.
static void read_call_site(Dwarf_Die *inlined, Dwarf_Die *unit, Frame *frame)
{
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, index = 0;
    Dwarf_Files *files;
    size_t count;
    frame->file = NULL;
    frame->line = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0) return;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &index) != 0) return;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) return;
    frame->file = dwarf_filesrc(files, index, NULL, NULL);
    frame->line = (int)line;
}

static const char *keep(const Symbols *symbols, const char *text)
{
    return text != NULL ? str_intern(symbols->strings, text) : NULL;
}

// The toolkit's headers of wrappers around the runtime's functions, and what nvcc makes of launches.
static bool is_wrapper(const char *file)
{
    return file != NULL && (path_ends_with(file, "cuda_runtime.h") ||
                            path_ends_with(file, "crt/device_functions.h") ||
                            str_ends_with(file, ".cudafe1.stub.c"));
}

// Adds the function that the address lies in and, where it was inlined, those it was inlined
// into. `frame` holds the line of the address.
static bool add_scopes(const Symbols *symbols, Dwarf_Die *unit, Dwarf_Addr address, Frame frame,
                       FrameList *frames)
{
    Dwarf_Die *scopes;
    int count = dwarf_getscopes(unit, address, &scopes);
    bool is_added = false;
    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        frame.function = keep(symbols, die_name(&scopes[i]));
        frame.is_runtime = is_wrapper(frame.file);
        frame.file = keep(symbols, frame.file);
        vec_push(symbols->arena, frames, frame);
        is_added = true;
        if (tag == DW_TAG_subprogram) break;
        read_call_site(&scopes[i], unit, &frame);
    }
    if (count > 0) free(scopes);
    return is_added;
}

// The runtime's own functions, in the library or, under names that say so, in the program.
static bool is_runtime(const char *module, const char *symbol)
{
    const char *slash = strrchr(module, '/');
    const char *name = slash != NULL ? slash + 1 : module;
    return str_starts_with(name, "libcudart.so") ||
           (symbol != NULL && str_starts_with(symbol, "libcudart_static_"));
}

// Is it the file that the program ran from?
static bool is_that_file(const SymbolFile *file, const char *build_id)
{
    const unsigned char *bits;
    GElf_Addr address;
    int len = dwfl_module_build_id(file->module, &bits, &address);
    if (build_id == NULL || build_id[0] == '\0' || len <= 0) return true;
    char text[3];
    for (int i = 0; i < len; i++, build_id += 2) {
        snprintf(text, sizeof text, "%02x", bits[i]);
        if (strncmp(text, build_id, 2) != 0) return false;
    }
    return true;
}

void symbols_frames(Symbols *symbols, const char *module, const char *build_id,
                    uint64_t return_address, FrameList *frames)
{
    Frame frame = {.module = module, .is_library = strstr(module, ".so") != NULL};
    SymbolFile *file = find_file(symbols, module);
    if (file->module == NULL || return_address == 0 || !is_that_file(file, build_id)) {
        frame.is_runtime = is_runtime(module, NULL);
        vec_push(symbols->arena, frames, frame);
        return;
    }
    // The call stands before the address that it returns to.
    Dwarf_Addr address = return_address - 1 + file->bias, bias;
    const char *symbol = dwfl_module_addrname(file->module, address);
    frame.is_runtime = is_runtime(module, symbol);
    frame.function = keep(symbols, symbol);
    Dwarf_Die *unit = find_unit(file, address, &bias);
    Dwarf_Line *line = unit != NULL ? dwarf_getsrc_die(unit, address - bias) : NULL;
    if (line != NULL) {
        frame.file = keep(symbols, dwarf_linesrc(line, NULL, NULL));
        dwarf_lineno(line, &frame.line);
        if (add_scopes(symbols, unit, address - bias, frame, frames)) return;
    }
    vec_push(symbols->arena, frames, frame);
}

static void add_unit_ranges(const Symbols *symbols, Dwarf_Die *unit, const char *file, int wanted,
                            CodeRanges *ranges)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        int number = 0;
        CodeRange range;
        if (dwarf_lineno(line, &number) != 0 || number != wanted) continue;
        const char *path = dwarf_linesrc(line, NULL, NULL);
        if (path == NULL || !path_ends_with(path, file)) continue;
        bool is_known = dwarf_lineaddr(line, &range.low) == 0 &&
                        dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &range.high) == 0;
        if (is_known && range.low < range.high) vec_push(symbols->arena, ranges, range);
    }
}

CodeRanges symbols_line_ranges(Symbols *symbols, const char *module, const char *file, int line)
{
    CodeRanges ranges = {0};
    const SymbolFile *symbol_file = find_file(symbols, module);
    Dwarf_Addr bias;
    if (symbol_file->module == NULL) return ranges;
    for (Dwarf_Die *unit = NULL;
         (unit = dwfl_module_nextcu(symbol_file->module, unit, &bias)) != NULL;)
        add_unit_ranges(symbols, unit, file, line, &ranges);
    return ranges;
}
