#!/usr/bin/env bash
# usage: migrate_test.sh <fencepost>
#
# Calls fencepost migrate on SQLite files as a user would: a new file, the default one, and every kind of invalid file.
set -euo pipefail
fencepost=$1

migrations=$(cd "$(dirname "$0")/../../db/migration/sqlite" && printf '%s\n' V*.sql | sort -V)
# A line for each migration that the program has.
each() { awk -v before="$1 " '{ print before $0 }' <<<"$migrations"; }
numbered() { awk -v after=" $1" '{ print NR " " $0 after }' <<<"$migrations"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/db"
cd "$work/db"

fail() { echo "FAILED: $*" >&2; cat "$work/out" "$work/err" >&2; exit 1; }

# expect <exit code> <stdout> <text on stderr> <arguments…>
expect() {
  local wanted=$1 out=$2 text=$3 code=0
  shift 3
  timeout 20 "$fencepost" migrate "$@" >"$work/out" 2>"$work/err" || code=$?
  [[ $code -eq $wanted ]] || fail "\"migrate $*\" ended with $code, not $wanted"
  [[ "$(cat "$work/out")" == "$out" ]] || fail "\"migrate $*\" did not print \"$out\""
  grep -qF -- "$text" "$work/err" || [[ -z $text && ! -s $work/err ]] || fail "\"migrate $*\" did not say \"$text\""
  [[ $code -ne 1 || $(wc -l <"$work/err") -eq 1 ]] || fail "\"migrate $*\" says more than one sentence"
}

expect 0 "$(each "would apply")" "" --dry-run
expect 0 "$(numbered pending)" "" --status
[[ -z "$(ls -A)" ]] || fail "looking made a file"
expect 0 "$(each applied)" ""
[[ -f data/fencepost.db ]] || fail "the default is not data/fencepost.db"
expect 0 "nothing to do" ""
expect 0 "nothing to do" "" --dry-run
expect 0 "$(numbered applied)" "" --status
# items <status>: what --json makes of it.
items() { jq -cRn --arg status "$1" '{items: [inputs] | to_entries | map({version: (.key + 1), name: .value, $status}),
  next: null}' <<<"$migrations"; }
expect 0 "$(items applied)" "" --status --json
expect 0 "$(items pending)" "" --status --json --database none.db
expect 2 "" "--json requires --status" --json
expect 0 "nothing to do" "" --database sqlite:data/fencepost.db
expect 0 "$(each applied)" "" --database other.db

# The database that is configured, whichever way.
echo "database.url: $work/db/configured.db" >"$work/config.yaml"
expect 0 "$(each applied)" "" --config "$work/config.yaml"
expect 0 "nothing to do" "" --database configured.db
FENCEPOST_DATABASE_URL=variable.db expect 0 "$(each applied)" ""
expect 0 "nothing to do" "" --database.url variable.db
expect 0 "$(each applied)" "" --config "$work/config.yaml" --database named.db
expect 2 "" "the configuration cannot be read" --config "$work/none.yaml"

# Two at once: each migration is applied by one of them, and the other may find it done before its own first one.
# One of them may stand still in the middle of a migration, for longer than the other waits by default.
patient=(--database two.db --database.busyTimeout 30s)
"$fencepost" migrate "${patient[@]}" >"$work/first" &
"$fencepost" migrate "${patient[@]}" >"$work/second"
wait $!
[[ "$(cat "$work/first" "$work/second" | grep -v "^nothing to do$" | sort -V)" == "$(each applied)" ]] ||
  fail "two at once apply $(cat "$work/first" "$work/second")"

echo "not a database, but some text" >text.db
expect 1 "" "text.db is not a SQLite database" --database text.db
[[ "$(cat text.db)" == "not a database, but some text" ]] || fail "another file was changed"
expect 1 "" "check that its folder exists" --database no/such/folder/x.db
expect 1 "" "cannot be opened" --database data
expect 2 "" "the database URL has an unknown scheme" --database mysql://user:secret@host/db
! grep -q secret "$work/err" || fail "a password was printed"

# A file that may only be read. Root may write everything, so the program then runs as another user, from a place that
# everybody may enter.
program=$fencepost
if [[ $(id -u) -eq 0 ]]; then
  install -m 755 "$fencepost" "$work/fencepost"
  cat >"$work/unprivileged" <<END
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$work/fencepost" "\$@"
END
  chmod 755 "$work" "$work/unprivileged"
  fencepost=$work/unprivileged
fi
mkdir "$work/fixed"
cp other.db "$work/fixed/read_only.db"
before=$(cksum <"$work/fixed/read_only.db")
chmod 444 "$work/fixed/read_only.db"
chmod 555 "$work/fixed"
fixed=$work/fixed
expect 1 "" "read_only.db is read-only: let this user write to it and to its folder" --database "$fixed/read_only.db"
expect 1 "" "new.db" --database "$fixed/new.db"
[[ "$(ls -A "$work/fixed")" == read_only.db && "$(cksum <"$work/fixed/read_only.db")" == "$before" ]] ||
  fail "something was written where nothing may be"
chmod 755 "$work/fixed"
fencepost=$program

expect 2 "" "--database is empty" --database ""
expect 2 "" "--dry-run" --dry-run --status
expect 2 "" "--x" --x
expect 2 "" '"more" is unexpected' more
