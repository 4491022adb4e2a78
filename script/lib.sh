# shellcheck shell=bash
# Sourced by the scripts beside it: the few things they all do the same way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The comment that opens a script, after its first line, is its usage.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# -h explains and ends well; a wrong argument explains and ends with 2.
help_wanted() { [[ "${1:-}" == "-h" || "${1:-}" == "--help" ]]; }
wrong_usage() { echo "$(basename "$0"): $*" >&2; usage >&2; exit 2; }

say() { echo "==> $*"; }

# shellcheck disable=SC2034 # for the scripts
readonly presets=(dev release quick bench asan tsan fuzz)
is_one_of() { local word=$1; shift; [[ " $* " == *" $word "* ]]; }

# A script that checks ends with one line "N passed, M failed", so that a person and another script can read it.
passed=0
failed=0
count() { passed=$((passed + $1)); failed=$((failed + $2)); }
summary() { echo "$passed passed, $failed failed"; [[ $failed -eq 0 ]]; }

# prepare <preset>: what it takes to build it. Whoever wants only the program is not given what tests need, of which
# a PostgreSQL server that starts by itself is a part.
prepare() {
  if is_one_of "$1" release quick; then script/bootstrap --program; else script/bootstrap; fi || return
  [[ -f build/$1/build.ninja ]] || cmake --preset "$1" >/dev/null
}

# build_suites <preset> <suite…>: only what these suites of tests need.
build_suites() {
  local preset=$1; shift
  prepare "$preset" || return
  cmake --build --preset "$preset" --target "${@/#/suite_}"
}

# run_ctest <preset> <suite…>: builds what is needed, runs the tests of the suites, and counts them. The dev preset is
# always built whole: what nothing tests must compile, too. The suite "threads" goes across the others. The lines that
# unit, contract and scenario tests run are counted for script/coverage, into one file for each program.
run_ctest() {
  local preset=$1 log any; log=$(mktemp); shift
  if [[ $preset == dev ]]; then script/build dev; else build_suites "$preset" "$@"; fi || { count 0 1; return; }
  any=$(IFS='|'; echo "$*")
  [[ ! $any =~ unit|contract|scenario ]] || local -x LLVM_PROFILE_FILE=$PWD/build/$preset/profiles/%m.profraw
  ctest --test-dir "build/$preset" -L "^($any)(-threads)?\$|-($any)\$" -j "$(nproc)" --no-tests=error \
    --output-on-failure --schedule-random \
    | grep --line-buffered -v ' Passed ' | grep --line-buffered -vE '^ +Start +[0-9]+:' | tee "$log" || true
  if [[ "$(tail -n 40 "$log")" =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    count $((BASH_REMATCH[2] - BASH_REMATCH[1])) "${BASH_REMATCH[1]}"
  else
    echo "ctest ended without a summary" >&2; count 0 1
  fi
  rm -f "$log"
}
