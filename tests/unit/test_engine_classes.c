// SPDX-License-Identifier: MIT
// What the engine makes of classes: members that are acquired and not released, copies of owners,
// members overwritten, released by the wrong function or left dangling.
#include "engine_expect.h"

#define RECORD(flags, destructor)                                                                  \
    "record Box size 16 " flags " " destructor " @1:1 { p: void*; n: int }\n"
#define WITH_DESTRUCTOR                                                                            \
    RECORD("", "dtor Box::~Box")                                                                   \
    "callee Box::Box() -> void [method ctor] of Box\n"                                             \
    "callee Box::~Box() -> void [method dtor] of Box\n"
#define CONSTRUCTOR                                                                                \
    "func Box::Box(this: Box*) -> void [ctor] {\n  call make(&this->p) @2:1\n  return @3:1\n}\n"
#define DESTRUCTOR                                                                                 \
    "func Box::~Box(this: Box*) -> void [dtor] {\n  call drop(this->p) @4:1\n  return @5:1\n}\n"

static void a_destructor_forgets_a_member(void **state)
{
    (void)state;
    expect(WITH_DESTRUCTOR CONSTRUCTOR
           "func Box::~Box(this: Box*) -> void [dtor] {\n  return @5:1\n}\n",
           "member-leak p @2\n");
    expect(WITH_DESTRUCTOR CONSTRUCTOR DESTRUCTOR, "copyable-owner p @1\n");
    // What the destructor does is not known.
    expect(WITH_DESTRUCTOR CONSTRUCTOR, "");
    // It hands the object to a function of which nothing is known.
    expect(WITH_DESTRUCTOR CONSTRUCTOR
           "callee foreign(Box*) -> void\n"
           "func Box::~Box(this: Box*) -> void [dtor] {\n  call foreign(this) @4:1\n"
           "  return @5:1\n}\n",
           "");
}

// Each object that is lost would be a finding of its own; the class is told once.
static void the_class_speaks_for_its_objects(void **state)
{
    (void)state;
    expect(WITH_DESTRUCTOR CONSTRUCTOR
           "func Box::~Box(this: Box*) -> void [dtor] {\n  return @5:1\n}\n"
           "func f() {\n  decl b: Box\n  call Box::Box(&b) @6:1\n"
           "  call Box::~Box(&b) [implicit] @7:1\n  scope_end b @7:1\n  return @7:1\n}\n",
           "member-leak p @2\n");
}

static void a_method_may_release_it(void **state)
{
    (void)state;
    expect(WITH_DESTRUCTOR
           "callee Box::close() -> void [method] of Box\n" CONSTRUCTOR
           "func Box::~Box(this: Box*) -> void [dtor] {\n  return @5:1\n}\n"
           "func Box::close(this: Box*) -> void {\n  call drop(this->p) @6:1\n  return @7:1\n}\n",
           "");
    // Of a method that is declared, nothing is known.
    expect(WITH_DESTRUCTOR "callee Box::close() -> void [method] of Box\n" CONSTRUCTOR
                           "func Box::~Box(this: Box*) -> void [dtor] {\n  return @5:1\n}\n",
           "");
    // What it reads it does not release.
    expect(WITH_DESTRUCTOR "callee Box::size() -> int [method const_method] of Box\n" CONSTRUCTOR
                           "func Box::~Box(this: Box*) -> void [dtor] {\n  return @5:1\n}\n",
           "member-leak p @2\n");
}

static void copies_are_forbidden(void **state)
{
    (void)state;
#define OWNER(flags)                                                                               \
    RECORD(flags, "dtor Box::~Box")                                                                \
    "callee Box::~Box() -> void [method dtor] of Box\n" DESTRUCTOR
    expect(OWNER("[copy_ctor copy_ctor_deleted]"), "");
    expect(OWNER("[copy_ctor]"), "");
    expect(OWNER("[move]"), "");
    expect(OWNER("[copy_ctor copy_ctor_defaulted]"), "copyable-owner p @1\n");
#undef OWNER
}

static void a_kernel_takes_a_copy(void **state)
{
    (void)state;
    expect(RECORD("", "dtor Box::~Box") "callee Box::~Box() -> void [method dtor] of Box\n"
                                        "callee k(Box) -> void [kernel]\n" DESTRUCTOR
                                        "func f(b: Box&) {\n  temp %1: Box\n  decl %1 @6:1\n  init "
                                        "%1 = (*b){Box} @6:1\n"
                                        "  launch k<<<1, 1>>>(%1) @6:1\n  call Box::~Box(&%1) "
                                        "[implicit] @6:1\n"
                                        "  scope_end %1 @6:1\n  return @7:1\n}\n",
           "release-trusted b->p @6\ncopyable-owner p @1\nowner-to-kernel b @6\n");
}

#define METHOD(body)                                                                               \
    "callee Box::again() -> void [method] of Box\n"                                                \
    "func Box::again(this: Box*) -> void {\n" body "  return @9:1\n}\n"
#define SOLE                                                                                       \
    RECORD("[move]", "dtor Box::~Box")                                                             \
    "callee Box::Box() -> void [method ctor] of Box\n"                                             \
    "callee Box::~Box() -> void [method dtor] of Box\n"

static void a_member_is_overwritten(void **state)
{
    (void)state;
    expect(SOLE CONSTRUCTOR DESTRUCTOR METHOD("  call make(&this->p) @8:1\n"), "overwrite p @8\n");
    expect(SOLE CONSTRUCTOR DESTRUCTOR METHOD(
               "  call drop(this->p) @7:1\n  call make(&this->p) @8:1\n"),
           "");
    // A constructor may leave it empty.
    expect(SOLE
           "callee Box::Box#1(int) -> void [method ctor] of Box\n" CONSTRUCTOR DESTRUCTOR METHOD(
               "  call make(&this->p) @8:1\n"),
           "");
    // Null, and it is acquired.
    expect(SOLE CONSTRUCTOR DESTRUCTOR METHOD(
               "  branch this->p == 0 ? b1 : b2\nb1:\n  call make(&this->p) @8:1\n"
               "  jump b2\nb2:\n"),
           "");
}

static void a_member_is_left_dangling(void **state)
{
    (void)state;
    expect(SOLE CONSTRUCTOR DESTRUCTOR METHOD("  call drop(this->p) @8:1\n"), "dangling p @8\n");
    expect(SOLE CONSTRUCTOR DESTRUCTOR METHOD("  call drop(this->p) @8:1\n  this->p = 0 @8:1\n"),
           "");
}

static void a_member_is_released_as_another_kind(void **state)
{
    (void)state;
    expect(SOLE CONSTRUCTOR
           "func Box::~Box(this: Box*) -> void [dtor] {\n  call drop_gadget(this->p) @4:1\n"
           "  return @5:1\n}\n",
           "wrong-release p @4\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_destructor_forgets_a_member),
        cmocka_unit_test(the_class_speaks_for_its_objects),
        cmocka_unit_test(a_method_may_release_it),
        cmocka_unit_test(copies_are_forbidden),
        cmocka_unit_test(a_kernel_takes_a_copy),
        cmocka_unit_test(a_member_is_overwritten),
        cmocka_unit_test(a_member_is_left_dangling),
        cmocka_unit_test(a_member_is_released_as_another_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
