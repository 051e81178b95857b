#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tests/pre-commit.sh BUILD-FOLDER [--build]
# The real pre-commit with this repository's hook, in a repository made here: a bad file blocks the commit, a fixed one
# passes. With --build the hook builds its own cudalint; without, it finds the built one as if it were installed.
set -euo pipefail
build=$(realpath "$1")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v pre-commit >/dev/null || { echo "skipped: there is no pre-commit here"; exit 77; }
git -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "skipped: not a git repository"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/cache HOME=$work XDG_CACHE_HOME=$work/headers
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.invalid
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
git config --global safe.directory '*'
if [ "${2:-}" != --build ]; then
    mkdir "$work/bin"
    ln -s "$build/cudalint" "$work/bin/cudalint"
    export PATH=$work/bin:$PATH
fi

fail() { echo "pre-commit: $*" >&2; cat "$work/log" >&2; exit 1; }

# A repository that holds what is in the working tree, as one commit.
git clone -q "$source" "$work/cudalint" 2>/dev/null
(cd "$source" && git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --null -cf - -T -) | tar -xf - -C "$work/cudalint"
git -C "$work/cudalint" add -A
git -C "$work/cudalint" commit -q --allow-empty -m snapshot

mkdir "$work/user"
cd "$work/user"
git init -q .
cat >.pre-commit-config.yaml <<END
repos:
  - repo: $work/cudalint
    rev: $(git -C "$work/cudalint" rev-parse HEAD)
    hooks:
      - id: cudalint
END
cat >train.cu <<'END'
int train(int n)
{
    float *a = nullptr, *b = nullptr;
    if (cudaMalloc(&a, n * sizeof *a) != cudaSuccess) return 1;
    if (cudaMalloc(&b, n * sizeof *b) != cudaSuccess) return 2;
    cudaFree(b);
    cudaFree(a);
    return 0;
}
END
echo "no code" >notes.md
pre-commit install >/dev/null
git add .
git commit -q -m bad >"$work/log" 2>&1 && fail "a bad file was committed"
grep -q "train.cu:5:.*'a'.*\[leak-on-return\]" "$work/log" || fail "the message does not name the leak"

sed -i 's/return 2;/{ cudaFree(a); return 2; }/' train.cu
git add .
git commit -q -m good >"$work/log" 2>&1 || fail "a good file was not committed"
echo "more" >>notes.md
git commit -q -a -m notes >"$work/log" 2>&1 || fail "a commit without code was blocked"
grep -q 'no files to check' "$work/log" || fail "a commit without code was checked"
pre-commit try-repo "$work/cudalint" cudalint --files train.cu >"$work/log" 2>&1 || fail "try-repo failed"
