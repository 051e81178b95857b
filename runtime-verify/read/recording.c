// SPDX-License-Identifier: MIT
// Reads records. Outside input: every value is checked for its type before it is used.
#include "read/recording.h"

#include "base/source.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// Numbers of modules and stacks come in order; gaps may stay small.
#define NUMBER_LIMIT (1u << 24)

typedef struct {
    Arena *arena;
    StrPool *strings;
    Recording *recording;
} Reader;

static int64_t number_of(const cJSON *object, const char *key, int64_t otherwise)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(value) || !(value->valuedouble > -9e15 && value->valuedouble < 9e15))
        return otherwise;
    return (int64_t)value->valuedouble;
}

static const char *text_of(const Reader *reader, const cJSON *object, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(value) ? str_intern(reader->strings, value->valuestring) : NULL;
}

// A handle or address, written as a hexadecimal text.
static bool address_of(const cJSON *object, const char *key, uint64_t *address)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    *address = cJSON_IsString(value) ? strtoull(value->valuestring, NULL, 16) : 0;
    return cJSON_IsString(value);
}

static void read_numbers(const Reader *reader, const cJSON *object, const char *key,
                         NumberList *list)
{
    const cJSON *element;
    cJSON_ArrayForEach(element, cJSON_GetObjectItemCaseSensitive(object, key))
    {
        bool is_number =
            cJSON_IsNumber(element) && element->valuedouble >= 0 && element->valuedouble < 9e15;
        if (is_number) vec_push(reader->arena, list, (uint64_t)element->valuedouble);
    }
}

static void read_pending(const Reader *reader, const cJSON *object, Record *record)
{
    const cJSON *element;
    cJSON_ArrayForEach(element, cJSON_GetObjectItemCaseSensitive(object, "pending"))
    {
        PendingWork work = {.n = (uint64_t)number_of(element, "n", 0),
                            .later = (uint64_t)number_of(element, "later", 0)};
        address_of(element, "stream", &work.stream);
        vec_push(reader->arena, &record->pending, work);
    }
}

static void read_busy(const Reader *reader, const cJSON *object, Record *record)
{
    const cJSON *element;
    cJSON_ArrayForEach(element, cJSON_GetObjectItemCaseSensitive(object, "busy"))
    {
        BusyStream stream = {.n = (uint64_t)number_of(element, "n", 0)};
        address_of(element, "stream", &stream.stream);
        vec_push(reader->arena, &record->busy, stream);
    }
}

static void read_record(const Reader *reader, const cJSON *object, RecordType type)
{
    const char *api = text_of(reader, object, "api"), *event = text_of(reader, object, "event");
    Record record = {.type = type,
                     .n = (uint64_t)number_of(object, "n", 0),
                     .k = (uint64_t)number_of(object, "k", 0),
                     .of = (uint64_t)number_of(object, "of", 0),
                     .in = (uint64_t)number_of(object, "in", 0),
                     .us = number_of(object, "us", 0),
                     .tid = number_of(object, "tid", 0),
                     .code = number_of(object, "code", 0),
                     .bytes = (uint64_t)number_of(object, "bytes", 0),
                     .device = (int)number_of(object, "dev", -1),
                     .stack = (uint32_t)number_of(object, "stack", 0),
                     .function = text_of(reader, object, "fn"),
                     .resource = text_of(reader, object, "res"),
                     .state = text_of(reader, object, "state"),
                     .kernel = text_of(reader, object, "kernel"),
                     .is_driver = api != NULL && strcmp(api, "driver") == 0,
                     .is_library = api != NULL && strcmp(api, "library") == 0,
                     .names_unrecorded_event = event != NULL && strcmp(event, "unrecorded") == 0};
    address_of(object, "h", &record.handle);
    record.has_stream = address_of(object, "stream", &record.stream);
    if (record.function == NULL) record.function = "";
    read_pending(reader, object, &record);
    read_busy(reader, object, &record);
    read_numbers(reader, object, "uses", &record.uses);
    read_numbers(reader, object, "unordered", &record.unordered);
    read_numbers(reader, object, "stale", &record.stale);
    vec_push(reader->arena, &reader->recording->records, record);
    if (type == RECORD_END) reader->recording->has_end = true;
}

static void read_start(const Reader *reader, const cJSON *object)
{
    Recording *recording = reader->recording;
    recording->by = text_of(reader, object, "by");
    recording->time = text_of(reader, object, "time");
    recording->pid = number_of(object, "pid", 0);
    recording->driver = number_of(object, "driver", 0);
    const cJSON *argument;
    cJSON_ArrayForEach(argument, cJSON_GetObjectItemCaseSensitive(object, "program"))
    {
        if (!cJSON_IsString(argument)) continue;
        vec_push(reader->arena, &recording->program,
                 str_intern(reader->strings, argument->valuestring));
    }
}

static void read_device(const Reader *reader, const cJSON *object)
{
    DeviceInfo device = {.number = (int)number_of(object, "dev", -1),
                         .name = text_of(reader, object, "name"),
                         .bytes = (uint64_t)number_of(object, "bytes", 0)};
    vec_push(reader->arena, &reader->recording->devices, device);
}

static void read_module(const Reader *reader, const cJSON *object)
{
    Recording *recording = reader->recording;
    int64_t id = number_of(object, "id", 0);
    ModuleInfo module = {.path = text_of(reader, object, "path"),
                         .build_id = text_of(reader, object, "build_id")};
    if (id < 1 || id > NUMBER_LIMIT) return;
    if (module.path == NULL) module.path = "";
    while (recording->modules.len < id)
        vec_push(reader->arena, &recording->modules, (ModuleInfo){.path = ""});
    recording->modules.items[id - 1] = module;
}

static void read_stack(const Reader *reader, const cJSON *object)
{
    Recording *recording = reader->recording;
    int64_t id = number_of(object, "id", 0);
    if (id < 1 || id > NUMBER_LIMIT) return;
    while (recording->stacks.len < id)
        vec_push(reader->arena, &recording->stacks, (StackEntries){0});
    StackEntries entries = {0};
    const cJSON *pair;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItemCaseSensitive(object, "pcs"))
    {
        const cJSON *module = cJSON_GetArrayItem(pair, 0), *offset = cJSON_GetArrayItem(pair, 1);
        if (!cJSON_IsNumber(module) || !cJSON_IsNumber(offset)) continue;
        bool is_sane = module->valuedouble >= 1 && module->valuedouble <= NUMBER_LIMIT &&
                       offset->valuedouble >= 0 && offset->valuedouble < 9e15;
        if (!is_sane) continue;
        StackEntry entry = {(uint32_t)module->valuedouble, (uint64_t)offset->valuedouble};
        vec_push(reader->arena, &entries, entry);
    }
    recording->stacks.items[id - 1] = entries;
}

static bool read_type(const char *text, RecordType *type)
{
    static const char *const types[] = {
        [RECORD_ACQUIRE] = "acquire", [RECORD_RELEASE] = "release",
        [RECORD_RESET] = "reset",     [RECORD_LAUNCH] = "launch",
        [RECORD_USE] = "use",         [RECORD_ERROR] = "error",
        [RECORD_INJECT] = "inject",   [RECORD_CALL] = "call",
        [RECORD_CRASH] = "crash",     [RECORD_UNSUPPORTED] = "unsupported",
        [RECORD_END] = "end"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i], text) != 0) continue;
        *type = (RecordType)i;
        return true;
    }
    return false;
}

// Reads one line; types that are not known are passed over.
static void read_line(const Reader *reader, const char *line, size_t len)
{
    cJSON *object = cJSON_ParseWithLength(line, len);
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "t");
    const char *text = cJSON_IsString(name) ? name->valuestring : NULL;
    RecordType type;
    if (text == NULL)
        reader->recording->unreadable++;
    else if (strcmp(text, "start") == 0)
        read_start(reader, object);
    else if (strcmp(text, "device") == 0)
        read_device(reader, object);
    else if (strcmp(text, "module") == 0)
        read_module(reader, object);
    else if (strcmp(text, "stack") == 0)
        read_stack(reader, object);
    else if (read_type(text, &type))
        read_record(reader, object, type);
    cJSON_Delete(object);
}

void recording_parse(Arena *arena, StrPool *strings, const char *text, size_t len,
                     Recording *recording)
{
    *recording = (Recording){0};
    Reader reader = {arena, strings, recording};
    const char *end = text + len;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) return; // cut off by a kill
        read_line(&reader, text, (size_t)(newline - text));
        text = newline + 1;
    }
}

static int compare_pids(const void *a, const void *b)
{
    const Recording *x = a, *y = b;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

Status recording_read_folder(Arena *arena, StrPool *strings, const char *folder,
                             RecordingList *list, Err *err)
{
    *list = (RecordingList){0};
    DIR *dir = opendir(folder);
    if (dir == NULL) return err_set(err, ST_NOT_FOUND, "cannot read the folder '%s'", folder);
    SourceCache *files = source_cache_new(arena);
    Status status = ST_OK;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (!str_ends_with(entry->d_name, ".jsonl")) continue;
        const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
        const SourceFile *file = source_file(files, path);
        Recording recording;
        if (file == NULL) {
            status = err_set(err, ST_IO, "the records in '%s' cannot be read", path);
            continue;
        }
        recording_parse(arena, strings, file->text, file->len, &recording);
        vec_push(arena, list, recording);
    }
    closedir(dir);
    if (list->len != 0) qsort(list->items, list->len, sizeof *list->items, compare_pids);
    return status;
}
