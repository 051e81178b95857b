// SPDX-License-Identifier: MIT
// Takes away what a test wrote. Included by test_tu*.c.
#ifndef CUDALINT_TESTS_REMOVE_TREE_H
#define CUDALINT_TESTS_REMOVE_TREE_H

#include "base/arena.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static void remove_tree(Arena *arena, const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        unlink(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_tree(arena, arena_printf(arena, "%s/%s", path, entry->d_name));
    closedir(dir);
    rmdir(path);
}

#endif
