// SPDX-License-Identifier: MIT
// Unit tests of model/: the embedded data loads and says what it should, each kind of entry is
// read, each mistake is refused with its place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/embed.h"
#include "base/str.h"
#include "model/model.h"
#include "model/model_p.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int setup(void **state)
{
    *state = arena_new("test");
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static Model *load(Arena *arena, const char *text)
{
    Model *model = model_new_empty(arena);
    Err err = {.arena = arena};
    Status status = model_load_text(model, "m.yaml", text, strlen(text), &err);
    if (status != ST_OK) print_error("%s\n", err.message);
    assert_int_equal(status, ST_OK);
    return model;
}

static void assert_refused(Arena *arena, const char *text, const char *message)
{
    Model *model = model_new_empty(arena);
    Err err = {.arena = arena};
    assert_int_equal(model_load_text(model, "m.yaml", text, strlen(text), &err), ST_SYNTAX);
    if (strcmp(err.message, message) != 0)
        print_error("got: %s\nwanted: %s\n", err.message, message);
    assert_string_equal(err.message, message);
}

static const ModelEffect *effect_of(const ModelFunction *function, ModelEffectKind kind)
{
    assert_non_null(function);
    for (uint32_t i = 0; i < function->effects.len; i++) {
        if (function->effects.items[i].kind == kind) return &function->effects.items[i];
    }
    fail_msg("%s has no effect %s", function->name, model_effect_text(kind));
    return NULL;
}

static bool releases(const Model *model, const char *name, int args, const char *resource)
{
    const ModelEffect *effect = effect_of(model_find(model, name, args), MODEL_RELEASE);
    for (uint32_t i = 0; i < effect->resources.len; i++) {
        if (effect->resources.items[i] == model_resource_find(model, resource)) return true;
    }
    return false;
}

// ---- the embedded data --------------------------------------------------------------------------

static void every_embedded_file_loads(void **state)
{
    Model *model = model_new(*state);
    assert_true(embed_model_data_count >= 10);
    assert_true(model_function_count(model) > 1000);
    for (size_t i = 0; i < embed_model_data_count; i++) {
        bool is_used = false;
        for (uint32_t j = 0; j < model_function_count(model) && !is_used; j++)
            is_used = strcmp(model_function_at(model, j)->file, embed_model_data[i].path) == 0;
        if (!is_used) print_error("%s gives no function\n", embed_model_data[i].path);
        assert_true(is_used);
    }
}

// A name in two files would be two truths, of which the later silently won.
static void files_of_one_load_do_not_contradict(void **state)
{
    Arena *arena = *state;
    Err err = {.arena = arena};
    const char *text = "functions: {f: {}}";
    ModelSource sources[] = {{.name = "a.yaml", .text = text, .len = strlen(text)},
                             {.name = "b.yaml", .text = text, .len = strlen(text)}};
    assert_int_equal(model_load_sources(model_new_empty(arena), sources, 2, &err), ST_SYNTAX);
    assert_string_equal(err.message, "b.yaml:1:13: function 'f' has an entry already in a.yaml");
    Model *model = model_new_empty(arena);
    assert_int_equal(model_load_sources(model, &sources[0], 1, &err), ST_OK);
    assert_int_equal(model_load_sources(model, &sources[1], 1, &err), ST_OK);
    assert_string_equal(model_find(model, "f", 0)->file, "b.yaml");
    assert_int_equal(model_function_count(model), 1);
}

static bool is_acquired_somewhere(const Model *model, uint32_t resource)
{
    for (uint32_t i = 0; i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        for (uint32_t j = 0; j < function->effects.len; j++) {
            if (function->effects.items[j].resource == resource) return true;
        }
    }
    return false;
}

static bool is_released_by(const Model *model, uint32_t resource, const char *name)
{
    for (uint32_t i = 0; i < model_function_count(model); i++) {
        const ModelFunction *function = model_function_at(model, i);
        if (strcmp(function->name, name) != 0) continue;
        for (uint32_t j = 0; j < function->effects.len; j++) {
            const ModelEffect *effect = &function->effects.items[j];
            if (effect->kind == MODEL_DETACH && effect->resource == resource) return true;
            for (uint32_t k = 0; k < effect->resources.len; k++) {
                if (effect->resources.items[k] == resource) return true;
            }
        }
    }
    return false;
}

// What a message tells the reader to call does release the kind, and every kind comes from
// somewhere.
static void kinds_are_acquired_and_released(void **state)
{
    Model *model = model_new(*state);
    for (uint32_t i = 0; i < model_resource_count(model); i++) {
        const ModelResource *resource = model_resource(model, i);
        if (!is_acquired_somewhere(model, i)) print_error("%s is never acquired\n", resource->name);
        assert_true(is_acquired_somewhere(model, i));
        assert_true(resource->borrowed == (resource->release_hint == NULL));
        if (resource->borrowed || strncmp(resource->release_hint, "delete", 6) == 0) continue;
        if (!is_released_by(model, i, resource->release_hint))
            print_error("%s does not release %s\n", resource->release_hint, resource->name);
        assert_true(is_released_by(model, i, resource->release_hint));
    }
}

static void device_memory_is_modelled(void **state)
{
    Model *model = model_new(*state);
    const ModelFunction *alloc = model_find(model, "cudaMalloc", 2);
    assert_int_equal(alloc->result, MODEL_RESULT_STATUS);
    assert_true(alloc->null_on_failure);
    assert_int_equal(alloc->last_error, MODEL_LAST_ERROR_NONE);
    assert_int_equal(model_find(model, "cudaGetLastError", 0)->last_error, MODEL_LAST_ERROR_TAKE);
    const ModelEffect *acquire = effect_of(alloc, MODEL_ACQUIRE);
    assert_int_equal(acquire->slot.arg, 1);
    assert_true(acquire->slot.pointee);
    const ModelResource *memory = model_resource(model, acquire->resource);
    assert_string_equal(memory->title, "device memory");
    assert_string_equal(memory->release_hint, "cudaFree");
    assert_true(memory->must_release && memory->is_memory && memory->device_accessible);
    assert_true(memory->released_by_reset && !memory->host_accessible && !memory->borrowed);
    assert_true(model_find(model, "cudaFree", 1)->null_ok);
    assert_false(model_find(model, "cudaStreamDestroy", 1)->null_ok);
    assert_string_equal(effect_of(model_find(model, "cudaMalloc3D", 2), MODEL_ACQUIRE)->slot.field,
                        "ptr");
}

static void right_and_wrong_deallocators_differ(void **state)
{
    Model *model = model_new(*state);
    const char *freed[] = {"device_memory", "managed_memory", "pool_memory", "driver_memory"};
    for (size_t i = 0; i < sizeof freed / sizeof *freed; i++)
        assert_true(releases(model, "cudaFree", 1, freed[i]));
    const char *kept[] = {"pinned_memory", "host_memory", "ipc_memory", "array",
                          "host_registration"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_false(releases(model, "cudaFree", 1, kept[i]));
    assert_true(releases(model, "cuMemFree_v2", 1, "device_memory"));
    assert_true(releases(model, "cudaFreeAsync", 2, "pool_memory"));
    assert_false(releases(model, "cudaFreeAsync", 2, "managed_memory"));
    assert_true(releases(model, "cuStreamDestroy_v2", 1, "stream"));
    assert_true(releases(model, "cudaStreamDestroy", 1, "green_stream"));
    assert_false(releases(model, "free", 1, "new_memory"));
    assert_false(releases(model, "operator delete", 1, "new_array_memory"));
}

static void resets_take_what_the_documents_say(void **state)
{
    Model *model = model_new(*state);
    effect_of(model_find(model, "cudaDeviceReset", 0), MODEL_RELEASE_ALL);
    effect_of(model_find(model, "cuCtxDestroy_v2", 1), MODEL_RELEASE_ALL);
    const char *gone[] = {"device_memory", "pinned_memory", "stream", "event", "array", "module"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        assert_true(model_resource(model, model_resource_find(model, gone[i]))->released_by_reset);
    const char *left[] = {"pool_memory", "memory_pool", "host_memory", "physical_memory",
                          "green_stream"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        assert_false(model_resource(model, model_resource_find(model, left[i]))->released_by_reset);
}

static void work_names_its_stream(void **state)
{
    Model *model = model_new(*state);
    const ModelFunction *copy = model_find(model, "cudaMemcpyAsync", 5);
    assert_int_equal(copy->order, ORDER_COPY_ASYNC);
    assert_int_equal(copy->stream_arg, 5);
    assert_int_equal(effect_of(copy, MODEL_COPY)->from.arg, 2);
    assert_int_equal(model_find(model, "cudaMemcpy", 4)->stream_arg, MODEL_STREAM_DEFAULT);
    const ModelFunction *record = model_find(model, "cudaEventRecord", 2);
    assert_int_equal(record->event_arg, 1);
    assert_int_equal(record->stream_arg, 2);
    const ModelFunction *launch = model_find(model, "cudaLaunchKernelExC", 3);
    assert_int_equal(launch->stream_arg, 1);
    assert_string_equal(launch->stream_field, "stream");
    assert_int_equal(model_find(model, "cudaDeviceSynchronize", 0)->order, ORDER_SYNC_DEVICE);
    assert_int_equal(model_find(model, "cudaMallocAsync", 3)->stream_arg, 3);
    assert_int_equal(model_find(model, "cudaMallocAsync", 4)->stream_arg, 4);
}

// ---- finding ------------------------------------------------------------------------------------

static void versioned_names_are_the_plain_function(void **state)
{
    Model *model = model_new(*state);
    const ModelFunction *plain = model_find(model, "cudaMemcpyAsync", 5);
    assert_ptr_equal(model_find(model, "cudaMemcpyAsync_ptsz", 5), plain);
    assert_ptr_equal(model_find(model, "cuMemAlloc_v2", 2), model_find(model, "cuMemAlloc", 2));
    assert_ptr_equal(model_find(model, "cuMemcpyHtoDAsync_v2_ptsz", 4),
                     model_find(model, "cuMemcpyHtoDAsync", 4));
    assert_null(model_find(model, "cudaMemcpyAsync_v", 5));
    assert_null(model_find(model, "cudaMemcpyAsyncv2", 5));
    assert_null(model_find(model, "_v2", 1));
    assert_null(model_find(model, "", 1));
    assert_null(model_find(model, "mine::cudaMalloc", 2));
    assert_null(model_find(model, "mine::cudaMalloc_v2", 2));
}

static void own_entries_of_versioned_names_come_first(void **state)
{
    Model *model = load(*state, "functions:\n  f: {result: status}\n  f_v2: {result: pointer}\n");
    assert_int_equal(model_find(model, "f_v3", 0)->result, MODEL_RESULT_STATUS);
    assert_int_equal(model_find(model, "f_v2", 0)->result, MODEL_RESULT_POINTER);
}

static void inline_namespaces_of_std_are_std(void **state)
{
    Model *model = model_new(*state);
    const ModelFunction *clear = model_find(model, "std::list::clear", 0);
    assert_non_null(clear);
    assert_ptr_equal(model_find(model, "std::__cxx11::list::clear", 0), clear);
    assert_ptr_equal(model_find(model, "std::__1::list::clear", 0), clear);
    assert_null(model_find(model, "std::detail::list::clear", 0));
    assert_null(model_find(model, "std::__", 0));
    char name[300] = "std::__x::";
    memset(name + 10, 'a', 280);
    assert_null(model_find(model, name, 0));
}

static void variants_are_told_apart_by_their_arguments(void **state)
{
    Model *model = load(*state, "functions:\n"
                                "  f:\n"
                                "    - {args: 2, result: status}\n"
                                "    - {args: [3, 5], result: pointer}\n");
    assert_null(model_find(model, "f", 1));
    assert_int_equal(model_find(model, "f", 2)->result, MODEL_RESULT_STATUS);
    assert_int_equal(model_find(model, "f", 3)->result, MODEL_RESULT_POINTER);
    assert_int_equal(model_find(model, "f", 5)->result, MODEL_RESULT_POINTER);
    assert_null(model_find(model, "f", 6));
    assert_int_equal(model_function_count(model), 2);
}

static void many_names_are_found(void **state)
{
    Arena *arena = *state;
    Model *model = model_new_empty(arena);
    for (int i = 0; i < 3000; i++) {
        const char *text = arena_printf(arena, "functions: {name%d: {args: %d}}", i, i % 60);
        assert_int_equal(model_load_text(model, "m", text, strlen(text), NULL), ST_OK);
    }
    for (int i = 0; i < 3000; i++)
        assert_non_null(model_find(model, arena_printf(arena, "name%d", i), i % 60));
    assert_null(model_find(model, "name3000", 0));
}

// ---- reading ------------------------------------------------------------------------------------

static void slots_are_read(void **state)
{
    Model *model =
        load(*state, "functions:\n"
                     "  f: {reads: [0, 1, \"*2\", \"*3[]\", \"*4.a.b_1\", 5.ptr, this, this.x]}\n");
    const ModelFunction *f = model_find(model, "f", 9);
    assert_int_equal(f->effects.len, 8);
    const ModelEffect *e = f->effects.items;
    assert_true(e[0].slot.arg == 0 && !e[0].slot.pointee && e[0].slot.field == NULL);
    assert_true(e[1].slot.arg == 1 && !e[1].slot.pointee && !e[1].slot.elements);
    assert_true(e[2].slot.arg == 2 && e[2].slot.pointee && !e[2].slot.elements);
    assert_true(e[3].slot.arg == 3 && e[3].slot.pointee && e[3].slot.elements);
    assert_true(e[4].slot.arg == 4 && e[4].slot.pointee);
    assert_string_equal(e[4].slot.field, "a.b_1");
    assert_true(e[5].slot.arg == 5 && !e[5].slot.pointee);
    assert_string_equal(e[5].slot.field, "ptr");
    assert_int_equal(e[6].slot.arg, MODEL_SLOT_THIS);
    assert_string_equal(e[7].slot.field, "x");
}

static void every_key_is_read(void **state)
{
    Model *model = load(
        *state, "resources:\n"
                "  buf: {title: buffer, release: bye, memory: true, host: true, counted: true}\n"
                "  view: {title: view, borrowed: true}\n"
                "functions:\n"
                "  \"f, g\":\n"
                "    result: status\n"
                "    acquires: {\"*1\": buf}\n"
                "    releases: {2: [buf]}\n"
                "    borrows: {\"*3\": {kind: view, owner: 4}, \"*5\": view}\n"
                "    attaches: {6: buf}\n"
                "    detaches: {7: buf}\n"
                "    copies: {\"*8\": \"*9\"}\n"
                "    writes: 10\n"
                "    writes_out: \"*11\"\n"
                "    keeps: 12\n"
                "    clears: this\n"
                "    drops: this\n"
                "    size_of: this\n"
                "    empty_of: this\n"
                "    grows: this\n"
                "    reserves: this\n"
                "    replaces: this\n"
                "    exchanges: this\n"
                "    elements: 15\n"
                "    mapped: 0\n"
                "    release_all: true\n"
                "    null_ok: true\n"
                "    null_on_failure: true\n"
                "    on_success: true\n"
                "    order: enqueue\n"
                "    stream: 13\n"
                "    event: 14\n"
                "    since: 11.2\n"
                "    until: 12.9\n"
                "    note: a word\n");
    const ModelFunction *f = model_find(model, "g", 14);
    for (int kind = MODEL_ACQUIRE; kind <= MODEL_EXCHANGE; kind++)
        effect_of(f, (ModelEffectKind)kind);
    assert_string_equal(f->name, "g");
    assert_string_equal(model_find(model, "f", 14)->name, "f");
    assert_int_equal(effect_of(f, MODEL_BORROW)->owner.arg, 4);
    assert_true(effect_of(f, MODEL_RELEASE)->on_success);
    assert_true(effect_of(f, MODEL_DETACH)->on_success);
    assert_true(f->null_ok && f->null_on_failure);
    assert_int_equal(f->order, ORDER_ENQUEUE);
    assert_int_equal(f->stream_arg, 13);
    assert_int_equal(f->event_arg, 14);
    assert_int_equal(f->elements_arg, 15);
    assert_int_equal(f->since, 11020);
    assert_int_equal(f->until, 12090);
    assert_string_equal(f->note, "a word");
    assert_string_equal(f->file, "m.yaml");
    assert_int_equal(f->line, 6);
    // The stream and the event are used without saying so.
    assert_int_equal(effect_of(f, MODEL_USE_READ)->slot.arg, 13);
    const ModelResource *buf = model_resource(model, model_resource_find(model, "buf"));
    assert_true(buf->must_release && buf->is_memory && buf->host_accessible && buf->is_counted);
    assert_false(model_resource(model, model_resource_find(model, "view"))->must_release);
}

// However the keys are ordered: a keep after the acquisition, an acquisition after the release.
static void effects_come_in_their_order(void **state)
{
    Model *model =
        load(*state, "resources: {r: {title: t}}\n"
                     "functions: {f: {keeps: \"*1\", acquires: {\"*1\": r}, releases: {1: r}, "
                     "stream: 2}}\n");
    const ModelFunction *f = model_find(model, "f", 2);
    const ModelEffectKind wanted[] = {MODEL_USE_READ, MODEL_RELEASE, MODEL_ACQUIRE, MODEL_KEEP};
    assert_int_equal(f->effects.len, 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(f->effects.items[i].kind, wanted[i]);
}

static void kinds_can_be_as_another(void **state)
{
    Arena *arena = *state;
    Model *model =
        load(arena, "resources:\n"
                    "  b: {as: a, release: free_b, reset: false}\n"
                    "  a: {title: thing, release: free_a, memory: true, reset: true}\n"
                    "functions: {free_a: {releases: {1: a}}, free_b: {releases: {1: b}}}\n");
    uint32_t a = model_resource_find(model, "a"), b = model_resource_find(model, "b");
    assert_string_equal(model_resource(model, b)->title, "thing");
    assert_string_equal(model_resource(model, b)->release_hint, "free_b");
    assert_true(model_resource(model, b)->is_memory &&
                !model_resource(model, b)->released_by_reset);
    assert_int_equal(model_resource(model, b)->same_as, a);
    assert_int_equal(model_resource(model, a)->same_as, UINT32_MAX);
    assert_true(releases(model, "free_a", 1, "b"));
    assert_false(releases(model, "free_b", 1, "a"));
    // Functions that were there before learn of it too.
    const char *later = "resources: {c: {as: b, title: other}}";
    assert_int_equal(model_load_text(model, "n.yaml", later, strlen(later), NULL), ST_OK);
    assert_true(releases(model, "free_a", 1, "c"));
    assert_int_equal(model_resource(model, model_resource_find(model, "c"))->same_as, a);
}

static void a_project_adds_and_replaces(void **state)
{
    Arena *arena = *state;
    Model *model = model_new(arena);
    uint32_t before = model_function_count(model);
    uint64_t fingerprint = model_fingerprint(model);
    const char *text = "functions:\n"
                       "  gpuAlloc: {result: pointer, acquires: {0: device_memory}}\n"
                       "  cudaMallocAsync: {result: status}\n";
    assert_int_equal(model_load_text(model, "mine.yaml", text, strlen(text), NULL), ST_OK);
    // Two variants went, one came, and one is new.
    assert_int_equal(model_function_count(model), before);
    assert_int_equal(model_find(model, "cudaMallocAsync", 3)->effects.len, 0);
    assert_int_equal(effect_of(model_find(model, "gpuAlloc", 1), MODEL_ACQUIRE)->slot.arg, 0);
    assert_true(model_fingerprint(model) != fingerprint);
    assert_true(model_fingerprint(model_new(arena)) == fingerprint);
}

static void model_files_are_read(void **state)
{
    Arena *arena = *state;
    Model *model = model_new_empty(arena);
    Err err = {.arena = arena};
    assert_int_equal(model_load_file(model, "/nonexistent/model.yaml", &err), ST_NOT_FOUND);
    for (size_t i = 0; i < embed_model_data_count; i++) {
        if (strcmp(embed_model_data[i].path, "host.yaml") != 0) continue;
        const char *path = CUDALINT_SOURCE_DIR "/checker/model/data/host.yaml";
        assert_int_equal(model_load_file(model, path, &err), ST_OK);
        assert_string_equal(model_find(model, "malloc", 1)->file, path);
    }
    assert_non_null(model_find(model, "free", 1));
}

// The page explains every word, and its first example is a model that works.
static void the_page_is_true(void **state)
{
    Arena *arena = *state;
    FILE *file = fopen(CUDALINT_SOURCE_DIR "/docs/models.md", "rb");
    assert_non_null(file);
    char *page = arena_alloc(arena, 1 << 20);
    assert_true(fread(page, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    for (int kind = MODEL_ACQUIRE; kind <= MODEL_EXCHANGE; kind++) {
        const char *word = arena_printf(arena, "`%s`", model_effect_text((ModelEffectKind)kind));
        if (strstr(page, word) == NULL) fail_msg("docs/models.md does not explain %s", word);
    }
    for (int order = ORDER_NONE; order <= ORDER_COLLECTIVE; order++) {
        const char *word = arena_printf(arena, "`%s`", model_order_text((ModelOrder)order));
        if (strstr(page, word) == NULL) fail_msg("docs/models.md does not explain %s", word);
    }
    const char *start = strstr(page, "```yaml\n") + 8;
    const char *text = arena_strndup(arena, start, (size_t)(strstr(start, "```") - start));
    Model *model = load(arena, text);
    assert_int_equal(effect_of(model_find(model, "poolTryAlloc", 2), MODEL_ACQUIRE)->slot.arg, 1);
    assert_true(releases(model, "poolFree", 1, "pool_block"));
    assert_non_null(model_find(model, "Pool::take", 1));
}

static void functions_belong_to_libraries(void **state)
{
    Arena *arena = *state;
    const Model *model = load(arena, "libraries:\n"
                                     "  pool: {out_of_memory: 3, invalid_handle: 1}\n"
                                     "  poolLt: {out_of_memory: 4, invalid_handle: 2}\n");
    assert_int_equal(model_library_of(model, "poolCreate")->out_of_memory, 3);
    assert_int_equal(model_library_of(model, "poolLtCreate")->invalid_handle, 2);
    assert_null(model_library_of(model, "swimmingpool"));
    const Model *embedded = model_new(arena);
    assert_int_equal(model_library_of(embedded, "cublasLtCreate")->out_of_memory, 3);
    assert_null(model_library_of(embedded, "cudaMalloc"));
    assert_null(model_library_of(embedded, "cuMemAlloc"));
}

// ---- mistakes -----------------------------------------------------------------------------------

static void mistakes_in_libraries_are_refused(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, "libraries: {pool: 1}", "m.yaml:1:19: library 'pool' must be a mapping");
    assert_refused(arena, "libraries: {pool: {status: 1}}",
                   "m.yaml:1:20: unknown key 'status' of a library");
    assert_refused(arena, "libraries: {pool: {out_of_memory: 1}}",
                   "m.yaml:1:19: library 'pool' wants out_of_memory and invalid_handle, which are "
                   "not 0");
}

static void mistakes_in_the_frame_are_refused(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, "[1]", "m.yaml:1:1: a model must be a mapping");
    assert_refused(
        arena, "function: {}",
        "m.yaml:1:1: unknown section 'function': write resources, functions or libraries");
    assert_refused(arena, "functions: [f]", "m.yaml:1:12: functions must be a mapping");
    assert_refused(arena, "functions: {f: 1}",
                   "m.yaml:1:16: a function must be a mapping, or a list of them");
    assert_refused(arena, "functions: {f: []}", "m.yaml:1:16: a list of variants may not be empty");
    assert_refused(arena, "functions: {f: [1]}",
                   "m.yaml:1:17: a function must be a mapping, or a list of them");
    assert_refused(arena, "functions: {\"f, \": {}}", "m.yaml:1:13: a function's name is empty");
    assert_refused(arena, "functions: {\"f, g\": {}, g: {}}",
                   "m.yaml:1:25: function 'g' has an entry already in m.yaml");
    assert_refused(arena, "functions: {\"f,f\": {}}",
                   "m.yaml:1:13: function 'f' has an entry already in m.yaml");
    assert_refused(arena, "functions: {f: {frees: 1}}",
                   "m.yaml:1:17: unknown key 'frees' of a function");
}

static void mistakes_in_resources_are_refused(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, "resources: {r: x}", "m.yaml:1:16: resource 'r' must be a mapping");
    assert_refused(arena, "resources: {r: {}}", "m.yaml:1:13: resource 'r' has no title");
    assert_refused(arena, "resources: {r: {title: }}", "m.yaml:1:24: title must be a text");
    assert_refused(arena, "resources: {r: {title: t, memory: yes}}",
                   "m.yaml:1:35: memory must be true or false");
    assert_refused(arena, "resources: {r: {title: t, colour: red}}",
                   "m.yaml:1:27: unknown key 'colour' of a resource");
    assert_refused(arena, "resources: {r: {title: t, borrowed: true, must_release: true}}",
                   "m.yaml:1:13: resource 'r' is borrowed: nobody must release it");
    assert_refused(arena, "resources: {r: {as: q}}", "m.yaml:1:21: as must name a known resource");
    assert_refused(arena, "resources: {r: {as: [q]}}",
                   "m.yaml:1:21: as must name a known resource");
}

static void mistakes_in_slots_are_refused(void **state)
{
    Arena *arena = *state;
    const char *bad[] = {"x",     "-1",   "1*",  "**1", "*",    "1[]",    "*1[",   "*1.",  "*1..a",
                         "*1.a.", "*1.9", "*1 ", "65",  "that", "this[]", "thisx", "1.a-b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = arena_printf(arena, "functions: {f: {reads: \"%s\"}}", bad[i]);
        const char *message = arena_printf(
            arena, "m.yaml:1:24: '%s' is no slot: write 0, N, N.field, *N, *N[], *N.field or this",
            bad[i]);
        assert_refused(arena, text, message);
    }
    assert_refused(
        arena, "functions: {f: {reads: {1: 2}}}",
        "m.yaml:1:24: '...' is no slot: write 0, N, N.field, *N, *N[], *N.field or this");
    assert_refused(arena, "functions: {f: {reads: []}}",
                   "m.yaml:1:24: reads needs at least one slot");
    assert_refused(arena, "functions: {f: {args: 1, reads: 2}}",
                   "m.yaml:1:16: a slot names argument 2, but there are at most 1");
}

#define KINDS "resources: {r: {title: t}, v: {title: t, borrowed: true}}\nfunctions: "

static void mistakes_in_effects_are_refused(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, KINDS "{f: {acquires: 1}}",
                   "m.yaml:2:27: acquires must be a mapping of slots");
    assert_refused(arena, KINDS "{f: {acquires: {}}}",
                   "m.yaml:2:27: acquires must be a mapping of slots");
    assert_refused(arena, KINDS "{f: {acquires: {1: q}}}", "m.yaml:2:31: unknown resource 'q'");
    assert_refused(arena, KINDS "{f: {acquires: {1: [r]}}}",
                   "m.yaml:2:31: a resource kind must be a name");
    assert_refused(arena, KINDS "{f: {acquires: {1: v}}}",
                   "m.yaml:2:31: resource 'v' is borrowed: it cannot be acquired");
    assert_refused(arena, KINDS "{f: {releases: {1: []}}}",
                   "m.yaml:2:31: releases needs at least one resource");
    assert_refused(arena, KINDS "{f: {releases: {1: [r, q]}}}",
                   "m.yaml:2:35: unknown resource 'q'");
    assert_refused(arena, KINDS "{f: {borrows: {1: r}}}",
                   "m.yaml:2:30: resource 'r' is not borrowed");
    assert_refused(arena, KINDS "{f: {borrows: {1: {owner: 2}}}}",
                   "m.yaml:2:30: borrows needs a kind");
    assert_refused(arena, KINDS "{f: {borrows: {1: {kind: v, of: 2}}}}",
                   "m.yaml:2:40: unknown key 'of' of borrows");
    assert_refused(arena, KINDS "{f: {release_all: 1}}",
                   "m.yaml:2:30: release_all must be true or false");
}

static void mistakes_in_functions_are_refused(void **state)
{
    Arena *arena = *state;
    assert_refused(arena, "functions: {f: {result: maybe}}",
                   "m.yaml:1:25: result must be status, pointer or other");
    assert_refused(arena, "functions: {f: {result: [status]}}",
                   "m.yaml:1:25: result must be status, pointer or other");
    assert_refused(arena, "functions: {f: {args: x}}", "m.yaml:1:23: args must be an integer");
    assert_refused(arena, "functions: {f: {args: -1}}",
                   "m.yaml:1:23: args must be between 0 and 64");
    assert_refused(arena, "functions: {f: {args: [1]}}",
                   "m.yaml:1:23: args must be a number or [least, most]");
    assert_refused(arena, "functions: {f: {args: [2, 1]}}",
                   "m.yaml:1:23: args: the least is more than the most");
    assert_refused(arena, "functions: {f: {order: soon}}", "m.yaml:1:24: unknown order 'soon'");
    assert_refused(arena, "functions: {f: {last_error: yes}}",
                   "m.yaml:1:29: last_error must be peek or take");
    assert_refused(arena, "functions: {f: {stream: 0}}",
                   "m.yaml:1:25: stream must be default, N or *N.field");
    assert_refused(arena, "functions: {f: {stream: \"*1\"}}",
                   "m.yaml:1:25: stream must be default, N or *N.field");
    assert_refused(arena, "functions: {f: {stream: 1.s}}",
                   "m.yaml:1:25: stream must be default, N or *N.field");
    assert_refused(arena, "functions: {f: {event: x}}", "m.yaml:1:24: event must be an integer");
    const char *bad[] = {"11", "11.", ".2", "x", "11.20", "1111.1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_refused(arena, arena_printf(arena, "functions: {f: {since: %s}}", bad[i]),
                       "m.yaml:1:24: since must be a toolkit version such as 11.2");
    }
    assert_refused(arena, "functions: {f: {note: [a]}}", "m.yaml:1:23: note must be a text");
    assert_refused(arena, "functions: {f: {null_ok: 1}}",
                   "m.yaml:1:26: null_ok must be true or false");
}

static void tell(void *context, const char *text)
{
    strbuf_printf(context, "%s\n", text);
}

static void entries_without_effect_are_told(void **state)
{
    Arena *arena = *state;
    const char *text = "resources:\n"
                       "  a: {title: a, release: freeA}\n"
                       "  b: {title: b, release: freeB}\n"
                       "  c: {title: c}\n"
                       "  d: {as: device_memory, release: cudaFree}\n"
                       "functions:\n"
                       "  makeA: {result: pointer, acquires: {0: a}}\n"
                       "  freeA: {releases: {1: a}}\n"
                       "  makeB: {result: pointer, acquires: {0: b}}\n"
                       "  freeB: {releases: {1: a}}\n"
                       "  makeD: {result: pointer, acquires: {0: d}}\n";
    Err err = {.arena = arena};
    Model *model = model_new(arena);
    assert_int_equal(model_load_text(model, "m.yaml", text, strlen(text), &err), ST_OK);
    StrBuf told = {.arena = arena};
    model_check_project(model, tell, &told);
    assert_string_equal(
        strbuf_text(&told),
        "m.yaml:3:3: 'b' is to be released by 'freeB', but no entry of that name releases it\n"
        "m.yaml:4:3: no function acquires 'c'\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_embedded_file_loads),
        TEST(files_of_one_load_do_not_contradict),
        TEST(kinds_are_acquired_and_released),
        TEST(device_memory_is_modelled),
        TEST(right_and_wrong_deallocators_differ),
        TEST(resets_take_what_the_documents_say),
        TEST(work_names_its_stream),
        TEST(versioned_names_are_the_plain_function),
        TEST(own_entries_of_versioned_names_come_first),
        TEST(inline_namespaces_of_std_are_std),
        TEST(variants_are_told_apart_by_their_arguments),
        TEST(many_names_are_found),
        TEST(slots_are_read),
        TEST(every_key_is_read),
        TEST(effects_come_in_their_order),
        TEST(kinds_can_be_as_another),
        TEST(a_project_adds_and_replaces),
        TEST(model_files_are_read),
        TEST(the_page_is_true),
        TEST(entries_without_effect_are_told),
        TEST(functions_belong_to_libraries),
        TEST(mistakes_in_libraries_are_refused),
        TEST(mistakes_in_the_frame_are_refused),
        TEST(mistakes_in_resources_are_refused),
        TEST(mistakes_in_slots_are_refused),
        TEST(mistakes_in_effects_are_refused),
        TEST(mistakes_in_functions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
