// SPDX-License-Identifier: MIT
// A large stack. The parser and our own visits recurse as deep as the source nests, so they run on
// a thread whose stack is reserved, not used, until it is needed.
#include "run/run_p.h"

#include <pthread.h>
#include <string.h>

Status stack_run(void *(*run)(void *), void *context, Err *err)
{
    static const size_t sizes[] = {(size_t)512 << 20, (size_t)64 << 20,
                                   (size_t)8 << 20}; // less where memory is limited
    int failure = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, sizes[i]);
        pthread_t thread;
        failure = pthread_create(&thread, &attributes, run, context);
        pthread_attr_destroy(&attributes);
        if (failure != 0) continue;
        pthread_join(thread, NULL);
        return ST_OK;
    }
    return err_set(err, ST_LIMIT, "no thread could be started: %s", strerror(failure));
}
