// SPDX-License-Identifier: MIT
// The section `libraries` of a model: which functions are whose, and what they return.
#include "model/model_load_p.h"
#include "model/model_p.h"

#include <string.h>

static Status read_library(const Loader *loader, const YamlPair *pair)
{
    ModelLibrary library = {.name = arena_strdup(loader->arena, pair->key->text)};
    if (pair->value->kind != YAML_MAPPING)
        return FAIL(loader, pair->value, "library '%s' must be a mapping", library.name);
    for (uint32_t i = 0; i < pair->value->pairs.len; i++) {
        const YamlPair *word = &pair->value->pairs.items[i];
        const char *key = word->key->text;
        int64_t *code = strcmp(key, "out_of_memory") == 0    ? &library.out_of_memory
                        : strcmp(key, "invalid_handle") == 0 ? &library.invalid_handle
                                                             : NULL;
        if (code == NULL) return FAIL(loader, word->key, "unknown key '%s' of a library", key);
        Status status = yaml_int(word->value, loader->file, key, code, loader->err);
        if (status != ST_OK) return status;
    }
    if (library.out_of_memory == 0 || library.invalid_handle == 0)
        return FAIL(loader, pair->value,
                    "library '%s' wants out_of_memory and invalid_handle, which are not 0",
                    library.name);
    model_library_set(loader->model, library);
    return ST_OK;
}

Status model_read_libraries(const Loader *loader, const YamlNode *root)
{
    Status status = ST_OK;
    const YamlNode *section = yaml_get(root, "libraries");
    for (uint32_t i = 0; section != NULL && i < section->pairs.len && status == ST_OK; i++)
        status = read_library(loader, &section->pairs.items[i]);
    return status;
}
