// SPDX-License-Identifier: MIT
// Whole-engine tests: runs the engine on functions in the IR's text form with a model of a made-up
// library, and compares what it tells with the events wanted, one a line: kind, name, line.
// Included by test_engine*.c.
#ifndef CUDALINT_TESTS_ENGINE_EXPECT_H
#define CUDALINT_TESTS_ENGINE_EXPECT_H

#include "base/err.h"
#include "engine/engine.h"
#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char model_text[] =
    "resources:\n"
    "  thing: {title: thing, release: drop, memory: true}\n"
    "  gadget: {title: gadget, release: drop_gadget}\n"
    "  alias: {title: alias, borrowed: true, memory: true}\n"
    "  heap: {title: heap, release: heap_free, memory: true, must_release: false}\n"
    "  pin: {title: pin, release: unpin}\n"
    "  shared: {title: shared memory, release: drop_shared, memory: true, host: true, device: "
    "true}\n"
    "  pool: {title: pool memory, release: drop_later, memory: true, device: true, "
    "stream_ordered: true}\n"
    "  board: {title: board memory, release: drop_board, memory: true, device: true}\n"
    "  stream: {title: stream, release: drop_stream}\n"
    "  event: {title: event, release: drop_event}\n"
    "  capture: {title: capture, release: capture_end, defers: true}\n"
    "functions:\n"
    "  make: {result: status, acquires: {\"*1\": thing}}\n"
    "  create: {result: pointer, acquires: {0: thing}}\n"
    "  drop: {result: status, releases: {1: [thing]}, null_ok: true}\n"
    "  drop_gadget: {result: status, releases: {1: [gadget]}}\n"
    "  lend: {result: status, borrows: {\"*1\": alias}}\n"
    "  try_make: {result: status, acquires: {\"*1\": thing}, null_on_failure: true}\n"
    "  heap_new: {result: pointer, acquires: {0: heap}, unset: true}\n"
    "  heap_free: {releases: {1: [heap]}, null_ok: true}\n"
    "  heap_resize: {result: pointer, releases: {1: [heap]}, acquires: {0: heap}, on_success: "
    "true, null_ok: true}\n"
    "  pin: {result: status, attaches: {1: pin}}\n"
    "  unpin: {result: status, detaches: {1: pin}}\n"
    "  use: {result: status, reads: 1}\n"
    "  finish: {result: status}\n"
    "  make_shared: {result: status, acquires: {\"*1\": shared}}\n"
    "  drop_shared: {result: status, releases: {1: [shared, pool]}, order: may-sync}\n"
    "  make_pool: {result: status, acquires: {\"*1\": pool}, order: enqueue, stream: 2}\n"
    "  drop_later: {result: status, releases: {1: [pool]}, order: enqueue, stream: 2}\n"
    "  make_stream: {result: status, acquires: {\"*1\": stream}, nonblocking: 2}\n"
    "  drop_stream: {result: status, releases: {1: [stream]}}\n"
    "  make_event: {result: status, acquires: {\"*1\": event}}\n"
    "  drop_event: {result: status, releases: {1: [event]}}\n"
    "  sync_all: {result: status, order: sync-device}\n"
    "  sync_stream: {result: status, order: sync-stream, stream: 1}\n"
    "  sync_event: {result: status, order: sync-event, event: 1}\n"
    "  ask_stream: {result: status, order: query-stream, stream: 1, not_ready: 600}\n"
    "  mark_event: {result: status, order: record-event, event: 1, stream: 2}\n"
    "  wait: {result: status, order: wait-event, stream: 1, event: 2}\n"
    "  elapsed: {result: status, reads: [1, 2], order: needs-event}\n"
    "  copy: {result: status, writes: 1, reads: 2, order: copy, stream: default, direction: 3}\n"
    "  copy_later: {result: status, writes: 1, reads: 2, order: copy-async, stream: 3}\n"
    "  capture_begin: {result: status, attaches: {1: capture}}\n"
    "  capture_end: {result: status, detaches: {1: capture}}\n"
    "  make_board: {result: status, bytes: 2, acquires: {\"*1\": board}}\n"
    "  drop_board: {result: status, releases: {1: [board]}}\n"
    "  transfer: {result: status, writes: 1, reads: 2, bytes: 3, direction: 4, order: copy, "
    "stream: default}\n"
    "  poke: {writes: 1, order: host}\n"
    "  \"vec::size, std::vec::size\": {size_of: this}\n"
    "  \"std::vec::resize\": {grows: this, elements: 1}\n"
    "  \"std::vec::reserve\": {grows: this, reserves: this, elements: 1}\n"
    "  \"std::vec::take\": {replaces: this}\n"
    "  \"std::vec::swap\": {exchanges: [this, \"*1\"]}\n";

static const char callees[] =
    "unit \"t.cu\"\n"
    "record Node { buf: void*; next: Node*; on: int }\n"
    "callee make(void**) -> int [system extern_c nothrow]\n"
    "callee try_make(void**) -> int [system extern_c nothrow]\n"
    "callee create() -> void* [system extern_c nothrow]\n"
    "callee drop(void*) -> int [system extern_c nothrow]\n"
    "callee drop_gadget(void*) -> int [system extern_c nothrow]\n"
    "callee lend(void**) -> int [system extern_c nothrow]\n"
    "callee heap_new(u64) -> void* [system extern_c nothrow]\n"
    "callee heap_resize(void*, u64) -> void* [system extern_c nothrow]\n"
    "callee heap_free(void*) [system extern_c nothrow]\n"
    "callee pin(void*) -> int [system extern_c nothrow]\n"
    "callee unpin(void*) -> int [system extern_c nothrow]\n"
    "callee use(const void*) -> int [system extern_c nothrow]\n"
    "callee finish() -> int [system extern_c nothrow]\n"
    "callee make_shared(void**) -> int [system extern_c nothrow]\n"
    "callee drop_shared(void*) -> int [system extern_c nothrow]\n"
    "callee make_pool(void**, void*) -> int [system extern_c nothrow]\n"
    "callee drop_later(void*, void*) -> int [system extern_c nothrow]\n"
    "callee make_stream(void**, int) -> int [system extern_c nothrow]\n"
    "callee drop_stream(void*) -> int [system extern_c nothrow]\n"
    "callee make_event(void**) -> int [system extern_c nothrow]\n"
    "callee drop_event(void*) -> int [system extern_c nothrow]\n"
    "callee sync_all() -> int [system extern_c nothrow]\n"
    "callee sync_stream(void*) -> int [system extern_c nothrow]\n"
    "callee sync_event(void*) -> int [system extern_c nothrow]\n"
    "callee ask_stream(void*) -> int [system extern_c nothrow]\n"
    "callee mark_event(void*, void*) -> int [system extern_c nothrow]\n"
    "callee wait(void*, void*) -> int [system extern_c nothrow]\n"
    "callee elapsed(void*, void*) -> int [system extern_c nothrow]\n"
    "callee copy(void*, const void*, int) -> int [system extern_c nothrow]\n"
    "callee copy_later(void*, const void*, void*) -> int [system extern_c nothrow]\n"
    "callee capture_begin(void*) -> int [system extern_c nothrow]\n"
    "callee capture_end(void*) -> int [system extern_c nothrow]\n"
    "callee make_board(void**, u64) -> int [system extern_c nothrow]\n"
    "callee drop_board(void*) -> int [system extern_c nothrow]\n"
    "callee transfer(void*, const void*, u64, int) -> int [system extern_c nothrow]\n"
    "callee poke(void*) [system extern_c nothrow]\n"
    "callee scan(const int*) [kernel]\n"
    "callee change(int*) [kernel]\n"
    "callee print(const char*) [system extern_c nothrow]\n"
    "callee exit(int) [system extern_c nothrow noreturn]\n"
    "callee unknown(void*)\n"
    "callee fill(void**) -> int\n"
    "callee look(const void*) -> int\n"
    "callee risky() -> int\n";

typedef struct {
    Arena *arena;
    StrBuf lines;
    EngineStats stats;
    EngineBudget budget;
} Run;

static const char *kind_word(const Event *event)
{
    switch (event->kind) {
    case EV_LEAK_AT_EXIT:
        return event->exit == EXIT_THROW   ? "leak-at-throw"
               : event->exit == EXIT_SCOPE ? "leak-at-scope"
                                           : "leak-at-exit";
    case EV_OVERWRITE:
        return event->in_loop ? "overwrite-in-loop" : "overwrite";
    case EV_DOUBLE_RELEASE:
        return "double-release";
    case EV_USE_AFTER_RELEASE:
        return "use-after-release";
    case EV_WRONG_RELEASE:
        return "wrong-release";
    case EV_OFFSET_RELEASE:
        return "offset-release";
    case EV_UNINITIALIZED_RELEASE:
        return "uninitialized-release";
    case EV_LEFT_UNSET:
        return "left-unset";
    case EV_BORROWED_RELEASE:
        return "borrowed-release";
    case EV_RELEASE_IN_FLIGHT:
        return event->driver_waits ? "release-trusted" : "release-in-flight";
    case EV_HOST_ACCESS_IN_FLIGHT:
        return event->access_writes ? "write-in-flight" : "read-in-flight";
    case EV_BUFFER_REUSED:
        return "buffer-reused";
    case EV_BUFFER_ENDS:
        return "buffer-ends";
    case EV_STREAM_ORDER:
        return "stream-order";
    case EV_EVENT_NOT_READY:
        return "event-not-ready";
    case EV_EVENT_UNRECORDED:
        return "event-unrecorded";
    case EV_ERROR_LOST:
        return "error-lost";
    case EV_BAD_ARGUMENT:
        return "bad-argument";
    case EV_HOST_DEREF:
        return event->access_writes ? "host-writes" : "host-reads";
    case EV_COPY_DIRECTION:
        return event->access_writes ? "copied-to" : "copied-from";
    case EV_BEYOND_BLOCK:
        return "beyond-block";
    case EV_SIZE_OF_POINTER:
        return "size-of-pointer";
    case EV_MEMBER_LEAK:
        return "member-leak";
    case EV_DANGLING:
        return "dangling";
    case EV_COPYABLE_OWNER:
        return "copyable-owner";
    case EV_OWNER_TO_KERNEL:
        return "owner-to-kernel";
    case EV_COUNT:
        break;
    }
    return "?";
}

static void on_event(void *context, const IrFunction *fn, const Event *event,
                     const FindingStep *steps, uint32_t count)
{
    Run *run = context;
    (void)fn;
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) assert_non_null(steps[i].text);
    strbuf_printf(&run->lines, "%s %s @%u\n", kind_word(event), event->name, event->loc.line);
}

static void on_budget(void *context, const IrFunction *fn, const char *why)
{
    Run *run = context;
    assert_non_null(why);
    strbuf_printf(&run->lines, "budget %s\n", fn->name);
}

static void run_engine(Run *run, const char *functions)
{
    Err err = {.arena = run->arena};
    IrUnit *unit;
    Model *model = model_new_empty(run->arena);
    if (model_load_text(model, "test.yaml", model_text, strlen(model_text), &err) != ST_OK)
        fail_msg("%s", err.message);
    const char *text = arena_printf(run->arena, "%s%s", callees, functions);
    if (ir_parse(run->arena, text, &unit, &err) != ST_OK) fail_msg("%s", err.message);
    for (uint32_t i = 0; i < unit->functions.len; i++)
        if (ir_check(unit, unit->functions.items[i], &err) != ST_OK) fail_msg("%s", err.message);
    EngineInput input = {.unit = unit, .model = model, .budget = run->budget};
    EngineSink sink = {.on_event = on_event, .on_budget = on_budget, .context = run};
    engine_run(&input, &sink, &run->stats);
}

// Runs the engine over the functions and compares its events.
static inline void expect(const char *functions, const char *wanted)
{
    Arena *arena = arena_new("test");
    Run run = {.arena = arena, .lines = {.arena = arena}, .budget = engine_budget_default()};
    run_engine(&run, functions);
    assert_string_equal(strbuf_text(&run.lines), wanted);
    arena_free(arena);
}

#endif
