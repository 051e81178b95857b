// SPDX-License-Identifier: MIT
// Reads findings from SARIF and writes verdicts into it. Outside input: nothing is assumed of it but that it is JSON.
#include "verify/findings.h"

#include "base/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *verdict_text(VerdictKind kind)
{
    switch (kind) {
    case VERDICT_NONE:
        return "not judged";
    case VERDICT_CONFIRMED:
        return "confirmed";
    case VERDICT_REFUTED:
        return "refuted";
    case VERDICT_NOT_REACHED:
        return "not reached";
    case VERDICT_NO_SYMPTOM:
        return "no symptom";
    case VERDICT_NOT_RUN:
        return "not run";
    case VERDICT_NOT_BUILT:
        return "not built";
    case VERDICT_TIMEOUT:
        return "timeout";
    case VERDICT_NO_GPU:
        return "no GPU";
    case VERDICT_CLEAN:
        return "clean";
    case VERDICT_NOT_CLEAN:
        return "not clean";
    }
    return "";
}

static cJSON *get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *get_text(const cJSON *object, const char *key)
{
    const cJSON *value = get(object, key);
    return cJSON_IsString(value) ? value->valuestring : NULL;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

// A path from a URI reference.
static const char *decode_uri(Arena *arena, StrPool *strings, const char *uri)
{
    if (str_starts_with(uri, "file://")) uri += strlen("file://");
    char *path = arena_strdup(arena, uri), *out = path;
    for (const char *c = uri; *c != '\0'; c++) {
        bool is_code =
            c[0] == '%' && isxdigit((unsigned char)c[1]) && isxdigit((unsigned char)c[2]);
        *out++ = is_code ? (char)(hex_digit(c[1]) * 16 + hex_digit(c[2])) : *c;
        if (is_code) c += 2;
    }
    *out = '\0';
    return str_intern(strings, path);
}

// The path as it can be opened from here: reports name files from the root of the repository, which may
// be a folder above.
static const char *find_from_here(Arena *arena, StrPool *strings, const char *path)
{
    const char *up = "";
    for (int level = 0; level < 16 && path[0] != '/'; level++) {
        const char *candidate = arena_printf(arena, "%s%s", up, path);
        if (access(candidate, R_OK) == 0) return str_intern(strings, candidate);
        up = arena_printf(arena, "../%s", up);
    }
    return path;
}

// File and line of a location; false when it has none.
static bool read_location(Arena *arena, StrPool *strings, const cJSON *location, const char **file,
                          int *line)
{
    const cJSON *place = get(location, "physicalLocation");
    const char *uri = get_text(get(place, "artifactLocation"), "uri");
    const cJSON *number = get(get(place, "region"), "startLine");
    if (uri == NULL || !cJSON_IsNumber(number)) return false;
    *file = find_from_here(arena, strings, decode_uri(arena, strings, uri));
    *line = number->valueint;
    return true;
}

static const char *read_function(StrPool *strings, const cJSON *result)
{
    const cJSON *place = cJSON_GetArrayItem(get(result, "locations"), 0);
    const cJSON *logical = cJSON_GetArrayItem(get(place, "logicalLocations"), 0);
    const char *name = get_text(logical, "fullyQualifiedName");
    return name != NULL ? str_intern(strings, name) : NULL;
}

static void read_steps(Arena *arena, StrPool *strings, CheckedFinding *finding)
{
    const cJSON *step;
    cJSON_ArrayForEach(step, get(finding->result, "relatedLocations"))
    {
        Place place;
        if (read_location(arena, strings, step, &place.file, &place.line))
            vec_push(arena, &finding->steps, place);
    }
}

static void read_result(Arena *arena, StrPool *strings, cJSON *result, Findings *findings)
{
    CheckedFinding finding = {.result = result};
    if (cJSON_GetArraySize(get(result, "suppressions")) > 0) return; // somebody decided already
    const char *rule = get_text(result, "ruleId");
    const char *message = get_text(get(result, "message"), "text");
    const cJSON *first = cJSON_GetArrayItem(get(result, "locations"), 0);
    if (rule == NULL || !read_location(arena, strings, first, &finding.file, &finding.line)) return;
    finding.program = finding.file;
    finding.rule = str_intern(strings, rule);
    finding.message = str_intern(strings, message != NULL ? message : "");
    const char *level = get_text(result, "level");
    finding.is_note = level != NULL && strcmp(level, "note") == 0;
    finding.function = read_function(strings, result);
    read_steps(arena, strings, &finding);
    bool has_steps = finding.steps.len != 0;
    finding.acquired_file = has_steps ? finding.steps.items[0].file : finding.file;
    finding.acquired_line = has_steps ? finding.steps.items[0].line : finding.line;
    vec_push(arena, &findings->items, finding);
}

static void free_tree(void *root)
{
    cJSON_Delete(root);
}

Status findings_parse(Arena *arena, StrPool *strings, const char *text, size_t len,
                      Findings *findings, Err *err)
{
    cJSON *root = cJSON_ParseWithLength(text, len);
    if (root == NULL) return err_set(err, ST_SYNTAX, "this is not JSON");
    arena_defer(arena, free_tree, root);
    cJSON *runs = get(root, "runs"), *all = runs;
    if (!cJSON_IsArray(runs)) return err_set(err, ST_SYNTAX, "this is not SARIF: no runs");
    if (findings->root == NULL)
        findings->root = root;
    else
        all = get(findings->root, "runs");
    for (cJSON *run = runs->child, *next; run != NULL; run = next) {
        cJSON *result;
        next = run->next;
        if (all != runs) cJSON_AddItemToArray(all, cJSON_DetachItemViaPointer(runs, run));
        cJSON_ArrayForEach(result, get(run, "results"))
            read_result(arena, strings, result, findings);
    }
    return ST_OK;
}

Status findings_read(Arena *arena, StrPool *strings, const char *path, Findings *findings, Err *err)
{
    const SourceFile *file = source_file(source_cache_new(arena), path);
    if (file == NULL) return err_set(err, ST_NOT_FOUND, "cannot read '%s'", path);
    Status status = findings_parse(arena, strings, file->text, file->len, findings, err);
    return status == ST_OK ? ST_OK : err_context(err, status, "%s", path);
}

static void put_text(cJSON *object, const char *key, const char *text)
{
    if (text == NULL) return;
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    cJSON_AddStringToObject(object, key, text);
}

static void put_verdict(Arena *arena, const CheckedFinding *finding, const char *where)
{
    cJSON *properties = get(finding->result, "properties");
    if (!cJSON_IsObject(properties)) {
        cJSON_DeleteItemFromObjectCaseSensitive(finding->result, "properties");
        properties = cJSON_AddObjectToObject(finding->result, "properties");
    }
    cJSON_DeleteItemFromObjectCaseSensitive(properties, "cudalint/verdict");
    cJSON *verdict = cJSON_AddObjectToObject(properties, "cudalint/verdict");
    put_text(verdict, "verdict", verdict_text(finding->verdict.kind));
    put_text(verdict, "evidence", finding->verdict.evidence);
    put_text(verdict, "failedCall", finding->verdict.fail);
    put_text(verdict, "where", where);
    cJSON *message = get(finding->result, "message");
    if (cJSON_IsObject(message))
        put_text(message, "text",
                 arena_printf(arena, "%s [%s on %s]", finding->message,
                              verdict_text(finding->verdict.kind), where));
}

Status findings_write(Arena *arena, const Findings *findings, const char *path, const char *where,
                      Err *err)
{
    for (uint32_t i = 0; i < findings->items.len; i++)
        put_verdict(arena, &findings->items.items[i], where);
    FILE *out = fopen(path, "w");
    if (out == NULL) return err_set(err, ST_IO, "cannot write '%s'", path);
    char *text = cJSON_Print(findings->root);
    bool is_whole = text != NULL && fputs(text, out) >= 0 && fputc('\n', out) != EOF;
    cJSON_free(text);
    is_whole = fclose(out) == 0 && is_whole;
    return is_whole ? ST_OK : err_set(err, ST_IO, "cannot write '%s'", path);
}
