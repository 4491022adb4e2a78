#!/usr/bin/env bash
# usage: coverage_summary.sh <path of script/coverage> <module> <lines> <covered>
#
# Lets script/coverage judge a made-up summary in which one module has so many lines and so many of them covered.
set -euo pipefail
script=$1 module=$2 lines=$3 covered=$4
top=$(cd "$(dirname "$script")/.." && pwd)
summary=$(mktemp)
trap 'rm -f "$summary"' EXIT
cat >"$summary" <<END
{"data": [{"files": [
  {"filename": "$top/src/$module/a.cpp", "summary": {"lines": {"count": $lines, "covered": $covered}}},
  {"filename": "/usr/include/map", "summary": {"lines": {"count": 1000, "covered": 0}}}
]}]}
END
"$script" "$summary"
