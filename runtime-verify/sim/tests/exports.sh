#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: exports.sh SIMULATED REAL: the stand-in exports exactly what the real library does, under the same version.
set -euo pipefail
[ -e "$2" ] || { echo "no $2 to compare with: skipped"; exit 77; }
# The driver API, which is in the same library here, is another library there.
exports() { nm -D --defined-only "$1" | awk '$2 ~ /[TW]/ && $3 ~ /^(__)?cuda/ && $3 !~ /^cudalint_/ { print $3 }' | LC_ALL=C sort; }
diff <(exports "$1") <(exports "$2")
