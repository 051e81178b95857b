// SPDX-License-Identifier: MIT
// One record under construction: a line of JSON in a fixed buffer, because recorders run inside
// other people's programs and must not allocate for each call. What does not fit is left out of
// lists; everything else fits by construction.
#ifndef RUNTIME_VERIFY_RECORD_LINE_H
#define RUNTIME_VERIFY_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_CAPACITY 8192

typedef struct {
    size_t len;
    bool needs_comma;
    char text[LINE_CAPACITY];
} Line;

// Starts a record of that type.
void line_begin(Line *line, const char *type);
// Adds a key with its value.
void line_number(Line *line, const char *key, int64_t value);
void line_text(Line *line, const char *key, const char *text);
void line_address(Line *line, const char *key, uint64_t address);
// A list: begin, its elements, end. Elements are numbers, texts, or what line_open to line_close
// enclose.
void line_list_begin(Line *line, const char *key);
void line_list_end(Line *line);
void line_element(Line *line, int64_t value);
void line_element_text(Line *line, const char *text);
// An element that is itself a list (bracket '[') or an object ('{').
void line_open(Line *line, char bracket);
void line_close(Line *line, char bracket);
// Is there room for another element of a list?
bool line_has_room(const Line *line);
// Ends the record; `text` then holds a whole line.
void line_finish(Line *line);

#endif
