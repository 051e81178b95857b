// SPDX-License-Identifier: MIT
// Builds one line of JSON.
#include "record/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Kept free for what follows an element of a list, the list's end, and the line's.
#define RESERVE 512
// The longest text that is kept of a value.
#define TEXT_LIMIT 1024

static void put(Line *line, const char *text, size_t len)
{
    if (len > LINE_CAPACITY - line->len) len = LINE_CAPACITY - line->len;
    memcpy(line->text + line->len, text, len);
    line->len += len;
}

static void put_text(Line *line, const char *text)
{
    put(line, text, strlen(text));
}

static void separate(Line *line)
{
    if (line->needs_comma) put(line, ",", 1);
    line->needs_comma = true;
}

static void put_key(Line *line, const char *key)
{
    separate(line);
    put(line, "\"", 1);
    put_text(line, key);
    put(line, "\":", 2);
}

static void put_quoted(Line *line, const char *text)
{
    put(line, "\"", 1);
    for (size_t i = 0; text[i] != '\0' && i < TEXT_LIMIT && line_has_room(line); i++) {
        unsigned char c = (unsigned char)text[i];
        char escaped[8];
        if (c == '"' || c == '\\')
            put(line, (char[]){'\\', (char)c}, 2);
        else if (c < 0x20)
            put(line, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", c));
        else
            put(line, &text[i], 1);
    }
    put(line, "\"", 1);
}

void line_begin(Line *line, const char *type)
{
    line->len = 0;
    line->needs_comma = false;
    put(line, "{", 1);
    line_text(line, "t", type);
}

void line_number(Line *line, const char *key, int64_t value)
{
    put_key(line, key);
    char digits[24];
    put(line, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, value));
}

void line_text(Line *line, const char *key, const char *text)
{
    put_key(line, key);
    put_quoted(line, text);
}

void line_address(Line *line, const char *key, uint64_t address)
{
    put_key(line, key);
    char digits[24];
    put(line, digits, (size_t)snprintf(digits, sizeof digits, "\"0x%" PRIx64 "\"", address));
}

void line_list_begin(Line *line, const char *key)
{
    put_key(line, key);
    put(line, "[", 1);
    line->needs_comma = false;
}

void line_list_end(Line *line)
{
    put(line, "]", 1);
    line->needs_comma = true;
}

void line_element(Line *line, int64_t value)
{
    separate(line);
    char digits[24];
    put(line, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, value));
}

void line_element_text(Line *line, const char *text)
{
    separate(line);
    put_quoted(line, text);
}

void line_open(Line *line, char bracket)
{
    separate(line);
    put(line, &bracket, 1);
    line->needs_comma = false;
}

void line_close(Line *line, char bracket)
{
    put(line, bracket == '{' ? "}" : "]", 1);
    line->needs_comma = true;
}

bool line_has_room(const Line *line)
{
    return line->len < LINE_CAPACITY - RESERVE;
}

void line_finish(Line *line)
{
    if (line->len > LINE_CAPACITY - 2) line->len = LINE_CAPACITY - 2;
    put(line, "}\n", 2);
}
