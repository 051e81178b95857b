// SPDX-License-Identifier: MIT
// Types: clang's canonical types in, IrTypes out, each converted once per unit.
#include "tu/tu_lower.h"

#include <string.h>

CXType lw_canonical(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind == CXType_Invalid ? canonical : clang_getUnqualifiedType(canonical);
}

CXType lw_type_of(CXCursor cursor)
{
    return lw_canonical(clang_getCursorType(cursor));
}

bool lw_is_same(CXType a, CXType b)
{
    return clang_equalTypes(a, b) != 0;
}

bool lw_is_reference(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

bool lw_is_record(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Record;
}

bool lw_is_array(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray || kind == CXType_DependentSizedArray;
}

bool lw_is_pointer(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Pointer || kind == CXType_BlockPointer ||
           kind == CXType_ObjCObjectPointer;
}

bool lw_is_void(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Void;
}

bool lw_is_bool(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Bool;
}

CXType lw_pointee(CXType type)
{
    return lw_canonical(clang_getPointeeType(clang_getCanonicalType(type)));
}

CXType lw_element(CXType type)
{
    return lw_canonical(clang_getArrayElementType(clang_getCanonicalType(type)));
}

static IrTypeKind kind_of(enum CXTypeKind kind)
{
    switch (kind) {
    case CXType_Void:
        return IR_TY_VOID;
    case CXType_Bool:
        return IR_TY_BOOL;
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Half:
    case CXType_Float16:
    case CXType_BFloat16:
    case CXType_Ibm128:
        return IR_TY_FLOAT;
    case CXType_Enum:
        return IR_TY_INT;
    case CXType_Pointer:
    case CXType_BlockPointer:
    case CXType_NullPtr:
        return IR_TY_POINTER;
    case CXType_LValueReference:
    case CXType_RValueReference:
        return IR_TY_REFERENCE;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_DependentSizedArray:
        return IR_TY_ARRAY;
    case CXType_Record:
        return IR_TY_RECORD;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return IR_TY_FUNCTION;
    default:
        return kind >= CXType_Char_U && kind <= CXType_Int128 ? IR_TY_INT : IR_TY_OTHER;
    }
}

static bool is_unsigned(CXType type)
{
    if (type.kind == CXType_Enum) {
        CXType underlying = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type));
        type = clang_getCanonicalType(underlying);
    }
    return (type.kind >= CXType_Bool && type.kind <= CXType_UInt128) && type.kind != CXType_Invalid;
}

// libclang must not be asked for the size of types that have none (placeholders of unresolved
// names).
static uint64_t size_of(Lower *lw, CXType type, const IrTypeInfo *info)
{
    bool has_size = info->kind != IR_TY_FUNCTION && info->kind != IR_TY_VOID;
    if (info->kind == IR_TY_ARRAY)
        has_size = ir_type(lw->unit, info->pointee)->size != 0 && info->extent >= 0;
    if (info->kind == IR_TY_OTHER) {
        has_size = type.kind == CXType_Vector || type.kind == CXType_ExtVector ||
                   type.kind == CXType_Complex || type.kind == CXType_MemberPointer;
    }
    long long size = has_size ? clang_Type_getSizeOf(type) : 0;
    return size > 0 ? (uint64_t)size : 0;
}

IrType lw_type(Lower *lw, CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    const void *key = canonical.data[0];
    if (key != NULL) {
        IrType known = lw_ptr_get(&lw->tables->types, key);
        if (known != IR_NONE) return known;
    }
    IrTypeInfo info = {
        .kind = kind_of(canonical.kind), .pointee = IR_NONE, .record = IR_NONE, .extent = -1};
    info.name = tu_str(lw->ctx, clang_getTypeSpelling(canonical));
    info.is_const = clang_isConstQualifiedType(canonical) != 0;
    info.is_unsigned = info.kind == IR_TY_INT && is_unsigned(canonical);
    if (info.kind == IR_TY_RECORD) info.record = lw_record_id(lw, canonical);
    if (info.kind == IR_TY_POINTER || info.kind == IR_TY_REFERENCE) {
        CXType pointee = clang_getPointeeType(canonical);
        bool is_known = pointee.kind != CXType_Invalid; // std::nullptr_t points to nothing
        info.pointee = is_known ? lw_type(lw, pointee) : lw_void_type(lw);
    }
    if (info.kind == IR_TY_ARRAY) {
        info.pointee = lw_type(lw, clang_getArrayElementType(canonical));
        info.extent = canonical.kind == CXType_ConstantArray ? clang_getArraySize(canonical) : -1;
    }
    if (info.kind == IR_TY_FUNCTION) info.pointee = lw_type(lw, clang_getResultType(canonical));
    info.size = size_of(lw, canonical, &info);
    IrType added = ir_type_add(lw->unit, info);
    if (key != NULL) lw_ptr_set(lw->ctx->arena, &lw->tables->types, key, added);
    return added;
}

IrType lw_plain_type(Lower *lw, CXType type)
{
    return lw_type(lw, lw_canonical(type));
}

IrType lw_pointer_to(Lower *lw, IrType type)
{
    const IrTypeInfo *pointee = ir_type(lw->unit, type);
    bool is_star = str_ends_with(pointee->name, "*");
    const char *name = str_internf(lw->unit->strings, is_star ? "%s*" : "%s *", pointee->name);
    IrTypeInfo info = {.kind = IR_TY_POINTER,
                       .pointee = type,
                       .record = IR_NONE,
                       .extent = -1,
                       .size = sizeof(void *),
                       .name = name};
    return ir_type_add(lw->unit, info);
}

static IrType builtin(Lower *lw, IrTypeKind kind, const char *name, uint64_t size)
{
    IrTypeInfo info = {.kind = kind,
                       .pointee = IR_NONE,
                       .record = IR_NONE,
                       .extent = -1,
                       .size = size,
                       .name = name};
    info.is_unsigned = str_starts_with(name, "unsigned");
    return ir_type_add(lw->unit, info);
}

IrType lw_int_type(Lower *lw)
{
    return builtin(lw, IR_TY_INT, "int", 4);
}

IrType lw_bool_type(Lower *lw)
{
    return builtin(lw, IR_TY_BOOL, "bool", 1);
}

IrType lw_size_type(Lower *lw)
{
    return builtin(lw, IR_TY_INT, "unsigned long", 8);
}

IrType lw_void_type(Lower *lw)
{
    return builtin(lw, IR_TY_VOID, "void", 0);
}

IrType lw_void_pointer(Lower *lw)
{
    return lw_pointer_to(lw, lw_void_type(lw));
}
