// SPDX-License-Identifier: MIT
// SARIF's descriptions of rules. Input: the rules' metadata and pages; output: what code scanning
// shows beside an alert. Every text it requires is there, whatever a rule lacks.
#include "report/sarif_p.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_DESCRIPTION = 1000 }; // bytes; code scanning takes 1024 characters

const char *sarif_sentence(Arena *arena, const char *text)
{
    size_t len = strlen(text);
    bool is_closed = len != 0 && strchr(".!?", text[len - 1]) != NULL;
    return is_closed ? text : arena_printf(arena, "%s.", text);
}

// "leak-on-return" as "LeakOnReturn".
static const char *camel_name(Arena *arena, const char *slug)
{
    StrBuf name = {.arena = arena};
    bool is_first = true;
    for (const char *c = slug; *c != '\0'; c++) {
        if (*c != '-') strbuf_printf(&name, "%c", is_first ? toupper((unsigned char)*c) : *c);
        is_first = *c == '-';
    }
    return strbuf_text(&name);
}

// Cuts what is too long at the end of a word.
static const char *shorten(Arena *arena, const char *text)
{
    size_t len = strlen(text);
    if (len <= LONGEST_DESCRIPTION) return text;
    len = LONGEST_DESCRIPTION;
    while (len > 0 && text[len] != ' ') len--;
    return arena_printf(arena, "%.*s ...", (int)len, text);
}

// The first paragraph below the page's heading "What it does", in one line, or NULL.
static const char *page_opening(Arena *arena, const char *page)
{
    const char *text = page != NULL ? strstr(page, "## What it does\n") : NULL;
    if (text == NULL) return NULL;
    text = strchr(text, '\n');
    text += strspn(text, "\n");
    StrBuf opening = {.arena = arena};
    while (*text != '\0' && *text != '\n' && *text != '#') {
        size_t len = strcspn(text, "\n");
        if (opening.len != 0) strbuf_append(&opening, " ");
        strbuf_append_n(&opening, text, len);
        text += len;
        if (*text == '\n') text++;
    }
    return opening.len != 0 ? shorten(arena, strbuf_text(&opening)) : NULL;
}

static void put_message(Arena *arena, cJSON *object, const char *key, const char *text)
{
    json_put_text(arena, json_put(object, key, json_object()), "text", text);
}

static void put_configuration(Arena *arena, cJSON *rule, Severity severity)
{
    cJSON *configuration = json_put(rule, "defaultConfiguration", json_object());
    json_put_bool(configuration, "enabled", severity != SEV_OFF);
    json_put_text(arena, configuration, "level",
                  severity == SEV_OFF ? "none" : severity_text(severity));
}

static void put_properties(Arena *arena, cJSON *object, const ReportRule *rule)
{
    cJSON *properties = json_put(object, "properties", json_object());
    cJSON *tags = json_put(properties, "tags", json_array());
    if (rule->category != NULL) json_push_text(arena, tags, rule->category);
    json_push_text(arena, tags, "cuda");
    if (rule->cwe != 0) {
        json_push_text(arena, tags, arena_printf(arena, "external/cwe/cwe-%03d", rule->cwe));
    }
    if (rule->guideline != NULL) {
        json_push_text(arena, tags,
                       arena_printf(arena, "external/cuda-guidelines/%s", rule->guideline));
    }
    json_put_text(arena, properties, "precision", rule->precision);
    bool is_advice = rule->severity == SEV_NOTE || rule->severity == SEV_OFF;
    json_put_text(arena, properties, "problem.severity",
                  is_advice ? "recommendation" : severity_text(rule->severity));
}

static cJSON *rule_tree(Arena *arena, const ReportRule *rule)
{
    cJSON *object = json_object();
    json_put_text(arena, object, "id", rule->slug);
    // A name that is the id but for its case says nothing, and validators object to it.
    const char *name = camel_name(arena, rule->slug);
    if (strchr(rule->slug, '-') != NULL) json_put_text(arena, object, "name", name);
    const char *title = sarif_sentence(arena, rule->title != NULL ? rule->title : name);
    const char *opening = page_opening(arena, rule->page);
    const char *page = rule->page != NULL && rule->page[0] != '\0' ? rule->page : title;
    put_message(arena, object, "shortDescription", title);
    put_message(arena, object, "fullDescription",
                sarif_sentence(arena, opening != NULL ? opening : title));
    put_message(arena, object, "help", page);
    json_put_text(arena, cJSON_GetObjectItemCaseSensitive(object, "help"), "markdown", page);
    put_configuration(arena, object, rule->severity);
    put_properties(arena, object, rule);
    return object;
}

cJSON *sarif_rules(Sarif *sarif)
{
    cJSON *rules = json_array();
    for (uint32_t i = 0; i < sarif->report->rule_count; i++) {
        json_push(rules, rule_tree(sarif->arena, &sarif->report->rules[i]));
    }
    return rules;
}
