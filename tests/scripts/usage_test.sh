#!/usr/bin/env bash
# usage: usage_test.sh <script folder> <fencepost-sim>
#
# Every script explains itself when asked to, and when it is called wrongly. A row is an exit code, a pattern for the
# whole output, and the command.
set -uo pipefail
scripts=$1 sim=$2
expect=$(dirname "${BASH_SOURCE[0]}")/expect.sh

table() {
  cat <<'ROWS'
0 | ^usage: script/bench                       | bench --help
0 | ^usage: script/bootstrap                   | bootstrap --help
0 | ^usage: script/build                       | build --help
0 | ^usage: script/coverage                    | coverage -h
0 | ^usage: script/lint                        | lint -h
0 | ^usage: script/nightly                     | nightly --help
0 | ^usage: script/server                      | server --help
0 | ^usage: script/shake                       | shake --help
0 | ^usage: script/sim                         | sim --help
0 | ^usage: script/test                        | test --help
2 | no benchmark "x".*usage: script/bench      | bench x
2 | usage: script/bench                        | bench
2 | usage: script/bootstrap                    | bootstrap x
2 | no preset "x".*usage: script/build         | build x
2 | usage: script/build                        | build dev asan
2 | usage: script/coverage                     | coverage x
2 | usage: script/lint                         | lint --x
2 | no part "x".*usage: script/nightly         | nightly seeds x
2 | no suite "x".*usage: script/shake          | shake x
2 | name a suite.*usage: script/shake          | shake
2 | milliseconds.*usage: script/shake          | shake --longest 0 unit
2 | number of runs.*usage: script/shake        | shake --times 0 unit
2 | no preset "x"                              | sim --preset x
2 | no suite "x".*usage: script/test           | test unit x
2 | not expected: --x.*Usage:                  | fencepost-sim --x
2 | unknown mutant "x".*Usage:                  | fencepost-sim --mutant x
ROWS
}

# shellcheck disable=SC2094 # nothing writes to the table
failed=0
rows=0
while IFS='|' read -r code pattern command; do
  read -r -a words <<<"$command"
  if [[ ${words[0]} == fencepost-sim ]]; then words[0]=$sim; else words[0]=$scripts/${words[0]}; fi
  read -r pattern <<<"$pattern"
  "$expect" "${code// /}" "$pattern" "${words[@]}" || failed=$((failed + 1))
  rows=$((rows + 1))
done < <(table)
for script in "$scripts"/*; do
  [[ -d $script || $script == *.sh ]] || table | grep -q "| $(basename "$script") -" ||
    { echo "$script is not in the table"; failed=$((failed + 1)); }
done
echo "$rows rows, $failed failed"
[[ $failed -eq 0 && $rows -gt 0 ]]
