// SPDX-License-Identifier: MIT
// Changes: which lines differ from a revision, asked of git.
#ifndef CUDALINT_FILTER_CHANGES_H
#define CUDALINT_FILTER_CHANGES_H

#include "base/err.h"
#include "base/vec.h"

typedef struct {
    uint32_t first, last;
} LineRange;

typedef struct {
    const char *path; // plain and absolute
    Vec(LineRange) lines;
} ChangedFile;

typedef struct {
    const char *root;          // of the repository; absolute
    Vec(ChangedFile) files;    // sorted by path
    Vec(const char *) folders; // all below them is new: repositories inside this one
} Changes;

// What the working tree that holds `folder` changes since `revision`, untracked files included. No
// git, no repository, no such revision: each is said.
Status changes_since(Arena *arena, const char *folder, const char *revision, Changes **changes,
                     Err *err);
// Whether one of the lines of the file (plain, absolute, links resolved) is new or changed, or beside
// a line that was deleted. Files outside of the repository count as changed: nobody knows.
bool changes_touch(const Changes *changes, const char *path, LineRange lines);

// Adds what a diff without context says (changes_diff.c); paths in it are below `changes->root`.
// Lines that are no diff are passed over.
void changes_read_diff(Arena *arena, Changes *changes, const char *diff, size_t len);

#endif
