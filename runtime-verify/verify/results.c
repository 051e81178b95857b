// SPDX-License-Identifier: MIT
// Prints verdicts: a table for people, a page, and lines of JSON to be committed as evidence.
#include "output/html.h"
#include "verify/verify_p.h"

#include <inttypes.h>
#include <string.h>

const char *verify_where(Verify *verify)
{
    if (verify->recorder.simulator != NULL)
        return arena_printf(verify->arena, "the simulated runtime, %s",
                            verify->time != NULL ? verify->time : "no run");
    if (verify->device == NULL) return "no GPU";
    return arena_printf(verify->arena, "%s, driver %" PRId64 ", %s", verify->device, verify->driver,
                        verify->time != NULL ? verify->time : "?");
}

// One line of a result, a finding's or a source's.
typedef struct {
    const char *file;
    int line; // 0: of a source
    const char *rule;
    const Verdict *verdict;
} Row;

static uint32_t row_count(const Verify *verify)
{
    return verify->findings.items.len + verify->clean.len;
}

static Row row_at(const Verify *verify, uint32_t i)
{
    if (i < verify->findings.items.len) {
        const CheckedFinding *finding = &verify->findings.items.items[i];
        return (Row){finding->file, finding->line, finding->rule, &finding->verdict};
    }
    const CheckedSource *source = &verify->clean.items[i - verify->findings.items.len];
    return (Row){source->file, 0, "", &source->verdict};
}

void verify_print(FILE *out, Verify *verify)
{
    uint32_t counts[VERDICT_NOT_CLEAN + 1] = {0};
    for (uint32_t i = 0; i < row_count(verify); i++) {
        Row row = row_at(verify, i);
        counts[row.verdict->kind]++;
        if (row.line != 0)
            fprintf(out, "%-11s %s:%d: %s: ", verdict_text(row.verdict->kind), row.file, row.line,
                    row.rule);
        else
            fprintf(out, "%-11s %s: ", verdict_text(row.verdict->kind), row.file);
        fputs(row.verdict->evidence != NULL ? row.verdict->evidence : "", out);
        if (row.verdict->fail != NULL) fprintf(out, " (when call %s fails)", row.verdict->fail);
        fputc('\n', out);
    }
    fputs(row_count(verify) == 0 ? "cudalint verify: nothing to judge" : "cudalint verify:", out);
    const char *separator = " ";
    for (uint32_t i = 0; i <= VERDICT_NOT_CLEAN; i++) {
        if (counts[i] == 0) continue;
        fprintf(out, "%s%" PRIu32 " %s", separator, counts[i], verdict_text((VerdictKind)i));
        separator = ", ";
    }
    fprintf(out, "; on %s\n", verify_where(verify));
}

static const char *verdict_class(VerdictKind kind)
{
    switch (kind) {
    case VERDICT_CONFIRMED:
    case VERDICT_CLEAN:
        return "good";
    case VERDICT_REFUTED:
    case VERDICT_NOT_CLEAN:
        return "bad";
    case VERDICT_NONE:
    case VERDICT_NOT_REACHED:
    case VERDICT_NO_SYMPTOM:
    case VERDICT_NOT_RUN:
    case VERDICT_NOT_BUILT:
    case VERDICT_TIMEOUT:
    case VERDICT_NO_GPU:
        return "other";
    }
    return "other";
}

static void put_row(FILE *out, const Row *row)
{
    fprintf(out, "<tr><td class=\"%s\">%s</td><td><code>", verdict_class(row->verdict->kind),
            verdict_text(row->verdict->kind));
    html_text(out, row->file);
    if (row->line != 0) fprintf(out, ":%d", row->line);
    fputs("</code></td><td>", out);
    html_text(out, row->rule);
    fputs("</td><td>", out);
    html_text(out, row->verdict->evidence != NULL ? row->verdict->evidence : "");
    if (row->verdict->fail != NULL) html_printf(out, " (when call %s fails)", row->verdict->fail);
    if (row->verdict->frames.len != 0) {
        fputs("<details><summary>stack</summary>", out);
        html_frames(out, &row->verdict->frames);
        fputs("</details>", out);
    }
    fputs("</td></tr>\n", out);
}

// Ends the file that was written; says whether it is whole.
static Status close_output(Verify *verify, FILE *out, const char *path)
{
    bool is_whole = ferror(out) == 0;
    is_whole = fclose(out) == 0 && is_whole;
    return is_whole ? ST_OK : err_set(verify->err, ST_IO, "cannot write '%s'", path);
}

Status verify_write_page(Verify *verify, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) return err_set(verify->err, ST_IO, "cannot write '%s'", path);
    html_begin(out, "cudalint verify");
    fputs("<p>", out);
    html_text(out, verify_where(verify));
    fputs("</p>\n<table><tr><th>Verdict</th><th>Where</th><th>Rule</th><th>Evidence</th></tr>\n",
          out);
    for (uint32_t i = 0; i < row_count(verify); i++) {
        Row row = row_at(verify, i);
        put_row(out, &row);
    }
    fputs("</table>\n", out);
    html_end(out);
    return close_output(verify, out, path);
}

static void put_member(cJSON *object, const char *key, const char *text)
{
    if (text != NULL) cJSON_AddStringToObject(object, key, text);
}

static bool print_object(FILE *out, cJSON *object)
{
    char *text = cJSON_PrintUnformatted(object);
    bool is_printed = text != NULL && fprintf(out, "%s\n", text) > 0;
    cJSON_free(text);
    cJSON_Delete(object);
    return is_printed;
}

Status verify_write_evidence(Verify *verify, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) return err_set(verify->err, ST_IO, "cannot write '%s'", path);
    cJSON *head = cJSON_CreateObject();
    put_member(head, "by", verify->recorder.simulator != NULL ? "simulator" : "gpu");
    put_member(head, "device", verify->device);
    put_member(head, "time", verify->time);
    if (verify->driver != 0) cJSON_AddNumberToObject(head, "driver", (double)verify->driver);
    put_member(head, "driverModule", verify->module);
    put_member(head, "toolkit", verify->toolkit);
    bool is_whole = print_object(out, head);
    for (uint32_t i = 0; i < row_count(verify); i++) {
        Row row = row_at(verify, i);
        cJSON *object = cJSON_CreateObject();
        put_member(object, "file", row.file);
        if (row.line != 0) cJSON_AddNumberToObject(object, "line", row.line);
        put_member(object, "rule", row.line != 0 ? row.rule : NULL);
        put_member(object, "verdict", verdict_text(row.verdict->kind));
        put_member(object, "evidence", row.verdict->evidence);
        put_member(object, "fail", row.verdict->fail);
        is_whole = print_object(out, object) && is_whole;
    }
    Status status = close_output(verify, out, path);
    return is_whole ? status : err_set(verify->err, ST_IO, "cannot write '%s'", path);
}
