// SPDX-License-Identifier: MIT
// Every function that the real library exports exists. Those that no other file defines are the
// weak ones of this file: they say so to the recorder and fail with cudaErrorNotSupported. Their
// parameters do not matter for that, so this file must not see their prototypes.
int call_not_simulated(const char *function);

#define EXPORT(name)                                                                               \
    int name(void);                                                                                \
    __attribute__((weak)) int name(void)                                                           \
    {                                                                                              \
        return call_not_simulated(#name);                                                          \
    }
#include "exports.def"
#undef EXPORT
