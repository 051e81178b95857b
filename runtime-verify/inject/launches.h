// SPDX-License-Identifier: MIT
// Launches, as the driver sees them: which kernel, which stream, and what among its arguments may
// be a pointer.
#ifndef RUNTIME_VERIFY_INJECT_LAUNCHES_H
#define RUNTIME_VERIFY_INJECT_LAUNCHES_H

#include "record/track.h"

#include <cupti.h>

typedef struct Launches Launches;

Launches *launches_new(void);
// If the callback is the driver's launch of a kernel, tells the tracker about it.
void launches_see(Launches *launches, Tracker *tracker, TrackCall *call, CUpti_CallbackId id,
                  const CUpti_CallbackData *data);
// The runtime's callbacks of launches. The driver's say the same; these are needed only where calls
// are numbered for being made to fail, and cost time.
extern const CUpti_CallbackId launches_of_runtime[];
extern const size_t launches_of_runtime_count;
// A module is unloaded: what is known of its kernels no longer holds.
void launches_forget(Launches *launches);

#endif
