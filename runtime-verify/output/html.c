// SPDX-License-Identifier: MIT
// Writes HTML.
#include "output/html.h"

#include <stdarg.h>
#include <string.h>

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 "
    "1rem;color:#1b1f24;background:#fff}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:."
    "3rem .6rem;border-bottom:1px solid #d8dee4}"
    "th{font-weight:600}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "code,ol.stack{font:13px/1.45 ui-monospace,monospace}ol.stack{margin:.2rem "
    "0;padding-left:2rem;color:#57606a}"
    ".bad{color:#b4231a;font-weight:600}.good{color:#1a7f37;font-weight:600}.other{color:#9a6700;"
    "font-weight:600}"
    "svg{width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#57606a}"
    "details>summary{cursor:pointer}"
    "@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}th,td{border-color:#"
    "30363d}ol.stack,svg text{color:#8b949e;fill:#8b949e}"
    ".bad{color:#ff7b72}.good{color:#3fb950}.other{color:#d29922}}";

void html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

void html_printf(FILE *out, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    html_text(out, text);
}

void html_begin(FILE *out, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
          out);
    html_text(out, title);
    fprintf(out, "</title><style>%s</style></head><body>\n<h1>", style);
    html_text(out, title);
    fputs("</h1>\n", out);
}

void html_end(FILE *out)
{
    fputs("</body></html>\n", out);
}

void html_frames(FILE *out, const FrameList *frames)
{
    fputs("<ol class=\"stack\">", out);
    for (uint32_t i = 0; i < frames->len; i++) {
        const Frame *frame = &frames->items[i];
        fputs("<li>", out);
        html_text(out, frame->function != NULL ? frame->function : "?");
        if (frame->file != NULL)
            html_printf(out, " (%s:%d)", frame->file, frame->line);
        else
            html_printf(out, " (%s)", frame->module);
        fputs("</li>", out);
        if (frame->function != NULL && strcmp(frame->function, "main") == 0) break;
    }
    fputs("</ol>\n", out);
}
