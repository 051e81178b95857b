// SPDX-License-Identifier: MIT
// Source files and locations of a parsed unit: libclang's handles in, interned paths and SrcLocs
// out.
#include "tu/tu_p.h"
#include "tu/tu_parse_p.h"

#include <sys/stat.h>

const char *tu_str(TuContext *ctx, CXString string)
{
    const char *text = clang_getCString(string);
    const char *interned = str_intern(ctx->unit->strings, text == NULL ? "" : text);
    clang_disposeString(string);
    return interned;
}

static const char *type_spelling(TuContext *ctx, CXCursor decl)
{
    return tu_str(ctx, clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(decl))));
}

const char *tu_usr(TuContext *ctx, CXCursor decl)
{
    const char *usr = tu_str(ctx, clang_getCursorUSR(decl));
    if (strstr(usr, "@Sa") == NULL) return usr;
    CXCursor parent = clang_getCursorSemanticParent(decl);
    return str_internf(ctx->unit->strings, "%s|%s|%s", usr, type_spelling(ctx, parent),
                       type_spelling(ctx, decl));
}

// Drops "." and "name/.." from a path, as text.
static const char *tidy_path(Arena *arena, const char *path)
{
    StrBuf out = {.arena = arena};
    if (path[0] == '/') strbuf_append(&out, "/");
    for (const char *at = path; *at != '\0';) {
        size_t len = strcspn(at, "/");
        bool is_up = len == 2 && at[0] == '.' && at[1] == '.';
        const char *text = strbuf_text(&out);
        const char *last = strrchr(text, '/');
        const char *name = last == NULL ? text : last + 1;
        if (is_up && out.text != NULL && *name != '\0' && strcmp(name, "..") != 0) {
            size_t keep = last == NULL ? 0 : (size_t)(last - text) + (last == text ? 1 : 0);
            out.len = keep;
            out.text[keep] = '\0';
        } else if (len > 0 && !(len == 1 && at[0] == '.')) {
            if (*name != '\0') strbuf_append(&out, "/");
            strbuf_append_n(&out, at, len);
        }
        at += len;
        at += strspn(at, "/");
    }
    return out.len == 0 ? "." : strbuf_text(&out);
}

// The path without detours where that still is the same file (a symbolic link before ".." makes it
// another one).
static const char *source_name(TuContext *ctx, const char *opened)
{
    if (strstr(opened, "/.") == NULL && strncmp(opened, "./", 2) != 0) return opened;
    const char *tidy = tidy_path(ctx->arena, opened);
    struct stat a, b;
    bool is_same = stat(opened, &a) == 0 && stat(tidy, &b) == 0 && a.st_dev == b.st_dev &&
                   a.st_ino == b.st_ino;
    return is_same ? str_intern(ctx->unit->strings, tidy) : opened;
}

// libclang takes all files that exist in memory alone for one.
static bool is_same_file(const TuSource *known, CXFile file)
{
    if (known->handle == file) return true;
    return !str_starts_with(known->name, TU_VIRTUAL_ROOT) &&
           clang_File_isEqual(known->handle, file) != 0;
}

const TuSource *tu_source(TuContext *ctx, CXFile file)
{
    if (file == NULL) return NULL;
    for (uint32_t i = ctx->sources.len; i > 0; i--) {
        TuSource *known = ctx->sources.items[i - 1];
        if (!is_same_file(known, file)) continue;
        ctx->sources.items[i - 1] =
            *vec_last(&ctx->sources); // the next question is likely about the same file
        *vec_last(&ctx->sources) = known;
        return known;
    }
    TuSource *source = ARENA_NEW(ctx->arena, TuSource);
    source->handle = file;
    const char *opened = tu_str(ctx, clang_getFileName(file));
    bool is_main = ctx->sources.len ==
                   0; // tu_file.c enters the main file first, under the name it was asked for
    source->name = is_main ? opened : source_name(ctx, opened);
    source->text = clang_getFileContents(ctx->tu, file, &source->len);
    // "#pragma system_header" counts from where it stands, so ask at the end of the file.
    unsigned last = source->len == 0 ? 0 : (unsigned)source->len - 1;
    source->is_system =
        clang_Location_isInSystemHeader(clang_getLocationForOffset(ctx->tu, file, last)) != 0;
    vec_push(ctx->arena, &ctx->sources, source);
    return source;
}

const char *tu_file_text(TuContext *ctx, CXFile file, size_t *len)
{
    const TuSource *source = tu_source(ctx, file);
    if (len != NULL) *len = source == NULL ? 0 : source->len;
    return source == NULL ? NULL : source->text;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The name of the outermost macro used at this location: the identifier that stands there in the
// text.
static const char *macro_name(TuContext *ctx, CXSourceLocation location)
{
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(location, &file, NULL, NULL, &offset);
    size_t len;
    const char *text = tu_file_text(ctx, file, &len);
    if (text == NULL || offset >= len) return NULL;
    size_t end = offset;
    while (end < len && is_word(text[end])) end++;
    return end == offset ? NULL : str_intern_n(ctx->unit->strings, text + offset, end - offset);
}

SrcLoc tu_loc_of(TuContext *ctx, CXSourceLocation location)
{
    CXFile file, spelling_file;
    unsigned line, column, offset, spelling_offset;
    clang_getFileLocation(location, &file, &line, &column, &offset);
    const TuSource *source = tu_source(ctx, file);
    if (source == NULL) return (SrcLoc){0};
    SrcLoc loc = {.file = source->name, .line = line, .column = column};
    clang_getSpellingLocation(location, &spelling_file, NULL, NULL, &spelling_offset);
    bool in_body = spelling_offset != offset || !clang_File_isEqual(spelling_file, file);
    if (in_body) loc.macro = macro_name(ctx, location);
    return loc;
}

SrcLoc tu_loc(TuContext *ctx, CXCursor cursor)
{
    return tu_loc_of(ctx, clang_getCursorLocation(cursor));
}

SrcLoc tu_loc_end(TuContext *ctx, CXCursor cursor)
{
    SrcLoc loc = tu_loc_of(ctx, clang_getRangeEnd(clang_getCursorExtent(cursor)));
    if (loc.column > 1) loc.column--; // the extent ends behind its last character
    return loc;
}
