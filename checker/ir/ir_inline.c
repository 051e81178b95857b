// SPDX-License-Identifier: MIT
// Small functions that are handed code, in a lambda, a function pointer or an object that holds
// one, take the place of their calls: what `run(f)` or the destructor of a scope guard does depends
// on the code it was given, which only the caller knows.
// Requires finished functions; keeps the form that ir_check checks. Callees are done before their
// callers, so that code handed on and on arrives; recursion stays a call.
#include "ir/ir_clone.h"

#include "base/bits.h"

// The limits keep a function's size within a small factor of what it was.
enum {
    MAX_BODY = 64,     // instructions of a body, those it took in included
    MAX_GROWTH = 1500, // instructions that one function takes in
    MAX_NESTED = 64,   // functions being done at a time
    TYPE_DEPTH = 3,    // of objects in objects that are searched for code
};

typedef struct {
    IrUnit *unit;
    BitSet done;    // functions that are complete
    BitSet started; // or being done
    uint32_t depth;
} Inline;

// ---- which calls --------------------------------------------------------------------------------

static bool holds_code(const IrUnit *unit, IrType type, bool in_pointers, int depth);

static bool record_holds_code(const IrUnit *unit, IrRecordId id, bool in_pointers, int depth)
{
    const IrRecord *record = &unit->records.items[id];
    if (record->is_closure) return true;
    for (uint32_t i = 0; i < record->fields.len && depth > 0; i++)
        if (holds_code(unit, record->fields.items[i].type, in_pointers, depth - 1)) return true;
    for (uint32_t i = 0; i < record->bases.len && depth > 0; i++)
        if (record_holds_code(unit, record->bases.items[i], in_pointers, depth - 1)) return true;
    return false;
}

// A lambda, or an object with one inside; with `in_pointers` a pointer to a function counts, too.
static bool holds_code(const IrUnit *unit, IrType type, bool in_pointers, int depth)
{
    const IrTypeInfo *info = ir_type(unit, type);
    if (info->kind == IR_TY_FUNCTION) return in_pointers;
    if (info->kind == IR_TY_RECORD)
        return record_holds_code(unit, info->record, in_pointers, depth);
    if (info->kind != IR_TY_POINTER && info->kind != IR_TY_REFERENCE) return false;
    return ir_type(unit, info->pointee)->kind == IR_TY_FUNCTION && in_pointers;
}

static bool is_handed_code(const IrUnit *unit, IrType type)
{
    const IrTypeInfo *info = ir_type(unit, type);
    bool is_indirect = info->kind == IR_TY_POINTER || info->kind == IR_TY_REFERENCE;
    if (is_indirect && ir_type(unit, info->pointee)->kind != IR_TY_FUNCTION)
        return holds_code(unit, info->pointee, false, TYPE_DEPTH);
    return holds_code(unit, type, false, TYPE_DEPTH) || holds_code(unit, type, true, 0);
}

// The object of a method may keep plain pointers to functions; structures of such that are passed
// around are tables of operations, and what receives them does more than to run them.
static bool is_wanted(const IrUnit *unit, const IrCallee *callee)
{
    if (callee->record != IR_NONE &&
        record_holds_code(unit, callee->record,
                          callee->is_method || callee->is_constructor || callee->is_destructor,
                          TYPE_DEPTH))
        return true;
    for (uint32_t i = 0; i < callee->params.len; i++)
        if (is_handed_code(unit, callee->params.items[i])) return true;
    return holds_code(unit, callee->result, false, TYPE_DEPTH);
}

// The value is a parameter as it was given, or a constant.
static bool is_plain_value(const IrFunction *fn, IrExprId id)
{
    const IrExpr *value = ir_without_casts(fn, id);
    if (value->kind == IR_EX_INT) return true;
    if (value->kind != IR_EX_LOAD || ir_place(fn, value->place)->kind != IR_PL_VAR) return false;
    return fn->vars.items[ir_place(fn, value->place)->var].kind == IR_VAR_PARAM;
}

// A constructor that stores what it is given in its object, for the destructor to find, and does
// nothing else: a guard, a handle's wrapper.
static bool only_stores(const IrUnit *unit, const IrCallee *callee)
{
    bool has_destructor = callee->is_constructor && callee->record != IR_NONE &&
                          unit->records.items[callee->record].destructor != IR_NONE;
    if (!has_destructor || callee->body == IR_NONE) return false;
    const IrFunction *body = unit->functions.items[callee->body];
    if (body->blocks.len != 1) return false;
    const IrBlock *block = &body->blocks.items[0];
    for (uint32_t i = 0; i < block->instrs.len; i++) {
        const IrInstr *instr = &block->instrs.items[i];
        if (instr->op == IR_ASSIGN ? !is_plain_value(body, instr->value) : instr->op != IR_RETURN)
            return false;
    }
    return true;
}

static uint32_t size_of(const IrFunction *fn)
{
    uint32_t size = 0;
    for (uint32_t b = 0; b < fn->blocks.len; b++) size += fn->blocks.items[b].instrs.len;
    return size;
}

// A static variable is one in all calls; copies would be many.
static bool has_statics(const IrFunction *fn)
{
    for (uint32_t i = 0; i < fn->vars.len; i++)
        if (fn->vars.items[i].kind == IR_VAR_STATIC) return true;
    return false;
}

// The callee whose body may take the call's place; NULL: the call stays.
static const IrFunction *body_of(const Inline *pass, const IrInstr *instr)
{
    if (instr->op != IR_CALL || instr->call->callee == IR_NONE || instr->call->is_virtual)
        return NULL;
    const IrCallee *callee = &pass->unit->callees.items[instr->call->callee];
    if (callee->body == IR_NONE || callee->is_variadic) return NULL;
    if (!is_wanted(pass->unit, callee) && !only_stores(pass->unit, callee)) return NULL;
    const IrFunction *body = pass->unit->functions.items[callee->body];
    uint32_t parameters = body->params.len + (body->this_var == IR_NONE ? 0 : 1);
    return parameters == instr->call->arg_count ? body : NULL;
}

// ---- the pass -----------------------------------------------------------------------------------

// The instructions behind the call move into a block of their own.
static IrBlockId split(IrUnit *unit, IrFunction *fn, IrBlockId block, uint32_t call)
{
    IrBlockId rest = ir_block_add(unit, fn);
    IrBlock *from = &fn->blocks.items[block];
    for (uint32_t i = call + 1; i < from->instrs.len; i++)
        vec_push(unit->arena, &fn->blocks.items[rest].instrs, from->instrs.items[i]);
    from->instrs.len = call;
    return rest;
}

static IrBlockId take_in(IrUnit *unit, IrFunction *fn, const IrFunction *body, IrBlockId block,
                         uint32_t at)
{
    IrInstr instr = fn->blocks.items[block].instrs.items[at];
    Arena *scratch = arena_new("inlining");
    IrClone clone = {.unit = unit,
                     .to = fn,
                     .from = body,
                     .call = instr.call,
                     .id = fn->inlined.len,
                     .loc = instr.loc,
                     .next = split(unit, fn, block, at),
                     .scratch = scratch};
    IrInlined inlined = {.callee = instr.call->callee, .loc = instr.loc, .within = instr.inlined};
    vec_push(unit->arena, &fn->inlined, inlined);
    IrInstr jump = ir_instr(IR_JUMP, instr.loc);
    jump.inlined = clone.id;
    jump.target = ir_clone_body(&clone, block);
    ir_block_append(unit, fn, block, jump);
    arena_free(scratch);
    return clone.next;
}

static void do_function(Inline *pass, IrFunction *fn);

// The body is complete and small enough to be taken in.
static bool is_ready(Inline *pass, const IrFunction *fn, const IrFunction *body)
{
    if (body == fn || size_of(body) > MAX_BODY || has_statics(body)) return false;
    if (!bits_has(&pass->started, body->id) && pass->depth < MAX_NESTED)
        do_function(pass, pass->unit->functions.items[body->id]);
    return bits_has(&pass->done, body->id) && size_of(body) <= MAX_BODY;
}

static void do_block(Inline *pass, IrFunction *fn, IrBlockId block, uint32_t *grown)
{
    for (uint32_t i = 0; i < fn->blocks.items[block].instrs.len; i++) {
        const IrFunction *body = body_of(pass, &fn->blocks.items[block].instrs.items[i]);
        if (!body || *grown > MAX_GROWTH || !is_ready(pass, fn, body)) continue;
        *grown += size_of(body);
        block = take_in(pass->unit, fn, body, block, i);
        i = UINT32_MAX; // go on at the start of what was behind the call
    }
}

static void do_function(Inline *pass, IrFunction *fn)
{
    bits_add(&pass->started, fn->id);
    pass->depth++;
    uint32_t grown = 0, blocks = fn->blocks.len; // blocks that are added are done already
    for (IrBlockId block = 0; block < blocks; block++) do_block(pass, fn, block, &grown);
    pass->depth--;
    bits_add(&pass->done, fn->id);
}

void ir_inline_calls(IrUnit *unit)
{
    Arena *scratch = arena_new("inlining");
    Inline pass = {.unit = unit,
                   .done = bits_new(scratch, unit->functions.len),
                   .started = bits_new(scratch, unit->functions.len)};
    for (uint32_t i = 0; i < unit->functions.len; i++)
        if (!bits_has(&pass.started, i)) do_function(&pass, unit->functions.items[i]);
    arena_free(scratch);
}
