// SPDX-License-Identifier: MIT
// The engine on what functions make of a status, and on memory that moves with what is in it.
#include "engine_expect.h"

// The caller of `map`: what it returns is 0 when the resource is there.
#define CALLER                                                                                     \
    "func f(n: int) -> int {\n  var p: void*\n"                                                    \
    "  %e = call make(&p) @2:1\n  %k = call map(%e) @3:1\n"                                        \
    "  branch %k != 0 ? out : put\n"                                                               \
    "put:\n  call drop(p) @6:1\n  return 0 @7:1\n"                                                 \
    "out:\n  return 1 @8:1\n}\n"

static void a_status_is_mapped(void **state)
{
    (void)state;
    const char *by_variable = "func map(e: int) -> int {\n  branch e == 0 ? good : bad\n"
                              "good:\n  %r = 0\n  jump out\n"
                              "bad:\n  %r = -1\n  jump out\n"
                              "out:\n  return %r @31:1\n}\n" CALLER;
    const char *three_ways = "func map(e: int) -> int {\n  branch e == 0 ? good : bad\n"
                             "good:\n  return 0 @31:1\n"
                             "bad:\n  branch e == 2 ? two : rest\n"
                             "two:\n  return -2 @32:1\n"
                             "rest:\n  return -1 @33:1\n}\n" CALLER;
    const char *upside_down = "func map(e: int) -> int {\n  branch e == 0 ? good : bad\n"
                              "good:\n  %r = 1\n  jump out\n"
                              "bad:\n  %r = 0\n  jump out\n"
                              "out:\n  return %r @31:1\n}\n" CALLER;
    expect(by_variable, "");
    expect(three_ways, "");
    expect(upside_down, "leak-at-exit p @8\n");
}

static void a_status_is_kept_in_an_object(void **state)
{
    (void)state;
    const char *user = "record R { code: int; }\n"
                       "func good(this: R*) -> int {\n  return this->code == 0\n}\n"
                       "func map(e: int) -> R {\n  var r: R\n  branch e == 0 ? one : other\n"
                       "one:\n  r.code = %s\n  return r\n"
                       "other:\n  r.code = e\n  return r\n}\n"
                       "func f() -> int {\n  var p: void*\n  var s: R\n"
                       "  %%e = call make(&p) @2:1\n  s = call map(%%e) @3:1\n"
                       "  %%k = call good(&s) @4:1\n  branch %%k ? put : out\n"
                       "put:\n  call drop(p) @6:1\n  return 0 @7:1\n"
                       "out:\n  return 1 @8:1\n}\n";
    Arena *arena = arena_new("text");
    expect(arena_printf(arena, user, "0"), "");
    expect(arena_printf(arena, user, "5"), "leak-at-exit p @8\n");
    arena_free(arena);
}

// What success is turned into is not known: it is believed to go where the memory is used.
#define JUDGED(on_success)                                                                         \
    "callee judge(int) -> int\n"                                                                   \
    "func f(n: int) -> int {\n  var p: void*\n"                                                    \
    "  %e = call make(&p) @2:1\n  %k = call judge(%e) @3:1\n"                                      \
    "  branch %k != 0 ? out : put\n"                                                               \
    "put:\n  call use(p) @5:1\n" on_success "  call drop(p) @6:1\n  return 0 @7:1\n"               \
    "out:\n  return 1 @8:1\n}\n"

static void a_judgement_that_is_not_understood(void **state)
{
    (void)state;
    expect(JUDGED(""), "");
    expect(JUDGED("  branch n ? early : rest\nearly:\n  return 2 @9:1\nrest:\n"),
           "leak-at-exit p @9\n");
    // It has nothing to do with the status.
    expect("callee judge(int) -> int\n"
           "func f(n: int) -> int {\n  var p: void*\n"
           "  call make(&p) @2:1\n  %k = call judge(n) @3:1\n"
           "  branch %k != 0 ? out : put\n"
           "put:\n  call drop(p) @6:1\n  return 0 @7:1\n"
           "out:\n  return 1 @8:1\n}\n",
           "leak-at-exit p @8\n");
}

// The result says whether `build` made it, but not in words: an object of the library, or a size that
// is -1 where it failed.
#define CREATED(result, on_success)                                                                \
    "record S size 32 std\n"                                                                       \
    "callee S::S(const char*) -> void [method ctor system] of S\n"                                 \
    "callee S::empty() -> bool [method const_method system nothrow] of S\n" result                 \
    "put:\n  call use(p) @5:1\n" on_success "  call drop(p) @6:1\n  return 0 @7:1\n"               \
    "out:\n  return 1 @8:1\n}\n"
#define BY_OBJECT                                                                                  \
    "func build(q: void**) -> S {\n  var s: S\n  var t: S\n"                                       \
    "  %e = call make(q) @31:1\n  branch %e ? bad : good\n"                                        \
    "bad:\n  call S::S(&s, \"no memory\")\n  return s\n"                                           \
    "good:\n  call S::S(&t, \"\")\n  return t\n}\n"                                                \
    "func f(n: int) -> int {\n  var p: void*\n  var s: S\n"                                        \
    "  s = call build(&p) @2:1\n  %k = call S::empty(&s) @3:1\n  branch %k ? put : out\n"
#define BY_SIZE                                                                                    \
    "func build(q: void**, n: int) -> int {\n  %e = call make(q) @31:1\n"                          \
    "  branch %e ? bad : good\nbad:\n  return -1\ngood:\n  return n\n}\n"                          \
    "func f(n: int) -> int {\n  var p: void*\n"                                                    \
    "  %k = call build(&p, n) @2:1\n  branch %k < 0 ? out : put\n"

#define EARLY "  branch n ? early : rest\nearly:\n  return 2 @9:1\nrest:\n"

static void a_result_that_tells_in_no_words(void **state)
{
    (void)state;
    expect(CREATED(BY_OBJECT, ""), "");
    expect(CREATED(BY_OBJECT, EARLY), "leak-at-exit p @9\n");
    expect(CREATED(BY_SIZE, ""), "");
    expect(CREATED(BY_SIZE, EARLY), "leak-at-exit p @9\n");
}

// `ask` is asked once to make it and once more to drop it. What it answers has no words.
#define ASKED(variable, write, again)                                                              \
    "func ask(n: int) -> bool {\n" variable "  var i: int\n  i = n\n  jump head\nhead:\n"          \
    "  branch i * i > n ? more : done loop\nmore:\n  i = i / 2\n" write "  jump head\n"            \
    "done:\n  return i * i > 3\n}\n"                                                               \
    "func f(n: int, m: int) -> int {\n  var p: void*\n  p = 0\n"                                   \
    "  %a = call ask(n) @2:1\n  branch %a ? one : two\n"                                           \
    "one:\n  %e = call make(&p) @3:1\n  branch %e ? out : two\n"                                   \
    "two:\n  %b = call ask(" again ") @4:1\n  branch %b ? put : out\n"                             \
    "put:\n  call drop(p) @5:1\n  jump out\nout:\n  return 0 @6:1\n}\n"

static void a_question_is_asked_twice(void **state)
{
    (void)state;
    expect(ASKED("", "", "n"), "");
    expect(ASKED("", "", "m"), "leak-at-exit p @6\n");
    // It changes something, so that the next answer may be another one.
    expect(ASKED("  global g: int\n", "  g = i\n", "n"), "leak-at-exit p @6\n");
}

#define GROWS(on_failure, released)                                                                \
    "func f() -> int {\n  var v: void**\n  var b: void**\n"                                        \
    "  %m = call heap_new(8)\n  v = cast<void**>(%m)\n  call make(&v[0]) @2:1\n"                   \
    "  %r = call heap_resize(cast<void*>(v), 16) @3:1\n  b = cast<void**>(%r)\n"                   \
    "  branch b ? moved : stays\n"                                                                 \
    "stays:\n" on_failure "  call heap_free(cast<void*>(v)) @5:1\n  return 1 @6:1\n"               \
    "moved:\n  call drop(" released ") @7:1\n  call heap_free(cast<void*>(b)) @8:1\n"              \
    "  return 0 @9:1\n}\n"

static void what_is_in_a_block_moves_with_it(void **state)
{
    (void)state;
    expect(GROWS("  call drop(v[0]) @4:1\n", "b[0]"), "");
    expect(GROWS("", "b[0]"), "leak-at-scope v[0] @5\n");
    expect(GROWS("  call drop(v[0]) @4:1\n", "b[1]"), "leak-at-scope v[0] @8\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_status_is_mapped),
        cmocka_unit_test(a_status_is_kept_in_an_object),
        cmocka_unit_test(a_judgement_that_is_not_understood),
        cmocka_unit_test(a_result_that_tells_in_no_words),
        cmocka_unit_test(a_question_is_asked_twice),
        cmocka_unit_test(what_is_in_a_block_moves_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
