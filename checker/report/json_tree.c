// SPDX-License-Identifier: MIT
// JSON trees: cJSON with its failures checked in one place. Input: texts and numbers of a report;
// output: valid JSON whatever bytes the sources and paths hold.
#include "report/json_p.h"

#include "base/log.h"
#include "base/utf8.h"
#include "report/report_p.h"

#include <stdlib.h>
#include <string.h>

static cJSON *checked(cJSON *item)
{
    if (item == NULL) {
        log_error("out of memory for JSON");
        abort();
    }
    return item;
}

cJSON *json_object(void)
{
    return checked(cJSON_CreateObject());
}

cJSON *json_array(void)
{
    return checked(cJSON_CreateArray());
}

cJSON *json_put(cJSON *object, const char *key, cJSON *item)
{
    return checked(cJSON_AddItemToObject(object, key, item) ? item : NULL);
}

cJSON *json_push(cJSON *array, cJSON *item)
{
    return checked(cJSON_AddItemToArray(array, item) ? item : NULL);
}

void json_put_text(Arena *arena, cJSON *object, const char *key, const char *text)
{
    if (text != NULL) json_put(object, key, checked(cJSON_CreateString(utf8_repair(arena, text))));
}

void json_push_text(Arena *arena, cJSON *array, const char *text)
{
    json_push(array, checked(cJSON_CreateString(utf8_repair(arena, text))));
}

void json_put_number(cJSON *object, const char *key, double number)
{
    json_put(object, key, checked(cJSON_CreateNumber(number)));
}

void json_put_bool(cJSON *object, const char *key, bool value)
{
    json_put(object, key, checked(cJSON_CreateBool(value)));
}

Status json_print(FILE *out, cJSON *root, Err *err)
{
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text == NULL) checked(NULL);
    fputs(text, out);
    fputc('\n', out);
    free(text);
    return report_flush(out, err);
}
