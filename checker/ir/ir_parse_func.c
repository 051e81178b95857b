// SPDX-License-Identifier: MIT
// Function bodies of the text form: variables, labels and instructions. Input: tokens between the
// braces; output: blocks of p->fn, in the order of their labels.
#include "ir/ir_parse_p.h"

// A callee or expression that is called, before its arguments are known.
typedef struct {
    IrCalleeId callee;
    IrExprId target;
} Called;

static void append(Parser *p, IrInstr instr)
{
    ir_block_append(p->unit, p->fn, p->block, instr);
}

static bool parse_label(Parser *p, IrBlockId *block)
{
    const Token *name;
    if (!parse_name(p, &name)) return false;
    *block = name_map_find(&p->labels, name);
    if (*block != IR_NONE) return true;
    p->at--;
    return parse_fail(p, "unknown block '%s'", name->text);
}

static bool parse_var_name(Parser *p, IrVarId *var)
{
    const Token *name;
    if (!parse_name(p, &name)) return false;
    *var = name_map_find(&p->vars, name);
    if (*var != IR_NONE) return true;
    p->at--;
    return parse_fail(p, "unknown variable '%s'", name->text);
}

// ---- variables --------------------------------------------------------------------------------

static bool add_var(Parser *p, const Token *name, IrVar var)
{
    var.name = name->text;
    return name_map_add(p, &p->vars, name, ir_var_add(p->unit, p->fn, var));
}

bool parse_var(Parser *p, IrVarKind kind)
{
    IrVar var = {.kind = kind};
    const Token *name;
    if (!parse_name(p, &name) || !parse_expect(p, ":") || !parse_type(p, &var.type)) return false;
    if (parse_accept(p, "=")) {
        bool is_negative = parse_accept(p, "-");
        uint64_t value;
        if (!parse_uint(p, UINT64_MAX, &value)) return false;
        var.has_init = true;
        var.init = (int64_t)(is_negative ? 0 - value : value);
    }
    var.is_frozen = parse_accept(p, "frozen");
    var.is_managed = parse_accept(p, "managed");
    if (parse_accept(p, "usr")) {
        if (parse_peek(p)->kind != TOK_STRING) return parse_fail(p, "expected a string");
        var.usr = parse_peek(p)->text;
        p->at++;
    }
    return parse_loc(p, &var.loc) && add_var(p, name, var);
}

// decl x, or decl x: T which introduces the variable here
static bool parse_decl(Parser *p)
{
    IrInstr instr = ir_instr(IR_DECL, (SrcLoc){0});
    if (!token_is(parse_peek_at(p, 1), ":")) {
        if (!parse_var_name(p, &instr.var) || !parse_loc(p, &instr.loc)) return false;
        append(p, instr);
        return true;
    }
    IrVar var = {.kind = IR_VAR_LOCAL};
    const Token *name;
    if (!parse_name(p, &name) || !parse_expect(p, ":") || !parse_type(p, &var.type)) return false;
    if (!parse_loc(p, &var.loc)) return false;
    instr.loc = var.loc;
    instr.var = p->fn->vars.len;
    append(p, instr);
    return add_var(p, name, var);
}

// ---- calls ------------------------------------------------------------------------------------

static bool parse_called(Parser *p, Called *called)
{
    *called = (Called){.callee = IR_NONE, .target = IR_NONE};
    if (parse_accept(p, "("))
        return parse_expr(p, IR_NONE, &called->target) && parse_expect(p, ")");
    const Token *name;
    if (!parse_name(p, &name)) return false;
    called->callee = name_map_find(&p->callees, name);
    if (called->callee != IR_NONE) return true;
    p->at--;
    return parse_fail(p, "unknown callee '%s'", name->text);
}

// The type that argument number `index` is given.
static IrType argument_context(const Parser *p, IrCalleeId id, uint32_t index)
{
    if (id == IR_NONE) return IR_NONE;
    const IrCallee *callee = &p->unit->callees.items[id];
    uint32_t skipped = callee->is_method || callee->is_constructor || callee->is_destructor;
    if (index < skipped || index - skipped >= callee->params.len) return IR_NONE;
    return callee->params.items[index - skipped];
}

static bool parse_launch_config(Parser *p, IrExprId config[4])
{
    for (int i = 0; i < 4; i++) config[i] = IR_NONE;
    if (!parse_expect(p, "<<<")) return false;
    for (int i = 0; i < 4; i++) {
        if (!parse_accept(p, "_") && !parse_expr(p, IR_NONE, &config[i])) return false;
        if (!parse_accept(p, ",")) break;
    }
    return parse_expect(p, ">>>");
}

static bool parse_arguments(Parser *p, const Called *called, IrCall **call)
{
    Vec(IrExprId) args = {0};
    if (!parse_expect(p, "(")) return false;
    while (!parse_accept(p, ")")) {
        IrExprId arg;
        if (!parse_expr(p, argument_context(p, called->callee, args.len), &arg)) return false;
        vec_push(p->unit->arena, &args, arg);
        if (!parse_accept(p, ",") && !token_is(parse_peek(p), ")")) return parse_expect(p, ")");
    }
    *call = ir_call_new(p->unit, called->callee, args.len);
    (*call)->target = called->target;
    if (args.len != 0) memcpy((*call)->args, args.items, args.len * sizeof *args.items);
    return true;
}

// The temporary that receives a result and is introduced by that.
static bool new_temp(Parser *p, const Token *name, IrType type, SrcLoc loc)
{
    return add_var(p, name, (IrVar){.kind = IR_VAR_TEMP, .type = type, .loc = loc});
}

// From "call" or "launch" on. `temp` is the undeclared name that takes the result, or NULL.
static bool parse_call(Parser *p, IrPlaceId dst, const Token *temp)
{
    IrExprId config[4] = {IR_NONE, IR_NONE, IR_NONE, IR_NONE};
    Called called;
    IrCall *call = NULL;
    bool is_launch = parse_accept(p, "launch");
    if (!is_launch && !parse_expect(p, "call")) return false;
    if (!parse_called(p, &called)) return false;
    if (is_launch && !parse_launch_config(p, config)) return false;
    if (!parse_arguments(p, &called, &call)) return false;
    IrInstr instr = ir_instr(is_launch ? IR_LAUNCH : IR_CALL, (SrcLoc){0});
    if (!parse_flags(p, ir_call_flags, call)) return false;
    if (parse_accept(p, "unwind") && !parse_label(p, &call->unwind)) return false;
    if (!parse_loc(p, &instr.loc)) return false;
    if (temp != NULL) {
        if (called.callee == IR_NONE)
            return parse_fail(p, "the result's type is not known; declare %s", temp->text);
        IrType type = p->unit->callees.items[called.callee].result;
        if (!new_temp(p, temp, type, instr.loc)) return false;
        dst = ir_place_var(p->unit, p->fn, p->fn->vars.len - 1);
    }
    call->dst = dst;
    call->grid = config[0];
    call->block = config[1];
    call->shared_bytes = config[2];
    call->stream = config[3];
    instr.call = call;
    append(p, instr);
    return true;
}

// ---- assignments ------------------------------------------------------------------------------

static bool is_call(const Parser *p)
{
    return token_is(parse_peek(p), "call") || token_is(parse_peek(p), "launch");
}

// %t = ... of a name not declared
static bool parse_temp(Parser *p, bool is_init)
{
    const Token *name = parse_peek(p);
    p->at += 2;
    if (is_call(p)) return parse_call(p, IR_NONE, name);
    IrInstr instr = ir_instr(IR_ASSIGN, (SrcLoc){0});
    if (!parse_expr(p, IR_NONE, &instr.value) || !parse_loc(p, &instr.loc)) return false;
    IrType type = parse_unqualified(p, ir_expr_at(p->fn, instr.value)->type);
    if (!new_temp(p, name, type, instr.loc)) return false;
    instr.dst = ir_place_var(p->unit, p->fn, p->fn->vars.len - 1);
    instr.is_init = is_init;
    append(p, instr);
    return true;
}

static bool parse_assign(Parser *p, bool is_init)
{
    const Token *name = parse_peek(p);
    bool is_temp =
        name->kind == TOK_WORD && name->text[0] == '%' && token_is(parse_peek_at(p, 1), "=");
    if (is_temp && name_map_find(&p->vars, name) == IR_NONE) return parse_temp(p, is_init);
    IrInstr instr = ir_instr(IR_ASSIGN, (SrcLoc){0});
    instr.is_init = is_init;
    if (!parse_place(p, &instr.dst) || !parse_expect(p, "=")) return false;
    if (is_call(p)) return parse_call(p, instr.dst, NULL);
    IrType type = ir_place(p->fn, instr.dst)->type;
    if (!parse_expr(p, type, &instr.value) || !parse_loc(p, &instr.loc)) return false;
    append(p, instr);
    return true;
}

// ---- terminators ------------------------------------------------------------------------------

static bool parse_branch(Parser *p, IrInstr *instr)
{
    if (!parse_expr(p, IR_NONE, &instr->value) || !parse_expect(p, "?")) return false;
    if (!parse_label(p, &instr->target) || !parse_expect(p, ":")) return false;
    if (!parse_label(p, &instr->other)) return false;
    for (int kind = IR_BR_IF; kind <= IR_BR_SYNTHETIC; kind++) {
        if (parse_peek(p)->is_first || !parse_accept(p, ir_branch_word((IrBranchKind)kind)))
            continue;
        instr->branch_kind = (IrBranchKind)kind;
        break;
    }
    return true;
}

static bool parse_case_value(Parser *p, int64_t *value)
{
    bool is_negative = parse_accept(p, "-");
    uint64_t magnitude;
    if (!parse_uint(p, UINT64_MAX, &magnitude)) return false;
    *value = (int64_t)(is_negative ? 0 - magnitude : magnitude);
    return true;
}

// switch x [1: b1, 2..4: b2] else b3
static bool parse_switch(Parser *p, IrInstr *instr)
{
    Vec(IrCase) cases = {0};
    if (!parse_expr(p, IR_NONE, &instr->value) || !parse_expect(p, "[")) return false;
    while (!parse_accept(p, "]")) {
        IrCase it;
        if (!parse_case_value(p, &it.lo)) return false;
        it.hi = it.lo;
        if (parse_accept(p, "..") && !parse_case_value(p, &it.hi)) return false;
        if (!parse_expect(p, ":") || !parse_label(p, &it.target)) return false;
        vec_push(p->unit->arena, &cases, it);
        if (!parse_accept(p, ",") && !token_is(parse_peek(p), "]")) return parse_expect(p, "]");
    }
    instr->cases = cases.items;
    instr->case_count = cases.len;
    return parse_expect(p, "else") && parse_label(p, &instr->target);
}

// Whether an operand follows on the same line.
static bool has_operand(const Parser *p)
{
    const Token *next = parse_peek(p);
    return !next->is_first && !token_is(next, "@") && !token_is(next, "}") && !token_is(next, "to");
}

static bool parse_throw(Parser *p, IrInstr *instr)
{
    if (has_operand(p) && !parse_expr(p, IR_NONE, &instr->value)) return false;
    return !parse_accept(p, "to") || parse_label(p, &instr->target);
}

static bool parse_return(Parser *p, IrInstr *instr)
{
    IrType result = p->unit->callees.items[p->fn->callee].result;
    return !has_operand(p) || parse_expr(p, result, &instr->value);
}

static bool parse_operands(Parser *p, IrInstr *instr)
{
    switch (instr->op) {
    case IR_SCOPE_END:
        return parse_var_name(p, &instr->var);
    case IR_CLOBBER:
        return parse_place(p, &instr->dst);
    case IR_JUMP:
        return parse_label(p, &instr->target);
    case IR_BRANCH:
        return parse_branch(p, instr);
    case IR_SWITCH:
        return parse_switch(p, instr);
    case IR_RETURN:
        return parse_return(p, instr);
    case IR_THROW:
        return parse_throw(p, instr);
    case IR_RESUME:
    case IR_UNREACHABLE:
    case IR_DECL:
    case IR_ASSIGN:
    case IR_CALL:
    case IR_LAUNCH:
        break;
    }
    return true;
}

// ---- statements -------------------------------------------------------------------------------

static bool is_label(const Parser *p, uint32_t at)
{
    const Token *token = &p->tokens.items[at], *next = token + 1;
    bool is_name =
        token->kind == TOK_NAME || (token->kind == TOK_WORD && !ir_word_is_reserved(token->text));
    return is_name && token->is_first && token_is(next, ":") && next->is_glued;
}

static bool var_word(const Token *token, IrVarKind *kind)
{
    static const struct {
        const char *word;
        IrVarKind kind;
    } words[] = {{"var", IR_VAR_LOCAL},     {"temp", IR_VAR_TEMP},     {"param", IR_VAR_PARAM},
                 {"static", IR_VAR_STATIC}, {"global", IR_VAR_GLOBAL}, {"capture", IR_VAR_CAPTURE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *kind = words[i].kind;
        if (token_is(token, words[i].word)) return true;
    }
    return false;
}

// Makes the blocks of all labels up to the closing brace, so that jumps may lead forwards. A label
// that comes before any instruction is the entry's.
static bool collect_labels(Parser *p)
{
    int depth = 0;
    uint32_t back = p->at;
    IrVarKind kind;
    bool is_entry_free = true;
    for (; p->tokens.items[p->at].kind != TOK_END; p->at++) {
        const Token *token = parse_peek(p);
        bool starts_line = token->is_first || p->at == back;
        if (token_is(token, "{")) depth++;
        if (token_is(token, "}") && depth-- == 0) break;
        if (is_label(p, p->at)) {
            IrBlockId block = is_entry_free ? 0 : ir_block_add(p->unit, p->fn);
            if (!name_map_add(p, &p->labels, token, block)) return false;
            is_entry_free = false;
        } else if (starts_line && !var_word(token, &kind)) {
            is_entry_free = false;
        }
    }
    p->at = back;
    return true;
}

static bool parse_instr(Parser *p)
{
    if (ir_block_is_closed(p->fn, p->block))
        return parse_fail(p, "the block has ended; a label must follow");
    if (parse_accept(p, "decl")) return parse_decl(p);
    if (is_call(p)) return parse_call(p, IR_NONE, NULL);
    for (int op = IR_CLOBBER; op <= IR_UNREACHABLE; op++) {
        if (!parse_accept(p, ir_opcode_text((IrOpcode)op))) continue;
        IrInstr instr = ir_instr((IrOpcode)op, (SrcLoc){0});
        if (!parse_operands(p, &instr) || !parse_loc(p, &instr.loc)) return false;
        append(p, instr);
        return true;
    }
    bool is_init = parse_accept(p, "init");
    return parse_assign(p, is_init);
}

static bool parse_statement(Parser *p)
{
    if (is_label(p, p->at)) {
        p->block = name_map_find(&p->labels, parse_peek(p));
        p->at += 2;
        return true;
    }
    IrVarKind kind;
    if (!var_word(parse_peek(p), &kind)) return parse_instr(p);
    p->at++;
    return parse_var(p, kind);
}

bool parse_body(Parser *p, IrFunction *fn)
{
    p->fn = fn;
    p->block = 0;
    p->labels = (NameMap){0};
    p->depth = 0;
    if (!parse_expect(p, "{") || !collect_labels(p)) return false;
    while (!parse_accept(p, "}")) {
        if (!parse_statement(p)) return false;
    }
    return true;
}
