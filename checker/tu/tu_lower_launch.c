// SPDX-License-Identifier: MIT
// Kernel launches. Clang shows `k<<<g, b, s, st>>>(args)` as a call of k whose second child is a
// call of __cudaPushCallConfiguration; neither that nor the dim3 constructors around g and b reach
// the IR.
#include "tu/tu_lower.h"

#include <string.h>

static CXCursor configuration(Lower *lw, CXCursor call)
{
    LwCursors parts = lw_operands(lw, call);
    if (parts.count < 2 || !lw_is_kind(parts.items[1], CXCursor_CallExpr))
        return clang_getNullCursor();
    bool is_configuration =
        strcmp(lw_spelling(lw, parts.items[1]), "__cudaPushCallConfiguration") == 0;
    return is_configuration ? parts.items[1] : clang_getNullCursor();
}

// A grid or block size: the integer that was converted to dim3, or the dim3 object.
static IrExprId extent_value(Lower *lw, CXCursor argument)
{
    if (lw_is_synthetic(argument)) return IR_NONE;
    CXCursor core = lw_strip(lw, argument);
    if (!lw_is_kind(core, CXCursor_CallExpr) ||
        !lw_is_kind(clang_getCursorReferenced(core), CXCursor_Constructor))
        return lw_is_record(clang_getCursorType(core)) ? lw_load(lw, lw_place(lw, core))
                                                       : lw_value(lw, core);
    int count = clang_Cursor_getNumArguments(core);
    CXCursor first = count > 0 ? clang_Cursor_getArgument(core, 0) : clang_getNullCursor();
    if (count == 1 && lw_is_record(clang_getCursorType(first)) && !lw_is_prvalue(lw, first))
        return lw_load(lw, lw_place(lw, first)); // a copy of a dim3 variable
    bool is_converted = count > 1 && lw_is_synthetic(clang_Cursor_getArgument(core, 1)) &&
                        !lw_is_record(clang_getCursorType(first));
    if (is_converted) return lw_value(lw, first);
    return lw_load(lw, lw_place(lw, core));
}

static IrExprId plain_value(Lower *lw, CXCursor argument)
{
    return lw_is_synthetic(argument) ? IR_NONE : lw_value(lw, argument);
}

static IrExprId stream_value(Lower *lw, CXCursor argument)
{
    return lw_is_synthetic(argument) ? IR_NONE : lw_value(lw, lw_pointer_origin(lw, argument));
}

static CXType kernel_type(Lower *lw, CXCursor call)
{
    LwCursors parts = lw_operands(lw, call);
    CXType type = clang_getCanonicalType(clang_getCursorType(parts.items[0]));
    while (lw_is_pointer(type) || lw_is_reference(type))
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return type;
}

// An object passed to a kernel is copied, and the copy dies when the launch is done.
static IrExprId kernel_argument(Lower *lw, CXCursor argument, CXType parameter)
{
    bool is_owner = lw_is_record(parameter) && lw_needs_destroy(lw, parameter);
    if (!is_owner) return lw_argument(lw, argument, parameter);
    SrcLoc loc = lw_loc(lw, argument);
    IrPlaceId copy = lw_new_object(lw, parameter, loc);
    lw_init(lw, copy, parameter, argument);
    lw_push_var(lw, lw_place_at(lw, copy)->var, parameter);
    return lw_load(lw, copy);
}

// A managed variable that the kernel names goes along as if it were an argument: what it points to, or
// where it lies.
static IrExprId managed_argument(Lower *lw, CXCursor variable)
{
    IrPlaceId place = lw_var_place(lw, variable);
    return lw_is_pointer(clang_getCursorType(variable)) ? lw_load(lw, place)
                                                        : lw_address(lw, place);
}

static void lower_kernel_arguments(Lower *lw, CXCursor call, IrCall *launch, uint32_t count)
{
    CXType type = kernel_type(lw, call);
    for (uint32_t i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, i);
        CXType parameter = clang_getArgType(type, i);
        SrcLoc pinned = lw->pinned;
        if (lw_is_synthetic(argument)) {
            lw->pinned = lw_loc(lw, call);
            argument = lw_call_argument(lw, call, i);
        }
        launch->args[i] = lw_is_null(argument) ? lw_argument(lw, argument, parameter)
                                               : kernel_argument(lw, argument, parameter);
        lw->pinned = pinned;
    }
}

bool lw_launch(Lower *lw, CXCursor call)
{
    CXCursor config = configuration(lw, call);
    if (lw_is_null(config)) return false;
    CXCursor kernel = clang_getCursorReferenced(call);
    bool is_direct =
        lw_is_kind(kernel, CXCursor_FunctionDecl) || lw_is_kind(kernel, CXCursor_CXXMethod);
    int arguments = clang_Cursor_getNumArguments(call);
    uint32_t count = arguments < 0 ? 0 : (uint32_t)arguments;
    TuKernelAccess access =
        is_direct ? tu_kernel_access(lw->ctx, kernel) : (TuKernelAccess){.managed_count = 0};
    IrCall *launch =
        lw_call_new(lw, is_direct ? lw_callee(lw, kernel) : IR_NONE, count + access.managed_count);
    LwCursors parts = lw_operands(lw, call);
    if (!is_direct) launch->target = lw_value(lw, parts.items[0]);
    launch->grid = extent_value(lw, clang_Cursor_getArgument(config, 0));
    launch->block = extent_value(lw, clang_Cursor_getArgument(config, 1));
    launch->shared_bytes = plain_value(lw, clang_Cursor_getArgument(config, 2));
    launch->stream = stream_value(lw, clang_Cursor_getArgument(config, 3));
    lower_kernel_arguments(lw, call, launch, count);
    for (uint32_t i = 0; i < access.managed_count; i++)
        launch->args[count + i] = managed_argument(lw, access.managed[i]);
    IrInstr instr = ir_instr(IR_LAUNCH, lw_loc(lw, call));
    instr.call = launch;
    lw_append(lw, instr);
    return true;
}
