// SPDX-License-Identifier: MIT
// One file from path to IR: parse, once more if includes were missing and are found in the project,
// collect clang's errors, walk the functions. libclang's unit is closed before it returns: the IR
// keeps nothing of it.
#include "tu/tu_p.h"
#include "tu/tu_parse_p.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static Status check_readable(const char *file, Err *err)
{
    struct stat st;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO, "cannot be read: %s",
                       strerror(errno));
    bool is_regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    bool is_directory = S_ISDIR(st.st_mode);
    close(fd);
    if (is_regular) return ST_OK;
    return err_set(err, ST_IO, is_directory ? "is a directory" : "is not a regular file");
}

// The name in "'helper.h' file not found"; NULL for other messages.
static const char *missing_name(Arena *arena, CXDiagnostic diagnostic)
{
    CXString string = clang_getDiagnosticSpelling(diagnostic);
    const char *text = clang_getCString(string);
    const char *end = text == NULL ? NULL : strstr(text, "' file not found");
    const char *name = end != NULL && text[0] == '\''
                           ? arena_strndup(arena, text + 1, (size_t)(end - text - 1))
                           : NULL;
    clang_disposeString(string);
    return name;
}

// Looks for the includes that were not found; true if any was.
static bool find_missing(CXTranslationUnit tu, const TuSearch *search)
{
    uint32_t before = search->flags->len;
    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);
        const char *name = missing_name(search->arena, diagnostic);
        if (name != NULL) tu_search(search, name, /*is_quoted=*/false);
        clang_disposeDiagnostic(diagnostic);
    }
    return search->flags->len > before;
}

enum { MAX_ROUNDS = 5 }; // a header found may miss one itself

static Status parse(TuParser *parser, Arena *arena, const char *file, CXTranslationUnit *tu,
                    Err *err)
{
    TuExtra extra = {0};
    TuSearch search = {.parser = parser, .arena = arena, .file = file, .flags = &extra.flags};
    tu_include_guess(&search);
    for (int round = 0;; round++) {
        if (tu_parse_file(parser, arena, file, &extra, tu) != ST_OK)
            return err_set(err, ST_PARSE, "libclang could not parse it");
        bool again = find_missing(*tu, &search);
        again |= tu_respell_launches(arena, *tu, &extra);
        if (round == MAX_ROUNDS || !again) return ST_OK;
        clang_disposeTranslationUnit(*tu);
    }
}

static enum CXChildVisitResult find_declaration(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (!tu_is_user_code(cursor) || clang_isInvalidDeclaration(cursor))
        return CXChildVisit_Continue;
    *(bool *)data = true;
    return CXChildVisit_Break;
}

// Whether clang understood any declaration of the file.
static bool is_usable(const TuContext *ctx)
{
    bool found = ctx->errors.len == 0;
    if (!found)
        clang_visitChildren(clang_getTranslationUnitCursor(ctx->tu), find_declaration, &found);
    return found;
}

static Status lower(TuContext *ctx, Err *err)
{
    tu_source(ctx, clang_getFile(ctx->tu, ctx->unit->file));
    tu_taint_collect(ctx);
    tu_walk(ctx);
    if (is_usable(ctx)) {
        tu_taint_report(ctx);
        return ST_OK;
    }
    const TuError *first = &ctx->errors.items[0];
    return err_set(err, ST_PARSE, "%s:%u: %s", ctx->unit->file, first->line, first->message);
}

Status tu_lower_file(TuParser *parser, Arena *arena, const TuInput *input, IrUnit **unit,
                     TuStats *stats, Err *err)
{
    const char *file = input->file;
    Status status = check_readable(file, err);
    if (status != ST_OK) return status;
    crash_context_set(file, NULL);
    TuContext ctx = {.unit = ir_unit_new(arena, file), .arena = arena, .stats = stats};
    tu_parser_use(parser, input);
    ctx.unit->per_thread_stream = parser->args->per_thread_stream;
    double start = now_ms();
    status = parse(parser, arena, file, &ctx.tu, err);
    stats->parse_ms = now_ms() - start;
    if (status != ST_OK) return status;
    start = now_ms();
    status = lower(&ctx, err);
    clang_disposeTranslationUnit(ctx.tu);
    stats->lower_ms = now_ms() - start;
    if (status == ST_OK) *unit = ctx.unit;
    return status;
}
