// SPDX-License-Identifier: MIT
// Line hashes: for each line the polynomial, with base 37 and modulo 2^64, of the first 100
// characters (UTF-16 code units) from its start that are neither blank nor tab, across line ends.
// Line ends of all kinds count as LF; after the last character comes 0xFFFF, then zeros. Equal
// hashes of a file are numbered.
#include "report/line_hash.h"

#include "base/utf8.h"
#include "base/vec.h"

#include <inttypes.h>
#include <stdbool.h>

enum { BLOCK = 100, END_OF_FILE = 0xFFFF };

static const uint64_t hash_base = 37;

typedef struct {
    Arena *arena;
    Vec(uint64_t) hashes;   // finished ones, in line order
    uint32_t window[BLOCK]; // the last characters, a ring
    bool starts[BLOCK];     // whether the character in that place of the ring opens a line
    uint32_t at;            // next place of the ring
    uint64_t hash;          // of the window
    uint64_t leaving;       // hash_base to the power of BLOCK: the weight of what leaves the window
    bool at_line_start;
} Hasher;

// The character about to be replaced has BLOCK characters behind it: if it opens a line, the hash
// is that line's.
static void push(Hasher *hasher, uint32_t unit, bool is_start)
{
    if (hasher->starts[hasher->at]) vec_push(hasher->arena, &hasher->hashes, hasher->hash);
    hasher->hash = hasher->hash * hash_base + unit - hasher->leaving * hasher->window[hasher->at];
    hasher->window[hasher->at] = unit;
    hasher->starts[hasher->at] = is_start;
    hasher->at = (hasher->at + 1) % BLOCK;
}

static void push_character(Hasher *hasher, uint32_t unit)
{
    push(hasher, unit, hasher->at_line_start);
    hasher->at_line_start = unit == '\n';
}

static void push_file(Hasher *hasher, const SourceFile *file)
{
    bool was_return = false;
    for (size_t i = 0; i < file->len;) {
        uint32_t code_point;
        i += utf8_decode(file->text + i, file->len - i, &code_point);
        bool is_skipped =
            code_point == ' ' || code_point == '\t' || (was_return && code_point == '\n');
        was_return = code_point == '\r';
        if (is_skipped) continue;
        if (code_point == UTF8_INVALID) code_point = 0xFFFD;
        if (was_return) code_point = '\n';
        if (code_point > 0xFFFF) {
            push_character(hasher, 0xD800 + ((code_point - 0x10000) >> 10));
            code_point = 0xDC00 + ((code_point - 0x10000) & 0x3FF);
        }
        push_character(hasher, code_point);
    }
}

LineHashes line_hashes(Arena *arena, const SourceFile *file)
{
    Hasher hasher = {.arena = arena, .leaving = 1, .at_line_start = true};
    for (int i = 0; i < BLOCK; i++) hasher.leaving *= hash_base;
    push_file(&hasher, file);
    push_character(&hasher, END_OF_FILE);
    for (int i = 0; i < BLOCK; i++) push(&hasher, 0, false);
    return (LineHashes){.hashes = hasher.hashes.items, .count = hasher.hashes.len};
}

const char *line_hash_text(Arena *arena, const LineHashes *hashes, uint32_t line)
{
    if (line == 0 || line > hashes->count) return NULL;
    uint64_t hash = hashes->hashes[line - 1];
    uint32_t occurrence = 1;
    for (uint32_t i = 0; i + 1 < line; i++) occurrence += hashes->hashes[i] == hash;
    return arena_printf(arena, "%" PRIx64 ":%u", hash, (unsigned)occurrence);
}
