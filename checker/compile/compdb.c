// SPDX-License-Identifier: MIT
// Reads compile_commands.json. Input: JSON of whatever tool wrote it; output: commands sorted by
// file, or what is wrong and where. Compilers may be behind launchers (ccache, env): only what
// follows the compiler's own name counts.
#include "compile/compdb.h"

#include "base/file.h"
#include "base/path.h"
#include "base/str.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATABASE "compile_commands.json"

enum { MOST_BYTES = 1 << 30 };

typedef struct {
    Arena *arena;
    const char *folder; // absolute, of the database
    CompileDb *db;
    Err *err;
} Reader;

// ---- one entry ----------------------------------------------------------------------------------

static Status entry_error(Reader *reader, uint32_t number, const char *what)
{
    return err_set(reader->err, ST_SYNTAX, "%s: entry %u: %s", reader->db->path,
                   (unsigned)number + 1, what);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Drops the compiler and what launches it: everything before the first option.
static void take_compiler(CompileCommand *command)
{
    uint32_t first = 0;
    if (command->args.len == 0) return; // "command": ""
    while (first < command->args.len && command->args.items[first][0] != '-' &&
           command->args.items[first][0] != '@') {
        const char *name = base_name(command->args.items[first]);
        command->is_nvcc |= strcmp(name, "nvcc") == 0 || str_starts_with(name, "nvcc.") ||
                            str_starts_with(name, "nvcc-");
        first++;
    }
    command->args.items += first;
    command->args.len -= first;
    command->args.cap = command->args.len;
}

static Status read_arguments(Reader *reader, const cJSON *entry, CompileCommand *command)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, "arguments");
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(entry, "command");
    if (list == NULL && line == NULL)
        return entry_error(reader, command->number, "lacks \"arguments\" and \"command\"");
    if (list == NULL) {
        if (!cJSON_IsString(line))
            return entry_error(reader, command->number, "\"command\" must be a text");
        command->args = words_split(reader->arena, line->valuestring, WORDS_SHELL);
        return ST_OK;
    }
    if (!cJSON_IsArray(list))
        return entry_error(reader, command->number, "\"arguments\" must be a list of texts");
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsString(item))
            return entry_error(reader, command->number, "\"arguments\" must be a list of texts");
        const char *word = arena_strdup(reader->arena, item->valuestring);
        vec_push(reader->arena, &command->args, word);
    }
    return ST_OK;
}

static Status read_entry(Reader *reader, const cJSON *entry, uint32_t number)
{
    CompileCommand command = {.number = number};
    if (!cJSON_IsObject(entry)) return entry_error(reader, number, "must be an object");
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(entry, "file");
    const cJSON *directory = cJSON_GetObjectItemCaseSensitive(entry, "directory");
    if (!cJSON_IsString(file) || file->valuestring[0] == '\0')
        return entry_error(reader, number, "\"file\" must be a text");
    if (directory != NULL && !cJSON_IsString(directory))
        return entry_error(reader, number, "\"directory\" must be a text");
    command.directory = directory != NULL
                            ? path_plain(reader->arena, reader->folder, directory->valuestring)
                            : reader->folder;
    command.file = path_plain(reader->arena, command.directory, file->valuestring);
    Status status = read_arguments(reader, entry, &command);
    if (status != ST_OK) return status;
    take_compiler(&command);
    vec_push(reader->arena, &reader->db->commands, command);
    return ST_OK;
}

// ---- the file -----------------------------------------------------------------------------------

static int compare_commands(const void *a, const void *b)
{
    const CompileCommand *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order != 0) return order;
    return x->number < y->number ? -1 : x->number > y->number;
}

// cJSON says at which byte it gave up.
static Status syntax_error(Reader *reader, const char *text, size_t len, const char *at)
{
    uint32_t line = 1, column = 1;
    for (const char *c = text; c < text + len && c < at; c++) {
        if (*c == '\n')
            line++, column = 1;
        else
            column++;
    }
    return err_set(reader->err, ST_SYNTAX, "%s:%u:%u: not JSON", reader->db->path, (unsigned)line,
                   (unsigned)column);
}

static Status read_entries(Reader *reader, const cJSON *root)
{
    if (!cJSON_IsArray(root))
        return err_set(reader->err, ST_SYNTAX, "%s: must be a list of commands", reader->db->path);
    uint32_t number = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, root)
    {
        Status status = read_entry(reader, entry, number++);
        if (status != ST_OK) return status;
    }
    if (reader->db->commands.len != 0)
        qsort(reader->db->commands.items, reader->db->commands.len, sizeof(CompileCommand),
              compare_commands);
    return ST_OK;
}

Status compile_db_parse(Arena *arena, const char *path, const char *text, size_t len,
                        CompileDb **db, Err *err)
{
    *db = ARENA_NEW(arena, CompileDb);
    (*db)->path = path;
    const char *working = path_working(arena);
    Reader reader = {.arena = arena, .db = *db, .err = err};
    reader.folder = path_plain(arena, working, path_parent(arena, path));
    const char *at = text;
    cJSON *root = cJSON_ParseWithLengthOpts(text, len, &at, false);
    if (root == NULL) return syntax_error(&reader, text, len, at != NULL ? at : text);
    while (at < text + len && strchr(" \t\r\n", *at) != NULL && *at != '\0') at++;
    Status status =
        at < text + len ? syntax_error(&reader, text, len, at) : read_entries(&reader, root);
    cJSON_Delete(root);
    return status;
}

Status compile_db_load(Arena *arena, const char *path, CompileDb **db, Err *err)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) path = path_join(arena, path, DATABASE);
    char *text = NULL;
    size_t len = 0;
    // The text is needed while the commands are made, and they are copies.
    Arena *work = arena_new("compile database");
    Status status = file_read(work, path, MOST_BYTES, &text, &len, err);
    if (status == ST_OK) status = compile_db_parse(arena, path, text, len, db, err);
    arena_free(work);
    return status;
}

const char *compile_db_find(Arena *arena, const char *folder)
{
    const char *working = path_working(arena);
    const char *at = path_plain(arena, working, folder);
    for (;;) {
        static const char *const places[] = {DATABASE, "build/" DATABASE};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const char *path = path_join(arena, at, places[i]);
            if (access(path, F_OK) == 0) return path_short(arena, working, path);
        }
        if (at[0] != '/' || strcmp(at, "/") == 0) return NULL;
        at = path_parent(arena, at);
    }
}

// ---- asking -------------------------------------------------------------------------------------

static CompileCommands find_plain(const CompileDb *db, const char *file)
{
    uint32_t low = 0, high = db->commands.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(db->commands.items[middle].file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    CompileCommands found = {0};
    if (low == db->commands.len) return found;
    found.items = db->commands.items + low;
    while (low + found.len < db->commands.len &&
           strcmp(db->commands.items[low + found.len].file, file) == 0)
        found.len++;
    return found;
}

// The same file under another name, in a database that names it through links.
static CompileCommands find_linked(Arena *arena, const CompileDb *db, const char *real)
{
    const char *name = base_name(real);
    for (uint32_t i = 0; i < db->commands.len; i++) {
        const char *file = db->commands.items[i].file;
        if (strcmp(base_name(file), name) != 0) continue;
        const char *meant = path_real(arena, file);
        if (meant != NULL && strcmp(meant, real) == 0) return find_plain(db, file);
    }
    return (CompileCommands){0};
}

CompileCommands compile_db_commands(Arena *arena, const CompileDb *db, const char *file)
{
    CompileCommands found = find_plain(db, path_plain(arena, path_working(arena), file));
    if (found.len != 0) return found;
    const char *real = path_real(arena, file);
    if (real == NULL) return found;
    found = find_plain(db, real);
    return found.len != 0 ? found : find_linked(arena, db, real);
}

static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
}

static bool is_namesake(const char *a, const char *b)
{
    a = base_name(a);
    b = base_name(b);
    return stem_length(a) == stem_length(b) && strncmp(a, b, stem_length(a)) == 0;
}

// How many folders both paths go through.
static uint32_t shared_folders(const char *a, const char *b)
{
    uint32_t count = 0;
    for (; *a != '\0' && *a == *b; a++, b++) count += *a == '/' ? 1 : 0;
    return count;
}

static bool is_header(const char *file)
{
    static const char *const suffixes[] = {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (str_ends_with(file, suffixes[i])) return true;
    return false;
}

const CompileCommand *compile_db_nearest(Arena *arena, const CompileDb *db, const char *file)
{
    const char *plain = path_plain(arena, path_working(arena), file);
    const char *folder = path_parent(arena, plain);
    const CompileCommand *best = NULL;
    uint32_t best_score = 0;
    for (uint32_t i = 0; i < db->commands.len; i++) {
        const CompileCommand *command = &db->commands.items[i];
        bool is_same_name = is_namesake(plain, command->file);
        const char *below = path_below(folder, command->file);
        bool is_neighbour = below != NULL && strchr(below, '/') == NULL;
        if (!is_same_name && !is_neighbour && !is_header(plain)) continue;
        uint32_t score = 2 * shared_folders(plain, command->file);
        if (is_same_name) score += 1000;
        if (str_ends_with(command->file, ".cu")) score += 1;
        if (best != NULL && score <= best_score) continue;
        best = command;
        best_score = score;
    }
    return best;
}
