// SPDX-License-Identifier: MIT
// Splits command lines and response files into words. Quotes and backslashes protect blanks and are
// removed.
#include "base/words.h"

#include "base/str.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Words words;
    StrBuf word; // the one being read
    bool in_word;
} Splitter;

static void end_word(Splitter *splitter)
{
    if (!splitter->in_word) return;
    const char *text =
        arena_strndup(splitter->arena, strbuf_text(&splitter->word), splitter->word.len);
    vec_push(splitter->arena, &splitter->words, text);
    splitter->word.len = 0;
    splitter->in_word = false;
}

// Whether the backslash before `next` takes its meaning away.
static bool protects(WordsSyntax syntax, char quote, char next)
{
    if (next == '\0' || quote == '\'') return false;
    return quote == '\0' || syntax != WORDS_SHELL || strchr("$`\"\\\n", next) != NULL;
}

Words words_split(Arena *arena, const char *text, WordsSyntax syntax)
{
    Splitter splitter = {.arena = arena, .word = {.arena = arena}};
    char quote = '\0';
    for (const char *at = text; *at != '\0'; at++) {
        if (quote == '\0' && strchr(" \t\r\n\f\v", *at) != NULL) {
            end_word(&splitter);
            continue;
        }
        splitter.in_word = true;
        if (*at == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else {
            if (*at == '\\' && protects(syntax, quote, at[1])) at++;
            strbuf_append_n(&splitter.word, at, 1);
        }
    }
    end_word(&splitter);
    return splitter.words;
}
