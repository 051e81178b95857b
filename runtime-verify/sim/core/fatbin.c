// SPDX-License-Identifier: MIT
// Fat binaries: a header, then entries, each a header and an ELF file with machine code, or PTX
// text. In the ELF file the section .nv.info.KERNEL is a list of attributes; those of one kind give
// a parameter's number, offset and size.
#include "fatbin.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum {
    FATBIN_MAGIC = (int)0xba55ed50,
    ENTRY_IS_ELF = 2,
    ENTRY_IS_COMPRESSED = 0xa000, // flags: LZ4, or Zstandard
    ATTRIBUTE_HAS_SIZE = 4,
    ATTRIBUTE_PARAMETER = 0x17,
};

typedef struct {
    uint32_t magic;
    uint16_t version, header_size;
    uint64_t size; // of all entries
} FatHeader;

typedef struct {
    uint16_t kind, version;
    uint32_t header_size;
    uint64_t size; // of the payload, with padding
    uint32_t compressed_size, unknown[4], unused;
    uint64_t flags;
} FatEntry;

typedef struct {
    const unsigned char *at;
    size_t size;
} Span;

// The part of a span, empty when it does not lie in it.
static Span part(Span whole, uint64_t offset, uint64_t size)
{
    if (offset > whole.size || size > whole.size - offset) return (Span){0};
    return (Span){whole.at + offset, (size_t)size};
}

// The next uncompressed ELF file behind *position; empty at the end.
static Span next_elf(Span fatbin, size_t *position)
{
    FatEntry entry;
    while (*position + sizeof entry <= fatbin.size) {
        memcpy(&entry, fatbin.at + *position, sizeof entry);
        Span payload =
            part(part(fatbin, *position, fatbin.size - *position), entry.header_size, entry.size);
        if (entry.header_size < sizeof entry || !payload.at) break;
        *position += (size_t)entry.header_size + payload.size;
        if (entry.kind == ENTRY_IS_ELF && !(entry.flags & ENTRY_IS_COMPRESSED)) return payload;
    }
    return (Span){0};
}

static bool open_fatbin(const void *data, size_t size, Span *fatbin, size_t *position)
{
    FatHeader header;
    if (!data || size < sizeof header) return false;
    memcpy(&header, data, sizeof header);
    if (header.magic != (uint32_t)FATBIN_MAGIC || header.size > size - sizeof header) return false;
    *fatbin = (Span){data, size};
    *position = header.header_size;
    return header.header_size >= sizeof header;
}

// ---- ELF ----

typedef struct {
    Span file;
    Elf64_Ehdr header;
    Span names;
} Elf;

static bool read_section(const Elf *elf, unsigned index, Elf64_Shdr *out)
{
    Span at = part(elf->file, elf->header.e_shoff + (uint64_t)index * sizeof *out, sizeof *out);
    if (index >= elf->header.e_shnum || !at.at) return false;
    memcpy(out, at.at, sizeof *out);
    return true;
}

static bool open_elf(Span file, Elf *elf)
{
    Elf64_Shdr names;
    *elf = (Elf){.file = file};
    if (file.size < sizeof elf->header) return false;
    memcpy(&elf->header, file.at, sizeof elf->header);
    if (memcmp(elf->header.e_ident, ELFMAG, SELFMAG) != 0 ||
        elf->header.e_shentsize != sizeof names)
        return false;
    if (!read_section(elf, elf->header.e_shstrndx, &names)) return false;
    elf->names = part(file, names.sh_offset, names.sh_size);
    return elf->names.at != NULL;
}

// A string of a table: NULL unless it ends in it.
static const char *string_at(Span table, uint64_t offset)
{
    if (offset >= table.size || !memchr(table.at + offset, '\0', table.size - offset)) return NULL;
    return (const char *)table.at + offset;
}

static bool find_section(const Elf *elf, const char *prefix, const char *name, Elf64_Shdr *out)
{
    size_t length = strlen(prefix);
    for (unsigned i = 0; read_section(elf, i, out); i++) {
        const char *found = string_at(elf->names, out->sh_name);
        if (found && strncmp(found, prefix, length) == 0 && strcmp(found + length, name) == 0)
            return true;
    }
    return false;
}

// ---- parameters ----

// One attribute of a parameter: number and offset in the second word, size in the third.
static void read_parameter(Span value, SimParameter *out, int *count)
{
    uint32_t words[3];
    if (value.size < sizeof words) return;
    memcpy(words, value.at, sizeof words);
    unsigned number = words[1] & 0xffff;
    if (number >= SIM_PARAMETERS_MOST) return;
    out[number] =
        (SimParameter){.offset = (uint16_t)(words[1] >> 16), .size = (uint16_t)(words[2] >> 18)};
    if ((int)number >= *count) *count = (int)number + 1;
}

static int read_parameters(Span info, SimParameter *out)
{
    int count = 0;
    for (size_t at = 0; at + 4 <= info.size;) {
        unsigned format = info.at[at];
        unsigned attribute = info.at[at + 1];
        size_t size =
            format == ATTRIBUTE_HAS_SIZE ? (size_t)(info.at[at + 2] | info.at[at + 3] << 8) : 0;
        Span value = part(info, at + 4, size);
        if (!value.at) break;
        if (attribute == ATTRIBUTE_PARAMETER) read_parameter(value, out, &count);
        at += 4 + size;
    }
    return count;
}

int sim_fatbin_parameters(const void *data, size_t size, const char *kernel, SimParameter *out)
{
    Span fatbin;
    size_t position = 0;
    if (!open_fatbin(data, size, &fatbin, &position)) return -1;
    for (Span file = next_elf(fatbin, &position); file.at; file = next_elf(fatbin, &position)) {
        Elf elf;
        Elf64_Shdr info;
        memset(out, 0, SIM_PARAMETERS_MOST * sizeof *out);
        if (open_elf(file, &elf) && find_section(&elf, ".nv.info.", kernel, &info))
            return read_parameters(part(file, info.sh_offset, info.sh_size), out);
    }
    return -1;
}

// ---- variables ----

// The symbol's bytes in its section, where that has any.
static const void *symbol_bytes(const Elf *elf, const Elf64_Sym *symbol, size_t bytes)
{
    Elf64_Shdr section;
    if (!read_section(elf, symbol->st_shndx, &section) || section.sh_type == SHT_NOBITS)
        return NULL;
    Span content = part(elf->file, section.sh_offset, section.sh_size);
    return symbol->st_size == bytes ? part(content, symbol->st_value, bytes).at : NULL;
}

static const void *find_initial(const Elf *elf, const char *variable, size_t bytes)
{
    Elf64_Shdr section;
    Elf64_Shdr strings;
    if (!find_section(elf, ".symtab", "", &section) ||
        !read_section(elf, section.sh_link, &strings))
        return NULL;
    Span symbols = part(elf->file, section.sh_offset, section.sh_size);
    Span names = part(elf->file, strings.sh_offset, strings.sh_size);
    Elf64_Sym symbol;
    for (size_t at = 0; at + sizeof symbol <= symbols.size; at += sizeof symbol) {
        memcpy(&symbol, symbols.at + at, sizeof symbol);
        const char *name = string_at(names, symbol.st_name);
        if (name && strcmp(name, variable) == 0) return symbol_bytes(elf, &symbol, bytes);
    }
    return NULL;
}

const void *sim_fatbin_initial(const void *data, size_t size, const char *variable, size_t bytes)
{
    Span fatbin;
    size_t position = 0;
    if (!open_fatbin(data, size, &fatbin, &position)) return NULL;
    for (Span file = next_elf(fatbin, &position); file.at; file = next_elf(fatbin, &position)) {
        Elf elf;
        const void *initial = open_elf(file, &elf) ? find_initial(&elf, variable, bytes) : NULL;
        if (initial) return initial;
    }
    return NULL;
}
