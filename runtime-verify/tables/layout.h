// SPDX-License-Identifier: MIT
// Layout: what the toolkit's headers say of structures and of CUPTI's callbacks. Read by libclang
// from one preprocessed file, so that no offset is written by hand.
#ifndef RUNTIME_VERIFY_TABLES_LAYOUT_H
#define RUNTIME_VERIFY_TABLES_LAYOUT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;
    CXCursor cursor;
} LayoutName;

typedef Vec(LayoutName) LayoutNames;

typedef struct {
    Arena *arena;
    CXTranslationUnit unit;
    LayoutNames functions; // prototypes
    LayoutNames macros;
    LayoutNames parameters;    // structures NAME_params_st: the arguments of a callback
    LayoutNames runtime_calls; // enumerators: identifiers of callbacks, without their prefix
    LayoutNames driver_calls;
} Layout;

// An argument in the block that a callback is given.
typedef struct {
    uint32_t offset, size;
    bool is_structure;
} LayoutField;

typedef Vec(LayoutField) LayoutFields;

// Reads `path`, allocated in `arena`, which closes it.
Status layout_read(Arena *arena, const char *path, Layout *layout, Err *err);

// The prototype of the function, under this or a versioned name; NULL when there is none.
const LayoutName *layout_function(const Layout *layout, const char *name);
// Offset of a field ("a.b.c") in what an argument (1..) of the function is or points to.
bool layout_field_offset(const LayoutName *function, int arg, const char *field, uint32_t *offset);
// Type of an argument (1..) in words of C.
const char *layout_argument_type(const Layout *layout, const LayoutName *function, int arg);
// Is an argument (1..) of a handle's type: a pointer to a structure?
bool layout_argument_is_handle(const LayoutName *function, int arg);
int layout_argument_count(const LayoutName *function);
// The name under which a library exports the function: with the version that a macro gives it.
const char *layout_exported_name(const Layout *layout, const LayoutName *function);
// The type of an argument (1..) or the result (0) as far as calling it depends on that: uint32_t,
// uint64_t, float, double, void *, void, Bytes128 (a structure that is passed in memory); NULL for
// what is none of these.
const char *layout_passed_type(const Layout *layout, const LayoutName *function, int arg);
// Is what an argument (1..) is, or points to, an int of 4 bytes?
bool layout_argument_is_int(const LayoutName *function, int arg, bool pointee);
// The arguments of a callback, in order. False when the headers do not describe them.
bool layout_callback_fields(const Layout *layout, const char *callback, LayoutFields *fields);

#endif
