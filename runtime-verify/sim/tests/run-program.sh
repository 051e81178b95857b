#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: run-program.sh NVCC SOURCE FOLDER SIMULATED: compiles the program unless that was done, and runs it on the
# simulated runtime. Its comments say more: "// nvcc: OPTIONS", "// environment: NAME=VALUE", and "// record: TEXT" for
# each text that a line of its records holds.
set -euo pipefail
nvcc=$1 source=$2 folder=$3 simulated=$4
name=$(basename "$source" .cu)
program=$folder/$name
records=$folder/records/$name
said() { sed -nE "s,^// $1: (.*),\1,p" "$source"; }
if [ "$source" -nt "$program" ]; then
    # shellcheck disable=SC2046
    "$nvcc" -cudart shared -g -lineinfo $(said nvcc) -o "$program" "$source"
fi
rm -rf "$records"
mkdir -p "$records"
# shellcheck disable=SC2046
env LD_LIBRARY_PATH="$simulated" CUDALINT_RECORDS="$records" $(said environment) timeout 60 "$program"
said record | while IFS= read -r text; do
    grep -qF -- "$text" "$records"/*.jsonl || { echo "no record holds $text"; cat "$records"/*.jsonl; exit 1; }
done
