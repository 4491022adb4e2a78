#!/usr/bin/env bash
# usage: expect.sh <exit code> <pattern> <command…>
#
# Runs a command as a person would and fails unless it ends with the exit code and its whole output, errors included,
# matches the extended regular expression ('^$' for no output at all).
set -uo pipefail
if [[ $# -lt 3 ]]; then echo "usage: expect.sh <exit code> <pattern> <command…>" >&2; exit 2; fi
code=$1 pattern=$2
shift 2

output=$("$@" 2>&1 </dev/null)
actual=$?
if [[ $actual -eq $code && "$output" =~ $pattern ]]; then exit 0; fi
printf 'expected exit code %s and output like "%s", got exit code %s and:\n%s\n' "$code" "$pattern" "$actual" "$output"
exit 1
