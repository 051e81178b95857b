#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tests/install.sh BUILD-FOLDER
# Installs the build into an empty prefix and uses it from there, in a folder of its own: the program, its manual page, its
# completion, and find_package(cudalint) from a project.
set -euo pipefail
build=$(realpath "$1")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix" # it must not matter where it was installed
binary=$work/prefix/bin/cudalint

fail() { echo "install: $*" >&2; exit 1; }

mkdir "$work/project"
cd "$work/project"
cat >leak.cu <<'END'
#include "sizes.h"
int work()
{
    float *p = nullptr;
    if (cudaMalloc(&p, COUNT * SIZE) != cudaSuccess) return 1;
    return 0;
}
END
mkdir include
echo '#define SIZE 4' >include/sizes.h
"$binary" -q leak.cu -- -Iinclude -DCOUNT=8 >out && fail "the installed program found nothing"
grep -q '\[leak\]' out || fail "the installed program did not find the leak"
"$source/tools/gen-man" "$binary" | diff -u "$work/prefix/share/man/man1/cudalint.1" - ||
    fail "share/man/cudalint.1 is not what tools/gen-man makes"

PATH=$work/prefix/bin:$PATH bash -c '
    . '"$work"'/prefix/share/bash-completion/completions/cudalint
    COMP_WORDS=(cudalint --form) COMP_CWORD=1; _cudalint 2>/dev/null; echo "${COMPREPLY[*]}"
    COMP_WORDS=(cudalint --format = sa) COMP_CWORD=3; _cudalint 2>/dev/null; echo "${COMPREPLY[*]}"
    COMP_WORDS=(cudalint explain leak-on-r) COMP_CWORD=2; _cudalint 2>/dev/null; echo "${COMPREPLY[*]}"
    COMP_WORDS=(cudalint --level leak = wa) COMP_CWORD=4; _cudalint 2>/dev/null; echo "${COMPREPLY[*]}"
    COMP_WORDS=(cudalint --level = leak =) COMP_CWORD=4; _cudalint 2>/dev/null; echo "${COMPREPLY[*]}"
    COMP_WORDS=(cudalint watch --err) COMP_CWORD=2; _cudalint 2>/dev/null; echo "${COMPREPLY[*]}"' >completed
printf '%s\n' --format sarif leak-on-return warning 'error warning note off' --errors | diff -u - completed || fail "completion is not right"

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES CXX)
find_package(cudalint REQUIRED)
add_library(user STATIC leak.cu main.cpp)
set_source_files_properties(leak.cu PROPERTIES HEADER_FILE_ONLY TRUE) # there is no nvcc here
target_include_directories(user PRIVATE include)
target_compile_definitions(user PRIVATE COUNT=8 "NAME=\"x y\"")
cudalint_check(user OPTIONS --format=concise)
END
echo 'int main() { return NAME[0] == 0; }' >main.cpp
cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/prefix" >configured 2>&1 || { cat configured; fail "find_package failed"; }
cmake --build build --target user-cudalint >checked 2>&1 && fail "cudalint_check found nothing"
grep -q 'leak.cu:5:.*\[leak\]' checked || { cat checked; fail "cudalint_check did not print the finding"; }
grep -q 'in 2 files' checked || { cat checked; fail "cudalint_check did not read both files"; }
