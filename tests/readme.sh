#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tests/readme.sh CUDALINT
# The README's first snippet must produce the output printed below it.
set -euo pipefail
readme=$(dirname "${BASH_SOURCE[0]}")/../README.md
binary=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
block() { awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } on && $0 == "```" { exit } on' "$readme"; }
block cuda >"$work/train.cu"
block text | tail -n +2 >"$work/expected"
cd "$work"
"$binary" train.cu >actual 2>&1 && { echo "readme: no findings"; exit 1; }
diff -u expected actual
