// SPDX-License-Identifier: MIT
// Sorts findings out. Input: all findings of a run; output: those to show, and those that somebody
// silenced. A comment that silences nothing is itself a finding, but only in a file that was looked
// at whole.
#include "filter/filter.h"

#include "base/path.h"
#include "filter/suppress.h"

#include <fnmatch.h>
#include <string.h>

static const char unused_rule[] = "unused-suppression";

// A source file whose comments were read.
typedef struct {
    const char *path;     // interned
    const char *plain;    // absolute
    const char *real;     // links resolved
    const Config *config; // of its folder
    SuppressionList suppressions;
} FilterFile;

typedef struct {
    Arena *arena;
    const FilterInput *input;
    SourceCache *sources;
    StrPool *paths;
    const char *working;
    Vec(FilterFile *) files;
    FindingList found; // about comments
    Filtered *out;
    Status status; // of the configurations
    Err *err;
} Filter;

static FilterFile *file_of(Filter *filter, const char *path)
{
    const char *interned = str_intern(filter->paths, path);
    for (uint32_t i = filter->files.len; i-- > 0;)
        if (filter->files.items[i]->path == interned) return filter->files.items[i];
    FilterFile *file = ARENA_NEW(filter->arena, FilterFile);
    file->path = interned;
    file->plain = path_plain(filter->arena, filter->working, path);
    file->real = path_real(filter->arena, path);
    if (file->real == NULL) file->real = file->plain;
    Status status = config_tree_get(filter->input->configs, path_parent(filter->arena, file->plain),
                                    &file->config, filter->err);
    if (status != ST_OK) filter->status = status;
    const SourceFile *source = source_file(filter->sources, path);
    if (source != NULL) file->suppressions = suppression_list_read(filter->arena, source);
    vec_push(filter->arena, &filter->files, file);
    return file;
}

// The level of the rule of this index in the file: the command line's, else the configuration's,
// else `own`.
static Severity level_or(const Filter *filter, const FilterFile *file, uint32_t index, Severity own)
{
    const RuleLevels *levels = filter->input->levels;
    if (levels->is_set[index]) return levels->severities[index];
    return config_level(file->config, rule_at(index)->slug, own);
}

static Severity level_of(const Filter *filter, const FilterFile *file, uint32_t index)
{
    return level_or(filter, file, index, rule_at(index)->severity);
}

// A rule may call a finding less grave than its others.
static Severity finding_level(const Filter *filter, const FilterFile *file, const Finding *finding,
                              uint32_t index)
{
    Severity rule = rule_at(index)->severity;
    bool is_lesser = finding->severity != SEV_OFF && finding->severity < rule;
    return level_or(filter, file, index, is_lesser ? finding->severity : rule);
}

static void suppress(Filter *filter, const Finding *finding, SuppressedKind kind,
                     const char *reason, SrcLoc by)
{
    SuppressedFinding suppressed = {.finding = *finding, .kind = kind, .reason = reason, .by = by};
    vec_push(filter->arena, &filter->out->suppressed, suppressed);
}

// ---- comments -----------------------------------------------------------------------------------

// The suppression of this place, or NULL. All that cover it are in use.
static const Suppression *suppression_at(Filter *filter, const char *rule, SrcLoc loc)
{
    if (!loc_is_valid(loc)) return NULL;
    SuppressionList *list = &file_of(filter, loc.file)->suppressions;
    const Suppression *found = NULL;
    for (uint32_t i = 0; i < list->items.len; i++) {
        Suppression *suppression = &list->items.items[i];
        if (!suppression_covers(suppression, rule, loc.line)) continue;
        suppression->is_used = true;
        if (found == NULL) found = suppression;
    }
    return found;
}

// A finding is silenced where it is reported, and where the function itself acquired or released
// what it speaks of: that is where people explain themselves.
static bool suppress_by_comment(Filter *filter, const Finding *finding)
{
    SrcLoc by = finding->loc;
    const Suppression *found = suppression_at(filter, finding->rule, by);
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        const FindingStep *step = &finding->steps.items[i];
        if (!step->is_key || step->depth != 0) continue;
        const Suppression *other = suppression_at(filter, finding->rule, step->loc);
        if (found != NULL || other == NULL) continue;
        found = other;
        by = step->loc;
    }
    if (found == NULL) return false;
    by.line = found->line;
    by.column = found->column;
    suppress(filter, finding, SUPPRESSED_IN_SOURCE, found->reason, by);
    return true;
}

// ---- suppressions that silence nothing ----------------------------------------------------------

static void report_suppression(Filter *filter, const char *path, uint32_t line, uint32_t column,
                               const char *message)
{
    Finding finding = {.rule = unused_rule,
                       .loc = {.file = path, .line = line, .column = column},
                       .message = message};
    vec_push(filter->arena, &filter->found, finding);
}

// Whether any rule that the name or pattern means is looked for.
typedef enum { NAME_UNKNOWN, NAME_OFF, NAME_ON } NameState;

static NameState name_state(const Filter *filter, const FilterFile *file, const char *pattern)
{
    NameState state = NAME_UNKNOWN;
    for (uint32_t i = 0; i < rule_count(); i++) {
        if (fnmatch(pattern, rule_at(i)->slug, 0) != 0) continue;
        if (level_of(filter, file, i) != SEV_OFF) return NAME_ON;
        state = NAME_OFF;
    }
    return state;
}

static const char *unused_message(Arena *arena, const Suppression *suppression)
{
    const char *where = suppression->first == suppression->last
                            ? arena_printf(arena, "on line %u", (unsigned)suppression->first)
                            : arena_printf(arena, "on lines %u to %u", (unsigned)suppression->first,
                                           (unsigned)suppression->last);
    bool is_pattern = strchr(suppression->rule, '*') != NULL;
    return is_pattern
               ? arena_printf(arena, "this comment silences nothing: nothing is found %s", where)
               : arena_printf(arena, "this comment silences nothing: no '%s' is found %s",
                              suppression->rule, where);
}

// `is_whole`: every function of the file was analysed to the end, so that nothing is found because
// there is nothing.
static void judge_suppressions(Filter *filter, const FilterFile *file, bool is_whole)
{
    for (uint32_t i = 0; i < file->suppressions.errors.len; i++) {
        const SuppressionError *error = &file->suppressions.errors.items[i];
        report_suppression(filter, file->path, error->line, error->column, error->text);
    }
    for (uint32_t i = 0; i < file->suppressions.items.len; i++) {
        const Suppression *suppression = &file->suppressions.items.items[i];
        if (suppression->is_used || suppression->is_for_all) continue;
        NameState state = name_state(filter, file, suppression->rule);
        const char *message = NULL;
        if (state == NAME_UNKNOWN) {
            Err err = {.arena = filter->arena};
            rule_unknown(suppression->rule, &err);
            message = err.message;
        } else if (state == NAME_ON && is_whole) {
            message = unused_message(filter->arena, suppression);
        }
        if (message != NULL)
            report_suppression(filter, file->path, suppression->line, suppression->column, message);
    }
}

static bool is_whole(const UnitResult *unit)
{
    return unit->status == ST_OK && unit->not_analysed.len == 0 && unit->budget_hits == 0;
}

// Of the files given, not of their headers: what a header's functions do may show in other files
// only.
static void judge_files(Filter *filter)
{
    for (uint32_t i = 0; i < filter->input->unit_count;) {
        const UnitResult *unit = &filter->input->units[i];
        bool whole = true;
        // Units of one file follow each other.
        for (const char *path = unit->file;
             i < filter->input->unit_count && strcmp(filter->input->units[i].file, path) == 0; i++)
            whole &= is_whole(&filter->input->units[i]);
        judge_suppressions(filter, file_of(filter, unit->file), whole);
    }
}

// ---- one finding --------------------------------------------------------------------------------

static bool suppress_by_config(Filter *filter, const FilterFile *file, const Finding *finding)
{
    const Config *by = NULL;
    const ConfigSuppression *found =
        config_suppression(file->config, file->plain, finding->rule, &by);
    if (found == NULL) return false;
    SrcLoc place = {.file = by->path, .line = found->line, .column = found->column};
    suppress(filter, finding, SUPPRESSED_BY_CONFIG, found->reason, place);
    return true;
}

static bool is_changed(Filter *filter, const char *path, uint32_t first, uint32_t last)
{
    LineRange lines = {.first = first, .last = last};
    return changes_touch(filter->input->changes, file_of(filter, path)->real, lines);
}

// Whether a changed line has to do with it: one of its function (a release that was deleted is on no
// path any more), or one of its path through others.
static bool is_new(Filter *filter, const Finding *finding)
{
    SrcLoc loc = finding->loc;
    if (filter->input->changes == NULL || !loc_is_valid(loc)) return true;
    uint32_t first = loc.line, last = loc.line;
    if (finding->first_line != 0 && finding->first_line < first) first = finding->first_line;
    if (finding->last_line > last) last = finding->last_line;
    if (is_changed(filter, loc.file, first, last)) return true;
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        loc = finding->steps.items[i].loc;
        if (loc_is_valid(loc) && is_changed(filter, loc.file, loc.line, loc.line)) return true;
    }
    return false;
}

static void sort_out(Filter *filter, Finding finding)
{
    const FilterFile *file = file_of(filter, loc_is_valid(finding.loc) ? finding.loc.file : ".");
    const Config *by = NULL;
    for (uint32_t i = 0; i < rule_count(); i++)
        if (strcmp(rule_at(i)->slug, finding.rule) == 0)
            finding.severity = finding_level(filter, file, &finding, i);
    if (finding.severity == SEV_OFF || !config_wants(file->config, file->plain, &by)) return;
    if (suppress_by_comment(filter, &finding)) return;
    if (suppress_by_config(filter, file, &finding)) return;
    if (!is_new(filter, &finding)) {
        filter->out->unchanged++;
        return;
    }
    if (filter->input->baseline != NULL && baseline_has(filter->input->baseline, &finding)) {
        suppress(filter, &finding, SUPPRESSED_BASELINE, "", (SrcLoc){0});
        return;
    }
    vec_push(filter->arena, &filter->out->shown, finding);
}

Status filter_findings(Arena *arena, const FilterInput *input, const FindingList *findings,
                       Filtered *out, Err *err)
{
    *out = (Filtered){0};
    Filter filter = {.arena = arena, .input = input, .out = out, .err = err};
    filter.paths = str_pool_new(arena);
    filter.sources = source_cache_new(arena);
    filter.working = path_working(arena);
    for (uint32_t i = 0; i < findings->len; i++) sort_out(&filter, findings->items[i]);
    judge_files(&filter);
    finding_list_sort(&filter.found);
    finding_list_set_fingerprints(&filter.found);
    for (uint32_t i = 0; i < filter.found.len; i++) sort_out(&filter, filter.found.items[i]);
    finding_list_sort(&out->shown);
    return filter.status;
}
