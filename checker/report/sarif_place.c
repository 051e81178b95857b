// SPDX-License-Identifier: MIT
// SARIF's places: artifacts and locations. Input: byte columns of files that may be gone or in any
// encoding; output: regions in UTF-16 code units with the text they cover.
#include "report/sarif_p.h"

#include "base/utf8.h"

#include <string.h>

enum { CONTEXT_LINES = 2, LONGEST_CONTEXT = 2000 };

SarifFile *sarif_file(Sarif *sarif, const char *path)
{
    const char *interned = str_intern(sarif->paths, path);
    for (uint32_t i = sarif->files.len; i-- > 0;) {
        if (sarif->files.items[i].path == interned) return &sarif->files.items[i];
    }
    SarifFile file = {.path = interned, .source = source_file(sarif->sources, path)};
    file.uri = uri_of_path(sarif->arena, &sarif->base, path, &file.is_relative);
    file.index = sarif->artifact_count;
    for (uint32_t i = 0; i < sarif->files.len; i++) {
        if (strcmp(sarif->files.items[i].uri, file.uri) == 0)
            file.index = sarif->files.items[i].index;
    }
    if (file.index == sarif->artifact_count) sarif->artifact_count++;
    vec_push(sarif->arena, &sarif->files, file);
    return vec_last(&sarif->files);
}

static void put_uri(Sarif *sarif, cJSON *object, const SarifFile *file)
{
    json_put_text(sarif->arena, object, "uri", file->uri);
    if (file->is_relative) json_put_text(sarif->arena, object, "uriBaseId", "%SRCROOT%");
}

cJSON *sarif_artifacts(Sarif *sarif)
{
    cJSON *artifacts = json_array();
    uint32_t next = 0;
    for (uint32_t i = 0; i < sarif->files.len; i++) {
        const SarifFile *file = &sarif->files.items[i];
        if (file->index != next) continue; // another spelling of one already there
        next++;
        cJSON *artifact = json_push(artifacts, json_object());
        put_uri(sarif, json_put(artifact, "location", json_object()), file);
        cJSON *roles = json_put(artifact, "roles", json_array());
        json_push_text(sarif->arena, roles, file->is_target ? "analysisTarget" : "resultFile");
    }
    return artifacts;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80) != 0;
}

// The byte after the token at byte `start` of the line: a word, or one character.
static size_t token_end(SourceLine line, size_t start)
{
    size_t end = start;
    while (end < line.len && is_word(line.text[end])) end++;
    return end == start ? start + 1 : end;
}

static void put_snippet(Sarif *sarif, cJSON *region, const char *text, size_t len)
{
    const char *copy = arena_strndup(sarif->arena, text, len);
    json_put_text(sarif->arena, json_put(region, "snippet", json_object()), "text", copy);
}

static void put_region(Sarif *sarif, cJSON *place, SrcLoc loc, const SarifFile *file)
{
    cJSON *region = json_put(place, "region", json_object());
    json_put_number(region, "startLine", loc.line);
    if (loc.column == 0) return;
    SourceLine line = source_line(file->source, loc.line);
    size_t start = loc.column - 1;
    if (start >= line.len) { // the file is gone or was changed
        json_put_number(region, "startColumn", loc.column);
        json_put_number(region, "endColumn", (double)loc.column + 1);
        return;
    }
    size_t end = token_end(line, start);
    json_put_number(region, "startColumn", (double)utf8_utf16_units(line.text, start) + 1);
    json_put_number(region, "endColumn", (double)utf8_utf16_units(line.text, end) + 1);
    put_snippet(sarif, region, line.text + start, end - start);
}

static void put_context(Sarif *sarif, cJSON *place, SrcLoc loc, const SarifFile *file)
{
    if (file->source == NULL || loc.line > file->source->line_count) return;
    uint32_t first = loc.line > CONTEXT_LINES ? loc.line - CONTEXT_LINES : 1;
    uint32_t last = loc.line + CONTEXT_LINES;
    if (last > file->source->line_count) last = file->source->line_count;
    while (last > loc.line && source_line(file->source, last).len == 0) last--;
    SourceLine from = source_line(file->source, first);
    SourceLine to = source_line(file->source, last);
    size_t len = (size_t)(to.text + to.len - from.text);
    if (len > LONGEST_CONTEXT) return;
    cJSON *region = json_put(place, "contextRegion", json_object());
    json_put_number(region, "startLine", first);
    json_put_number(region, "endLine", last);
    put_snippet(sarif, region, from.text, len);
}

cJSON *sarif_location(Sarif *sarif, SrcLoc loc, const char *message, bool with_context)
{
    cJSON *location = json_object();
    if (loc_is_valid(loc)) {
        const SarifFile *file = sarif_file(sarif, loc.file);
        cJSON *place = json_put(location, "physicalLocation", json_object());
        cJSON *artifact = json_put(place, "artifactLocation", json_object());
        put_uri(sarif, artifact, file);
        json_put_number(artifact, "index", file->index);
        put_region(sarif, place, loc, file);
        if (with_context) put_context(sarif, place, loc, file);
    }
    if (message != NULL) {
        const char *text = sarif_sentence(sarif->arena, message);
        json_put_text(sarif->arena, json_put(location, "message", json_object()), "text", text);
    }
    return location;
}
