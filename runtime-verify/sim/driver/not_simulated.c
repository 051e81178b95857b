// SPDX-License-Identifier: MIT
// Functions of the driver API that no other file defines, as ../cudart/not_simulated.c does for the
// runtime's. The list is made from the toolkit's header.
int call_not_simulated(const char *function);

#define EXPORT(name)                                                                               \
    int name(void);                                                                                \
    __attribute__((weak)) int name(void)                                                           \
    {                                                                                              \
        return call_not_simulated(#name);                                                          \
    }
#include "driver_exports.h"
#undef EXPORT
