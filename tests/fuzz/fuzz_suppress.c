// SPDX-License-Identifier: MIT
// Fuzzes suppression comments and the outline of sources that they are read from: whatever the bytes,
// every token lies in the file, and what a comment covers is lines of it.
#include "base/lexer.h"
#include "filter/suppress.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tokens(const SourceFile *file)
{
    Lexer lexer = lexer_start(file);
    uint32_t line = 1;
    for (Token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer)) {
        BUG_ON(token.text < file->text || token.text + token.len > file->text + file->len);
        BUG_ON(token.line < line || token.end_line < token.line);
        BUG_ON(token.end_line > file->line_count);
        line = token.line;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new("fuzz");
    const SourceFile *file = source_from_text(arena, "f.cu", (const char *)data, size);
    check_tokens(file);
    SuppressionList list = suppression_list_read(arena, file);
    for (uint32_t i = 0; i < list.items.len; i++) {
        const Suppression *suppression = &list.items.items[i];
        BUG_ON(suppression->first == 0 || suppression->last < suppression->first);
        BUG_ON(suppression->line > file->line_count || suppression->rule[0] == '\0');
        BUG_ON(suppression->last > file->line_count + 1); // a NEXTLINE on the last line
        suppression_covers(suppression, "leak-on-return", suppression->first);
    }
    for (uint32_t i = 0; i < list.errors.len; i++)
        BUG_ON(list.errors.items[i].line > file->line_count || list.errors.items[i].column == 0);
    arena_free(arena);
    return 0;
}
