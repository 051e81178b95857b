// SPDX-License-Identifier: MIT
// UTF-8: decoding as the Unicode standard has it (chapter 3, "maximal subparts"), and what output
// needs of it. Input: any bytes. Never reads past the given length.
#include "base/utf8.h"

#include "base/str.h"

#include <string.h>

// What a lead byte announces: how many bytes in all, and the range of the second one, which rules
// out overlong forms, surrogates and code points beyond U+10FFFF.
typedef struct {
    size_t size; // 0: not a lead byte
    unsigned char second_min, second_max;
} Lead;

static Lead lead_of(unsigned char byte)
{
    if (byte < 0x80) return (Lead){1, 0, 0};
    if (byte < 0xC2) return (Lead){0, 0, 0};
    if (byte < 0xE0) return (Lead){2, 0x80, 0xBF};
    if (byte == 0xE0) return (Lead){3, 0xA0, 0xBF};
    if (byte == 0xED) return (Lead){3, 0x80, 0x9F};
    if (byte < 0xF0) return (Lead){3, 0x80, 0xBF};
    if (byte == 0xF0) return (Lead){4, 0x90, 0xBF};
    if (byte < 0xF4) return (Lead){4, 0x80, 0xBF};
    if (byte == 0xF4) return (Lead){4, 0x80, 0x8F};
    return (Lead){0, 0, 0};
}

size_t utf8_decode(const char *text, size_t len, uint32_t *code_point)
{
    const unsigned char *bytes = (const unsigned char *)text;
    Lead lead = lead_of(bytes[0]);
    *code_point = UTF8_INVALID;
    if (lead.size == 0) return 1;
    uint32_t value = lead.size == 1 ? bytes[0] : bytes[0] & (0x7Fu >> lead.size);
    for (size_t i = 1; i < lead.size; i++) {
        unsigned char min = i == 1 ? lead.second_min : 0x80;
        unsigned char max = i == 1 ? lead.second_max : 0xBF;
        if (i >= len || bytes[i] < min || bytes[i] > max) return i;
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    *code_point = value;
    return lead.size;
}

const char *utf8_repair(Arena *arena, const char *text)
{
    size_t len = strlen(text);
    StrBuf repaired = {.arena = arena};
    size_t copied = 0; // of the text, into `repaired`
    for (size_t i = 0; i < len;) {
        uint32_t code_point;
        size_t size = utf8_decode(text + i, len - i, &code_point);
        if (code_point == UTF8_INVALID) {
            strbuf_append_n(&repaired, text + copied, i - copied);
            strbuf_append(&repaired, "\xEF\xBF\xBD");
            copied = i + size;
        }
        i += size;
    }
    if (copied == 0) return text;
    strbuf_append_n(&repaired, text + copied, len - copied);
    return strbuf_text(&repaired);
}

size_t utf8_utf16_units(const char *text, size_t len)
{
    size_t units = 0;
    for (size_t i = 0; i < len;) {
        uint32_t code_point;
        i += utf8_decode(text + i, len - i, &code_point);
        units += code_point != UTF8_INVALID && code_point > 0xFFFF ? 2 : 1;
    }
    return units;
}

typedef struct {
    uint32_t first, last;
} Range;

static bool is_within(const Range *ranges, size_t count, uint32_t code_point)
{
    for (size_t i = 0; i < count; i++) {
        if (code_point >= ranges[i].first && code_point <= ranges[i].last) return true;
    }
    return false;
}

int utf8_width(uint32_t code_point)
{
    // Controls, and marks that hide or reorder text on the screen ("Trojan Source").
    static const Range unprintable[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},
                                        {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
                                        {0xFEFF, 0xFEFF}, {0xD800, 0xDFFF}, {0xE0000, 0xFFFFFFFF}};
    static const Range combining[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},
                                      {0x64B, 0x65F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                                      {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
    static const Range wide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0xA4CF},
                                 {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                                 {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                 {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    if (code_point >= 0x20 && code_point < 0x7F) return 1;
    if (is_within(unprintable, sizeof unprintable / sizeof *unprintable, code_point)) return -1;
    if (is_within(combining, sizeof combining / sizeof *combining, code_point)) return 0;
    return is_within(wide, sizeof wide / sizeof *wide, code_point) ? 2 : 1;
}
