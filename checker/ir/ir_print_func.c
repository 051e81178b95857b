// SPDX-License-Identifier: MIT
// Bodies of functions in the printed IR: variables, blocks and instructions. One walk serves both
// passes: dry, it finds how each variable is introduced; then it writes.
#include "ir/ir_print_p.h"

// Where trailing locations stand.
#define LOC_COLUMN 56

static bool same_loc(SrcLoc a, SrcLoc b)
{
    if (!loc_is_valid(a) || !loc_is_valid(b)) return !loc_is_valid(a) && !loc_is_valid(b);
    bool has_macro = a.macro != NULL && b.macro != NULL;
    bool is_same_macro = has_macro ? strcmp(a.macro, b.macro) == 0 : a.macro == b.macro;
    return a.line == b.line && a.column == b.column && strcmp(a.file, b.file) == 0 && is_same_macro;
}

static bool is_same_type(const Printer *p, IrType a, IrType b)
{
    bool are_valid = a < p->unit->types.len && b < p->unit->types.len;
    return are_valid && p->class_of[a] == p->class_of[b];
}

// ---- variables --------------------------------------------------------------------------------

static const char *var_word(IrVarKind kind)
{
    switch (kind) {
    case IR_VAR_LOCAL:
        return "var";
    case IR_VAR_PARAM:
    case IR_VAR_THIS:
        return "param";
    case IR_VAR_TEMP:
        return "temp";
    case IR_VAR_STATIC:
        return "static";
    case IR_VAR_GLOBAL:
        return "global";
    case IR_VAR_CAPTURE:
        return "capture";
    }
    return "var";
}

static void put_var_declaration(Printer *p, IrVarId id)
{
    const IrVar *var = &p->fn->vars.items[id];
    put_var(p, id);
    put(p, ": ");
    put_type(p, var->type);
    if (var->has_init) put_format(p, " = %lld", (long long)var->init);
    if (var->is_frozen) put(p, " frozen");
    if (var->is_managed) put(p, " managed");
    if (var->usr != NULL) {
        put(p, " usr ");
        put_quoted(p, var->usr, '"');
    }
}

// Puts a space-padded location at the end of the line.
static void put_trailing_loc(Printer *p, SrcLoc loc)
{
    if (!loc_is_valid(loc)) return;
    if (p->is_dry) return;
    put(p, " ");
    while (p->out->len < LOC_COLUMN) put(p, " ");
    put_loc(p, loc);
}

static bool is_bare(const IrVar *var)
{
    return !var->has_init && !var->is_frozen && !var->is_managed && var->usr == NULL;
}

static void introduce(Printer *p, IrVarId var, VarForm form)
{
    p->plan->forms[var] = form;
    vec_push(p->arena, &p->plan->introduced, var);
}

// The temporary that an instruction with this destination may introduce, or IR_NONE.
static IrVarId new_temp(const Printer *p, const IrInstr *instr, IrPlaceId dst)
{
    if (!p->is_dry || dst == IR_NONE || ir_place(p->fn, dst)->kind != IR_PL_VAR) return IR_NONE;
    IrVarId id = ir_place(p->fn, dst)->var;
    const IrVar *var = &p->fn->vars.items[id];
    bool is_new = p->plan->forms[id] == VAR_ABSENT && var->kind == IR_VAR_TEMP && is_bare(var) &&
                  var->name[0] == '%' && ir_word_is_plain(var->name) &&
                  same_loc(var->loc, instr->loc);
    return is_new ? id : IR_NONE;
}

// Called once the right side is written: it may have mentioned the temporary.
static void introduce_temp(Printer *p, IrVarId temp, IrType type)
{
    if (temp == IR_NONE || p->plan->forms[temp] != VAR_ABSENT) return;
    if (is_same_type(p, p->fn->vars.items[temp].type, type))
        introduce(p, temp, VAR_INFERRED);
    else
        p->plan->forms[temp] = VAR_LISTED;
}

// ---- instructions -----------------------------------------------------------------------------

static void put_decl(Printer *p, const IrInstr *instr)
{
    const IrVar *var = &p->fn->vars.items[instr->var];
    bool can_introduce =
        var->kind == IR_VAR_LOCAL && is_bare(var) && same_loc(var->loc, instr->loc);
    if (p->is_dry && can_introduce && p->plan->forms[instr->var] == VAR_ABSENT) {
        introduce(p, instr->var, VAR_DECL);
    }
    // The first decl of the variable in the text is the one that introduces it.
    bool introduces = p->plan->forms[instr->var] == VAR_DECL;
    if (!p->is_dry && introduces) p->plan->forms[instr->var] = VAR_LISTED;
    put(p, "decl ");
    if (introduces)
        put_var_declaration(p, instr->var);
    else
        put_var(p, instr->var);
}

// A destination and " = "; that of a temporary to be introduced does not count as a mention. True:
// when writing, this destination introduces its temporary.
static bool put_dst(Printer *p, IrPlaceId dst, IrVarId temp)
{
    if (dst == IR_NONE) return false;
    if (temp == IR_NONE) put_place(p, dst);
    put(p, " = ");
    const IrPlace *place = ir_place(p->fn, dst);
    if (p->is_dry || place->kind != IR_PL_VAR || p->plan->forms[place->var] != VAR_INFERRED)
        return false;
    p->plan->forms[place->var] = VAR_LISTED; // from now on it is like any other
    return true;
}

static IrType bare_type(const Printer *p, IrExprId expr)
{
    IrType type = ir_expr_at(p->fn, expr)->type;
    if (type >= p->unit->types.len) return IR_NONE;
    return p->type_of_class[p->bare_class_of[type]];
}

static void put_assign(Printer *p, const IrInstr *instr)
{
    IrVarId temp = new_temp(p, instr, instr->dst);
    if (instr->is_init) put(p, "init ");
    bool is_introduced = put_dst(p, instr->dst, temp);
    // The assignment that introduces a temporary gives literals no context.
    bool has_context = temp == IR_NONE && !is_introduced;
    put_expr(p, instr->value, has_context ? ir_place(p->fn, instr->dst)->type : IR_NONE);
    if (temp != IR_NONE) introduce_temp(p, temp, bare_type(p, instr->value));
}

static void put_launch_config(Printer *p, const IrCall *call)
{
    IrExprId config[4] = {call->grid, call->block, call->shared_bytes, call->stream};
    int count = 4;
    while (count > 1 && config[count - 1] == IR_NONE) count--;
    put(p, "<<<");
    for (int i = 0; i < count; i++) {
        if (i != 0) put(p, ", ");
        if (config[i] == IR_NONE)
            put(p, "_");
        else
            put_expr(p, config[i], IR_NONE);
    }
    put(p, ">>>");
}

static IrType argument_context(const Printer *p, const IrCall *call, uint32_t index)
{
    if (call->callee == IR_NONE) return IR_NONE;
    const IrCallee *callee = &p->unit->callees.items[call->callee];
    uint32_t skipped = callee->is_method || callee->is_constructor || callee->is_destructor;
    if (index < skipped || index - skipped >= callee->params.len) return IR_NONE;
    return callee->params.items[index - skipped];
}

static void put_call(Printer *p, const IrInstr *instr)
{
    const IrCall *call = instr->call;
    IrVarId temp = new_temp(p, instr, call->dst);
    put_dst(p, call->dst, temp);
    put(p, instr->op == IR_LAUNCH ? "launch " : "call ");
    if (call->callee != IR_NONE) {
        put_callee(p, call->callee);
    } else {
        put(p, "(");
        put_expr(p, call->target, IR_NONE);
        put(p, ")");
    }
    if (instr->op == IR_LAUNCH) put_launch_config(p, call);
    put(p, "(");
    for (uint32_t i = 0; i < call->arg_count; i++) {
        if (i != 0) put(p, ", ");
        put_expr(p, call->args[i], argument_context(p, call, i));
    }
    put(p, ")");
    put_flags(p, ir_call_flags, call);
    if (call->unwind != IR_NONE) put_format(p, " unwind b%u", call->unwind);
    IrType result = call->callee == IR_NONE ? IR_NONE : p->unit->callees.items[call->callee].result;
    introduce_temp(p, temp, result);
}

static void put_branch(Printer *p, const IrInstr *instr)
{
    put(p, "branch ");
    put_expr(p, instr->value, IR_NONE);
    put_format(p, " ? b%u : b%u", instr->target, instr->other);
    if (instr->branch_kind != IR_BR_IF) put_format(p, " %s", ir_branch_word(instr->branch_kind));
}

static void put_switch(Printer *p, const IrInstr *instr)
{
    put(p, "switch ");
    put_expr(p, instr->value, IR_NONE);
    put(p, " [");
    for (uint32_t i = 0; i < instr->case_count; i++) {
        const IrCase *it = &instr->cases[i];
        put_format(p, "%s%lld", i == 0 ? "" : ", ", (long long)it->lo);
        if (it->hi != it->lo) put_format(p, "..%lld", (long long)it->hi);
        put_format(p, ": b%u", it->target);
    }
    put_format(p, "] else b%u", instr->target);
}

static void put_return(Printer *p, const IrInstr *instr)
{
    put(p, "return");
    if (instr->value == IR_NONE) return;
    put(p, " ");
    put_expr(p, instr->value, p->unit->callees.items[p->fn->callee].result);
}

static void put_throw(Printer *p, const IrInstr *instr)
{
    put(p, "throw");
    if (instr->value != IR_NONE) {
        put(p, " ");
        put_expr(p, instr->value, IR_NONE);
    }
    if (instr->target != IR_NONE) put_format(p, " to b%u", instr->target);
}

static void put_instr(Printer *p, const IrInstr *instr)
{
    put(p, "  ");
    switch (instr->op) {
    case IR_DECL:
        put_decl(p, instr);
        break;
    case IR_ASSIGN:
        put_assign(p, instr);
        break;
    case IR_CALL:
    case IR_LAUNCH:
        put_call(p, instr);
        break;
    case IR_CLOBBER:
        put(p, "clobber ");
        put_place(p, instr->dst);
        break;
    case IR_SCOPE_END:
        put(p, "scope_end ");
        put_var(p, instr->var);
        break;
    case IR_JUMP:
        put_format(p, "jump b%u", instr->target);
        break;
    case IR_BRANCH:
        put_branch(p, instr);
        break;
    case IR_SWITCH:
        put_switch(p, instr);
        break;
    case IR_RETURN:
        put_return(p, instr);
        break;
    case IR_THROW:
        put_throw(p, instr);
        break;
    case IR_RESUME:
    case IR_UNREACHABLE:
        put(p, ir_opcode_text(instr->op));
        break;
    }
    put_trailing_loc(p, instr->loc);
}

// ---- functions --------------------------------------------------------------------------------

static void put_params(Printer *p)
{
    const char *before = "";
    put(p, "(");
    if (p->fn->this_var != IR_NONE) {
        put_var_declaration(p, p->fn->this_var);
        before = ", ";
    }
    for (uint32_t i = 0; i < p->fn->params.len; i++) {
        IrVarId var = p->fn->params.items[i];
        SrcLoc loc = p->fn->vars.items[var].loc;
        put(p, before);
        put_var_declaration(p, var);
        if (loc_is_valid(loc)) put(p, " ");
        put_loc(p, loc);
        before = ", ";
    }
    put(p, ")");
}

static void put_header(Printer *p)
{
    const IrFunction *fn = p->fn;
    const IrCallee *callee = &p->unit->callees.items[fn->callee];
    put(p, "func ");
    put_callee(p, fn->callee);
    put_params(p);
    put(p, " -> ");
    put_type(p, callee->result);
    put_flags(p, ir_function_flags, fn);
    if (strcmp(fn->name, callee->qualified) != 0) {
        put(p, " as ");
        put_name(p, fn->name);
    }
    if (loc_is_valid(fn->loc)) put(p, " ");
    put_loc(p, fn->loc);
    if (loc_is_valid(fn->end)) put(p, " to ");
    put_loc(p, fn->end);
    put(p, " {");
}

static void print_vars(Printer *p, FILE *out)
{
    for (IrVarId i = 0; i < p->fn->vars.len; i++) {
        if (p->plan->forms[i] != VAR_LISTED) continue;
        put_format(p, "  %s ", var_word(p->fn->vars.items[i].kind));
        put_var_declaration(p, i);
        put_trailing_loc(p, p->fn->vars.items[i].loc);
        print_line(p, out);
    }
}

static void print_blocks(Printer *p, FILE *out)
{
    for (IrBlockId b = 0; b < p->fn->blocks.len; b++) {
        const IrBlock *block = &p->fn->blocks.items[b];
        put_format(p, "b%u:", b);
        print_line(p, out);
        for (uint32_t i = 0; i < block->instrs.len; i++) {
            ArenaMark mark = arena_mark(p->arena);
            put_instr(p, &block->instrs.items[i]);
            print_line(p, out);
            if (!p->is_dry) arena_reset(p->arena, mark);
        }
    }
}

FunctionPlan *print_plan(Printer *p, const IrFunction *fn)
{
    FunctionPlan *plan = ARENA_NEW(p->arena, FunctionPlan);
    plan->forms = ARENA_ARRAY(p->arena, VarForm, fn->vars.len + 1);
    plan->labels = ARENA_ARRAY(p->arena, const char *, fn->vars.len + 1);
    for (uint32_t i = 0; i < fn->params.len; i++) plan->forms[fn->params.items[i]] = VAR_PARAM;
    if (fn->this_var != IR_NONE) plan->forms[fn->this_var] = VAR_PARAM;
    p->fn = fn;
    p->plan = plan;
    p->is_dry = true;
    put_header(p);
    print_blocks(p, NULL);
    print_vars(p, NULL); // last: only now it is known which are listed
    p->is_dry = false;
    return plan;
}

void print_label_vars(Printer *p, const IrFunction *fn, FunctionPlan *plan)
{
    NameCounts counts = {0};
    const IrVar *vars = fn->vars.items;
    if (fn->this_var != IR_NONE)
        plan->labels[fn->this_var] = print_label(p, &counts, vars[fn->this_var].name);
    for (uint32_t i = 0; i < fn->params.len; i++) {
        IrVarId var = fn->params.items[i];
        plan->labels[var] = print_label(p, &counts, vars[var].name);
    }
    for (IrVarId i = 0; i < fn->vars.len; i++) {
        if (plan->forms[i] == VAR_LISTED) plan->labels[i] = print_label(p, &counts, vars[i].name);
    }
    for (uint32_t i = 0; i < plan->introduced.len; i++) {
        IrVarId var = plan->introduced.items[i];
        plan->labels[var] = print_label(p, &counts, vars[var].name);
    }
}

void print_body(Printer *p, const IrFunction *fn, FunctionPlan *plan, FILE *out)
{
    p->fn = fn;
    p->plan = plan;
    put_header(p);
    print_line(p, out);
    print_vars(p, out);
    print_blocks(p, out);
    put(p, "}");
    print_line(p, out);
}
