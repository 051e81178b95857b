// SPDX-License-Identifier: MIT
// `cudalint verify`: reads findings, has them happen, writes verdicts.
#include "verify/verify.h"

#include "base/log.h"
#include "launch/number.h"
#include "verify/verify_p.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_help(void)
{
    puts(
        "usage: cudalint verify [OPTIONS] FINDINGS.sarif... [SOURCE...]\n"
        "       cudalint verify [OPTIONS] FINDINGS.sarif -- PROGRAM ARGS...\n"
        "\n"
        "Makes findings happen on a GPU and says of each: confirmed, refuted or not reached.\n"
        "Without PROGRAM, the file of each finding is a program of its own: it is built with nvcc\n"
        "and run as its comment \"// run: ARGS\" says; what is not confirmed is tried again with\n"
        "each call made to fail in turn. A SOURCE without findings must run clean; the files of a\n"
        "SOURCE that is a folder are one program. Builds define CUDALINT_RUN.\n"
        "Exit code: 0 nothing refuted and nothing unclean, 1 something, 2 it could not look.\n"
        "\n"
        "  -o, --output FILE    write FINDINGS.sarif with the verdicts\n"
        "  --html FILE          write a page with the evidence\n"
        "  --evidence FILE      write the verdicts as JSON, one line each\n"
        "  --errors             run PROGRAM once more for each call that can fail, with it "
        "failing\n"
        "  --nvcc COMMAND       the compiler (default: nvcc)\n"
        "  --builds FOLDER      keep the programs there, and build only what changed\n"
        "  -j, --jobs N         programs built and run at once (default: one per processor)\n"
        "  --timeout SECONDS    end a run after so long (default: 60)\n"
        "  --simulated          on the simulated runtime instead of a GPU\n"
        "  --strict             exit code 1 also for findings that no run reached, and timeouts\n"
        "  -h, --help           print this text");
}

static bool parse(Arena *arena, int argc, char **argv, VerifyOptions *options)
{
    static const struct option table[] = {
        {"output", required_argument, NULL, 'o'},   {"html", required_argument, NULL, 'H'},
        {"evidence", required_argument, NULL, 'V'}, {"errors", no_argument, NULL, 'E'},
        {"nvcc", required_argument, NULL, 'N'},     {"jobs", required_argument, NULL, 'j'},
        {"timeout", required_argument, NULL, 'T'},  {"simulated", no_argument, NULL, 'S'},
        {"builds", required_argument, NULL, 'B'},   {"strict", no_argument, NULL, 'X'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
    };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *options = (VerifyOptions){
        .nvcc = "nvcc", .jobs = processors > 0 ? (uint32_t)processors : 1, .timeout_s = 60};
    // What follows -- is the program's.
    int own = 0;
    while (own < argc && strcmp(argv[own], "--") != 0) own++;
    if (own < argc) options->program = argv + own + 1;
    for (int option; (option = getopt_long(own, argv, "ho:j:", table, NULL)) != -1;) {
        if (option == 'o') options->output = optarg;
        if (option == 'H') options->page = optarg;
        if (option == 'V') options->evidence = optarg;
        if (option == 'E') options->walks_errors = true;
        if (option == 'N') options->nvcc = optarg;
        if (option == 'B') options->builds = optarg;
        if (option == 'j' && !number_option("verify", "--jobs", optarg, &options->jobs))
            return false;
        if (option == 'T' && !number_option("verify", "--timeout", optarg, &options->timeout_s))
            return false;
        if (option == 'S') options->simulated = true;
        if (option == 'X') options->strict = true;
        if (option == 'h') options->help = true;
        if (option == '?') return false;
    }
    for (int i = optind; i < own; i++) vec_push(arena, &options->operands, (const char *)argv[i]);
    if (options->help) return true;
    if (options->operands.len == 0)
        log_error("verify: which findings? cudalint verify FINDINGS.sarif");
    bool is_empty = options->program != NULL && options->program[0] == NULL;
    if (is_empty) log_error("verify: no program after --");
    return options->operands.len != 0 && !is_empty;
}

// Takes what the recording says of the machine, once.
static void note_machine(Verify *verify, const Recording *recording)
{
    if (verify->device != NULL || recording->devices.len == 0) return;
    verify->device = recording->devices.items[0].name;
    verify->time = recording->time;
    verify->driver = recording->driver;
}

static void judge_clean_sources(Verify *verify, Trial *trial, const char *program)
{
    for (uint32_t i = 0; i < verify->clean.len; i++) {
        CheckedSource *source = &verify->clean.items[i];
        ProgramSource comments;
        Err err = {.arena = verify->arena};
        if (strcmp(source->file, program) != 0) continue;
        if (program_source_read(verify->arena, program, &comments, &err) != ST_OK) continue;
        source->verdict = verdict_better(source->verdict, judge_clean(trial, comments.live));
    }
}

static void judge_by(Verify *verify, Trial *trial, const VerifyRun *run)
{
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        CheckedFinding *finding = &verify->findings.items.items[i];
        if (run->program != NULL && strcmp(finding->program, run->program) != 0) continue;
        Verdict verdict = judge_finding(trial, finding);
        verdict.fail = run->fail;
        // That a run with a failure in it passes by is no sign of anything.
        if (run->fail != NULL && verdict.kind != VERDICT_CONFIRMED) continue;
        finding->verdict = verdict_better(finding->verdict, verdict);
    }
    if (run->program != NULL && run->fail == NULL) judge_clean_sources(verify, trial, run->program);
}

static void note_ending(Trial *trial, const LaunchResult *result)
{
    bool has_exited = result->signal == 0 && !result->timed_out;
    if (has_exited) trial->exit_code = result->exit_code;
    if (trial->exit_code != 0) trial->ending = launch_result_text(trial->arena, result);
}

bool verify_judge(Verify *verify, const VerifyRun *run)
{
    RecordingList *recordings = ARENA_NEW(verify->arena, RecordingList);
    Err err = {.arena = verify->arena};
    bool has_failed = false;
    if (recording_read_folder(verify->arena, verify->strings, run->records, recordings, &err) !=
        ST_OK)
        log_warning("verify: %s", err.message);
    for (uint32_t i = 0; i < recordings->len; i++) {
        Trial trial = trial_new(verify->arena, verify->symbols, &recordings->items[i]);
        if (recordings->len == 1) note_ending(&trial, run->result);
        note_machine(verify, &recordings->items[i]);
        // What a process that was stopped had not released says nothing.
        if (!run->result->timed_out) judge_by(verify, &trial, run);
        has_failed |= trial.story.injected.len != 0;
    }
    return has_failed;
}

// The program's paths are its own business: that one run frees a block does not refute that
// another path loses it.
static void weaken_refutations(Verify *verify)
{
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        Verdict *verdict = &verify->findings.items.items[i].verdict;
        if (verdict->kind == VERDICT_REFUTED) {
            verdict->kind = VERDICT_NOT_REACHED;
            verdict->evidence = arena_printf(
                verify->arena, "no run took the path of the finding: %s", verdict->evidence);
        }
        if (verdict->kind == VERDICT_NONE)
            *verdict = (Verdict){.kind = VERDICT_NOT_REACHED, .evidence = "nothing was recorded"};
    }
}

static void mark_all(Verify *verify, Verdict verdict)
{
    for (uint32_t i = 0; i < verify->findings.items.len; i++)
        verify->findings.items.items[i].verdict = verdict;
    for (uint32_t i = 0; i < verify->clean.len; i++) verify->clean.items[i].verdict = verdict;
}

Status verify_program(Verify *verify)
{
    const char *records = arena_printf(verify->arena, "%s/records", verify->folder);
    for (uint32_t k = 0;; k++) {
        LaunchRequest request = {.argv = (const char *const *)verify->options->program,
                                 .records = records,
                                 .records_calls = true,
                                 .timeout_s = verify->options->timeout_s};
        LaunchResult result;
        if (k != 0) request.fail = arena_printf(verify->arena, "%" PRIu32, k);
        folder_remove(records);
        if (folder_create(records, verify->err) != ST_OK) return ST_IO;
        Status status = launch_run(&verify->recorder, &request, &result, verify->err);
        if (status != ST_OK) return status;
        VerifyRun run = {records, NULL, request.fail, &result};
        bool has_failed = verify_judge(verify, &run);
        if (k == 0 && result.timed_out)
            mark_all(verify, (Verdict){.kind = VERDICT_TIMEOUT, .evidence = "did not end in time"});
        if (!verify->options->walks_errors || (k != 0 && !has_failed)) break;
    }
    weaken_refutations(verify);
    return ST_OK;
}

// Warnings and errors; what is advice only says nothing against a run.
static bool has_findings(const Verify *verify, const char *program)
{
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        const CheckedFinding *finding = &verify->findings.items.items[i];
        if (!finding->is_note && strcmp(finding->program, program) == 0) return true;
    }
    return false;
}

// Files of a folder that is given as a source are one program.
static void assign_programs(Verify *verify, const char *folder)
{
    const char *start = arena_printf(verify->arena, "%s/", folder);
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        CheckedFinding *finding = &verify->findings.items.items[i];
        if (str_starts_with(finding->file, start)) finding->program = folder;
    }
}

// Operands are files of findings, sources, and folders of sources.
static Status read_operands(Verify *verify)
{
    const WordList *operands = &verify->options->operands;
    for (uint32_t i = 0; i < operands->len; i++) {
        if (i != 0 && !str_ends_with(operands->items[i], ".sarif")) continue;
        Status status = findings_read(verify->arena, verify->strings, operands->items[i],
                                      &verify->findings, verify->err);
        if (status != ST_OK) return status;
    }
    for (uint32_t i = 1; i < operands->len; i++) assign_programs(verify, operands->items[i]);
    for (uint32_t i = 1; i < operands->len; i++) {
        CheckedSource source = {.file = operands->items[i]};
        bool is_source = !str_ends_with(source.file, ".sarif");
        if (is_source && !has_findings(verify, source.file))
            vec_push(verify->arena, &verify->clean, source);
    }
    return ST_OK;
}

static Status run_everything(Verify *verify)
{
    Err reason = {.arena = verify->arena};
    Status status =
        recorder_find(verify->arena, verify->options->simulated, &verify->recorder, verify->err);
    if (status != ST_OK) return status;
    if (verify->recorder.simulator == NULL && gpu_probe(&verify->devices, &reason) != ST_OK) {
        mark_all(verify, (Verdict){.kind = VERDICT_NO_GPU, .evidence = reason.message});
        return ST_OK;
    }
    const char *builds = verify->options->builds;
    if (builds != NULL && access(builds, W_OK) != 0) status = folder_create(builds, verify->err);
    if (status == ST_OK) status = folder_make(verify->arena, &verify->folder, verify->err);
    if (status != ST_OK) return status;
    if (verify->options->program != NULL)
        status = verify_program(verify);
    else
        verify_sources(verify);
    verify_note_machine(verify);
    folder_remove(verify->folder);
    return status;
}

static Status write_results(Verify *verify)
{
    const VerifyOptions *options = verify->options;
    Status status = ST_OK;
    if (options->output != NULL)
        status = findings_write(verify->arena, &verify->findings, options->output,
                                verify_where(verify), verify->err);
    if (status == ST_OK && options->page != NULL) status = verify_write_page(verify, options->page);
    if (status == ST_OK && options->evidence != NULL)
        status = verify_write_evidence(verify, options->evidence);
    return status;
}

// Could nothing be said because something is missing here?
static bool is_blind(VerdictKind kind)
{
    return kind == VERDICT_NO_GPU || kind == VERDICT_NOT_BUILT;
}

static bool is_wrong(const Verify *verify, VerdictKind kind)
{
    if (kind == VERDICT_REFUTED || kind == VERDICT_NOT_CLEAN) return true;
    bool is_unseen = kind == VERDICT_NOT_REACHED || kind == VERDICT_TIMEOUT || kind == VERDICT_NONE;
    return verify->options->strict && is_unseen;
}

static int exit_code(const Verify *verify)
{
    bool has_wrong = false, has_blind = false;
    for (uint32_t i = 0; i < verify->findings.items.len; i++) {
        has_wrong |= is_wrong(verify, verify->findings.items.items[i].verdict.kind);
        has_blind |= is_blind(verify->findings.items.items[i].verdict.kind);
    }
    for (uint32_t i = 0; i < verify->clean.len; i++) {
        has_wrong |= is_wrong(verify, verify->clean.items[i].verdict.kind);
        has_blind |= is_blind(verify->clean.items[i].verdict.kind);
    }
    return has_blind ? 2 : has_wrong ? 1 : 0;
}

int verify_main(Arena *arena, int argc, char **argv)
{
    VerifyOptions options;
    Err err = {.arena = arena};
    StrPool *strings = str_pool_new(arena);
    if (!parse(arena, argc, argv, &options)) return 2;
    if (options.help) return print_help(), 0;
    Verify verify = {.arena = arena,
                     .strings = strings,
                     .symbols = symbols_new(arena, strings),
                     .options = &options,
                     .err = &err};
    Status status = read_operands(&verify);
    if (status == ST_OK) status = run_everything(&verify);
    if (status == ST_OK) {
        verify_print(stdout, &verify);
        status = write_results(&verify);
    }
    if (status == ST_OK) return exit_code(&verify);
    log_error("verify: %s", err.message);
    return 2;
}
