// SPDX-License-Identifier: MIT
// Replays a recording.
#include "read/story.h"

#include "base/idtable.h"

#include <string.h>

// Replay under way.
typedef struct {
    Arena *arena;
    Symbols *symbols;
    Story *story;
    IdTable by_call, by_handle; // lives
} Replay;

static const ApiResource *find_resource(const char *name)
{
    for (size_t i = 0; name != NULL && i < api_resource_count; i++) {
        if (strcmp(api_resources[i].name, name) == 0) return &api_resources[i];
    }
    return NULL;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// The recorder's, which stands between a library and its caller.
static bool is_wrapper(const char *path)
{
    return str_starts_with(file_name(path), "libcudaverify");
}

static bool is_tool_module(const char *path)
{
    const char *name = file_name(path);
    return str_starts_with(name, "libcupti.so") || str_starts_with(name, "libcuda.so") ||
           is_wrapper(path);
}

static const StackEntries *find_stack(const Recording *recording, const Record *record)
{
    if (record->stack == 0 || record->stack > recording->stacks.len) return NULL;
    return &recording->stacks.items[record->stack - 1];
}

static ModuleInfo find_module(const Recording *recording, uint32_t module)
{
    bool is_known = module >= 1 && module <= recording->modules.len;
    return is_known ? recording->modules.items[module - 1] : (ModuleInfo){.path = ""};
}

// All frames but those of tools and the driver, the runtime's included.
static FrameList outer_frames(Symbols *symbols, const Recording *recording, const Record *record)
{
    FrameList frames = {0};
    const StackEntries *stack = find_stack(recording, record);
    bool is_inner = true;
    for (uint32_t i = 0; stack != NULL && i < stack->len; i++) {
        ModuleInfo module = find_module(recording, stack->items[i].module);
        is_inner = is_inner && is_tool_module(module.path);
        if (!is_inner && !is_wrapper(module.path))
            symbols_frames(symbols, module.path, module.build_id, stack->items[i].offset, &frames);
    }
    return frames;
}

FrameList story_frames(Arena *arena, Symbols *symbols, const Recording *recording,
                       const Record *record)
{
    FrameList all = outer_frames(symbols, recording, record), own = {0};
    uint32_t first = 0;
    while (first < all.len &&
           (all.items[first].is_runtime ||
            (all.items[first].function != NULL && all.items[first].file == NULL &&
             strcmp(all.items[first].function, record->function) == 0)))
        first++;
    for (uint32_t i = first; i < all.len; i++) vec_push(arena, &own, all.items[i]);
    return own;
}

const Frame *frames_place(const FrameList *frames)
{
    for (uint32_t i = 0; i < frames->len; i++) {
        if (frames->items[i].file != NULL) return &frames->items[i];
    }
    return NULL;
}

// A driver call that the runtime made outside of any call of its own, when it loads kernels late, or that a
// library without debug information made; a library's use of another.
static bool is_internal(const Replay *replay, const Record *record)
{
    if (!record->is_driver && !record->is_library) return false;
    FrameList frames = outer_frames(replay->symbols, replay->story->recording, record);
    if (frames.len == 0) return false;
    // A library of the toolkit has a runtime of its own inside, without names.
    const Frame *caller = &frames.items[0];
    return caller->is_runtime || (caller->file == NULL && caller->is_library);
}

static const char *root_kind(const ApiResource *resource)
{
    while (resource->same_as != API_NONE) resource = &api_resources[resource->same_as];
    return resource->name;
}

// Are the two handles of one kind, so that both cannot be live?
static bool is_same_handle(const Life *life, const Record *record, const ApiResource *resource)
{
    if (life->acquired->handle != record->handle) return false;
    if (life->resource == NULL || resource == NULL) return life->resource == resource;
    if (life->resource->is_memory && resource->is_memory) return true;
    return strcmp(root_kind(life->resource), root_kind(resource)) == 0;
}

static void end_life(Life *life, Fate fate, const Record *ended)
{
    life->fate = fate;
    life->ended = ended;
}

// Live things that had this very handle are gone: it was handed out again.
static void replace(Replay *replay, const Record *record, const Life *by)
{
    uint32_t cursor = 0, id;
    if (by->resource != NULL && by->resource->is_counted) return;
    while (idtable_next(&replay->by_handle, hash_mix(1, record->handle), &cursor, &id)) {
        Life *other = &replay->story->lives.items[id];
        if (other->fate == FATE_LIVE && is_same_handle(other, record, by->resource))
            end_life(other, FATE_REPLACED, record);
    }
}

static void acquire(Replay *replay, const Record *record)
{
    Life life = {.acquired = record,
                 .resource = find_resource(record->resource),
                 .is_internal = is_internal(replay, record)};
    replace(replay, record, &life);
    uint32_t id = replay->story->lives.len;
    idtable_add(replay->arena, &replay->by_call, hash_mix(1, record->n), id);
    idtable_add(replay->arena, &replay->by_handle, hash_mix(1, record->handle), id);
    vec_push(replay->arena, &replay->story->lives, life);
}

// The error record of the same call, which follows at some distance when threads interleave.
static const Record *find_error(const Story *story, const Record *record)
{
    const Recording *recording = story->recording;
    uint32_t at = (uint32_t)(record - recording->records.items);
    for (uint32_t i = at + 1; i < recording->records.len; i++) {
        const Record *other = &recording->records.items[i];
        if (other->n == record->n && other->type == RECORD_ERROR) return other;
        // A call's records lie between its neighbours' of the same thread.
        if (other->tid == record->tid && other->n > record->n) return NULL;
    }
    return NULL;
}

// The life that call `n` began, with that handle if it began several; -1 when there is none.
static int64_t find_life(const Replay *replay, uint64_t n, uint64_t handle)
{
    int64_t found = -1;
    uint32_t cursor = 0, id;
    while (idtable_next(&replay->by_call, hash_mix(1, n), &cursor, &id)) {
        const Record *acquired = replay->story->lives.items[id].acquired;
        if (acquired->n == n && (found < 0 || acquired->handle == handle)) found = id;
    }
    return found;
}

// Of a counted kind, the reference that a release takes: the last that is there.
static int64_t find_reference(const Replay *replay, int64_t id)
{
    const Story *story = replay->story;
    if (id < 0) return id;
    const Life *named = &story->lives.items[id];
    if (named->fate == FATE_LIVE || named->resource == NULL || !named->resource->is_counted)
        return id;
    int64_t found = id;
    uint32_t cursor = 0, other;
    while (
        idtable_next(&replay->by_handle, hash_mix(1, named->acquired->handle), &cursor, &other)) {
        const Life *life = &story->lives.items[other];
        bool is_it =
            life->fate == FATE_LIVE && is_same_handle(life, named->acquired, named->resource);
        if (is_it && (found == id || other > found)) found = other;
    }
    return found;
}

static bool read_state(const char *state, MisuseKind *kind)
{
    static const struct {
        const char *state;
        MisuseKind kind;
    } states[] = {{"released", MISUSE_RELEASED_AGAIN}, {"wrong", MISUSE_WRONG_RELEASE},
                  {"inside", MISUSE_INSIDE},           {"borrowed", MISUSE_BORROWED},
                  {"unknown", MISUSE_UNKNOWN},         {"null", MISUSE_UNKNOWN}};
    for (size_t i = 0; state != NULL && i < sizeof states / sizeof *states; i++) {
        if (strcmp(states[i].state, state) != 0) continue;
        *kind = states[i].kind;
        return true;
    }
    return false;
}

// May the kind be released while work uses it? Most releases wait for the device.
static bool is_hazard(const Life *life)
{
    return life->resource != NULL && life->resource->is_stream_ordered;
}

// What nobody must release comes again by itself: the memory of a graph, at each launch.
static bool comes_again(const Life *life)
{
    return life != NULL && life->resource != NULL && !life->resource->must_release;
}

static void release(Replay *replay, const Record *record)
{
    Story *story = replay->story;
    const Record *error = find_error(story, record);
    Misuse misuse = {.record = record,
                     .life = find_reference(replay, find_life(replay, record->of, record->handle)),
                     .error = error != NULL ? error->code : 0};
    const Life *life = misuse.life >= 0 ? &story->lives.items[misuse.life] : NULL;
    if (read_state(record->state, &misuse.kind)) {
        if (!comes_again(life) && record->in == 0) vec_push(replay->arena, &story->misuses, misuse);
    } else if (record->pending.len != 0 && misuse.life >= 0 &&
               is_hazard(&story->lives.items[misuse.life])) {
        misuse.kind = MISUSE_IN_FLIGHT;
        vec_push(replay->arena, &story->misuses, misuse);
    }
    // After a fault nothing can be released any more: the program has done its part.
    bool is_lost = error != NULL && story_is_fault(error->code);
    bool takes = record->state != NULL &&
                 (strcmp(record->state, "live") == 0 || strcmp(record->state, "wrong") == 0);
    if ((error == NULL || is_lost) && takes && misuse.life >= 0)
        end_life(&story->lives.items[misuse.life], FATE_RELEASED, record);
}

static void reset(Replay *replay, const Record *record)
{
    for (uint32_t i = 0; i < replay->story->lives.len; i++) {
        Life *life = &replay->story->lives.items[i];
        if (life->fate != FATE_LIVE) continue;
        bool is_of_device = life->acquired->device == record->device || record->device < 0;
        if (is_of_device && life->resource != NULL && life->resource->released_by_reset)
            end_life(life, FATE_RESET, record);
    }
}

// Did the thread do anything recorded after this call?
static bool went_on(const Story *story, const Record *record)
{
    const Recording *recording = story->recording;
    uint32_t at = (uint32_t)(record - recording->records.items);
    for (uint32_t i = at + 1; i < recording->records.len; i++) {
        const Record *other = &recording->records.items[i];
        if (other->type == RECORD_CRASH) return false;
        if (other->type == RECORD_END || (other->tid == record->tid && other->n > record->n))
            return true;
    }
    return false;
}

static void use(Replay *replay, const Record *record)
{
    if (record->in != 0) return; // what a library does inside its calls is its own business
    for (uint32_t i = 0; i < record->stale.len; i++) {
        const Record *error = find_error(replay->story, record);
        Misuse misuse = {.kind = MISUSE_STALE,
                         .record = record,
                         .life = find_life(replay, record->stale.items[i], 0),
                         .error = error != NULL ? error->code : 0};
        const Life *life = misuse.life >= 0 ? &replay->story->lives.items[misuse.life] : NULL;
        if (comes_again(life)) continue;
        // A handle that works is a new one at an old address, made in a way that was not seen.
        bool is_handle = life != NULL && life->resource != NULL && !life->resource->is_memory;
        if (is_handle && error == NULL && went_on(replay->story, record)) continue;
        vec_push(replay->arena, &replay->story->misuses, misuse);
    }
}

static bool is_of_misuse(const Story *story, const Record *error)
{
    for (uint32_t i = 0; i < story->misuses.len; i++) {
        if (story->misuses.items[i].record->n == error->n) return true;
    }
    return false;
}

static void replay_record(Replay *replay, const Record *record)
{
    Story *story = replay->story;
    switch (record->type) {
    case RECORD_ACQUIRE:
        acquire(replay, record);
        break;
    case RECORD_RELEASE:
        release(replay, record);
        break;
    case RECORD_RESET:
        reset(replay, record);
        break;
    case RECORD_LAUNCH:
    case RECORD_USE:
        use(replay, record);
        break;
    case RECORD_ERROR:
        if (!is_of_misuse(story, record)) vec_push(replay->arena, &story->errors, record);
        break;
    case RECORD_INJECT:
        vec_push(replay->arena, &story->injected, record);
        break;
    case RECORD_CRASH:
        story->crash = record;
        break;
    case RECORD_UNSUPPORTED:
        story->unsupported = record;
        break;
    case RECORD_CALL:
    case RECORD_END:
        break;
    }
}

// What a library acquired for a handle that leaks, goes where that goes.
static void assign_to_handles(const Replay *replay)
{
    Story *story = replay->story;
    for (uint32_t i = 0; i < story->lives.len; i++) {
        Life *life = &story->lives.items[i];
        int64_t handle = life->acquired->in != 0 ? find_life(replay, life->acquired->in, 0) : -1;
        if (handle >= 0 && story->lives.items[handle].fate == FATE_LIVE) life->is_internal = true;
    }
}

Story story_tell(Arena *arena, Symbols *symbols, const Recording *recording)
{
    Story story = {.recording = recording};
    Replay replay = {.arena = arena, .symbols = symbols, .story = &story};
    for (uint32_t i = 0; i < recording->records.len; i++)
        replay_record(&replay, &recording->records.items[i]);
    assign_to_handles(&replay);
    return story;
}

bool story_is_fault(int64_t code)
{
    return code == 700 || (code >= 714 && code <= 719);
}

bool life_is_leak(const Life *life)
{
    if (life->fate != FATE_LIVE || life->is_internal) return false;
    return life->resource == NULL || life->resource->must_release;
}

const char *misuse_text(MisuseKind kind)
{
    switch (kind) {
    case MISUSE_RELEASED_AGAIN:
        return "released again";
    case MISUSE_WRONG_RELEASE:
        return "released by a function for another kind";
    case MISUSE_INSIDE:
        return "released by an address inside it";
    case MISUSE_BORROWED:
        return "released although it was only lent";
    case MISUSE_UNKNOWN:
        return "released but never acquired";
    case MISUSE_STALE:
        return "used after its release";
    case MISUSE_IN_FLIGHT:
        return "released while work that uses it was running";
    }
    return "";
}
