// SPDX-License-Identifier: MIT
// How large blocks are, and calls that go beyond them. Sizes are compared as products: a constant
// times values that are the same in both, whatever they are. And sizes that are computed from a
// pointer where what it points to was meant.
#include "engine/extent.h"
#include "engine/work.h"

#define MAX_FACTORS 6

typedef struct {
    int64_t constant;
    SymId factors[MAX_FACTORS]; // in ascending order
    uint32_t count;
} Product;

static bool add_factor(Product *product, SymId factor)
{
    if (product->count == MAX_FACTORS) return false;
    uint32_t at = product->count++;
    for (; at > 0 && product->factors[at - 1] > factor; at--)
        product->factors[at] = product->factors[at - 1];
    product->factors[at] = factor;
    return true;
}

static bool multiply(const Values *values, Product *product, SymId id)
{
    int64_t number;
    if (sym_is_int(values, id, &number))
        return number > 0 && !__builtin_mul_overflow(product->constant, number, &product->constant);
    const Sym *sym = sym_at(values, id);
    if (sym->kind == SYM_BINARY && sym->op == IR_MUL)
        return multiply(values, product, sym->a) && multiply(values, product, sym->b);
    bool shifts = sym->kind == SYM_BINARY && sym->op == IR_SHL &&
                  sym_is_int(values, sym->b, &number) && number >= 0 && number < 32;
    if (!shifts) return add_factor(product, id);
    return multiply(values, product, sym->a) &&
           !__builtin_mul_overflow(product->constant, INT64_C(1) << number, &product->constant);
}

static bool is_more(const Values *values, SymId used, SymId block)
{
    Product a = {.constant = 1}, b = {.constant = 1};
    if (!multiply(values, &a, used) || !multiply(values, &b, block)) return false;
    return a.count == b.count && a.constant > b.constant &&
           memcmp(a.factors, b.factors, a.count * sizeof a.factors[0]) == 0;
}

bool engine_is_at_least(const Values *values, SymId bytes, SymId all)
{
    return bytes == all || is_more(values, bytes, all);
}

int64_t engine_least_bytes(const Values *values, SymId bytes)
{
    Product product = {.constant = 1};
    return multiply(values, &product, bytes) ? product.constant : 1;
}

// The value means the same wherever the function has come to: nothing in it is made anew by a loop.
static bool is_made_once(const EngineFn *ef, SymId id)
{
    const Sym *sym = sym_at(ef->space.values, id);
    if (sym->kind == SYM_OLDER) return false;
    if (sym->kind == SYM_FRESH) {
        uint32_t block = 0;
        if (sym->point >= ef->join_points)
            block = sym->point - ef->join_points;
        else
            while (block + 1 < ef->fn->blocks.len && ef->first_point[block + 1] <= sym->point)
                block++;
        if (block >= ef->fn->blocks.len || bits_has(&ef->in_loop, block)) return false;
    }
    const SymId operands[] = {sym->a, sym->b, sym->c};
    for (int i = 0; i < 3; i++)
        if (operands[i] != IR_NONE && !is_made_once(ef, operands[i])) return false;
    return true;
}

SymId engine_bytes_of(EngineFn *ef, const CallSite *site)
{
    const int *args = site->model->bytes_args;
    if (args[0] < 1) return IR_NONE;
    SymId bytes = sym_int(ef->space.values, 1);
    for (int i = 0; i < MODEL_BYTES_FACTORS && args[i] > 0 && bytes != IR_NONE; i++) {
        uint32_t index = site->first + (uint32_t)args[i] - 1;
        if (index >= site->count) return IR_NONE;
        bytes = sym_binary(ef->space.values, IR_MUL, bytes, site->args[index]);
    }
    return bytes;
}

// In the words of the source, or as the number that they stand for on this path.
static const char *bytes_text(EngineFn *ef, const CallSite *site, SymId bytes)
{
    int64_t number;
    if (sym_is_int(ef->space.values, bytes, &number))
        return arena_printf(ef->arena, "%lld", (long long)number);
    StrBuf text = {.arena = ef->arena};
    const int *args = site->model->bytes_args;
    for (int i = 0; i < MODEL_BYTES_FACTORS && args[i] > 0; i++) {
        IrExprId arg = site->call->args[site->first + (uint32_t)args[i] - 1];
        strbuf_printf(&text, "%s%s", i > 0 ? " * " : "",
                      ir_expr_text(ef->arena, ef->unit, ef->fn, arg));
    }
    return strbuf_text(&text);
}

void engine_note_block_size(EngineFn *ef, const CallSite *site)
{
    SymId bytes = engine_bytes_of(ef, site);
    ef->site->has_bytes = bytes != IR_NONE && is_made_once(ef, bytes);
    ef->site->bytes = bytes;
    if (ef->site->has_bytes) ef->site->bytes_text = bytes_text(ef, site, bytes);
}

bool engine_is_empty_block(EngineFn *ef, const State *state)
{
    Product size = {.constant = 1};
    if (!ef->site->has_bytes || !multiply(ef->space.values, &size, ef->site->bytes)) return false;
    for (uint32_t i = 0; i < size.count; i++) {
        Range range = state_range(&ef->space, state, size.factors[i]);
        int64_t number;
        if (range_is_point(&range, &number) && number == 0) return true;
    }
    return false;
}

void engine_check_block_size(EngineFn *ef, const State *state, const CallSite *call, SymId pointer,
                             bool writes)
{
    const Site *site = ef->site;
    if (!site || !site->has_bytes || state->status != RS_LIVE || state->dead) return;
    if (sym_resource_relation(ef->space.values, pointer) != RES_EXACT) return;
    // In a template the code for other types stands beside: if (typeid(T) == typeid(float)).
    if (ef->fn->is_instantiation) return;
    // What the host does with its own memory is other tools' business.
    if (call->model->order == ORDER_HOST && !site->resource->device_accessible) return;
    SymId bytes = engine_bytes_of(ef, call);
    if (bytes == IR_NONE || !is_more(ef->space.values, bytes, site->bytes)) return;
    Event event = engine_event(ef, state, EV_BEYOND_BLOCK);
    event.callee = call->model->name;
    event.access_writes = writes;
    event.block_bytes = site->bytes_text;
    event.used_bytes = bytes_text(ef, call, bytes);
    engine_add_candidate(ef, state, event);
}

// ---- sizeof a pointer ---------------------------------------------------------------------------

// The type of the pointer to the bytes in question; IR_NONE where the slot speaks of something else.
static IrType pointer_type(const EngineFn *ef, const IrCall *call, const ModelFunction *model,
                           const ModelEffect *effect)
{
    if (effect->slot.arg < 1 || (uint32_t)effect->slot.arg > call->arg_count || effect->slot.field)
        return IR_NONE;
    const IrExpr *arg = ir_without_casts(ef->fn, call->args[effect->slot.arg - 1]);
    bool uses = effect->kind == MODEL_USE_READ || effect->kind == MODEL_USE_WRITE;
    if (uses && !effect->slot.pointee && model->order != ORDER_HOST) return arg->type;
    bool acquires = effect->kind == MODEL_ACQUIRE && effect->slot.pointee &&
                    model_resource(ef->model, effect->resource)->must_release;
    return acquires && arg->kind == IR_EX_ADDR ? ir_place(ef->fn, arg->place)->type : IR_NONE;
}

// A pointer whose pointee has another size than the pointer itself.
static bool is_told_apart(const EngineFn *ef, IrType id)
{
    if (id == IR_NONE) return false;
    const IrTypeInfo *type = ir_type(ef->unit, id);
    if (type->kind != IR_TY_POINTER || type->pointee == IR_NONE) return false;
    const IrTypeInfo *pointee = ir_type(ef->unit, type->pointee);
    return pointee->kind != IR_TY_VOID && pointee->size > 0 && pointee->size != type->size;
}

static bool has_size_of(const EngineFn *ef, IrExprId id, IrType pointer)
{
    const IrExpr *expr = ir_without_casts(ef->fn, id);
    if (expr->kind == IR_EX_BINARY && expr->op == IR_MUL)
        return has_size_of(ef, expr->a, pointer) || has_size_of(ef, expr->b, pointer);
    if (expr->kind != IR_EX_SIZEOF || expr->sizeof_type == IR_NONE) return false;
    const IrTypeInfo *operand = ir_type(ef->unit, expr->sizeof_type);
    return operand->kind == IR_TY_POINTER &&
           operand->pointee == ir_type(ef->unit, pointer)->pointee;
}

static void report_size(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                        const char *name, EngineSink sink)
{
    Event event = {.kind = EV_SIZE_OF_POINTER,
                   .loc = instr->loc,
                   .name = name,
                   .kind_title = "pointer",
                   .callee = model->name};
    FindingStep step = {.loc = instr->loc,
                        .text = arena_printf(ef->arena, "'%s' is passed here", name)};
    sink.on_event(sink.context, ef->fn, &event, &step, 1);
}

void engine_check_size_of_pointer(EngineFn *ef, const IrInstr *instr, const ModelFunction *model,
                                  EngineSink sink)
{
    const IrCall *call = instr->call;
    for (uint32_t e = 0; e < model->effects.len; e++) {
        IrType pointer = pointer_type(ef, call, model, &model->effects.items[e]);
        if (!is_told_apart(ef, pointer)) continue;
        for (int i = 0; i < MODEL_BYTES_FACTORS; i++) {
            int arg = model->bytes_args[i];
            if (arg < 1 || (uint32_t)arg > call->arg_count) continue;
            if (!has_size_of(ef, call->args[arg - 1], pointer)) continue;
            int slot = model->effects.items[e].slot.arg;
            report_size(ef, instr, model, engine_argument_text(ef, call->args[slot - 1]), sink);
            return;
        }
    }
}
