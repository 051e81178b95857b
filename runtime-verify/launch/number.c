// SPDX-License-Identifier: MIT
// Reads numbers.
#include "launch/number.h"

#include "base/log.h"

#include <ctype.h>
#include <stdlib.h>

bool number_option(const char *command, const char *option, const char *text, uint32_t *number)
{
    enum { MOST = 1000000 };
    char *end = NULL;
    unsigned long value = isdigit((unsigned char)text[0]) ? strtoul(text, &end, 10) : 0;
    bool is_good = value >= 1 && value <= MOST && *end == '\0';
    if (is_good)
        *number = (uint32_t)value;
    else
        log_error("%s: %s takes a number from 1 to %d, not '%s'", command, option, MOST, text);
    return is_good;
}
