// SPDX-License-Identifier: MIT
// Virtual calls, through the whole engine: what the overriders in sight have in common.
#include "engine_expect.h"

// Two overriders that release, in a class of this file and in one of a header.
#define SINK(place, first, second)                                                                 \
    "record Sink size 8 @" place " { }\n"                                                          \
    "record A size 8 @1:1 { kept: void* }\n"                                                       \
    "record B size 8 @2:1 { }\n"                                                                   \
    "callee Sink::take(void*) -> void [method virtual pure] of Sink @" place "\n"                  \
    "callee A::take(void*) -> void [method virtual] of A overrides Sink::take @1:2\n"              \
    "callee B::take(void*) -> void [method virtual] of B overrides Sink::take @2:2\n"              \
    "func A::take(this: A*, p: void*) -> void @1:2 {\n" first "  return\n"                         \
    "}\n"                                                                                          \
    "func B::take(this: B*, p: void*) -> void @2:2 {\n" second "  return\n"                        \
    "}\n"

#define DROP "  call drop(p) @3:1\n"
#define LOOK "  call use(p) @3:1\n"
#define KEEP "  this->kept = p @3:1\n"

#define CALLER(behind)                                                                             \
    "func f(s: Sink*, n: int) -> int @10:1 to @19:1 {\n"                                           \
    "  decl p: void* @11:1\n"                                                                      \
    "  %1 = call make(&p) @12:1\n"                                                                 \
    "  branch %1 != 0 ? b1 : b2 @12:2\n"                                                           \
    "b1:\n"                                                                                        \
    "  return 1 @12:9\n"                                                                           \
    "b2:\n"                                                                                        \
    "  branch n > 0 ? b3 : b4 @13:1\n"                                                             \
    "b3:\n"                                                                                        \
    "  return 2 @14:1\n"                                                                           \
    "b4:\n"                                                                                        \
    "  call Sink::take(s, p) [virtual] @15:1\n" behind "  return 0 @17:1\n"                        \
    "}\n"

// The same without an early return.
#define STRAIGHT                                                                                   \
    "func f(s: Sink*) -> int @10:1 to @19:1 {\n"                                                   \
    "  decl p: void* @11:1\n"                                                                      \
    "  %1 = call make(&p) @12:1\n"                                                                 \
    "  call Sink::take(s, p) [virtual] @15:1\n"                                                    \
    "  return 0 @17:1\n"                                                                           \
    "}\n"

static void test_all_release(void **state)
{
    (void)state;
    expect(SINK("1:1", DROP, DROP) CALLER(""), "leak-at-exit p @14\n");
    expect(SINK("1:1", DROP, DROP) CALLER("  call drop(p) @16:1\n"),
           "leak-at-exit p @14\ndouble-release p @16\n");
}

static void test_one_releases(void **state)
{
    (void)state;
    // Neither a leak behind the call, for it may have been released, nor a double release.
    expect(SINK("1:1", DROP, LOOK) CALLER("  call drop(p) @16:1\n"), "leak-at-exit p @14\n");
}

static void test_none_releases(void **state)
{
    (void)state;
    expect(SINK("1:1", LOOK, LOOK) STRAIGHT, "leak-at-exit p @17\n");
}

static void test_one_keeps(void **state)
{
    (void)state;
    expect(SINK("1:1", KEEP, LOOK) STRAIGHT, "");
}

static void test_one_is_unknown(void **state)
{
    (void)state;
    expect(SINK("1:1", LOOK, LOOK) "record C size 8 @4:1 { }\n"
                                   "callee C::take(void*) -> void [method virtual] of C "
                                   "overrides A::take @4:2\n" STRAIGHT,
           "");
}

static void test_others_may_override(void **state)
{
    (void)state;
    expect(SINK("\"sink.h\":1:1", LOOK, LOOK) STRAIGHT, "");
    expect(SINK("\"sink.h\":1:1", DROP, DROP) CALLER("  call drop(p) @16:1\n"),
           "leak-at-exit p @14\ndouble-release p @16\n");
}

#define CLASSES                                                                                    \
    "record Base size 8 dtor Base::~Base @1:1 { }\n"                                               \
    "record Buf size 16 : Base [copy_ctor copy_ctor_deleted copy_assign copy_assign_deleted] "     \
    "dtor Buf::~Buf @2:1 { p: void* }\n"                                                           \
    "callee Base::~Base() -> void [method dtor virtual nothrow] of Base @1:2\n"                    \
    "callee Buf::~Buf() -> void [method dtor virtual nothrow] of Buf @2:2\n"                       \
    "func Base::~Base(this: Base*) -> void [dtor] @1:2 {\n  return\n}\n"                           \
    "func Buf::~Buf(this: Buf*) -> void [dtor] @2:2 {\n  call drop(this->p) @2:3\n  return\n}\n"

#define BY_BASE(destroy)                                                                           \
    "func f() {\n"                                                                                 \
    "  decl o: Buf* @3:1\n  decl b: Base* @3:2\n"                                                  \
    "  %1 = call heap_new(16) @4:1\n  o = cast<Buf*>(%1) @4:2\n"                                   \
    "  call make(&o->p) @5:1\n  b = &o->`#base:Base`{Base} @6:1\n" destroy                         \
    "  call heap_free(cast<void*>(b)) @8:1\n  return @9:1\n}\n"

// A pointer to the base class part leads to the whole object: its destructor is one of the
// overriders, and the memory is the one that was allocated.
static void test_deleted_by_base(void **state)
{
    (void)state;
    expect(CLASSES BY_BASE("  call Base::~Base(b) [implicit virtual] @7:1\n"), "");
    expect(CLASSES BY_BASE(""), "leak-at-scope o->p @8\n");
    // A class whose destructor is the compiler's own: what it does is not known.
    expect("record Other size 16 : Base @2:9 { p: void* }\n" CLASSES BY_BASE(
               "  call Base::~Base(b) [implicit virtual] @7:1\n"),
           "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_release),     cmocka_unit_test(test_one_releases),
        cmocka_unit_test(test_none_releases),   cmocka_unit_test(test_one_keeps),
        cmocka_unit_test(test_one_is_unknown),  cmocka_unit_test(test_others_may_override),
        cmocka_unit_test(test_deleted_by_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
