// SPDX-License-Identifier: MIT
// The tracker's questions, answered by the driver.
#ifndef RUNTIME_VERIFY_INJECT_GPU_H
#define RUNTIME_VERIFY_INJECT_GPU_H

#include "inject/callbacks.h"
#include "record/track.h"

TrackBackend gpu_backend(void);

// Is the calling thread asking the driver something for us? Callbacks of such calls are ours.
bool gpu_is_asking(void);
// Around such calls. They nest.
void gpu_ask_begin(void);
void gpu_ask_end(void);

#endif
