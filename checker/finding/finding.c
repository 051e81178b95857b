// SPDX-License-Identifier: MIT
// Findings: their order, copies that outlive a unit, and fingerprints. Input: what rules reported;
// output: lists that are the same whichever worker found what first. Nothing here compares
// pointers.
#include "finding/finding.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char *const severity_texts[] = {
    [SEV_OFF] = "off", [SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error"};

const char *severity_text(Severity severity)
{
    return severity_texts[severity];
}

Status severity_parse(const char *text, Severity *severity)
{
    for (int i = SEV_OFF; i <= SEV_ERROR; i++) {
        if (strcmp(text, severity_texts[i]) != 0) continue;
        *severity = (Severity)i;
        return ST_OK;
    }
    return ST_USAGE;
}

static int compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL) return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_locs(SrcLoc a, SrcLoc b)
{
    int order = compare_texts(a.file, b.file);
    if (order == 0) order = compare_numbers(a.line, b.line);
    if (order == 0) order = compare_numbers(a.column, b.column);
    return order;
}

int finding_compare(const void *a, const void *b)
{
    const Finding *x = a;
    const Finding *y = b;
    int order = compare_locs(x->loc, y->loc);
    if (order == 0) order = compare_texts(x->rule, y->rule);
    if (order == 0) order = compare_texts(x->message, y->message);
    return order;
}

// Decides between duplicates, so that which one stays does not depend on who came first.
static int compare_fully(const void *a, const void *b)
{
    const Finding *x = a;
    const Finding *y = b;
    int order = finding_compare(x, y);
    if (order == 0) order = compare_numbers(x->steps.len, y->steps.len);
    if (order == 0) order = compare_texts(x->function, y->function);
    if (order == 0) order = compare_texts(x->subject, y->subject);
    for (uint32_t i = 0; order == 0 && i < x->steps.len; i++) {
        order = compare_locs(x->steps.items[i].loc, y->steps.items[i].loc);
        if (order == 0) order = compare_texts(x->steps.items[i].text, y->steps.items[i].text);
    }
    return order;
}

// The same resource along the same path: only what the message counts differs, as between two
// instantiations of a template of which one has fewer exits.
static bool is_same_story(const Finding *a, const Finding *b)
{
    if (a->subject == NULL || compare_texts(a->subject, b->subject) != 0) return false;
    if (a->steps.len == 0 || a->steps.len != b->steps.len) return false;
    for (uint32_t i = 0; i < a->steps.len; i++)
        if (compare_locs(a->steps.items[i].loc, b->steps.items[i].loc) != 0) return false;
    return true;
}

static bool is_among(const Finding *kept, uint32_t count, const Finding *finding)
{
    for (uint32_t i = count; i > 0; i--) {
        const Finding *other = &kept[i - 1];
        if (compare_locs(other->loc, finding->loc) != 0) return false; // nor any before
        if (compare_texts(other->rule, finding->rule) != 0) return false;
        if (finding_compare(other, finding) == 0 || is_same_story(other, finding)) return true;
    }
    return false;
}

void finding_list_sort(FindingList *list)
{
    if (list->len == 0) return;
    qsort(list->items, list->len, sizeof *list->items, compare_fully);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        if (is_among(list->items, kept, &list->items[i])) continue;
        list->items[kept++] = list->items[i];
    }
    list->len = kept;
}

static const char *copy_text(StrPool *strings, const char *text)
{
    return text != NULL ? str_intern(strings, text) : NULL;
}

static SrcLoc copy_loc(StrPool *strings, SrcLoc loc)
{
    loc.file = copy_text(strings, loc.file);
    loc.macro = copy_text(strings, loc.macro);
    return loc;
}

Finding finding_copy_to(Arena *arena, StrPool *strings, const Finding *finding)
{
    Finding copy = *finding;
    copy.rule = copy_text(strings, finding->rule);
    copy.loc = copy_loc(strings, finding->loc);
    copy.message = copy_text(strings, finding->message);
    copy.function = copy_text(strings, finding->function);
    copy.subject = copy_text(strings, finding->subject);
    copy.steps.items = ARENA_ARRAY(arena, FindingStep, finding->steps.len);
    copy.steps.cap = finding->steps.len;
    for (uint32_t i = 0; i < finding->steps.len; i++) {
        FindingStep step = finding->steps.items[i];
        step.loc = copy_loc(strings, step.loc);
        step.text = copy_text(strings, step.text);
        copy.steps.items[i] = step;
    }
    return copy;
}

// Each part seeds the hash of the next, so that "ab" "c" and "a" "bc" differ.
static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text != NULL ? XXH3_64bits_withSeed(text, strlen(text), hash) : hash;
}

// Hashes what stands between blanks, so that re-indenting changes nothing.
static uint64_t hash_words(uint64_t hash, const char *line)
{
    static const char blanks[] = " \t\r\n\v\f";
    const char *word = line + strspn(line, blanks);
    while (*word != '\0') {
        size_t len = strcspn(word, blanks);
        hash = XXH3_64bits_withSeed(word, len, hash);
        word += len;
        word += strspn(word, blanks);
    }
    return hash;
}

static const char *base_name(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

uint64_t finding_fingerprint(const Finding *finding, const char *line_text, uint32_t occurrence)
{
    uint64_t hash = hash_text(occurrence, finding->rule);
    hash = hash_text(hash, base_name(finding->loc.file));
    hash = hash_text(hash, finding->function != NULL ? finding->function : "");
    hash = hash_text(hash, finding->subject != NULL ? finding->subject : "");
    return hash_words(hash, line_text);
}
