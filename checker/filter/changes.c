// SPDX-License-Identifier: MIT
// Asks git which lines changed. Input: a revision; output: changed lines of each file. git runs
// without a shell and without what a user's configuration could change in its output.
#include "filter/changes.h"

#include "base/path.h"
#include "base/str.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    Arena *arena;
    const char *folder; // where git runs
    StrBuf out;         // what it printed last
    const char *said;   // the first line of what it complained of last
    int code;           // its last exit code
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

static Words git_words(const Git *git, const char *const *args)
{
    static const char *const always[] = {"git", "--no-pager",           "--no-optional-locks",
                                         "-c",  "core.quotePath=false", "-C"};
    Words words = {0};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        vec_push(git->arena, &words, always[i]);
    vec_push(git->arena, &words, git->folder);
    for (; *args != NULL; args++) vec_push(git->arena, &words, *args);
    vec_push(git->arena, &words, NULL);
    return words;
}

// In hooks of a linked working tree git names the repository and takes the folder that it runs in for
// the tree's root, which the root alone is.
static Words git_environment(const Git *git)
{
    bool is_rooted = getenv("GIT_WORK_TREE") != NULL;
    Words words = {0};
    for (char **variable = environ; *variable != NULL; variable++)
        if (is_rooted || !str_starts_with(*variable, "GIT_DIR="))
            vec_push(git->arena, &words, (const char *)*variable);
    vec_push(git->arena, &words, NULL);
    return words;
}

static Status spawn(Git *git, const char *const *args, int out_fd, int said_fd, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, said_fd, STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    Words words = git_words(git, args), environment = git_environment(git);
    int reason = posix_spawnp(pid, "git", &actions, NULL, (char *const *)words.items,
                              (char *const *)environment.items);
    posix_spawn_file_actions_destroy(&actions);
    if (reason == 0) return ST_OK;
    return err_set(git->err, ST_UNSUPPORTED, "--since needs git, which cannot be run: %s",
                   strerror(reason));
}

// The first line of the file.
static const char *first_line(Arena *arena, FILE *file)
{
    char line[512];
    if (fseek(file, 0, SEEK_SET) != 0 || fgets(line, sizeof line, file) == NULL) return "";
    return arena_strndup(arena, line, strcspn(line, "\n"));
}

// Runs git with these arguments (up to a NULL). Fails only where it cannot be run.
static Status git_run(Git *git, const char *const *args)
{
    int ends[2];
    pid_t pid = 0;
    git->out = (StrBuf){.arena = git->arena};
    FILE *said = tmpfile();
    if (said == NULL || pipe(ends) != 0) {
        int reason = errno;
        if (said != NULL) fclose(said);
        return err_set(git->err, ST_IO, "git cannot be run: %s", strerror(reason));
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    Status status = spawn(git, args, ends[1], fileno(said), &pid);
    close(ends[1]);
    if (status == ST_OK) {
        read_all(ends[0], &git->out);
        status = wait_for(pid, &git->code);
    }
    git->said = first_line(git->arena, said);
    close(ends[0]);
    fclose(said);
    return status;
}

// As git_run, where git must not fail.
static Status git_must_run(Git *git, const char *const *args)
{
    Status status = git_run(git, args);
    if (status != ST_OK || git->code == 0) return status;
    return err_set(git->err, ST_IO, "git %s failed: %s", args[0], git->said);
}

// One line that git prints, or NULL where it fails.
static Status git_line(Git *git, const char *const *args, const char **line)
{
    *line = NULL;
    Status status = git_run(git, args);
    if (status != ST_OK || git->code != 0) return status;
    const char *text = strbuf_text(&git->out);
    *line = arena_strndup(git->arena, text, strcspn(text, "\n"));
    return ST_OK;
}

static Status find_root(Git *git, const char **root)
{
    static const char *const args[] = {"rev-parse", "--show-toplevel", NULL};
    Status status = git_line(git, args, root);
    if (status != ST_OK || *root != NULL) return status;
    return err_set(git->err, ST_USAGE, "--since needs a git repository; of '%s' git says: %s",
                   git->folder, git->said);
}

static Status no_commit(Git *git, const char *revision)
{
    static const char *const args[] = {"rev-parse", "--is-shallow-repository", NULL};
    const char *is_shallow = NULL;
    Status status = git_line(git, args, &is_shallow);
    if (status != ST_OK) return status;
    if (is_shallow != NULL && strcmp(is_shallow, "true") == 0)
        return err_set(
            git->err, ST_USAGE,
            "--since wants a revision that git knows here, not '%s': this clone is shallow; "
            "'git fetch --unshallow' or a checkout with 'fetch-depth: 0' brings the rest",
            revision);
    return err_set(git->err, ST_USAGE,
                   "--since wants a revision that git knows here, not '%s' (of a branch: "
                   "--since $(git merge-base main HEAD))",
                   revision);
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
    return status != ST_OK || *commit != NULL ? status : no_commit(git, revision);
}

static Status read_changed(Git *git, const char *commit, Changes *changes)
{
    const char *args[] = {"diff",
                          "--no-color",
                          "--no-ext-diff",
                          "--no-textconv",
                          "--submodule=diff",
                          "--ignore-submodules=none",
                          "--unified=0",
                          "--find-renames",
                          "--src-prefix=a/",
                          "--dst-prefix=b/",
                          commit,
                          "--",
                          NULL};
    Status status = git_must_run(git, args);
    if (status == ST_OK)
        changes_read_diff(git->arena, changes, strbuf_text(&git->out), git->out.len);
    return status;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const ChangedFile *)a)->path, ((const ChangedFile *)b)->path);
}

static Status read_untracked(Git *git, Changes *changes)
{
    static const char *const args[] = {"ls-files", "--others", "--exclude-standard", "-z", NULL};
    Status status = git_must_run(git, args);
    if (status != ST_OK) return status;
    const char *end = strbuf_text(&git->out) + git->out.len;
    for (const char *name = strbuf_text(&git->out); name < end; name += strlen(name) + 1) {
        ChangedFile file = {.path = path_join(git->arena, changes->root, name)};
        if (str_ends_with(name, "/")) { // a repository that this one does not know of
            const char *folder = arena_strndup(git->arena, file.path, strlen(file.path) - 1);
            vec_push(git->arena, &changes->folders, folder);
            continue;
        }
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
    for (uint32_t i = 0; i < changes->folders.len; i++)
        if (path_below(changes->folders.items[i], path) != NULL) return true;
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
