# Sourced by the scripts beside it: the few things they all do the same way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The comment that opens a script, after its first line, is its usage.
usage() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"; }

# -h explains and ends well; a wrong argument explains and ends with 2.
help_wanted() { [[ "${1:-}" == "-h" || "${1:-}" == "--help" ]]; }
wrong_usage() { echo "$(basename "$0"): $*" >&2; usage >&2; exit 2; }

say() { echo "==> $*"; }

readonly presets="dev release asan tsan fuzz coverage"
is_one_of() { local word=$1; shift; [[ " $* " == *" $word "* ]]; }
