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
// A module is unloaded: what is known of its kernels no longer holds.
void launches_forget(Launches *launches);

#endif
