// SPDX-License-Identifier: MIT
// Unit tests of base/: arenas, strings, vectors, bit sets, failures, messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "base/vec.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

static void assert_all_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
}

static void arena_gives_zeroed_aligned_blocks(void **state)
{
    Arena *arena = *state;
    static const size_t sizes[] = {0, 1, 15, 16, 17, 4096, 100000, 3 << 20, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *block = arena_alloc(arena, sizes[i]);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 16, 0);
        assert_all_zero(block, sizes[i]);
        memset(block, 0xff, sizes[i]);
    }
    assert_ptr_not_equal(arena_alloc(arena, 0), arena_alloc(arena, 0));
}

static void arena_reset_frees_and_zeroes_again(void **state)
{
    Arena *arena = *state;
    memset(arena_alloc(arena, 100), 1, 100);
    size_t before = arena_bytes(arena);
    ArenaMark mark = arena_mark(arena);
    unsigned char *first = arena_alloc(arena, 64);
    memset(first, 0xff, 64);
    for (int i = 0; i < 100; i++) memset(arena_alloc(arena, 10000), 0xff, 10000);
    size_t peak = arena_bytes(arena);
    assert_true(peak >= before + 64 + 1000000);
    arena_reset(arena, mark);
    assert_int_equal(arena_bytes(arena), before);
    assert_int_equal(arena_peak_bytes(arena), peak);
    unsigned char *again = arena_alloc(arena, 64);
    assert_ptr_equal(again, first);
    assert_all_zero(again, 64);
    for (int i = 0; i < 100; i++) assert_all_zero(arena_alloc(arena, 10000), 10000);
}

static void arena_reset_of_an_empty_mark_empties(void **state)
{
    Arena *arena = *state;
    ArenaMark mark = arena_mark(arena);
    arena_alloc(arena, 1 << 20);
    arena_alloc(arena, 1);
    arena_reset(arena, mark);
    assert_int_equal(arena_bytes(arena), 0);
    arena_alloc(arena, 5);
    assert_int_equal(arena_bytes(arena), 16);
}

static char close_order[8];

static void note_close(void *object)
{
    strncat(close_order, object, 1);
}

static void arena_runs_deferred_closes_newest_first(void **state)
{
    (void)state;
    close_order[0] = '\0';
    Arena *arena = arena_new("closes");
    arena_defer(arena, note_close, "a");
    ArenaMark mark = arena_mark(arena);
    arena_defer(arena, note_close, "b");
    arena_alloc(arena, 1 << 20);
    arena_defer(arena, note_close, "c");
    arena_reset(arena, mark);
    assert_string_equal(close_order, "cb");
    arena_defer(arena, note_close, "d");
    arena_free(arena);
    assert_string_equal(close_order, "cbda");
}

static void arena_formats_text(void **state)
{
    Arena *arena = *state;
    assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
    assert_string_equal(arena_strndup(arena, NULL, 0), "");
    assert_string_equal(arena_strdup(arena, ""), "");
    assert_string_equal(arena_printf(arena, "%s-%d", "x", 42), "x-42");
    assert_int_equal(strlen(arena_printf(arena, "%5000s", "x")), 5000);
}

static void pool_interns_equal_texts_once(void **state)
{
    StrPool *pool = str_pool_new(*state);
    const char *a = str_intern(pool, "alpha");
    char copy[] = "alphabet";
    assert_ptr_equal(str_intern_n(pool, copy, 5), a);
    assert_ptr_equal(str_internf(pool, "%s%c", "alph", 'a'), a);
    assert_ptr_not_equal(str_intern(pool, copy), a);
    assert_string_equal(a, "alpha");
    assert_ptr_equal(str_intern(pool, ""), str_intern_n(pool, "x", 0));
    assert_int_equal(strlen(str_internf(pool, "%1000s", "y")), 1000);
    assert_ptr_equal(str_internf(pool, "%1000s", "y"), str_internf(pool, "%1000s", "y"));
}

static void pool_keeps_strings_while_growing(void **state)
{
    StrPool *pool = str_pool_new(*state);
    enum { COUNT = 20000 };
    const char **first = ARENA_ARRAY(*state, const char *, COUNT);
    for (int i = 0; i < COUNT; i++) first[i] = str_internf(pool, "name%d", i);
    for (int i = 0; i < COUNT; i++) {
        char text[32];
        snprintf(text, sizeof text, "name%d", i);
        assert_string_equal(first[i], text);
        assert_ptr_equal(str_intern(pool, text), first[i]);
    }
}

static void prefixes_and_suffixes(void **state)
{
    (void)state;
    assert_true(str_starts_with("cudaFree", "cuda"));
    assert_true(str_starts_with("x", ""));
    assert_false(str_starts_with("cu", "cuda"));
    assert_true(str_ends_with("a.cu", ".cu"));
    assert_true(str_ends_with("a", ""));
    assert_false(str_ends_with("u", ".cu"));
}

static void strbuf_grows(void **state)
{
    StrBuf buf = {.arena = *state};
    assert_string_equal(strbuf_text(&buf), "");
    for (int i = 0; i < 1000; i++) strbuf_printf(&buf, "%04d,", i);
    strbuf_append(&buf, "end");
    strbuf_append_n(&buf, "ing", 0);
    assert_int_equal(buf.len, 5003);
    assert_int_equal(strlen(strbuf_text(&buf)), 5003);
    assert_memory_equal(strbuf_text(&buf) + 4995, "0999,end", 9);
    strbuf_append_n(&buf, "a\0b", 3);
    assert_int_equal(buf.len, 5006);
}

static void vec_keeps_items_while_growing(void **state)
{
    Vec(uint32_t) vec = {0};
    for (uint32_t i = 0; i < 1000; i++) vec_push((Arena *)*state, &vec, i * 3);
    assert_int_equal(vec.len, 1000);
    assert_true(vec.cap >= 1000);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(vec.items[i], i * 3);
    assert_int_equal(*vec_last(&vec), 2997);
}

static void bits_hold_what_was_added(void **state)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, 200};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t size = sizes[s];
        BitSet set = bits_new(*state, size);
        assert_int_equal(bits_next(&set, 0), size);
        bits_add(&set, size - 1);
        bits_add(&set, 0);
        assert_true(bits_has(&set, 0));
        assert_true(bits_has(&set, size - 1));
        assert_int_equal(bits_count(&set), size == 1 ? 1 : 2);
        assert_int_equal(bits_next(&set, 0), 0);
        assert_int_equal(bits_next(&set, 1), size == 1 ? 1 : size - 1);
        assert_int_equal(bits_next(&set, size), size);
        bits_remove(&set, 0);
        assert_false(bits_has(&set, 0));
    }
    BitSet none = bits_new(*state, 0);
    assert_int_equal(bits_next(&none, 0), 0);
    assert_int_equal(bits_count(&none), 0);
}

static void bits_union_and_intersection_say_whether_they_changed(void **state)
{
    BitSet a = bits_new(*state, 130);
    BitSet b = bits_new(*state, 130);
    bits_add(&a, 3);
    bits_add(&b, 129);
    assert_false(bits_equal(&a, &b));
    assert_true(bits_union(&a, &b));
    assert_false(bits_union(&a, &b));
    assert_int_equal(bits_count(&a), 2);
    assert_true(bits_intersect(&a, &b));
    assert_false(bits_intersect(&a, &b));
    assert_true(bits_equal(&a, &b));
}

static void errors_gather_context_outwards(void **state)
{
    Err err = {.arena = *state};
    Status status = err_set(&err, ST_IO, "read failed after %d bytes", 7);
    status = err_context(&err, status, "config '%s'", "x.yaml");
    assert_int_equal(status, ST_IO);
    assert_string_equal(err.message, "config 'x.yaml': read failed after 7 bytes");
    Err bare = {.arena = *state};
    assert_int_equal(err_context(&bare, ST_NOT_FOUND, "a.cu"), ST_NOT_FOUND);
    assert_string_equal(bare.message, "a.cu: no such file or directory");
    assert_int_equal(err_set(NULL, ST_USAGE, "nobody listens"), ST_USAGE);
    assert_string_equal(status_text(ST_OK), "success");
    assert_string_equal(status_text((Status)-99), "unknown status");
}

// Runs `body` in a child and returns what it wrote on standard error; `*status` as waitpid gives
// it.
static const char *stderr_of(Arena *arena, void (*body)(void), int *status)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        body();
        fflush(stderr);
        _exit(0);
    }
    close(ends[1]);
    StrBuf text = {.arena = arena};
    char bytes[4096];
    ssize_t got;
    while ((got = read(ends[0], bytes, sizeof bytes)) > 0)
        strbuf_append_n(&text, bytes, (size_t)got);
    close(ends[0]);
    assert_int_equal(waitpid(child, status, 0), child);
    return strbuf_text(&text);
}

static void break_an_invariant(void)
{
    crash_context_set("a.cu", "f(int)");
    int answer = 41;
    BUG_ON(answer != 42);
}

static void a_bug_names_place_unit_and_function(void **state)
{
    int status = 0;
    const char *text = stderr_of(*state, break_an_invariant, &status);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_true(str_starts_with(text, "cudalint: error: internal bug: "));
    assert_non_null(strstr(text, "test_base.c:"));
    assert_non_null(strstr(text, ": answer != 42\n"));
    assert_true(str_ends_with(
        text, "cudalint: note: while analysing a.cu\ncudalint: note: in function f(int)\n"));
}

static void say_everything(void)
{
    log_error("e%d", 1);
    log_warning("w%d", 1);
    log_note("n%d", 1);
}

static void say_something_long(void)
{
    log_error("%3000s", "x");
}

static void messages_follow_the_level(void **state)
{
    int status = 0;
    assert_int_equal(log_level(), LOG_NORMAL);
    assert_string_equal(stderr_of(*state, say_everything, &status),
                        "cudalint: error: e1\ncudalint: warning: w1\n");
    assert_int_equal(status, 0);
    log_set_level(LOG_QUIET);
    assert_string_equal(stderr_of(*state, say_everything, &status), "cudalint: error: e1\n");
    log_set_level(LOG_VERBOSE);
    assert_string_equal(stderr_of(*state, say_everything, &status),
                        "cudalint: error: e1\ncudalint: warning: w1\ncudalint: note: n1\n");
    log_set_level(LOG_NORMAL);
    assert_int_equal(strlen(stderr_of(*state, say_something_long, &status)),
                     strlen("cudalint: error: \n") + 3000);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(arena_gives_zeroed_aligned_blocks),
        TEST(arena_reset_frees_and_zeroes_again),
        TEST(arena_reset_of_an_empty_mark_empties),
        TEST(arena_runs_deferred_closes_newest_first),
        TEST(arena_formats_text),
        TEST(pool_interns_equal_texts_once),
        TEST(pool_keeps_strings_while_growing),
        TEST(prefixes_and_suffixes),
        TEST(strbuf_grows),
        TEST(vec_keeps_items_while_growing),
        TEST(bits_hold_what_was_added),
        TEST(bits_union_and_intersection_say_whether_they_changed),
        TEST(errors_gather_context_outwards),
        TEST(a_bug_names_place_unit_and_function),
        TEST(messages_follow_the_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
