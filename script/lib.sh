# shellcheck shell=bash
# Sourced by the other scripts: their common functions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A script's usage is the comment after its first line.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# -h prints the usage and exits with 0; an invalid argument prints it and exits with 2.
help_wanted() { [[ "${1:-}" == "-h" || "${1:-}" == "--help" ]]; }
wrong_usage() { echo "$(basename "$0"): $*" >&2; usage >&2; exit 2; }

say() { echo "==> $*"; }

# shellcheck disable=SC2034 # for the scripts
readonly presets=(dev release quick bench asan tsan fuzz single)
# shellcheck disable=SC2034
readonly suites=(lint unit contract race scenario sim integration e2e scripts coverage asan fuzz tsan gate sanitizers)
is_one_of() { local word=$1; shift; [[ " $* " == *" $word "* ]]; }

# A script that checks ends with one line "N passed, M failed", so that a person and another script can read it.
passed=0
failed=0
count() { passed=$((passed + $1)); failed=$((failed + $2)); }
summary() { echo "$passed passed, $failed failed"; [[ $failed -eq 0 ]]; }

# prepare <preset>: what it takes to build it. A build of the program alone does not get what the tests need, of which
# a PostgreSQL server that starts by itself is a part.
prepare() {
  if is_one_of "$1" release quick; then script/bootstrap --program; else script/bootstrap; fi || return
  [[ -f build/$1/build.ninja ]] || cmake --preset "$1" >/dev/null
}

# build_targets <preset> [target…]: builds these, or everything of the preset.
build_targets() {
  local preset=$1; shift
  prepare "$preset" || return
  if [[ $# -gt 0 ]]; then cmake --build --preset "$preset" --target "$@"; else cmake --build --preset "$preset"; fi
}
