// SPDX-License-Identifier: MIT
// Source lines for the eye. Input: a line of any bytes and byte columns; output: what a terminal
// can show, and carets in the right place. The line is walked twice, to measure and to print, so
// its length costs no memory.
#include "report/report_p.h"

#include "base/utf8.h"

#include <string.h>

enum { TAB_STOP = 8, WIDEST_LINE = 160, LEFT_OF_CARET = 60 };

// One code point, or one byte that belongs to none.
typedef struct {
    const char *text; // how it is shown: the source's own bytes, or `spelled`
    size_t len;
    uint32_t width; // columns
    size_t size;    // bytes of the source
    char spelled[16];
} Cell;

// The cell at line[at], which is to stand in column `column`, from 0.
static void cell_at(SourceLine line, size_t at, uint32_t column, Cell *cell)
{
    uint32_t code_point;
    cell->size = utf8_decode(line.text + at, line.len - at, &code_point);
    int width = code_point == UTF8_INVALID ? -1 : utf8_width(code_point);
    if (code_point == '\t') {
        cell->text = "        ";
        cell->width = TAB_STOP - column % TAB_STOP;
        cell->len = cell->width;
    } else if (width >= 0) {
        cell->text = line.text + at;
        cell->len = cell->size;
        cell->width = (uint32_t)width;
    } else {
        int len = 0;
        if (code_point == UTF8_INVALID) {
            cell->size = 1; // each byte is shown
            len = snprintf(cell->spelled, sizeof cell->spelled, "<%02X>",
                           (unsigned char)line.text[at]);
        } else {
            len = snprintf(cell->spelled, sizeof cell->spelled, "<U+%04X>", (unsigned)code_point);
        }
        cell->text = cell->spelled;
        cell->len = (size_t)len;
        cell->width = (uint32_t)len;
    }
}

void snippet_print_text(FILE *out, const char *text)
{
    SourceLine line = {text, strlen(text)};
    uint32_t column = 0;
    Cell cell;
    for (size_t at = 0; at < line.len; at += cell.size) {
        cell_at(line, at, column, &cell);
        if (text[at] == '\t') {
            fputc(' ', out);
        } else {
            fwrite(cell.text, 1, cell.len, out);
        }
        column += cell.width;
    }
}

static SourceLine without_trailing_blanks(SourceLine line)
{
    while (line.len > 0 && strchr(" \t\v\f", line.text[line.len - 1]) != NULL) line.len--;
    return line;
}

// What part of the line is shown: cells that lie within [first, end).
typedef struct {
    uint32_t first, end;
    bool is_cut_left, is_cut_right;
} Window;

// The column in which byte column `wanted` is shown; the end of the line if it lies beyond.
static uint32_t column_of(SourceLine line, uint32_t wanted)
{
    uint32_t column = 0;
    Cell cell;
    for (size_t at = 0; at < line.len && at + 1 < wanted; at += cell.size) {
        cell_at(line, at, column, &cell);
        if (at + cell.size >= wanted) break; // points into the middle of this one
        column += cell.width;
    }
    return column;
}

static Window window_around(SourceLine line, uint32_t caret)
{
    uint32_t width = column_of(line, UINT32_MAX);
    Window window = {.first = 0, .end = width};
    if (width <= WIDEST_LINE) return window;
    window.first = caret > LEFT_OF_CARET ? caret - LEFT_OF_CARET : 0;
    if (width - window.first > WIDEST_LINE) window.end = window.first + WIDEST_LINE;
    window.is_cut_left = window.first > 0;
    window.is_cut_right = window.end < width;
    return window;
}

static void print_gutter(FILE *out, const Snippet *snippet, bool with_number)
{
    int width = snprintf(NULL, 0, "%5u", (unsigned)snippet->number);
    if (with_number) {
        fprintf(out, "%*u | ", width, (unsigned)snippet->number);
    } else {
        fprintf(out, "%*s | ", width, "");
    }
}

// Returns the column in which the first cell shown stands, for the carets to be counted from.
static uint32_t print_line(FILE *out, SourceLine line, Window window)
{
    uint32_t column = 0;
    uint32_t origin = UINT32_MAX;
    Cell cell;
    if (window.is_cut_left) fputs("...", out);
    for (size_t at = 0; at < line.len && column < window.end; at += cell.size) {
        cell_at(line, at, column, &cell);
        if (column >= window.first) {
            if (origin == UINT32_MAX) origin = column;
            fwrite(cell.text, 1, cell.len, out);
        }
        column += cell.width;
    }
    fputs(window.is_cut_right ? "...\n" : "\n", out);
    return origin == UINT32_MAX ? window.first : origin;
}

// Carets at `columns`, ascending or not; those outside the window are left out.
static void print_carets(FILE *out, const Snippet *snippet, SourceLine line, Window window,
                         uint32_t origin)
{
    char carets[WIDEST_LINE + 32];
    uint32_t left = window.is_cut_left ? 3 : 0;
    uint32_t len = 0;
    memset(carets, ' ', sizeof carets);
    for (uint32_t i = 0; i < snippet->column_count; i++) {
        uint32_t column = column_of(line, snippet->columns[i]);
        if (column < origin || column > window.end) continue;
        uint32_t at = column - origin + left;
        if (at >= sizeof carets) continue;
        carets[at] = '^';
        if (at + 1 > len) len = at + 1;
    }
    print_gutter(out, snippet, false);
    if (snippet->colour) fputs("\033[0;1;32m", out);
    fwrite(carets, 1, len, out);
    fputs(snippet->colour ? "\033[0m\n" : "\n", out);
}

void snippet_print(FILE *out, const Snippet *snippet)
{
    SourceLine line = without_trailing_blanks(snippet->line);
    if (line.text == NULL || line.len == 0) return;
    uint32_t caret = snippet->column_count != 0 ? column_of(line, snippet->columns[0]) : 0;
    Window window = window_around(line, caret);
    print_gutter(out, snippet, true);
    uint32_t origin = print_line(out, line, window);
    if (snippet->column_count != 0) print_carets(out, snippet, line, window, origin);
}
