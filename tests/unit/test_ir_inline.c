// SPDX-License-Identifier: MIT
// Inlining: which calls are replaced, and what the caller then looks like.
#include "ir/ir_build.h"
#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char declarations[] = "unit \"a.cu\"\n"
                                   "type fn_t = function void\n"
                                   "record Op size 8 [closure] { `#ref:p`: int*& }\n"
                                   "record Guard size 16 { f: Op; on: bool }\n"
                                   "record Plain size 16 { run: fn_t*; arg: int* }\n"
                                   "callee free_it(int*) [system extern_c nothrow]\n"
                                   "callee op() [method const_method] of Op\n"
                                   "func op(this: Op*) -> void [lambda] {\n"
                                   "  call free_it(*this->`#ref:p`{int*&})\n"
                                   "  return\n"
                                   "}\n";

typedef struct {
    Arena *arena;
    IrUnit *unit;
} Inlined;

// Reads the functions, inlines, checks the form.
static Inlined inline_text(const char *functions)
{
    Inlined it = {.arena = arena_new("test")};
    Err err = {.arena = it.arena};
    const char *text = arena_printf(it.arena, "%s%s", declarations, functions);
    if (ir_parse(it.arena, text, &it.unit, &err) != ST_OK) fail_msg("%s", err.message);
    ir_inline_calls(it.unit);
    for (uint32_t i = 0; i < it.unit->functions.len; i++)
        if (ir_check(it.unit, it.unit->functions.items[i], &err) != ST_OK)
            fail_msg("%s", err.message);
    return it;
}

static const IrFunction *function_named(const IrUnit *unit, const char *name)
{
    for (uint32_t i = 0; i < unit->functions.len; i++)
        if (strcmp(unit->functions.items[i]->name, name) == 0) return unit->functions.items[i];
    fail_msg("no function %s", name);
    return NULL;
}

static char *print(const IrUnit *unit, const char *function)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    ir_print(out, unit, function);
    fclose(out);
    return text;
}

// After inlining, the function `f` has this body (locations and declarations left out).
static void expect_body(const char *functions, const char *wanted)
{
    Inlined it = inline_text(functions);
    char *text = print(it.unit, "f");
    const char *body = strstr(text, "b0:");
    assert_non_null(body);
    assert_string_equal(body, wanted);
    free(text);
    arena_free(it.arena);
}

static uint32_t calls_of(const IrFunction *fn, const char *callee, const IrUnit *unit)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < fn->blocks.len; b++)
        for (uint32_t i = 0; i < fn->blocks.items[b].instrs.len; i++) {
            const IrInstr *instr = &fn->blocks.items[b].instrs.items[i];
            if (instr->op != IR_CALL || instr->call->callee == IR_NONE) continue;
            count += strcmp(unit->callees.items[instr->call->callee].name, callee) == 0;
        }
    return count;
}

// `f` still has so many calls of `callee`.
static void expect_calls(const char *functions, const char *callee, uint32_t count)
{
    Inlined it = inline_text(functions);
    assert_int_equal(calls_of(function_named(it.unit, "f"), callee, it.unit), count);
    arena_free(it.arena);
}

static void test_lambda_called(void **state)
{
    (void)state;
    expect_body("func f(p: int*) -> void {\n"
                "  decl c: Op\n"
                "  init c = closure op[ref p = &p]:Op\n"
                "  call op(&c)\n"
                "  scope_end c\n"
                "  return\n"
                "}\n",
                "b0:\n"
                "  decl c: Op\n"
                "  init c = closure op[ref p = &p]:Op\n"
                "  decl this: Op*\n"
                "  init this = &c\n"
                "  jump b2\n"
                "b1:\n"
                "  scope_end c\n"
                "  return\n"
                "b2:\n"
                "  call free_it(*this->`#ref:p`)\n"
                "  scope_end this\n"
                "  jump b1\n"
                "}\n");
}

static void test_result_is_stored(void **state)
{
    (void)state;
    expect_body("func pick(g: Op, n: int) -> int {\n"
                "  branch n > 0 ? b1 : b2\n"
                "b1:\n"
                "  return n\n"
                "b2:\n"
                "  return 0\n"
                "}\n"
                "func f(p: int*) -> int {\n"
                "  decl x: int\n"
                "  init x = call pick(closure op[ref p = &p]:Op, 3)\n"
                "  return x\n"
                "}\n",
                "b0:\n"
                "  decl x: int\n"
                "  decl g: Op\n"
                "  init g = closure op[ref p = &p]:Op\n"
                "  decl n: int\n"
                "  init n = 3\n"
                "  jump b2\n"
                "b1:\n"
                "  return x\n"
                "b2:\n"
                "  branch n > 0 ? b3 : b4\n"
                "b3:\n"
                "  x = n\n"
                "  scope_end g\n"
                "  scope_end n\n"
                "  jump b1\n"
                "b4:\n"
                "  x = 0\n"
                "  scope_end g\n"
                "  scope_end n\n"
                "  jump b1\n"
                "}\n");
}

#define APPLY                                                                                      \
    "func apply(g: Op) -> void {\n"                                                                \
    "  call op(&g)\n"                                                                              \
    "  return\n"                                                                                   \
    "}\n"

static void test_code_is_handed_on(void **state)
{
    (void)state;
    const char *text = APPLY "func f(p: int*) -> void {\n"
                             "  call apply(closure op[ref p = &p]:Op)\n"
                             "  return\n"
                             "}\n";
    expect_calls(text, "apply", 0);
    expect_calls(text, "op", 0);
    expect_calls(text, "free_it", 1);
    Inlined it = inline_text(text);
    const IrFunction *f = function_named(it.unit, "f");
    assert_int_equal(f->inlined.len, 2);
    assert_int_equal(f->inlined.items[0].within, IR_NONE);
    assert_int_equal(f->inlined.items[1].within, 0);
    arena_free(it.arena);
}

static void test_function_pointers(void **state)
{
    (void)state;
    // A parameter; the pointer becomes a direct call only where the engine knows its value.
    expect_calls("func with(p: int*, how: fn_t*) -> void {\n"
                 "  call (how)(p)\n"
                 "  return\n"
                 "}\n"
                 "func f(p: int*) -> void {\n"
                 "  call with(p, fn free_it:fn_t*)\n"
                 "  return\n"
                 "}\n",
                 "with", 0);
    // A method of an object that keeps one.
    expect_calls("callee Plain::~Plain() [method dtor] of Plain\n"
                 "func Plain::~Plain(this: Plain*) -> void [dtor] {\n"
                 "  call (this->run)(this->arg)\n"
                 "  return\n"
                 "}\n"
                 "func f(q: Plain) -> void {\n"
                 "  call Plain::~Plain(&q)\n"
                 "  return\n"
                 "}\n",
                 "~Plain", 0);
    // A table of operations that is passed around.
    expect_calls("func with(q: Plain*) -> void {\n"
                 "  call (q->run)(q->arg)\n"
                 "  return\n"
                 "}\n"
                 "func f(q: Plain) -> void {\n"
                 "  call with(&q)\n"
                 "  return\n"
                 "}\n",
                 "with", 1);
}

static void test_others_stay(void **state)
{
    (void)state;
    expect_calls("func plain(p: int*) -> void {\n"
                 "  call free_it(p)\n"
                 "  return\n"
                 "}\n"
                 "func f(p: int*) -> void {\n"
                 "  call plain(p)\n"
                 "  return\n"
                 "}\n",
                 "plain", 1);
    expect_calls("func f(g: Op) -> void {\n" // recursion
                 "  call f(g)\n"
                 "  return\n"
                 "}\n",
                 "f", 1);
    expect_calls("func other(g: Op) -> void {\n" // mutual
                 "  call f(g)\n"
                 "  return\n"
                 "}\n"
                 "func f(g: Op) -> void {\n"
                 "  call other(g)\n"
                 "  return\n"
                 "}\n",
                 "other", 1);
    expect_calls("func once(g: Op) -> int {\n"
                 "  static seen: int = 0\n"
                 "  seen = seen + 1\n"
                 "  return seen\n"
                 "}\n"
                 "func f(g: Op) -> void {\n"
                 "  call once(g)\n"
                 "  return\n"
                 "}\n",
                 "once", 1);
}

static void test_large_bodies_stay(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "func large(g: Op, n: int) -> void {\n");
    for (int i = 0; i < 100; i++) strbuf_append(&text, "  n = n + 1\n");
    strbuf_append(&text, "  return\n}\n"
                         "func f(g: Op) -> void {\n"
                         "  call large(g, 1)\n"
                         "  return\n"
                         "}\n");
    expect_calls(strbuf_text(&text), "large", 1);
    // Growth is bounded: some of many calls stay.
    StrBuf many = {.arena = arena};
    strbuf_append(&many, APPLY "func f(p: int*) -> void {\n");
    for (int i = 0; i < 1000; i++)
        strbuf_append(&many, "  call apply(closure op[ref p = &p]:Op)\n");
    strbuf_append(&many, "  return\n}\n");
    Inlined it = inline_text(strbuf_text(&many));
    uint32_t left = calls_of(function_named(it.unit, "f"), "apply", it.unit);
    assert_true(left > 0 && left < 1000);
    arena_free(it.arena);
    arena_free(arena);
}

static uint32_t results_in(const IrBlock *block)
{
    uint32_t results = 0;
    for (uint32_t i = 0; i < block->instrs.len; i++)
        results += block->instrs.items[i].op == IR_CALL ? 1 : 0;
    return results;
}

// Blocks with many calls that give something are split; what they do stays, in its order.
static void test_long_blocks_are_split(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "callee ask() -> int\nfunc f() -> int {\n  var n: int\n");
    for (int i = 0; i < 100; i++) strbuf_printf(&text, "  n = call ask() @%d:1\n", i + 1);
    strbuf_append(&text, "  return n\n}\n");
    Inlined it = inline_text(strbuf_text(&text));
    const IrFunction *f = function_named(it.unit, "f");
    assert_int_equal(f->blocks.len, 1);
    ir_split_blocks(it.unit);
    Err err = {.arena = it.arena};
    if (ir_check(it.unit, f, &err) != ST_OK) fail_msg("%s", err.message);
    uint32_t line = 0, block = 0;
    for (;;) {
        const IrBlock *it_is = &f->blocks.items[block];
        assert_true(results_in(it_is) <= 8);
        for (uint32_t i = 0; i + 1 < it_is->instrs.len; i++)
            assert_int_equal(it_is->instrs.items[i].loc.line, ++line);
        if (vec_last(&it_is->instrs)->op != IR_JUMP) break;
        block = vec_last(&it_is->instrs)->target;
    }
    assert_int_equal(line, 100);
    assert_int_equal(vec_last(&f->blocks.items[block].instrs)->op, IR_RETURN);
    arena_free(it.arena);
    arena_free(arena);
}

static void test_exceptions_go_on_in_the_caller(void **state)
{
    (void)state;
    expect_body("callee risky()\n"
                "func guard(g: Op) -> void {\n"
                "  call risky() unwind b1\n"
                "  return\n"
                "b1:\n"
                "  call op(&g)\n"
                "  resume\n"
                "}\n"
                "func f(c: Op) -> int {\n"
                "  call guard(c) [try] unwind b1\n"
                "  return 0\n"
                "b1:\n"
                "  return 1\n"
                "}\n",
                "b0:\n"
                "  decl g: Op\n"
                "  init g = c\n"
                "  jump b3\n"
                "b1:\n"
                "  return 1\n"
                "b2:\n"
                "  return 0\n"
                "b3:\n"
                "  call risky() [try] unwind b4\n"
                "  scope_end g\n"
                "  scope_end this\n"
                "  jump b2\n"
                "b4:\n"
                "  decl this\n"
                "  init this = &g\n"
                "  jump b6\n"
                "b5:\n"
                "  jump b1\n"
                "b6:\n"
                "  call free_it(*this->`#ref:p`) [try] unwind b1\n"
                "  scope_end this\n"
                "  jump b5\n"
                "}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lambda_called),
        cmocka_unit_test(test_result_is_stored),
        cmocka_unit_test(test_code_is_handed_on),
        cmocka_unit_test(test_function_pointers),
        cmocka_unit_test(test_others_stay),
        cmocka_unit_test(test_large_bodies_stay),
        cmocka_unit_test(test_long_blocks_are_split),
        cmocka_unit_test(test_exceptions_go_on_in_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
