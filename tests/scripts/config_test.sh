#!/usr/bin/env bash
# usage: config_test.sh <fencepost>
#
# Calls fencepost config as a user would: with a valid file, an invalid one, flags and variables.
set -euo pipefail
fencepost=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset "${!FENCEPOST_@}"

fail() { echo "FAILED: $*" >&2; cat out err >&2; exit 1; }

# run <exit code> <arguments…>
run() {
  local wanted=$1 code=0
  shift
  timeout 20 "$fencepost" "$@" >out 2>err || code=$?
  [[ $code -eq $wanted ]] || fail "\"fencepost $*\" ended with $code, not $wanted"
  [[ $code -eq 0 || ! -s out ]] || fail "\"fencepost $*\" wrote to stdout although it failed"
  [[ $code -ne 0 || ! -s err ]] || fail "\"fencepost $*\" wrote to stderr although all is well"
}
prints() { grep -qF -- "$1" out || fail "it did not print \"$1\""; }
says() { grep -qF -- "$1" err || fail "it did not say \"$1\""; }

cat >right.yaml <<'END'
database.url: postgresql://fencepost:${DATABASE_PASSWORD}@db/fencepost
confirmations: {required: 12}
chains:
  main: {id: 1, rpc.url: "https://example.com/v1/api-key"}
END
export DATABASE_PASSWORD=hunter2
run 0 config check --config right.yaml
prints "ok: chains 1, submitters 0, signers 0"
run 0 config print --config right.yaml --lease.duration 20s --gasbump.enabled
prints "required: 12  # right.yaml:2:27"
prints "duration: 20s  # --lease.duration"
prints "enabled: true  # --gasbump.enabled"
! grep -qE "hunter2|api-key" out || fail "a secret was printed"
FENCEPOST_CONFIG=right.yaml FENCEPOST_CONFIRMATIONS_REQUIRED=7 run 0 config print
prints "required: 7  # FENCEPOST_CONFIRMATIONS_REQUIRED"
run 0 config check
prints "ok: chains 0"

cat >wrong.yaml <<'END'
confirmations:
  requird: 12
lease:
  duration: 10
nonce.window: 0
END
run 2 config check --config wrong.yaml --listen nowhere
[[ $(wc -l <err) -eq 4 ]] || fail "four problems are not four lines"
says "wrong.yaml:2:12: confirmations.requird: unknown key; did you mean confirmations.required?"
says "wrong.yaml:4:13: lease.duration: \"10\" is not a duration"
says "wrong.yaml:5:15: nonce.window: \"0\" is too small"
says "--listen: \"nowhere\" has no port"
run 2 config print --config wrong.yaml
run 2 serve --config wrong.yaml
says "wrong.yaml:2:12"
unset DATABASE_PASSWORD
run 2 config check --config right.yaml
says "database.url: needs the environment variable DATABASE_PASSWORD, which is not set"
run 2 config check --config missing.yaml
says "missing.yaml: the configuration cannot be read"
run 2 config check --config .
says "cannot be read"
run 2 config check right.yaml
says "write --KEY VALUE, or --config FILE"
code=0
"$fencepost" config check --config wrong.yaml --json >out 2>err || code=$?
[[ $code -eq 2 && ! -s err ]] || fail "with --json it ended with $code, or wrote to stderr"
[[ $(jq -r '"\(.ok) \(.problems | length) \(.problems[0].where)"' out) == "false 3 wrong.yaml:2:12" ]] ||
  fail "the problems are not in the document"
run 0 config check --json
[[ $(cat out) == '{"ok":true,"problems":[]}' ]] || fail "that there is no problem is not in the document"
run 0 config print --json --lease.duration 20s
[[ $(jq -r '.items[] | select(.key == "lease.duration") | "\(.value) \(.from)"' out) == "20s --lease.duration" ]] ||
  fail "what is in force is not in the document"
run 2 config chek
says "chek"
run 2 config
says "A subcommand is required"

run 0 config reference
prints "confirmations.required  (number: 0 to 100000; default 20)"
