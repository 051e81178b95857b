// SPDX-License-Identifier: MIT
// Compiler arguments: what is kept, what is dropped, what is refused.
#include "base/str.h"
#include "tu/tu_args_p.h"
#include "tu/tu_response_p.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

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

static Status translate(Arena *arena, const char *const *args, uint32_t count, TuArgs *out,
                        Err *err)
{
    TuCommand command = {.args = args, .count = count};
    const TuArgs *translated;
    Status status = tu_args_translate(arena, &command, NULL, NULL, &translated, err);
    *out = *translated;
    return status;
}

// Parses the words of `line`, split at blanks, and returns the kept flags joined with blanks.
static const char *kept(Arena *arena, const char *line, TuArgs *args)
{
    Vec(const char *) words = {0};
    char *copy = arena_strdup(arena, line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        vec_push(arena, &words, word);
    Err err = {.arena = arena};
    assert_int_equal(translate(arena, words.items, words.len, args, &err), ST_OK);
    StrBuf text = {.arena = arena};
    for (uint32_t i = 0; i < args->flags.len; i++) {
        if (i > 0) strbuf_append(&text, " ");
        strbuf_append(&text, args->flags.items[i]);
    }
    return strbuf_text(&text);
}

static Status refused(Arena *arena, const char *const *args, uint32_t count, const char **message)
{
    TuArgs out;
    Err err = {.arena = arena};
    Status status = translate(arena, args, count, &out, &err);
    *message = err.message;
    return status;
}

static void keeps_what_the_preprocessor_sees(void **state)
{
    TuArgs args;
    assert_string_equal(
        kept(*state, "-O2 -g -Wall -fopenmp -march=native -Ia -I b -DX -D Y=1 -UZ -c -o out.o",
             &args),
        "-Ia -Ib -DX -DY=1 -UZ");
    assert_string_equal(kept(*state, "-isystem s -iquote q -idirafter r -include f.h", &args),
                        "-isystem s -iquote q -idirafter r -include f.h");
    assert_int_equal(args.include_dirs.len, 3);
    assert_string_equal(args.cxx_standard, "gnu++17");
    assert_false(args.per_thread_stream);
}

static void splits_lists_of_nvcc_alone(void **state)
{
    TuArgs args;
    assert_string_equal(kept(*state, "-arch=sm_80 -I a,b -DA=1,B=2", &args), "-Ia -Ib -DA=1 -DB=2");
    assert_string_equal(kept(*state, "-DA=f(1,2)", &args), "-DA=f(1,2)");
    // As `nvcc --dryrun` shows it.
    assert_string_equal(kept(*state, "-arch=sm_80 -DA=1\\,2 -DB='3,C", &args),
                        "-DA=1,2 -DB='3 -DC");
    assert_string_equal(kept(*state, "-arch=sm_80 -DA=\"x,y\" -DB=\"\\\",\"", &args),
                        "-DA=\"x,y\" -DB=\"\\\",\"");
    assert_string_equal(
        kept(*state, "-arch=sm_80 -Xcompiler=\"-DA=1,2\" -Xcompiler=-DB=\"x\"", &args),
        "-DA=1,2 -DB=x");
}

static void translates_host_options_of_nvcc(void **state)
{
    TuArgs args;
    assert_string_equal(
        kept(*state, "-Xcompiler -fPIC,-DH=1,-Wall --compiler-options -Ih -Xptxas -v -lcudart",
             &args),
        "-DH=1 -Ih");
    assert_string_equal(kept(*state, "-Xcompiler -isystem -Xcompiler dir", &args), "-isystem dir");
    assert_string_equal(
        kept(*state, "-gencode arch=compute_80,code=sm_80 -ccbin -I --threads 4 -rdc=true -G",
             &args),
        "-D__CUDACC_RDC__ -D__CUDACC_DEBUG__");
    assert_string_equal(kept(*state, "-rdc=false -ewp", &args), "-D__CUDACC_EWP__");
    assert_string_equal(kept(*state, "--include-path=x --define-macro Q --pre-include=p.h", &args),
                        "-Ix -DQ -include p.h");
}

static void finds_the_default_stream(void **state)
{
    TuArgs args;
    assert_string_equal(kept(*state, "--default-stream per-thread", &args),
                        "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    assert_true(args.per_thread_stream);
    kept(*state, "-default-stream=legacy", &args);
    assert_false(args.per_thread_stream);
    kept(*state, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM", &args);
    assert_true(args.per_thread_stream);
}

static void chooses_standard_and_language(void **state)
{
    TuArgs args;
    kept(*state, "-std=c++14", &args);
    assert_string_equal(args.cxx_standard, "c++14");
    kept(*state, "--std gnu++2a", &args);
    assert_string_equal(args.cxx_standard, "gnu++20");
    kept(*state, "-std=c++03 -std=c99", &args);
    assert_string_equal(args.cxx_standard, "c++11");
    assert_string_equal(args.c_standard, "c99");
    assert_true(tu_args_is_c(&args, "a.c"));
    assert_false(tu_args_is_c(&args, "a.cu"));
    kept(*state, "-x cu", &args);
    assert_false(tu_args_is_c(&args, "a.c"));
    kept(*state, "-xc", &args);
    assert_true(tu_args_is_c(&args, "a.h"));
}

static void refuses_what_is_wrong(void **state)
{
    const char *message;
    assert_int_equal(refused(*state, (const char *[]){"-I"}, 1, &message), ST_USAGE);
    assert_non_null(strstr(message, "-I"));
    assert_int_equal(refused(*state, (const char *[]){"-std=c++5"}, 1, &message), ST_USAGE);
    assert_int_equal(refused(*state, (const char *[]){"-std=rust"}, 1, &message), ST_USAGE);
    assert_int_equal(refused(*state, (const char *[]){"-std="}, 1, &message), ST_USAGE);
    assert_int_equal(refused(*state, (const char *[]){"-x", "fortran"}, 2, &message), ST_USAGE);
    assert_int_equal(refused(*state, (const char *[]){"--default-stream", "mine"}, 2, &message),
                     ST_USAGE);
    assert_int_equal(refused(*state, (const char *[]){"@/nowhere/args.rsp"}, 1, &message),
                     ST_NOT_FOUND);
    assert_int_equal(refused(*state, (const char *[]){"-optf", "/"}, 2, &message), ST_IO);
}

static void reads_response_files(void **state)
{
    Arena *arena = *state;
    const char *tmp = getenv("TMPDIR");
    char *path = arena_printf(arena, "%s/cudalint-test-XXXXXX", tmp == NULL ? "/tmp" : tmp);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "-I 'a dir' -DX=\"y z\"\n-Ib\\ c\n\t--std=c++20");
    fclose(file);
    TuArgs args;
    assert_string_equal(kept(arena, arena_printf(arena, "-DA @%s -DB", path), &args),
                        "-DA -Ia dir -DX=y z -Ib c -DB");
    assert_string_equal(args.cxx_standard, "c++20");

    file = fopen(path, "w"); // a file that reads itself
    fprintf(file, "@%s", path);
    fclose(file);
    const char *message;
    assert_int_equal(refused(arena, (const char *[]){"--options-file", path}, 2, &message),
                     ST_USAGE);
    assert_non_null(strstr(message, "nested"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_what_the_preprocessor_sees, setup, teardown),
        cmocka_unit_test_setup_teardown(splits_lists_of_nvcc_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(translates_host_options_of_nvcc, setup, teardown),
        cmocka_unit_test_setup_teardown(finds_the_default_stream, setup, teardown),
        cmocka_unit_test_setup_teardown(chooses_standard_and_language, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_is_wrong, setup, teardown),
        cmocka_unit_test_setup_teardown(reads_response_files, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
