#!/usr/bin/env bash
# usage: demo_test.sh <fencepost>
#
# Runs the demo as a new user would: waits until every sample is settled, runs the printed commands, stops it, and
# starts it again with the same data.
set -euo pipefail
fencepost=$1

work=$(mktemp -d)
demo=
chain=
end() {
  [[ -z $demo ]] || kill -9 "$demo" 2>/dev/null || true
  [[ -z $chain ]] || kill -9 "$chain" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

fail() { echo "FAILED: $*" >&2; cat "$work"/*.out "$work"/*.err "$work"/data/fencepost.log >&2 || true; exit 1; }

# wait_for <text>: waits until the demo has printed it.
wait_for() {
  for _ in $(seq 600); do
    grep -qF -- "$1" "$work/demo.out" && return
    kill -0 "$demo" 2>/dev/null || fail "it ended by itself"
    sleep 0.1
  done
  fail "it did not say \"$1\""
}

# start <options…>: runs the demonstration in the background; $demo is its process, $url what its first line says.
start() {
  : >"$work/demo.out"
  "$fencepost" demo --listen 127.0.0.1:0 --data "$work/data" --block-time 200ms --confirmations 2 "$@" \
    >"$work/demo.out" 2>"$work/demo.err" &
  demo=$!
  wait_for "serving on"
  local promised='^fencepost [0-9.]+ demo serving on (http://[^ ]+) \(Ctrl-C to stop\)$'
  [[ "$(head -n 1 "$work/demo.out")" =~ $promised ]] ||
    fail "the first line is not what was promised"
  url=${BASH_REMATCH[1]}
}

# stop <signal>: the demo exits with 0 and writes nothing to stderr.
stop() {
  local code=0
  kill "-$1" "$demo"
  wait "$demo" || code=$?
  demo=
  [[ $code -eq 0 ]] || fail "SIG$1 ended it with $code, not 0"
  [[ ! -s $work/demo.err ]] || fail "it wrote to stderr"
}

# story <request id> <text>: a line about this transaction has the text.
story() { [[ "$(grep -F -- " $1 " "$work/demo.out")" == *"$2"* ]] || fail "the story of $1 does not tell \"$2\""; }

start
wait_for "All transactions above were submitted through the API"
for id in pay-1-1 pay-1-2 token-1-3; do
  story "$id" "QUEUED → ALLOCATED"
  story "$id" "MINED → CONFIRMED"
done
story pay-1-2 "nonce 1"
story revert-1-4 "MINED → FAILED_FINAL"
story refused-1-5 "QUEUED → REJECTED"
story cancel-1-6 "filler"
story cancel-1-6 "MINED → CANCELLED"
grep -q $'\033' "$work/demo.out" && fail "a file got colours"

# The lines that it offers, as they stand there.
grep -E "^  curl " "$work/demo.out" | while read -r line; do
  answer=$(bash -c "${line/curl /curl -sS --max-time 30 --fail }") || fail "\"$line\" fails"
  [[ $answer == *txId* ]] || fail "\"$line\" answers $answer"
done
wait_for " mine-1 "
stop INT

start
wait_for "All transactions above were submitted through the API"
grep -q '"requestId":"mine-2"' "$work/demo.out" || fail "the line to try is not a new transaction in a new run"
story pay-2-1 "nonce 3"
story pay-2-1 "MINED → CONFIRMED"
story revert-2-4 "MINED → FAILED_FINAL"
grep -qF -- "-1-" <(grep -E "^ +[0-9.]+ s " "$work/demo.out") && fail "it prints entries of its first run again"
[[ $(curl -sS "$url/api/v1/tx?limit=100" | grep -o '"txId"' | wc -l) -eq 13 ]] || fail "transactions are missing"
stop TERM

start --samples 0
wait_for "Try these commands in another terminal"
grep -q "All transactions above" "$work/demo.out" && fail "it mentions transactions where there are none"
stop INT

start --quiet --samples 0
curl -sS --max-time 30 "$url/livez" >/dev/null || fail "it does not answer"
stop INT
[[ $(wc -l <"$work/demo.out") -eq 1 ]] || fail "it is not quiet"

code=0
"$fencepost" demo --data "$work/other" --listen 0.0.0.0:8646 >"$work/other.out" 2>"$work/other.err" || code=$?
[[ $code -eq 2 ]] || fail "an address that other machines can reach is accepted"
grep -q "use 127.0.0.1:8646, and from another machine use a tunnel" "$work/other.err" ||
  fail "the error does not suggest a tunnel"

code=0
"$fencepost" demo --data "$work/other" --rpc http://127.0.0.1:1 >"$work/other.out" 2>"$work/other.err" || code=$?
[[ $code -eq 1 ]] || fail "an unreachable node is not reported"
grep -q "127.0.0.1:1 does not answer like an EVM node" "$work/other.err" ||
  fail "an unreachable node is not reported"

# On our own chain, run by itself: its contracts are found there.
"$fencepost" devchain --listen 127.0.0.1:0 --block-time 200ms >"$work/chain.out" 2>&1 &
chain=$!
for _ in $(seq 600); do
  [[ ! -s $work/chain.out ]] || break
  kill -0 "$chain" 2>/dev/null || fail "the chain ended by itself"
  sleep 0.1
done
start --rpc "$(grep -om1 'http://127.0.0.1:[0-9]*' "$work/chain.out")"
wait_for "All transactions above were submitted through the API"
story revert-1-4 "MINED → FAILED_FINAL"
story refused-1-5 "QUEUED → REJECTED"
stop INT
kill "$chain"
wait "$chain" || true
chain=
