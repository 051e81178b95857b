// SPDX-License-Identifier: MIT
// Calls of libraries, as libcudaverify-handles.so reports them. Libraries call the runtime, and each
// other: what they acquire for themselves is recorded like the program's own.
#include "record/track_p.h"

bool track_library_enter(Tracker *tracker, TrackCall *call, const char *function)
{
    ThreadState *thread = track_thread(tracker);
    call->function = api_find(function, (int)call->arg_count);
    if (call->function == NULL) return true;
    call->is_driver = call->is_per_thread = false;
    call->is_library = true;
    track_enter(tracker, call);
    call->outer = thread->library;
    thread->library = call;
    return !call->fails;
}

int32_t track_library_leave(Tracker *tracker, TrackCall *call, int32_t result)
{
    if (call->function == NULL) return result;
    track_thread(tracker)->library = call->outer;
    int32_t seen = track_exit(tracker, call, result);
    // What is no status is the function's own business.
    return call->function->returns_status ? seen : result;
}
