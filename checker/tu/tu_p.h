// SPDX-License-Identifier: MIT
// Private to tu/: what its stages share about one parsed translation unit. tu_file.c parses and
// owns the context, tu_walk.c finds the host functions, tu_lower_*.c turn each into IR.
#ifndef CUDALINT_TU_TU_P_H
#define CUDALINT_TU_TU_P_H

#include "base/vec.h"
#include "ir/ir_build.h"
#include "tu/tu.h"

#include <clang-c/Index.h>

// A source file of the unit; made on first use.
typedef struct {
    CXFile handle;
    const char *name; // path as it was opened, interned
    const char *text; // borrowed from libclang while the unit lives; NULL when it has none
    size_t len;
    bool is_system; // system, toolkit or bundled header
} TuSource;

// An error diagnostic of clang, at its file location.
typedef struct {
    const TuSource *source; // NULL: no location (driver)
    uint32_t offset, line, column;
    const char *message;  // interned
    bool is_missing_file; // an #include that was not found
    bool is_claimed; // lies in the extent of a function that was skipped for it, or in device code
    bool is_in_device_code; // of a kernel or device function: nothing is lost here
} TuError;

typedef struct TuContext {
    CXTranslationUnit tu;
    IrUnit *unit;
    Arena *arena;   // the unit's
    TuStats *stats; // of the caller
    Vec(TuSource *) sources;
    Vec(TuError) errors;       // in the order of clang, spurious ones left out
    struct TuWrites *writes;   // tu_writes.c: the static variables written here; made on first use
    struct TuKernels *kernels; // tu_kernel.c: what device functions do; made on first use
    struct TuLowerUnit *lower; // tu_lower_*.c: its tables over the whole unit; made on first use
} TuContext;

// ---- text and locations (tu_source.c) -----------------------------------------------------------

// The text of `string`, interned in the unit, NULL-safe (""); `string` is disposed.
const char *tu_str(TuContext *ctx, CXString string);
// The declaration's USR, interned. Clang gives all lambdas of a function one name where they are
// template arguments; the types tell such instantiations apart.
const char *tu_usr(TuContext *ctx, CXCursor decl);
// Where the user sees it (clang's file location); `macro` is set for code from a macro body.
SrcLoc tu_loc(TuContext *ctx, CXCursor cursor);
SrcLoc tu_loc_of(TuContext *ctx, CXSourceLocation location);
SrcLoc tu_loc_end(TuContext *ctx, CXCursor cursor); // the last character of the cursor's extent
// The unit's entry for a file; NULL for a null handle.
const TuSource *tu_source(TuContext *ctx, CXFile file);
// The file's contents, or NULL; `len` may be NULL. Borrowed while the unit lives.
const char *tu_file_text(TuContext *ctx, CXFile file, size_t *len);

// ---- declarations (tu_walk.c) -------------------------------------------------------------------

bool tu_is_kernel(CXCursor function);      // __global__
bool tu_is_device_only(CXCursor function); // __device__ without __host__; not kernels
bool tu_is_managed(CXCursor cursor);       // a variable that is __managed__
// Declared in a file of the user's project: not in a system, toolkit or bundled header.
bool tu_is_user_code(CXCursor cursor);
// The body of a function definition (compound or function-try statement); a null cursor when it has
// none.
CXCursor tu_function_body(CXCursor definition);
// Qualified name with template arguments of an instantiation, for people; interned.
const char *tu_function_name(TuContext *ctx, CXCursor function);

// Where the declaration stands: the same for a template's pattern and what is instantiated from it.
const char *tu_place_key(TuContext *ctx, CXCursor cursor);

// Finds every host function with a body in the user's files, each once, and has it lowered or
// skipped with a reason.
void tu_walk(TuContext *ctx);

// ---- facts about the unit -----------------------------------------------------------------------

// Collects clang's errors into ctx->errors (tu_taint.c).
void tu_taint_collect(TuContext *ctx);
// Why the function cannot be trusted: "line 12: use of undeclared identifier 'foo'", interned;
// NULL: it is whole.
const char *tu_taint_reason(TuContext *ctx, CXCursor definition);
// Marks the errors of a kernel or device function as no loss.
void tu_taint_device(TuContext *ctx, CXCursor definition);
// True if clang met an error in the user's host code: statements may be missing anywhere.
bool tu_taint_any(const TuContext *ctx);
// Whether clang met an error inside the definition.
bool tu_taint_has(TuContext *ctx, CXCursor definition);
// Counts the errors into stats, and reports there what no skipped function has claimed.
void tu_taint_report(TuContext *ctx);

// True for a variable of static storage that nothing outside this unit can see (static, static
// local, anonymous namespace, or const), and for a local pointer to a function, that nothing in this
// unit writes or may write through (tu_writes.c).
bool tu_var_is_never_written(TuContext *ctx, CXCursor var_decl);

// ---- lowering (tu_lower_func.c) -----------------------------------------------------------------

// Lowers one function, method, constructor, destructor or instantiation into ctx->unit. False when
// it met a construct it does not know: it is then in unit->skipped with the reason.
bool tu_lower_function(TuContext *ctx, CXCursor definition);
// Whether a function lowered so far holds the lambda with this call operator.
bool tu_lower_has_lambda(TuContext *ctx, CXCursor function);
// Adds a function that need not be called, nor have a body here, to the unit's callees.
void tu_lower_declare(TuContext *ctx, CXCursor function);

// ---- tu_kernel.c ----
// Pointer parameters, as bits, whose pointees a device function only reads, those it writes, and those
// of which it may be that it touches none; of the others nothing is certain. Behind the parameters come
// the managed variables that it names: of a pointer it is said what happens to its pointee.
typedef struct {
    uint64_t reads, writes, idle;
    const CXCursor *managed;
    uint32_t managed_count;
} TuKernelAccess;
TuKernelAccess tu_kernel_access(TuContext *ctx, CXCursor kernel);

#endif
