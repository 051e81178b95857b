// SPDX-License-Identifier: MIT
// The IR: interning and folding while it is built, finishing, the text form both ways, the
// validator.
#include "ir/ir_build.h"
#include "ir/ir_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Err err;
    IrUnit *unit;
    IrFunction *fn; // the first, NULL when there is none
} Text;

static Text read_text(const char *text)
{
    Text it = {.arena = arena_new("test")};
    it.err.arena = it.arena;
    Status status = ir_parse(it.arena, text, &it.unit, &it.err);
    if (status != ST_OK) print_error("%s\n", it.err.message);
    assert_int_equal(status, ST_OK);
    if (it.unit->functions.len != 0) it.fn = it.unit->functions.items[0];
    return it;
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

// ---- building ---------------------------------------------------------------------------------

typedef struct {
    Arena *arena;
    IrUnit *unit;
    IrFunction *fn;
    IrType int_type, uint_type, bool_type, pointer;
} Build;

static Build open_build(void)
{
    Build b = {.arena = arena_new("test")};
    b.unit = ir_unit_new(b.arena, "a.cu");
    IrTypeInfo info = {
        .kind = IR_TY_INT, .name = "int", .size = 4, .pointee = IR_NONE, .record = IR_NONE};
    b.int_type = ir_type_add(b.unit, info);
    info.name = "unsigned int";
    info.is_unsigned = true;
    b.uint_type = ir_type_add(b.unit, info);
    b.bool_type = ir_type_add(
        b.unit,
        (IrTypeInfo){
            .kind = IR_TY_BOOL, .name = "bool", .size = 1, .pointee = IR_NONE, .record = IR_NONE});
    b.pointer = ir_type_add(b.unit, (IrTypeInfo){.kind = IR_TY_POINTER,
                                                 .name = "int *",
                                                 .size = 8,
                                                 .pointee = b.int_type,
                                                 .record = IR_NONE});
    IrCallee callee = {.name = "f",
                       .qualified = "f",
                       .usr = "f",
                       .result = b.int_type,
                       .record = IR_NONE,
                       .body = IR_NONE};
    b.fn = ir_function_new(b.unit, ir_callee_add(b.unit, callee), "f", (SrcLoc){0});
    return b;
}

static IrVarId add_var(Build *b, const char *name, IrType type)
{
    return ir_var_add(b->unit, b->fn, (IrVar){.name = name, .kind = IR_VAR_LOCAL, .type = type});
}

static void test_types_are_interned(void **state)
{
    (void)state;
    Build b = open_build();
    IrTypeInfo again = *ir_type(b.unit, b.pointer);
    char spelling[] = "int *"; // another string with the same text
    again.name = spelling;
    assert_int_equal(ir_type_add(b.unit, again), b.pointer);
    again.pointee = b.uint_type;
    assert_int_not_equal(ir_type_add(b.unit, again), b.pointer);
    arena_free(b.arena);
}

static void test_places_and_expressions_are_interned(void **state)
{
    (void)state;
    Build b = open_build();
    IrPlaceId p = ir_place_var(b.unit, b.fn, add_var(&b, "p", b.pointer));
    IrPlaceId first = ir_place_deref(b.unit, b.fn, p, b.int_type);
    // Enough other places to make the table grow.
    for (int i = 0; i < 1000; i++) {
        ir_place_index(b.unit, b.fn, first, ir_int(b.unit, b.fn, i, b.int_type), b.int_type);
    }
    assert_int_equal(ir_place_deref(b.unit, b.fn, p, b.int_type), first);
    IrExprId seven = ir_int(b.unit, b.fn, 7, b.int_type);
    assert_int_equal(ir_place_index(b.unit, b.fn, first, seven, b.int_type),
                     ir_place_index(b.unit, b.fn, first, seven, b.int_type));
    assert_int_equal(ir_load(b.unit, b.fn, p), ir_load(b.unit, b.fn, p));
    assert_int_equal(ir_expr_at(b.fn, ir_load(b.unit, b.fn, p))->type, b.pointer);
    assert_int_not_equal(ir_unknown(b.unit, b.fn, b.int_type),
                         ir_unknown(b.unit, b.fn, b.int_type));
    arena_free(b.arena);
}

static void test_address_of_dereferenced_is_the_pointer(void **state)
{
    (void)state;
    Build b = open_build();
    IrPlaceId p = ir_place_var(b.unit, b.fn, add_var(&b, "p", b.pointer));
    IrPlaceId deref = ir_place_deref(b.unit, b.fn, p, b.int_type);
    assert_int_equal(ir_addr(b.unit, b.fn, deref, b.pointer), ir_load(b.unit, b.fn, p));
    arena_free(b.arena);
}

static int64_t fold(Build *b, IrOperator op, int64_t x, int64_t y, IrType type)
{
    IrExprId a = ir_int(b->unit, b->fn, x, type), c = ir_int(b->unit, b->fn, y, type);
    const IrExpr *folded = ir_expr_at(b->fn, ir_binary(b->unit, b->fn, op, a, c, type));
    assert_int_equal(folded->kind, IR_EX_INT);
    return folded->value;
}

static void test_constants_fold(void **state)
{
    (void)state;
    Build b = open_build();
    assert_int_equal(fold(&b, IR_ADD, 2, 3, b.int_type), 5);
    assert_int_equal(fold(&b, IR_ADD, INT32_MAX, 1, b.int_type), INT32_MIN);
    assert_int_equal(fold(&b, IR_SUB, 0, 1, b.uint_type), UINT32_MAX);
    assert_int_equal(fold(&b, IR_SHR, -8, 1, b.int_type), -4);
    assert_int_equal(fold(&b, IR_SHR, -8, 1, b.uint_type), 0x7ffffffc);
    assert_int_equal(fold(&b, IR_LT, -1, 1, b.int_type), 1);
    assert_int_equal(fold(&b, IR_LT, -1, 1, b.uint_type), 0);
    assert_int_equal(fold(&b, IR_REM, -7, 4, b.int_type), -3);
    IrExprId minus =
        ir_unary(b.unit, b.fn, IR_NEG, ir_int(b.unit, b.fn, 1, b.int_type), b.int_type);
    assert_int_equal(minus, ir_int(b.unit, b.fn, -1, b.int_type));
    IrExprId null = ir_cast(b.unit, b.fn, ir_int(b.unit, b.fn, 0, b.int_type), b.pointer);
    assert_int_equal(null, ir_int(b.unit, b.fn, 0, b.pointer));
    IrExprId is_null = ir_unary(b.unit, b.fn, IR_NOT, null, b.bool_type);
    assert_int_equal(ir_expr_at(b.fn, is_null)->value, 1);
    arena_free(b.arena);
}

static void test_undefined_operations_do_not_fold(void **state)
{
    (void)state;
    Build b = open_build();
    IrExprId one = ir_int(b.unit, b.fn, 1, b.int_type), zero = ir_int(b.unit, b.fn, 0, b.int_type);
    IrExprId wide = ir_int(b.unit, b.fn, 32, b.int_type),
             address = ir_int(b.unit, b.fn, 64, b.int_type);
    assert_int_equal(ir_expr_at(b.fn, ir_binary(b.unit, b.fn, IR_DIV, one, zero, b.int_type))->kind,
                     IR_EX_BINARY);
    assert_int_equal(ir_expr_at(b.fn, ir_binary(b.unit, b.fn, IR_REM, one, zero, b.int_type))->kind,
                     IR_EX_BINARY);
    assert_int_equal(ir_expr_at(b.fn, ir_binary(b.unit, b.fn, IR_SHL, one, wide, b.int_type))->kind,
                     IR_EX_BINARY);
    assert_int_equal(ir_expr_at(b.fn, ir_cast(b.unit, b.fn, address, b.pointer))->kind, IR_EX_CAST);
    arena_free(b.arena);
}

static void test_float_constants_without_text_differ(void **state)
{
    (void)state;
    Build b = open_build();
    IrExpr expr = {.kind = IR_EX_FLOAT, .type = b.int_type};
    assert_int_not_equal(ir_expr(b.unit, b.fn, expr), ir_expr(b.unit, b.fn, expr));
    expr.text = "1.5";
    assert_int_equal(ir_expr(b.unit, b.fn, expr), ir_expr(b.unit, b.fn, expr));
    arena_free(b.arena);
}

static void test_nothing_follows_a_terminator(void **state)
{
    (void)state;
    Build b = open_build();
    ir_block_append(b.unit, b.fn, 0, ir_instr(IR_RETURN, (SrcLoc){0}));
    assert_true(ir_block_is_closed(b.fn, 0));
    ir_block_append(b.unit, b.fn, 0, ir_instr(IR_UNREACHABLE, (SrcLoc){0}));
    assert_int_equal(b.fn->blocks.items[0].instrs.len, 1);
    arena_free(b.arena);
}

static void test_abandoned_function(void **state)
{
    (void)state;
    Build b = open_build();
    IrCallee callee = {
        .name = "g", .qualified = "g", .result = b.int_type, .record = IR_NONE, .body = IR_NONE};
    IrCalleeId second = ir_callee_add(b.unit, callee);
    IrFunction *g = ir_function_new(b.unit, second, "g", (SrcLoc){0});
    ir_function_abandon(b.unit, b.fn, "unsupported construct");
    assert_int_equal(b.unit->functions.len, 1);
    assert_ptr_equal(b.unit->functions.items[0], g);
    assert_int_equal(g->id, 0);
    assert_int_equal(b.unit->callees.items[second].body, 0);
    assert_int_equal(b.unit->callees.items[b.fn->callee].body, IR_NONE);
    assert_string_equal(b.unit->skipped.items[0].name, "f");
    arena_free(b.arena);
}

// ---- finishing --------------------------------------------------------------------------------

static void test_finish_drops_and_renumbers(void **state)
{
    (void)state;
    Text it = read_text("callee g() -> void\n"
                        "func f(n: int) -> void {\n"
                        "start:\n  branch n == 0 ? yes : no\n"
                        "dead:\n  jump no\n"
                        "pad:\n  resume\n"
                        "no:\n  return\n"
                        "yes:\n  call g() unwind pad\n  jump no\n}\n");
    ir_function_finish(it.unit, it.fn);
    char *text = print(it.unit, NULL);
    assert_string_equal(text, "unit \"\"\n"
                              "callee g() -> void\n"
                              "\n"
                              "func f(n: int) -> void {\n"
                              "b0:\n  branch n == 0 ? b1 : b3\n"
                              "b1:\n  call g() unwind b2\n  jump b3\n"
                              "b2:\n  resume\n"
                              "b3:\n  return\n"
                              "}\n");
    free(text);
    arena_free(it.arena);
}

static void test_finish_merges_straight_lines(void **state)
{
    (void)state;
    Text it = read_text("func f(n: int) -> void {\n"
                        "a:\n  n = 1\n  jump c\n"
                        "b:\n  n = 3\n  jump loop\n"
                        "c:\n  n = 2\n  jump b\n"
                        "loop:\n  jump loop\n}\n");
    ir_function_finish(it.unit, it.fn);
    char *text = print(it.unit, NULL);
    assert_string_equal(text, "unit \"\"\n"
                              "\n"
                              "func f(n: int) -> void {\n"
                              "b0:\n  n = 1\n  n = 2\n  n = 3\n  jump b1\n"
                              "b1:\n  jump b1\n"
                              "}\n");
    free(text);
    arena_free(it.arena);
}

static void test_finish_takes_long_functions(void **state)
{
    (void)state;
    Build b = open_build();
    uint32_t count = 100000;
    while (b.fn->blocks.len < count) ir_block_add(b.unit, b.fn);
    for (uint32_t i = 0; i < count; i++) {
        IrInstr instr = ir_instr(i == 1 ? IR_RETURN : IR_THROW, (SrcLoc){0});
        instr.target = i == 1   ? IR_NONE
                       : i == 0 ? count - 1
                                : i - 1; // backwards through all blocks
        ir_block_append(b.unit, b.fn, i, instr);
    }
    ir_function_finish(b.unit, b.fn);
    assert_int_equal(b.fn->blocks.len, count);
    for (uint32_t i = 0; i + 1 < count; i++)
        assert_int_equal(b.fn->blocks.items[i].instrs.items[0].target, i + 1);
    arena_free(b.arena);
}

// ---- text -------------------------------------------------------------------------------------

// Text that is printed as it stands.
static void assert_round_trip(const char *text)
{
    Text it = read_text(text);
    for (uint32_t i = 0; i < it.unit->functions.len; i++) {
        Status status = ir_check(it.unit, it.unit->functions.items[i], &it.err);
        if (status != ST_OK) print_error("%s\n", it.err.message);
        assert_int_equal(status, ST_OK);
    }
    char *printed = print(it.unit, NULL);
    assert_string_equal(printed, text);
    free(printed);
    arena_free(it.arena);
}

static void test_calls_and_branches_round_trip(void **state)
{
    (void)state;
    assert_round_trip("unit \"a.cu\"\n"
                      "callee cudaMalloc(void**, u64) -> int [system extern_c nothrow]\n"
                      "callee use(float*) -> void\n"
                      "\n"
                      "func run(n: u64 @2:9) -> int [main] @2:5 to @9:1 {\n"
                      "b0:\n"
                      "  decl p: float*                                        @3:5\n"
                      "  %t = call cudaMalloc(cast<void**>(&p), n * sizeof<float>) @4:9 in CHECK\n"
                      "  branch %t != 0 ? b1 : b2 synthetic                    @4:9\n"
                      "b1:\n"
                      "  return -1                                             @\"b.h\":7:3\n"
                      "b2:\n"
                      "  call use(p) [try implicit] unwind b3\n"
                      "  scope_end p\n"
                      "  return 0\n"
                      "b3:\n"
                      "  throw to b4\n"
                      "b4:\n"
                      "  resume\n"
                      "}\n");
}

static void test_records_and_methods_round_trip(void **state)
{
    (void)state;
    assert_round_trip(
        "unit \"a.cu\"\n"
        "type Error = unsigned 4\n"
        "type `void (float *)` = function void\n"
        "record Base\n"
        "record `Buf<int>` size 16 : Base [copy_ctor copy_ctor_deleted] dtor Buf::~Buf @1:8 "
        "{ ptr: float*; n: int[4]; next: `Buf<int>`* }\n"
        "record Up unique_ptr { #ptr: float*; #del: `void (float *)`* }\n"
        "callee Buf::~Buf() -> void [method dtor] of `Buf<int>` usr \"c:@S@Buf@F@~Buf\"\n"
        "callee drop(float*) -> void\n"
        "callee drop#1(Error&, const char*) -> void [variadic] as other\n"
        "\n"
        "func Buf::~Buf(this: `Buf<int>`*) -> void [dtor] as `Buf<int>::~Buf` {\n"
        "  var up: Up\n"
        "b0:\n"
        "  up.#del = fn drop:`void (float *)`*\n"
        "  this->ptr = 0\n"
        "  this->n[2] = this->next->n[?]\n"
        "  call (up.#del)(up.#ptr)\n"
        "  return\n"
        "}\n"
        "\n"
        "func drop#1(e: Error&, s: const char*) -> void {\n"
        "b0:\n"
        "  *e = 7\n"
        "  return\n"
        "}\n"
        "\n"
        "skipped odd \"line 3: unknown \\\"x\\\"\" @3:1\n");
}

static void test_expressions_round_trip(void **state)
{
    (void)state;
    assert_round_trip("unit \"a.cu\"\n"
                      "callee k(float*) -> void [kernel]\n"
                      "callee lam::op(int) -> int [internal]\n"
                      "\n"
                      "func f(n: int, p: float*, pp: float**) -> float* {\n"
                      "  temp %2: u64\n"
                      "  capture c: int*\n"
                      "  static s: int = -3 frozen\n"
                      "  global g: float* usr \"c:@g\"                           @1:8\n"
                      "  global m: int = 0 managed usr \"c:@m\"                  @2:8\n"
                      "b0:\n"
                      "  %1 = n + 2 * (n - 3) - (n << 2 & 5)\n"
                      "  init %2 = n\n"
                      "  %2 = sizeof<float[4]> + sizeof<int>(n)\n"
                      "  *c = -n\n"
                      "  *p = 1.5\n"
                      "  p[1] = float?\n"
                      "  *pp[n + 1] = float`.5f`\n"
                      "  (*pp)[n] = -2e-3\n"
                      "  (*p){int} = ~n\n"
                      "  pp[0] = p + 4\n"
                      "  clobber *pp\n"
                      "  launch k<<<n / 256, 256, _, 0:void*>>>(p)\n"
                      "  launch k<<<1, 2>>>(g, &m)\n"
                      "  %3 = closure lam::op[ref n = &n, val s = s]:void\n"
                      "  switch n [-1: b1, 2..5: b2] else b3\n"
                      "b1:\n"
                      "  branch !n ? b2 : b3 loop\n"
                      "b2:\n"
                      "  return ?(float*)\n"
                      "b3:\n"
                      "  throw \"a\\n\\\"b\\\"\"\n"
                      "}\n");
}

static void test_odd_names_round_trip(void **state)
{
    (void)state;
    assert_round_trip("unit \"a.cu\"\n"
                      "\n"
                      "func f(`call`: int, ``: int, ``#1: int) -> void {\n"
                      "b0:\n"
                      "  decl i: int\n"
                      "  decl i#1: float*\n"
                      "  i = `call` + ``#1\n"
                      "  i#1 = 0\n"
                      "  return\n"
                      "}\n");
}

static void test_one_function_is_printed(void **state)
{
    (void)state;
    Text it = read_text("record R { }\ncallee a() -> void\ncallee b() -> void\n"
                        "func f() -> void {\n  call a()\n  return\n}\n"
                        "func g() -> void {\n  call b()\n  return\n}\n");
    char *text = print(it.unit, "g");
    assert_string_equal(
        text,
        "unit \"\"\ncallee b() -> void\n\nfunc g() -> void {\nb0:\n  call b()\n  return\n}\n");
    free(text);
    arena_free(it.arena);
}

static void test_source_like_text(void **state)
{
    (void)state;
    Text it = read_text(
        "record Ctx { buf: float*; any: void* shares buf; v: int[4] }\n"
        "func f(ctx: Ctx*, r: Ctx&, i: int) -> void {\n  var a: float**\n"
        "  ctx->buf = r->buf\n  a[i + 1] = 0\n  ctx->v[?] = 1\n  **a = 1.0\n  return\n}\n");
    static const char *const places[] = {"ctx->buf", "a[i + 1]", "ctx->v[...]", "**a"};
    const IrInstr *instrs = it.fn->blocks.items[0].instrs.items;
    for (int i = 0; i < 4; i++) {
        assert_string_equal(ir_place_text(it.arena, it.unit, it.fn, instrs[i].dst), places[i]);
    }
    assert_string_equal(ir_expr_text(it.arena, it.unit, it.fn, instrs[0].value), "r.buf");
    assert_string_equal(ir_expr_text(it.arena, it.unit, it.fn, instrs[1].value), "nullptr");
    arena_free(it.arena);
}

// ---- errors -----------------------------------------------------------------------------------

static void test_errors_carry_positions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"func f() -> void {\n  call g()\n}\n", "line 2, column 8: unknown callee 'g'"},
        {"func f() -> void {\n  x = 1\n}\n", "line 2, column 3: unknown variable 'x'"},
        {"func f() -> void {\n  jump b7\n}\n", "line 2, column 8: unknown block 'b7'"},
        {"func f() -> void {\n  return\n  return\n}\n",
         "line 3, column 3: the block has ended; a label must follow"},
        {"func f(x: Foo) -> void {\n}\n", "line 1, column 11: unknown type 'Foo'"},
        {"func f(x: int, x: int) -> void {\n}\n", NULL},
        {"func f(x: int) -> void {\n  *x = 1\n}\n", NULL},
        {"func f(x: int) -> void {\n  x.y = 1\n}\n", NULL},
        {"func f(x: int) -> void {\n  5 = x\n}\n", NULL},
        {"func f(x: int) -> void {\n  x = 99999999999999999999\n}\n", NULL},
        {"func f() -> void {\n", NULL},
        {"func f() -> void {\n}}\n", NULL},
        {"callee f() -> void [shiny]\n", "line 1, column 21: unknown flag 'shiny'"},
        {"record R : S { }\n", NULL},
        {"hello\n", NULL},
        {"unit \"a\n", "line 1, column 8: unterminated quote"},
        {"unit \"\\q\"\n", NULL},
        {"\x01\n", "line 1, column 1: unexpected character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Arena *arena = arena_new("test");
        Err err = {.arena = arena};
        IrUnit *unit;
        assert_int_equal(ir_parse(arena, cases[i].text, &unit, &err), ST_SYNTAX);
        assert_non_null(err.message);
        if (cases[i].message != NULL) assert_string_equal(err.message, cases[i].message);
        arena_free(arena);
    }
}

static void test_deep_nesting_is_an_error(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "func f(x: int) -> void {\n  x = ");
    for (int i = 0; i < 100000; i++) strbuf_append(&text, "(");
    Err err = {.arena = arena};
    IrUnit *unit;
    assert_int_equal(ir_parse(arena, strbuf_text(&text), &unit, &err), ST_SYNTAX);
    assert_non_null(strstr(err.message, "nested too deeply"));
    arena_free(arena);
}

static void test_long_sums_print(void **state)
{
    (void)state;
    Arena *arena = arena_new("test");
    StrBuf text = {.arena = arena};
    strbuf_append(&text, "unit \"\"\n\nfunc f(x: int) -> void {\nb0:\n  x = x");
    for (int i = 0; i < 100000; i++) strbuf_append(&text, " + x");
    strbuf_append(&text, "\n  return\n}\n");
    assert_round_trip(strbuf_text(&text));
    arena_free(arena);
}

// ---- the validator ----------------------------------------------------------------------------

static const char valid_text[] = "callee g(int) -> int\n"
                                 "func f(p: int*) -> void {\n"
                                 "b0:\n  %t = call g(*p)\n  branch %t == 0 ? b1 : b1\n"
                                 "b1:\n  return\n}\n";

static void assert_invalid(Text *it, const char *message)
{
    assert_int_equal(ir_check(it->unit, it->fn, &it->err), ST_SYNTAX);
    if (strstr(it->err.message, message) == NULL) print_error("%s\n", it->err.message);
    assert_non_null(strstr(it->err.message, message));
    arena_free(it->arena);
}

static void test_validator(void **state)
{
    (void)state;
    Text it = read_text(valid_text);
    assert_int_equal(ir_check(it.unit, it.fn, &it.err), ST_OK);
    it.fn->blocks.items[1].instrs.len = 0;
    assert_invalid(&it, "block 1, instruction 0: the block is empty");

    it = read_text(valid_text);
    it.fn->blocks.items[0].instrs.len = 1;
    assert_invalid(&it, "no terminator");

    it = read_text(valid_text);
    it.fn->blocks.items[0].instrs.items[1].other = 9;
    assert_invalid(&it, "branch target out of range");

    it = read_text(valid_text);
    it.fn->blocks.items[0].instrs.items[0].op = IR_RETURN;
    assert_invalid(&it, "a terminator before the end");

    it = read_text(valid_text);
    it.fn->blocks.items[0].instrs.items[0].call->args[0] = 1000;
    assert_invalid(&it, "an argument that is no expression");

    it = read_text(valid_text);
    it.fn->blocks.items[0].instrs.items[0].call->unwind = 7;
    assert_invalid(&it, "unwind block out of range");

    it = read_text(valid_text);
    it.fn->places.items[1].type = IR_NONE;
    assert_invalid(&it, "a place without type");

    it = read_text(valid_text);
    it.fn->places.items[1].base = 1;
    assert_invalid(&it, "a place whose base comes after it");

    it = read_text(valid_text);
    it.fn->exprs.items[0].type = 99999;
    assert_invalid(&it, "an expression without type");

    it = read_text(valid_text);
    it.unit->callees.items[0].body = 0;
    assert_invalid(&it, "body is another function's");

    it = read_text(valid_text);
    it.unit->callees.items[0].is_method = true;
    it.fn->blocks.items[0].instrs.items[0].call->arg_count = 0;
    assert_invalid(&it, "a method called on no object");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_are_interned),
        cmocka_unit_test(test_places_and_expressions_are_interned),
        cmocka_unit_test(test_address_of_dereferenced_is_the_pointer),
        cmocka_unit_test(test_constants_fold),
        cmocka_unit_test(test_undefined_operations_do_not_fold),
        cmocka_unit_test(test_float_constants_without_text_differ),
        cmocka_unit_test(test_nothing_follows_a_terminator),
        cmocka_unit_test(test_abandoned_function),
        cmocka_unit_test(test_finish_drops_and_renumbers),
        cmocka_unit_test(test_finish_merges_straight_lines),
        cmocka_unit_test(test_finish_takes_long_functions),
        cmocka_unit_test(test_calls_and_branches_round_trip),
        cmocka_unit_test(test_records_and_methods_round_trip),
        cmocka_unit_test(test_expressions_round_trip),
        cmocka_unit_test(test_odd_names_round_trip),
        cmocka_unit_test(test_one_function_is_printed),
        cmocka_unit_test(test_source_like_text),
        cmocka_unit_test(test_errors_carry_positions),
        cmocka_unit_test(test_deep_nesting_is_an_error),
        cmocka_unit_test(test_long_sums_print),
        cmocka_unit_test(test_validator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
