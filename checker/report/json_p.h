// SPDX-License-Identifier: MIT
// Building JSON with cJSON: texts made valid UTF-8, and out of memory fatal as it is everywhere
// else.
#ifndef CUDALINT_REPORT_JSON_P_H
#define CUDALINT_REPORT_JSON_P_H

#include "base/err.h"

#include <cjson/cJSON.h>
#include <stdio.h>

cJSON *json_object(void);
cJSON *json_array(void);

// Each hands `item` over to its parent and returns it.
cJSON *json_put(cJSON *object, const char *key, cJSON *item);
cJSON *json_push(cJSON *array, cJSON *item);

// Text from anywhere; nothing is put for NULL. `arena` is for repairs.
void json_put_text(Arena *arena, cJSON *object, const char *key, const char *text);
void json_push_text(Arena *arena, cJSON *array, const char *text);
void json_put_number(cJSON *object, const char *key, double number);
void json_put_bool(cJSON *object, const char *key, bool value);

// Prints the tree with a line feed at the end and frees it.
Status json_print(FILE *out, cJSON *root, Err *err);

#endif
