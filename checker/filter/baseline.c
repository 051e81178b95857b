// SPDX-License-Identifier: MIT
// Baselines as JSON. Input: the file of an earlier run; output: entries by fingerprint. Messages and
// files are written for people who read it and for version control; only fingerprints are compared.
#include "filter/baseline.h"

#include "base/file.h"
#include "base/utf8.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 256 << 20, VERSION = 1 };

static int compare_entries(const void *a, const void *b)
{
    const BaselineEntry *x = a, *y = b;
    if (x->fingerprint != y->fingerprint) return x->fingerprint < y->fingerprint ? -1 : 1;
    return 0;
}

// Sixteen hexadecimal digits.
static bool read_fingerprint(const cJSON *item, uint64_t *out)
{
    if (!cJSON_IsString(item) || strlen(item->valuestring) != 16) return false;
    if (item->valuestring[strspn(item->valuestring, "0123456789abcdef")] != '\0') return false;
    *out = strtoull(item->valuestring, NULL, 16);
    return true;
}

static Status read_entries(Arena *arena, const cJSON *root, Baseline *baseline, Err *err)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "baseline");
    const cJSON *findings = cJSON_GetObjectItemCaseSensitive(root, "findings");
    if (!cJSON_IsNumber(version) || !cJSON_IsArray(findings))
        return err_set(err, ST_SYNTAX, "%s: not a baseline; '--write-baseline FILE' makes one",
                       baseline->path);
    if (version->valuedouble != VERSION)
        return err_set(err, ST_SYNTAX,
                       "%s: a baseline of another version; write it anew with --write-baseline",
                       baseline->path);
    uint32_t number = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, findings)
    {
        BaselineEntry entry = {0};
        const cJSON *file = cJSON_GetObjectItemCaseSensitive(item, "file");
        number++;
        if (!read_fingerprint(cJSON_GetObjectItemCaseSensitive(item, "fingerprint"),
                              &entry.fingerprint))
            return err_set(err, ST_SYNTAX, "%s: entry %u has no fingerprint", baseline->path,
                           (unsigned)number);
        entry.file = arena_strdup(arena, cJSON_IsString(file) ? file->valuestring : "");
        vec_push(arena, &baseline->entries, entry);
    }
    if (baseline->entries.len != 0)
        qsort(baseline->entries.items, baseline->entries.len, sizeof(BaselineEntry),
              compare_entries);
    return ST_OK;
}

Status baseline_parse(Arena *arena, const char *path, const char *text, size_t len, Baseline **out,
                      Err *err)
{
    *out = ARENA_NEW(arena, Baseline);
    (*out)->path = path;
    cJSON *root = cJSON_ParseWithLength(text, len);
    if (root == NULL)
        return err_set(err, ST_SYNTAX, "%s: not JSON; '--write-baseline FILE' makes a baseline",
                       path);
    Status status = read_entries(arena, root, *out, err);
    cJSON_Delete(root);
    return status;
}

Status baseline_load(Arena *arena, const char *path, Baseline **baseline, Err *err)
{
    Arena *work = arena_new("baseline");
    char *text = NULL;
    size_t len = 0;
    Status status = file_read(work, path, MOST_BYTES, &text, &len, err);
    if (status == ST_NOT_FOUND)
        err_set(err, status, "%s: no such baseline; '--write-baseline %s' makes it", path, path);
    if (status == ST_OK) status = baseline_parse(arena, path, text, len, baseline, err);
    arena_free(work);
    return status;
}

bool baseline_has(Baseline *baseline, const Finding *finding)
{
    if (baseline->entries.len == 0) return false;
    BaselineEntry wanted = {.fingerprint = finding->fingerprint};
    BaselineEntry *found = bsearch(&wanted, baseline->entries.items, baseline->entries.len,
                                   sizeof wanted, compare_entries);
    if (found == NULL) return false;
    found->is_met = true;
    return true;
}

// ---- writing ------------------------------------------------------------------------------------

static void append_text(StrBuf *out, const char *key, const char *text)
{
    cJSON *item = cJSON_CreateString(utf8_repair(out->arena, text));
    char *printed = cJSON_PrintUnformatted(item);
    BUG_ON(printed == NULL);
    strbuf_printf(out, "\"%s\": %s", key, printed);
    cJSON_free(printed);
    cJSON_Delete(item);
}

void baseline_write(StrBuf *out, const FindingList *findings)
{
    strbuf_printf(out, "{\n\"baseline\": %d,\n\"findings\": [", VERSION);
    for (uint32_t i = 0; i < findings->len; i++) {
        const Finding *finding = &findings->items[i];
        strbuf_printf(out, "%s\n{\"fingerprint\": \"%016" PRIx64 "\", ", i != 0 ? "," : "",
                      finding->fingerprint);
        append_text(out, "rule", finding->rule);
        strbuf_append(out, ", ");
        append_text(out, "file", finding->loc.file != NULL ? finding->loc.file : "");
        strbuf_append(out, ", ");
        append_text(out, "message", finding->message);
        strbuf_append(out, "}");
    }
    strbuf_append(out, "\n]\n}\n");
}
