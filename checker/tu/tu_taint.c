// SPDX-License-Identifier: MIT
// What clang could not understand. It drops whole statements that hold an undeclared name, so a
// function with an error in its extent is not what the user wrote: it is skipped, with clang's
// message as the reason.
#include "tu/tu_p.h"

// Diagnostics of our own making: they come from reading host and device code in one pass, and the
// AST is whole.
static const char *const SPURIOUS[] = {
    "attributes are not compatible", // a kernel declared twice
};
// The same, but only in headers that are not the user's.
static const char *const SPURIOUS_IN_SYSTEM[] = {
    "cannot overload __host__ function",                // <xmmintrin.h>
    "constraint",                                       // inline PTX of the toolkit
    "is used but not defined in this translation unit", // templates that bundled headers declare only
};

static bool has_any(const char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, parts[i]) != NULL) return true;
    return false;
}

static bool is_spurious(const char *message, const TuSource *source)
{
    if (has_any(message, SPURIOUS, sizeof SPURIOUS / sizeof *SPURIOUS)) return true;
    if (source == NULL || !source->is_system) return false;
    return has_any(message, SPURIOUS_IN_SYSTEM,
                   sizeof SPURIOUS_IN_SYSTEM / sizeof *SPURIOUS_IN_SYSTEM);
}

void tu_taint_collect(TuContext *ctx)
{
    unsigned count = clang_getNumDiagnostics(ctx->tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(ctx->tu, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXFile file;
            TuError error = {0};
            clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, &error.line,
                                  &error.column, &error.offset);
            error.source = tu_source(ctx, file);
            error.message = tu_str(ctx, clang_getDiagnosticSpelling(diagnostic));
            error.is_missing_file = strstr(error.message, "' file not found") != NULL;
            if (!is_spurious(error.message, error.source))
                vec_push(ctx->arena, &ctx->errors, error);
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

typedef struct {
    const TuSource *source;
    unsigned start, end;
} Extent;

static Extent extent_of(TuContext *ctx, CXCursor definition)
{
    CXSourceRange range = clang_getCursorExtent(definition);
    CXFile file;
    Extent extent;
    clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &extent.start);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &extent.end);
    extent.source = tu_source(ctx, file);
    return extent;
}

static bool is_within(const TuError *error, const Extent *extent)
{
    return error->source == extent->source && error->offset >= extent->start &&
           error->offset <= extent->end;
}

bool tu_taint_has(TuContext *ctx, CXCursor definition)
{
    if (ctx->errors.len == 0) return false;
    Extent extent = extent_of(ctx, definition);
    for (uint32_t i = 0; i < ctx->errors.len; i++)
        if (is_within(&ctx->errors.items[i], &extent)) return true;
    return false;
}

// Claims the errors in the extent of `definition`; the first of them, or NULL.
static const TuError *claim(TuContext *ctx, CXCursor definition, bool is_device)
{
    if (ctx->errors.len == 0) return NULL;
    Extent extent = extent_of(ctx, definition);
    const TuError *first = NULL;
    for (uint32_t i = 0; i < ctx->errors.len; i++) {
        TuError *error = &ctx->errors.items[i];
        if (!is_within(error, &extent)) continue;
        error->is_claimed = true;
        error->is_in_device_code = is_device;
        if (first == NULL) first = error;
    }
    return first;
}

const char *tu_taint_reason(TuContext *ctx, CXCursor definition)
{
    const TuError *first = claim(ctx, definition, /*is_device=*/false);
    if (first == NULL) return NULL;
    return str_internf(ctx->unit->strings, "line %u: %s", first->line, first->message);
}

void tu_taint_device(TuContext *ctx, CXCursor definition)
{
    claim(ctx, definition, /*is_device=*/true);
}

bool tu_taint_any(const TuContext *ctx)
{
    for (uint32_t i = 0; i < ctx->errors.len; i++) {
        const TuError *error = &ctx->errors.items[i];
        if (!error->is_in_device_code && !(error->source != NULL && error->source->is_system))
            return true;
    }
    return false;
}

enum { MAX_REPORTED = 50 }; // of one file; the rest is counted

static void report_error(TuContext *ctx, const TuError *error, const char *where)
{
    const char *text = arena_printf(ctx->arena, "%s%s", error->message, where);
    if (error->source != NULL)
        text = arena_printf(ctx->arena, "%s:%u:%u: %s", error->source->name, error->line,
                            error->column, text);
    vec_push(ctx->arena, &ctx->stats->diagnostics, text);
}

void tu_taint_report(TuContext *ctx)
{
    uint32_t left_out = 0;
    const uint32_t *said = &ctx->stats->diagnostics.len;
    for (uint32_t i = 0; i < ctx->errors.len; i++) {
        const TuError *error = &ctx->errors.items[i];
        if (!error->is_in_device_code) ctx->stats->error_count++;
        if (error->is_claimed) continue;
        ctx->stats->loose_count++;
        if (*said < MAX_REPORTED)
            report_error(ctx, error, "");
        else
            left_out++;
    }
    for (uint32_t i = 0; i < ctx->errors.len; i++) {
        const TuError *error = &ctx->errors.items[i];
        if (!error->is_in_device_code) continue;
        if (*said < MAX_REPORTED)
            report_error(ctx, error, " (in device code)");
        else
            left_out++;
    }
    if (left_out > 0)
        vec_push(ctx->arena, &ctx->stats->diagnostics,
                 arena_printf(ctx->arena, "%s: %u more errors", ctx->unit->file, left_out));
}
