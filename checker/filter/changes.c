// SPDX-License-Identifier: MIT
// Asks git which lines changed. Input: a revision; output: changed lines of each file. git runs
// without a shell and without what a user's configuration could change in its output.
#include "filter/changes.h"

#include "base/path.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    Arena *arena;
    const char *folder; // where git runs
    Err *err;
} Git;

static Status wait_for(pid_t pid, int *code)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return ST_IO;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ST_OK;
}

static void read_all(int fd, StrBuf *out)
{
    char bytes[1 << 16];
    for (;;) {
        ssize_t got = read(fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        strbuf_append_n(out, bytes, (size_t)got);
    }
}

// Runs git with these arguments (up to a NULL). `*code` is its exit code, `out` what it printed.
static Status git_run(Git *git, const char *const *args, StrBuf *out, int *code)
{
    Vec(const char *) argv = {0};
    static const char *const always[] = {"git", "--no-pager",           "--no-optional-locks",
                                         "-c",  "core.quotePath=false", "-C"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        vec_push(git->arena, &argv, always[i]);
    vec_push(git->arena, &argv, git->folder);
    for (; *args != NULL; args++) vec_push(git->arena, &argv, *args);
    vec_push(git->arena, &argv, NULL);

    int ends[2];
    if (pipe(ends) != 0) return err_set(git->err, ST_IO, "no pipe for git: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    pid_t pid = 0;
    int reason = posix_spawnp(&pid, "git", &actions, NULL, (char *const *)argv.items, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (reason == 0) {
        read_all(ends[0], out);
        close(ends[0]);
        return wait_for(pid, code);
    }
    close(ends[0]);
    return err_set(git->err, ST_UNSUPPORTED, "--since needs git, which cannot be run: %s",
                   strerror(reason));
}

// One line that git prints, or NULL where it fails.
static Status git_line(Git *git, const char *const *args, const char **line)
{
    StrBuf out = {.arena = git->arena};
    int code = 0;
    *line = NULL;
    Status status = git_run(git, args, &out, &code);
    if (status != ST_OK || code != 0) return status;
    const char *text = strbuf_text(&out);
    *line = arena_strndup(git->arena, text, strcspn(text, "\n"));
    return ST_OK;
}

static Status find_root(Git *git, const char **root)
{
    static const char *const args[] = {"rev-parse", "--show-toplevel", NULL};
    Status status = git_line(git, args, root);
    if (status != ST_OK || *root != NULL) return status;
    return err_set(git->err, ST_USAGE, "--since needs a git repository, and '%s' is in none",
                   git->folder);
}

static Status find_commit(Git *git, const char *revision, const char **commit)
{
    const char *args[] = {"rev-parse",
                          "--verify",
                          "--quiet",
                          "--end-of-options",
                          arena_printf(git->arena, "%s^{commit}", revision),
                          NULL};
    Status status = git_line(git, args, commit);
    if (status != ST_OK || *commit != NULL) return status;
    return err_set(git->err, ST_USAGE,
                   "--since wants a revision that git knows here, not '%s' (of a branch: "
                   "--since $(git merge-base main HEAD))",
                   revision);
}

static Status read_changed(Git *git, const char *commit, Changes *changes)
{
    const char *args[] = {"diff",
                          "--no-color",
                          "--no-ext-diff",
                          "--no-textconv",
                          "--ignore-submodules",
                          "--unified=0",
                          "--find-renames",
                          "--src-prefix=a/",
                          "--dst-prefix=b/",
                          commit,
                          "--",
                          NULL};
    StrBuf out = {.arena = git->arena};
    int code = 0;
    Status status = git_run(git, args, &out, &code);
    if (status != ST_OK) return status;
    if (code != 0) return err_set(git->err, ST_IO, "git diff failed with exit code %d", code);
    changes_read_diff(git->arena, changes, strbuf_text(&out), out.len);
    return ST_OK;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const ChangedFile *)a)->path, ((const ChangedFile *)b)->path);
}

static Status read_untracked(Git *git, Changes *changes)
{
    static const char *const args[] = {"ls-files", "--others", "--exclude-standard", "-z", NULL};
    StrBuf out = {.arena = git->arena};
    int code = 0;
    Status status = git_run(git, args, &out, &code);
    if (status != ST_OK) return status;
    if (code != 0) return err_set(git->err, ST_IO, "git ls-files failed with exit code %d", code);
    const char *end = strbuf_text(&out) + out.len;
    for (const char *name = strbuf_text(&out); name < end; name += strlen(name) + 1) {
        ChangedFile file = {.path = path_join(git->arena, changes->root, name)};
        vec_push(git->arena, &file.lines, ((LineRange){.first = 1, .last = UINT32_MAX}));
        vec_push(git->arena, &changes->files, file);
    }
    if (changes->files.len != 0)
        qsort(changes->files.items, changes->files.len, sizeof(ChangedFile), compare_files);
    return ST_OK;
}

Status changes_since(Arena *arena, const char *folder, const char *revision, Changes **out,
                     Err *err)
{
    Git git = {.arena = arena, .folder = folder, .err = err};
    Changes *changes = ARENA_NEW(arena, Changes);
    const char *commit = NULL;
    *out = changes;
    Status status = find_root(&git, &changes->root);
    if (status != ST_OK) return status;
    git.folder = changes->root;
    status = find_commit(&git, revision, &commit);
    if (status == ST_OK) status = read_changed(&git, commit, changes);
    return status == ST_OK ? read_untracked(&git, changes) : status;
}

bool changes_touch(const Changes *changes, const char *path, LineRange lines)
{
    if (path_below(changes->root, path) == NULL) return true;
    uint32_t low = 0, high = changes->files.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(changes->files.items[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    // A diff may come back to a file.
    for (; low < changes->files.len; low++) {
        const ChangedFile *file = &changes->files.items[low];
        if (strcmp(file->path, path) != 0) return false;
        for (uint32_t i = 0; i < file->lines.len; i++)
            if (lines.last >= file->lines.items[i].first &&
                lines.first <= file->lines.items[i].last)
                return true;
    }
    return false;
}
