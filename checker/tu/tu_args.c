// SPDX-License-Identifier: MIT
// Translates the command lines of nvcc, clang and g++. Only what changes what the preprocessor sees
// is kept: every other option would make the precompiled header unusable, and none changes which
// resource is freed where.
#include "tu/tu_args_p.h"

#include "base/path.h"
#include "base/str.h"
#include "tu/tu_response_p.h"

#include <stdlib.h>
#include <unistd.h>

typedef enum { FORM_NONE, FORM_VALUE, FORM_GLUED } FlagForm;
typedef enum { DIALECT_ANY, DIALECT_NVCC, DIALECT_IF_NVCC } FlagDialect;
typedef enum {
    ACT_DROP,
    ACT_INCLUDE_DIR,
    ACT_SYSTEM_DIR,
    ACT_QUOTE_DIR,
    ACT_AFTER_DIR,
    ACT_INCLUDE_FILE,
    ACT_DEFINE,
    ACT_UNDEFINE,
    ACT_STANDARD,
    ACT_LANGUAGE,
    ACT_HOST_OPTIONS,
    ACT_RESPONSE_FILE,
    ACT_DEFAULT_STREAM,
    ACT_RDC,
    ACT_EWP,
    ACT_DEVICE_DEBUG,
} FlagAction;

typedef struct {
    const char *spelling;
    FlagForm form;
    FlagAction action;
    FlagDialect dialect;
} Flag;

static const Flag FLAGS[] = {
#define TU_FLAG(spelling, form, action, dialect) {spelling, form, action, dialect},
#include "tu/tu_flags.def"
#undef TU_FLAG
};

enum { MAX_DEPTH = 16 }; // of response files within response files

typedef struct {
    Arena *arena;
    TuArgs *out;
    Err *err;
    const TuCommand *command;
    TuUnknownOption *on_unknown; // or NULL
    void *context;
    const char *working; // the working folder, when the command's is another
    bool is_nvcc;        // lists are split at commas
    int depth;
    // Of -Xcompiler, translated last: an option and its argument may come in two of them.
    Words host_words;
} Translation;

static Status translate_all(Translation *run, const char *const *args, uint32_t count);

// Finds the option `arg` is a use of, the longest spelling first; `value` is its glued argument or
// NULL.
static const Flag *find_flag(const char *arg, bool is_nvcc, const char **value)
{
    const Flag *best = NULL;
    size_t best_len = 0;
    for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) {
        const Flag *flag = &FLAGS[i];
        size_t len = strlen(flag->spelling);
        if (len < best_len || strncmp(arg, flag->spelling, len) != 0) continue;
        if (flag->dialect == DIALECT_IF_NVCC && !is_nvcc) continue;
        char next = arg[len];
        bool fits =
            next == '\0' || (next == '=' && flag->form != FORM_NONE) || flag->form == FORM_GLUED;
        if (!fits) continue;
        best = flag;
        best_len = len;
        *value = next == '\0' ? NULL : arg + len + (next == '=' ? 1 : 0);
    }
    return best;
}

static bool any_nvcc_option(const char *const *args, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *value;
        const Flag *flag = find_flag(args[i], false, &value);
        if (flag != NULL && flag->dialect == DIALECT_NVCC) return true;
    }
    return false;
}

// ---- the kept options ---------------------------------------------------------------------------

// How clang is told about each kept option.
static const struct {
    const char *option;
    bool is_pair, is_dir;
} KEPT[] = {
    [ACT_INCLUDE_DIR] = {"-I", false, true},        [ACT_SYSTEM_DIR] = {"-isystem", true, true},
    [ACT_QUOTE_DIR] = {"-iquote", true, true},      [ACT_AFTER_DIR] = {"-idirafter", true, true},
    [ACT_INCLUDE_FILE] = {"-include", true, false}, [ACT_DEFINE] = {"-D", false, false},
    [ACT_UNDEFINE] = {"-U", false, false},
};

// As seen from the working folder.
static const char *place(const Translation *run, const char *path)
{
    if (run->command->directory == NULL || path[0] == '\0') return path;
    return path_short(run->arena, run->working,
                      path_join(run->arena, run->command->directory, path));
}

static bool is_toolkit(Arena *arena, const char *dir)
{
    return access(path_join(arena, dir, "cuda_runtime_api.h"), F_OK) == 0;
}

static void keep_one(Translation *run, FlagAction action, const char *value)
{
    TuArgs *out = run->out;
    if (KEPT[action].is_dir) {
        value = place(run, value);
        if (is_toolkit(run->arena, value)) {
            vec_push(run->arena, &out->toolkit_dirs, value);
            return;
        }
        vec_push(run->arena, &out->include_dirs, value);
    }
    // A name that is not there is looked for in the include folders.
    if (action == ACT_INCLUDE_FILE && access(place(run, value), F_OK) == 0)
        value = place(run, value);
    if (action == ACT_DEFINE && str_starts_with(value, "CUDA_API_PER_THREAD_DEFAULT_STREAM"))
        out->per_thread_stream = true;
    if (KEPT[action].is_pair) {
        vec_push(run->arena, &out->flags, KEPT[action].option);
        vec_push(run->arena, &out->flags, value);
    } else {
        vec_push(run->arena, &out->flags,
                 arena_printf(run->arena, "%s%s", KEPT[action].option, value));
    }
}

// nvcc splits these at commas.
static void keep_list(Translation *run, FlagAction action, const char *value)
{
    if (!run->is_nvcc) {
        keep_one(run, action, value);
        return;
    }
    Words parts = tu_split_list(run->arena, value);
    for (uint32_t i = 0; i < parts.len; i++) keep_one(run, action, parts.items[i]);
}

// ---- options with a value of their own ----------------------------------------------------------

typedef struct {
    const char *suffix; // after "c++" or "c"
    const char *parsed; // what clang is told
} StandardName;

// The preamble needs variadic templates, so C++98 code is read as C++11.
static const StandardName CXX_STANDARDS[] = {
    {"98", "11"}, {"03", "11"}, {"0x", "11"}, {"11", "11"}, {"1y", "14"},
    {"14", "14"}, {"1z", "17"}, {"17", "17"}, {"2a", "20"}, {"20", "20"},
    {"2b", "23"}, {"23", "23"}, {"2c", "23"}, {"26", "23"},
};
static const StandardName C_STANDARDS[] = {
    {"89", "89"}, {"90", "89"}, {"99", "99"}, {"9x", "99"}, {"11", "11"},
    {"1x", "11"}, {"17", "17"}, {"18", "17"}, {"2x", "23"}, {"23", "23"},
};

static const char *standard_lookup(const StandardName *names, size_t count, const char *suffix)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].suffix, suffix) == 0) return names[i].parsed;
    return NULL;
}

static Status set_standard(Translation *run, const char *value)
{
    const char *base = str_starts_with(value, "gnu") ? "gnu" : "c";
    bool is_named = str_starts_with(value, base);
    const char *rest = is_named ? value + strlen(base) : "";
    bool is_cxx = str_starts_with(rest, "++");
    const char *number =
        is_cxx
            ? standard_lookup(CXX_STANDARDS, sizeof CXX_STANDARDS / sizeof *CXX_STANDARDS, rest + 2)
            : standard_lookup(C_STANDARDS, sizeof C_STANDARDS / sizeof *C_STANDARDS, rest);
    if (number == NULL) return err_set(run->err, ST_USAGE, "unknown language standard '%s'", value);
    const char *spelled = arena_printf(run->arena, "%s%s%s", base, is_cxx ? "++" : "", number);
    if (is_cxx)
        run->out->cxx_standard = spelled;
    else
        run->out->c_standard = spelled;
    return ST_OK;
}

static Status set_language(Translation *run, const char *value)
{
    static const char *const CUDA_NAMES[] = {"cu", "cuda", "c++", "c++-header", "cuda-cpp-output",
                                             "hip"};
    for (size_t i = 0; i < sizeof CUDA_NAMES / sizeof *CUDA_NAMES; i++) {
        if (strcmp(value, CUDA_NAMES[i]) != 0) continue;
        run->out->language = TU_LANG_CUDA;
        return ST_OK;
    }
    if (strcmp(value, "c") == 0 || strcmp(value, "c-header") == 0)
        run->out->language = TU_LANG_C;
    else if (strcmp(value, "none") == 0)
        run->out->language = TU_LANG_BY_NAME;
    else
        return err_set(run->err, ST_USAGE, "cannot analyse language '%s' (-x)", value);
    return ST_OK;
}

static Status set_default_stream(Translation *run, const char *value)
{
    if (strcmp(value, "per-thread") == 0) {
        keep_one(run, ACT_DEFINE, "CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        return ST_OK;
    }
    if (strcmp(value, "legacy") == 0 || strcmp(value, "null") == 0) return ST_OK;
    return err_set(run->err, ST_USAGE, "unknown default stream '%s': legacy, null or per-thread",
                   value);
}

static Status read_response_file(Translation *run, const char *named)
{
    const char *path = place(run, named);
    if (run->depth == MAX_DEPTH)
        return err_set(run->err, ST_USAGE, "response file '%s': nested more than %d deep", path,
                       MAX_DEPTH);
    Words words;
    Status status = tu_read_response_file(run->arena, path, &words, run->err);
    if (status != ST_OK) return status;
    run->depth++;
    run->is_nvcc = run->is_nvcc || any_nvcc_option(words.items, words.len);
    status = translate_all(run, words.items, words.len);
    run->depth--;
    return status == ST_OK ? ST_OK : err_context(run->err, status, "response file '%s'", path);
}

static Status read_response_files(Translation *run, const char *list)
{
    Words paths = tu_split_list(run->arena, list);
    Status status = ST_OK;
    for (uint32_t i = 0; i < paths.len && status == ST_OK; i++)
        status = read_response_file(run, paths.items[i]);
    return status;
}

// nvcc puts each item on the host compiler's command line, where a shell splits it once more.
static void keep_host_words(Translation *run, const char *list)
{
    Words items = tu_split_list(run->arena, list);
    for (uint32_t i = 0; i < items.len; i++) {
        Words words = words_split(run->arena, items.items[i], WORDS_SHELL);
        for (uint32_t k = 0; k < words.len; k++)
            vec_push(run->arena, &run->host_words, words.items[k]);
    }
}

static Status apply(Translation *run, const Flag *flag, const char *value)
{
    switch (flag->action) {
    case ACT_DROP:
        return ST_OK;
    case ACT_INCLUDE_DIR:
    case ACT_SYSTEM_DIR:
    case ACT_QUOTE_DIR:
    case ACT_AFTER_DIR:
    case ACT_INCLUDE_FILE:
    case ACT_DEFINE:
    case ACT_UNDEFINE:
        keep_list(run, flag->action, value);
        return ST_OK;
    case ACT_STANDARD:
        return set_standard(run, value);
    case ACT_LANGUAGE:
        return set_language(run, value);
    case ACT_HOST_OPTIONS:
        keep_host_words(run, value);
        return ST_OK;
    case ACT_RESPONSE_FILE:
        return read_response_files(run, value);
    case ACT_DEFAULT_STREAM:
        return set_default_stream(run, value);
    case ACT_RDC:
        if (value == NULL || strcmp(value, "true") == 0)
            keep_one(run, ACT_DEFINE, "__CUDACC_RDC__");
        return ST_OK;
    case ACT_EWP:
        keep_one(run, ACT_DEFINE, "__CUDACC_EWP__");
        return ST_OK;
    case ACT_DEVICE_DEBUG:
        keep_one(run, ACT_DEFINE, "__CUDACC_DEBUG__");
        return ST_OK;
    }
    return ST_OK;
}

static Status translate_all(Translation *run, const char *const *args, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        Status status = ST_OK;
        const char *value = NULL;
        if (args[i][0] == '@' && args[i][1] != '\0') {
            status = read_response_file(run, args[i] + 1);
            if (status != ST_OK) return status;
            continue;
        }
        if (args[i][0] != '-') continue; // an input file: what to analyse is said elsewhere
        const Flag *flag = find_flag(args[i], run->is_nvcc, &value);
        if (flag == NULL) {
            if (run->on_unknown != NULL) run->on_unknown(run->context, args[i]);
            continue;
        }
        if (flag->form != FORM_NONE && value == NULL) {
            if (i + 1 == count && flag->action == ACT_DROP) return ST_OK;
            if (i + 1 == count)
                return err_set(run->err, ST_USAGE, "compiler option '%s' lacks its argument",
                               args[i]);
            value = args[++i];
        }
        status = apply(run, flag, value);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

// What nvcc reads before or after its own arguments.
static Status translate_environment(Translation *run, const char *variable)
{
    const char *text = run->is_nvcc ? getenv(variable) : NULL;
    if (text == NULL) return ST_OK;
    Words words = words_split(run->arena, text, WORDS_RESPONSE);
    Status status = translate_all(run, words.items, words.len);
    return status == ST_OK ? ST_OK : err_context(run->err, status, "%s", variable);
}

Status tu_args_translate(Arena *arena, const TuCommand *command, TuUnknownOption *on_unknown,
                         void *context, const TuArgs **args, Err *err)
{
    TuArgs *out = ARENA_NEW(arena, TuArgs);
    *out = (TuArgs){.cxx_standard = "gnu++17", .c_standard = "gnu17", .language = TU_LANG_BY_NAME};
    Translation run = {
        .arena = arena,
        .out = out,
        .err = err,
        .command = command,
        .on_unknown = on_unknown,
        .context = context,
        .working = command->directory != NULL ? path_working(arena) : NULL,
        .is_nvcc = command->is_nvcc || any_nvcc_option(command->args, command->count) ||
                   (command->added != NULL &&
                    any_nvcc_option(command->added->args, command->added->count)),
    };
    Status status = translate_environment(&run, "NVCC_PREPEND_FLAGS");
    if (status == ST_OK) status = translate_all(&run, command->args, command->count);
    if (status == ST_OK && command->added != NULL) {
        run.command = command->added;
        run.working = path_working(arena);
        status = translate_all(&run, command->added->args, command->added->count);
        run.command = command;
    }
    if (status == ST_OK) status = translate_environment(&run, "NVCC_APPEND_FLAGS");
    Words host = run.host_words;
    run.host_words = (Words){0};
    run.is_nvcc = false; // those are the host compiler's: no lists
    if (status == ST_OK) status = translate_all(&run, host.items, host.len);
    *args = out;
    return status;
}

bool tu_args_equal(const TuArgs *a, const TuArgs *b)
{
    bool is_equal = a->language == b->language && a->flags.len == b->flags.len &&
                    a->toolkit_dirs.len == b->toolkit_dirs.len &&
                    strcmp(a->cxx_standard, b->cxx_standard) == 0 &&
                    strcmp(a->c_standard, b->c_standard) == 0;
    for (uint32_t i = 0; i < a->flags.len && is_equal; i++)
        is_equal = strcmp(a->flags.items[i], b->flags.items[i]) == 0;
    for (uint32_t i = 0; i < a->toolkit_dirs.len && is_equal; i++)
        is_equal = strcmp(a->toolkit_dirs.items[i], b->toolkit_dirs.items[i]) == 0;
    return is_equal;
}

bool tu_args_name_cuda(const TuArgs *args)
{
    return args->language == TU_LANG_CUDA;
}

bool tu_args_is_host(const TuArgs *args, const char *file)
{
    static const char *const SUFFIXES[] = {".cpp", ".cc", ".cxx", ".c++"};
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof *SUFFIXES; i++)
        if (str_ends_with(file, SUFFIXES[i])) return args->language == TU_LANG_BY_NAME;
    return false;
}

bool tu_args_is_c(const TuArgs *args, const char *file)
{
    if (args->language != TU_LANG_BY_NAME) return args->language == TU_LANG_C;
    return str_ends_with(file, ".c");
}
