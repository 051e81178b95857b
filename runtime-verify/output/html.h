// SPDX-License-Identifier: MIT
// Pages: one self-contained HTML file, with no script and nothing fetched.
#ifndef RUNTIME_VERIFY_OUTPUT_HTML_H
#define RUNTIME_VERIFY_OUTPUT_HTML_H

#include "base/err.h"
#include "base/str.h"
#include "read/story.h"

#include <stdio.h>

void html_begin(FILE *out, const char *title);
void html_end(FILE *out);
// Text from outside, escaped.
void html_text(FILE *out, const char *text);
__attribute__((format(printf, 2, 3))) void html_printf(FILE *out, const char *format, ...);
// A stack as a list.
void html_frames(FILE *out, const FrameList *frames);
// Bytes in use over time, by kind of memory, as a drawing.
void html_memory_plot(FILE *out, const Story *story);

#endif
