// SPDX-License-Identifier: MIT
// Runs programs.
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void set_or_unset(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

// Puts a path before those that the loader's variable lists.
static void list_first(const char *variable, const char *path)
{
    const char *others = getenv(variable);
    char list[8192];
    if (others == NULL || others[0] == '\0')
        snprintf(list, sizeof list, "%s", path);
    else
        snprintf(list, sizeof list, "%s:%s", path, others);
    setenv(variable, list, 1);
}

static void set_environment(const Recorder *recorder, const LaunchRequest *request)
{
    set_or_unset("CUDALINT_RECORDS", request->records);
    set_or_unset("CUDALINT_FAIL", request->fail);
    set_or_unset("CUDALINT_RECORD_CALLS", request->records_calls ? "1" : NULL);
    if (request->records == NULL) return;
    setenv("CUDALINT_RECORDER", recorder->library, 1);
    list_first("LD_PRELOAD", recorder->handles);
    if (recorder->simulator != NULL) {
        char devices[16];
        snprintf(devices, sizeof devices, "%" PRIu32, request->devices);
        if (request->devices != 0) setenv("CUDALINT_SIM_DEVICES", devices, 1);
        list_first("LD_LIBRARY_PATH", recorder->simulator);
    } else
        setenv("CUDA_INJECTION64_PATH", recorder->library, 1);
}

// The child: becomes the program, or tells the parent why not.
static _Noreturn void become(const Recorder *recorder, const LaunchRequest *request, int tell)
{
    if (request->timeout_s != 0) setpgid(0, 0);
    if (request->output != NULL) {
        int out = open(request->output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        int in = open("/dev/null", O_RDONLY);
        if (out >= 0) dup2(out, STDOUT_FILENO), dup2(out, STDERR_FILENO), close(out);
        if (in >= 0) dup2(in, STDIN_FILENO), close(in);
    }
    signal(SIGPIPE, SIG_DFL);
    set_environment(recorder, request);
    bool is_there = request->folder == NULL || chdir(request->folder) == 0;
    if (is_there) execvp(request->argv[0], (char *const *)request->argv);
    int number = errno;
    if (write(tell, &number, sizeof number) < 0) _exit(126);
    _exit(127);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// A program that is running.
typedef struct {
    size_t index; // of its request
    pid_t pid;
    int64_t end_ms; // when it is killed; 0: never
} Child;

static bool start(const Recorder *recorder, const LaunchRequest *request, LaunchResult *result,
                  Child *child)
{
    int tell[2];
    *result = (LaunchResult){0};
    if (pipe(tell) != 0) return result->start_error = errno, false;
    fcntl(tell[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0) {
        close(tell[0]);
        become(recorder, request, tell[1]);
    }
    if (child->pid < 0) result->start_error = errno;
    close(tell[1]);
    int number = 0;
    if (read(tell[0], &number, sizeof number) == sizeof number) result->start_error = number;
    close(tell[0]);
    child->end_ms = request->timeout_s != 0 ? now_ms() + (int64_t)request->timeout_s * 1000 : 0;
    return child->pid > 0;
}

// Did it end, or must it now? Then the result says how.
static bool has_ended(const Child *child, LaunchResult *result, int flags)
{
    int status = 0;
    pid_t ended = waitpid(child->pid, &status, flags);
    if (ended == 0 && child->end_ms != 0 && now_ms() >= child->end_ms) {
        result->timed_out = true;
        kill(-child->pid, SIGKILL);
        ended = waitpid(child->pid, &status, 0);
    }
    if (ended != child->pid) return false;
    if (child->end_ms != 0) kill(-child->pid, SIGKILL); // what it left running
    if (WIFSIGNALED(status)) result->signal = WTERMSIG(status);
    if (WIFEXITED(status)) result->exit_code = WEXITSTATUS(status);
    return true;
}

#define MAX_JOBS 64

void launch_run_all(const Recorder *recorder, const LaunchRequest *requests, LaunchResult *results,
                    size_t count, uint32_t jobs)
{
    Child children[MAX_JOBS];
    uint32_t running = 0;
    if (jobs == 0 || jobs > MAX_JOBS) jobs = jobs == 0 ? 1 : MAX_JOBS;
    for (size_t next = 0; next < count || running != 0;) {
        while (next < count && running < jobs) {
            Child child = {.index = next};
            if (start(recorder, &requests[next], &results[next], &child))
                children[running++] = child;
            next++;
        }
        bool is_alone = running == 1 && children[0].end_ms == 0 && next == count;
        for (uint32_t i = running; i-- > 0;) {
            if (has_ended(&children[i], &results[children[i].index], is_alone ? 0 : WNOHANG))
                children[i] = children[--running];
        }
        if (running != 0 && !is_alone) nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    }
}

Status launch_run(const Recorder *recorder, const LaunchRequest *request, LaunchResult *result,
                  Err *err)
{
    launch_run_all(recorder, request, result, 1, 1);
    if (result->start_error == 0) return ST_OK;
    return err_set(err, ST_NOT_FOUND, "cannot run '%s': %s", request->argv[0],
                   strerror(result->start_error));
}

const char *launch_result_text(Arena *arena, const LaunchResult *result)
{
    if (result->timed_out) return "did not end in time";
    if (result->signal != 0)
        return arena_printf(arena, "ended by signal %d (%s)", result->signal,
                            strsignal(result->signal));
    return arena_printf(arena, "exit code %d", result->exit_code);
}
